//! Words that Rust gives to pages: names of states and kinds, short notices, errors. They stand in
//! `templates/words/pt-BR.json`; what a page says by itself stands in its template.

use std::sync::LazyLock;

use serde_json::Value;

static WORDS: LazyLock<Value> = LazyLock::new(|| {
    let file = include_str!("../../../templates/words/pt-BR.json");
    serde_json::from_str(file).unwrap_or(Value::Null)
});

/// The words for `group.key`. What has none is shown by its key, so a new state is seen as it is
/// called.
pub fn word(path: &str) -> String {
    let (group, key) = path.split_once('.').unwrap_or(("", path));
    find(group, key).unwrap_or(key).to_owned()
}

/// The words for a key of a group.
pub fn of(group: &str, key: &str) -> String {
    find(group, key).unwrap_or(key).to_owned()
}

/// The words with `{name}` replaced.
pub fn filled(path: &str, values: &[(&str, &str)]) -> String {
    values
        .iter()
        .fold(word(path), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

fn find(group: &str, key: &str) -> Option<&'static str> {
    WORDS.get(group)?.get(key)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_groups_of_words() {
        let groups = WORDS.as_object().expect("an object");
        assert!(!groups.is_empty());
        for (group, words) in groups {
            let words = words.as_object().unwrap_or_else(|| panic!("{group} is no group"));
            for (key, word) in words {
                assert!(word.as_str().is_some_and(|word| !word.trim().is_empty()), "{group}.{key}");
            }
        }
    }

    #[test]
    fn what_has_no_word_is_shown_by_its_key() {
        assert_eq!(of("delivery", "teleported"), "teleported");
    }
}
