//! A model's Markdown becomes WhatsApp's text, and a long text several messages: nothing but white
//! space is lost in the cutting, and no part is empty or too long.

#![no_main]

use lembra_agent::domain::whatsapp_text::{from_markdown, split};
use libfuzzer_sys::fuzz_target;

/// What must be there afterwards: marks around code may be closed and opened again at a cut.
fn kept(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '`').collect()
}

fuzz_target!(|input: (u8, &str)| {
    let (limit, markdown) = input;
    let text = from_markdown(markdown);
    let limit = usize::from(limit).max(2);
    let parts = split(&text, limit);
    for part in &parts {
        assert!(!part.trim().is_empty(), "an empty part");
        assert!(part.encode_utf16().count() <= limit, "a part over {limit}");
    }
    assert_eq!(kept(&text), kept(&parts.concat()));
});
