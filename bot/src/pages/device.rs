//! What a browser is, read out of what it calls itself.

/// Browsers by the word that only they say, the most special first.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// Systems, likewise.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
];

/// "Chrome · Android"; what is not known is shown by its first word.
pub fn name(agent: &str) -> String {
    let find = |known: &[(&str, &'static str)]| {
        known.iter().find(|(word, _)| agent.contains(word)).map(|(_, name)| *name)
    };
    match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} · {system}"),
        (Some(known), None) | (None, Some(known)) => known.to_owned(),
        (None, None) => agent.split_whitespace().next().unwrap_or("?").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_told_apart_though_all_call_themselves_mozilla() {
        let windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
        let iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
        for (agent, shown) in [
            (windows.to_owned(), "Chrome · Windows"),
            (format!("{windows} Edg/140.0.0.0"), "Edge · Windows"),
            (iphone.to_owned(), "Safari · iPhone"),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0".into(),
                "Firefox · Linux",
            ),
            ("curl/8.5.0".into(), "curl"),
            ("Robot 7".into(), "Robot"),
            (String::new(), "?"),
        ] {
            assert_eq!(name(&agent), shown);
        }
    }
}
