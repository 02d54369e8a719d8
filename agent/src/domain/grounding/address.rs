//! Links and e-mail addresses: where they stand in a text, and their comparable form.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// What was found at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    Link(String),
    Email(String),
}

/// A scheme or `www.` makes a link of anything; a bare name needs an ending that is known.
static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let inside = r#"[^\s<>"'`“”{}|\\^\[\]()*,;]"#;
    let ending = "com|net|org|gov|edu|app|io|dev|info|biz|store|shop|online|site|link|tech|page|\
                  click|blog|digital|cloud|travel|hotel|clinic|health|med|adv|art|eco|me|ly|gl|\
                  gle|la|bio|ee|menu|club|pro|vip|chat|be|co|br|pt|es|mx|ar|cl|uy|py|pe|bo|ec|ve|us|uk|ca|eu|de|fr|it|tv|ai|gg|cc|to";
    let email = r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+";
    let whole = format!(r"(?i)(?:https?://|www\.){inside}+");
    let path = format!(r"(?::\d{{2,5}}\b)?(?:[/?#]{inside}*)?");
    // With a path, any ending will do.
    let last = format!(r"(?:{ending})\b{path}|[a-z]{{2,}}/{inside}+");
    let bare = format!(r"(?i:(?:\w(?:[\w-]*\w)?\.)+(?:{last}))");
    Regex::new(&format!("(?P<email>{email})|(?P<whole>{whole})|(?P<bare>{bare})")).ok()
});

/// Endings that are also words, or ends of words after a missing space ("obrigado.me liga").
const WORDLIKE: &[&str] = &[
    "me", "es", "de", "to", "it", "be", "ai", "us", "co", "ar", "art", "eco", "link", "med", "la",
    "menu", "pro", "chat", "vip",
];

/// Hosts that are known to be addresses in spite of such an ending.
const SHORTENERS: &[&str] = &["wa.me", "t.me", "m.me", "youtu.be"];

/// Companies that are named by their address.
const BRANDS: &[&str] =
    &["booking.com", "hoteis.com", "hotels.com", "decolar.com", "expedia.com", "trivago.com"];

/// All addresses of a text, in order, without overlaps.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, Address)> {
    let Some(pattern) = PATTERN.as_ref() else { return Vec::new() };
    let mut found = Vec::new();
    for captures in pattern.captures_iter(text) {
        let Some(all) = captures.get(0) else { continue };
        let written = trim_end(all.as_str());
        let range = all.start()..all.start() + written.len();
        if captures.name("email").is_some() {
            found.push((range, Address::Email(written.to_lowercase())));
        } else if captures.name("whole").is_some() || is_bare_link(text, &range) {
            let link = canonical(written);
            if link.contains('.') || link.contains(':') || link.contains("localhost") {
                found.push((range, Address::Link(link)));
            }
        }
    }
    found
}

/// Marks after an address that belong to the sentence.
fn trim_end(written: &str) -> &str {
    written.trim_end_matches(|c: char| {
        matches!(c, '.' | ':' | '!' | '?' | '_' | '~' | '…' | '”' | '’' | '/' | '-')
            || !(c.is_alphanumeric() || c.is_ascii())
    })
}

fn is_bare_link(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '@' | '.' | '-' | '_' | '/')) {
        return false;
    }
    let link = canonical(&text[range.clone()]);
    let host = host(&link);
    if SHORTENERS.contains(&host) {
        return true;
    }
    if BRANDS.contains(&link.as_str()) {
        return false;
    }
    let labels = host.split('.').count();
    let ending = host.rsplit('.').next().unwrap_or_default();
    // A path, or a second label as in `clinica.med.br`, tells an address from a lost space.
    !WORDLIKE.contains(&ending) || link.len() > host.len() || labels > 2
}

/// An address without scheme, `www.`, case and closing marks.
pub(super) fn canonical(written: &str) -> String {
    let lower = trim_end(written).to_lowercase();
    let bare = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    let bare = bare.unwrap_or(&lower);
    let bare = bare.strip_prefix("www.").unwrap_or(bare);
    trim_end(bare).to_owned()
}

/// What stands before the path.
pub(super) fn host(link: &str) -> &str {
    link.split(['/', '?', '#']).next().unwrap_or(link)
}

/// The link and what it vouches for: itself without anchor and query, and its host.
pub(super) fn lends(link: &str) -> Vec<String> {
    let plain = link.split(['?', '#']).next().unwrap_or(link);
    vec![link.to_owned(), trim_end(plain).to_owned(), host(link).to_owned()]
}

/// The number that a link opens a chat with.
pub(super) fn chat_number(link: &str) -> Option<&str> {
    let rest = link.strip_prefix("wa.me/").or_else(|| {
        link.split_once("whatsapp.com/")
            .and_then(|(_, rest)| rest.split_once("phone="))
            .map(|(_, number)| number)
    })?;
    let rest = rest.strip_prefix('+').unwrap_or(rest);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    (end >= 8).then(|| &rest[..end])
}
