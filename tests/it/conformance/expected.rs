//! The index's prose, such as `inbound text; sender …; text "…"; id …; ts …; channel …`, as values
//! to compare with.

use lembra_agent::channels::reading::Reading;

/// What one event should be read as; what the prose does not say is not compared.
#[derive(Debug, Default, PartialEq)]
pub struct Expected {
    outcome: &'static str,
    /// The kinds that would be right; empty where the prose leaves it open.
    kinds: Vec<&'static str>,
    channel: Option<String>,
    sender: Option<String>,
    message_id: Option<String>,
    timestamp: Option<i64>,
    text: Option<String>,
    reply_to: Option<String>,
    /// Words that the reason must hold.
    why: Option<&'static str>,
}

/// Reads the prose of one event.
pub fn parse(prose: &str) -> Expected {
    let (head, parts) = split(prose);
    let (outcome, kinds, why) = class(&head);
    let mut expected = Expected { outcome, kinds, why, ..Expected::default() };
    // "status read of W", "edit of W", "reaction REMOVED to W"
    let of = |marks: &[&str]| {
        let (_, rest) = marks.iter().find_map(|mark| head.split_once(mark))?;
        rest.split([' ', ':', '(']).next().filter(|id| !id.is_empty()).map(str::to_owned)
    };
    match outcome {
        "status" => expected.message_id = of(&[" of "]),
        "message" if head.starts_with("edit") || head.starts_with("deletion") => {
            expected.reply_to = of(&[" of "]);
        }
        "message" if head.contains("reaction") => expected.reply_to = of(&[" to "]),
        _ => {}
    }
    let chosen = head.contains("choice");
    for part in parts {
        let Some((name, value)) = part.split_once(' ') else { continue };
        let first = value.split(' ').next().unwrap_or_default();
        match name {
            "sender" | "recipient" | "to" => expected.sender = Some(first.to_owned()),
            // A choice has an id of its own, which is named first.
            "id" if chosen && expected.sender.is_none() => {}
            "id" => expected.message_id = Some(first.to_owned()),
            "ts" => expected.timestamp = first.parse().ok(),
            // "channel 107 GROUP …", "channel waba 107"
            "channel" => {
                let name = value.strip_prefix("waba ").unwrap_or(value);
                expected.channel = name.split(' ').next().map(str::to_owned);
            }
            "text" => expected.text = quoted(value),
            "new" => expected.text = value.strip_prefix("text ").and_then(quoted),
            "reply" => expected.reply_to = value.strip_prefix("to ").map(str::to_owned),
            _ => {}
        }
    }
    if expected.text.as_deref().is_some_and(|text| text.ends_with("...")) {
        // Told, and not spelt out.
        expected.text = None;
    }
    // "inbound text" of a list: who chose is named before the message's id.
    expected
}

/// The head, and the parts behind it; a semicolon within quotes separates nothing.
fn split(prose: &str) -> (String, Vec<String>) {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in prose.chars() {
        quoted ^= c == '"';
        match parts.last_mut() {
            Some(part) if c != ';' || quoted => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    let mut parts = parts.into_iter().map(|part| part.trim().to_owned());
    (parts.next().unwrap_or_default(), parts.collect())
}

fn quoted(value: &str) -> Option<String> {
    Some(value.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

type Class = (&'static str, Vec<&'static str>, Option<&'static str>);

/// Outcome, kinds and reason by the head's words.
fn class(head: &str) -> Class {
    let message = |kind| ("message", vec![kind], None);
    let ignored = |why| ("ignored", Vec::new(), Some(why));
    let rules: [(&str, Class); 37] = [
        ("inbound text", message("text")),
        ("inbound media image", message("image")),
        ("inbound media audio", message("audio")),
        ("inbound media video", message("video")),
        ("inbound media document", message("document")),
        ("inbound media sticker", message("sticker")),
        ("inbound contact card", message("contacts")),
        ("inbound location", message("location")),
        ("inbound order", message("order")),
        ("inbound choice", message("choice")),
        ("inbound reaction", message("reaction")),
        ("inbound unsupported (poll)", ("message", vec!["unsupported"], Some("poll"))),
        ("inbound unsupported (view once", ("message", vec!["unsupported"], Some("view once"))),
        ("inbound unsupported", message("unsupported")),
        ("interactive without content", message("unsupported")),
        ("edit of", message("edit")),
        ("deletion of", message("revoke")),
        ("echo", ("echo", Vec::new(), None)),
        ("status sent", ("status", vec!["sent"], None)),
        ("status delivered", ("status", vec!["delivered"], None)),
        ("status read", ("status", vec!["read"], None)),
        ("status played", ("status", vec!["played"], None)),
        ("status failed", ("status", vec!["failed"], None)),
        ("status DELETED", ("status", vec!["deleted"], None)),
        ("status", ("status", Vec::new(), None)),
        ("group ignore", ignored("group")),
        ("ignore (group)", ignored("group")),
        ("ignore (newsletter)", ignored("newsletter")),
        ("ignore (status", ignored("status_broadcast")),
        ("ignore (self chat)", ignored("self_chat")),
        ("ignore (empty text)", ignored("empty")),
        ("ignore (encrypted", ignored("encrypted")),
        ("value-level error", ignored("provider_error")),
        ("history", ignored("history")),
        ("ignore", ("ignored", Vec::new(), None)),
        ("channel", ("system", Vec::new(), None)),
        ("system", ("system", Vec::new(), None)),
    ];
    let rule = rules.into_iter().find(|(words, _)| head.starts_with(words));
    match rule {
        Some((_, class)) => class,
        None if head.starts_with("marketing") => ("system", Vec::new(), None),
        None => panic!("the index says something new: {head}"),
    }
}

impl Expected {
    /// In what a reading is not what was expected.
    pub fn differences(&self, found: &Reading) -> Vec<String> {
        let mut differences = Vec::new();
        let mut compare = |name: &str,
                           expected: &dyn std::fmt::Debug,
                           found: &dyn std::fmt::Debug,
                           same: bool| {
            if !same {
                differences.push(format!("{name} is {found:?}, expected {expected:?}"));
            }
        };
        compare("outcome", &self.outcome, &found.outcome, self.outcome == found.outcome);
        let kind = self.kinds.is_empty() || self.kinds.contains(&found.kind.as_str());
        compare("kind", &self.kinds, &found.kind, kind);
        let texts = [
            ("channel", &self.channel, &found.channel),
            ("sender", &self.sender, &found.sender),
            ("message_id", &self.message_id, &found.message_id),
            ("text", &self.text, &found.text),
            ("reply_to", &self.reply_to, &found.reply_to),
        ];
        for (name, expected, found) in texts {
            compare(name, expected, found, expected.is_none() || expected == found);
        }
        let timestamp = self.timestamp.is_none() || self.timestamp == found.timestamp;
        compare("timestamp", &self.timestamp, &found.timestamp, timestamp);
        let why = found.why.as_deref().unwrap_or_default();
        compare("why", &self.why, &found.why, self.why.is_none_or(|word| why.contains(word)));
        differences
    }
}
