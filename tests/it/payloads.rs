//! Real webhook bodies, read beside the project where they are laid.

use std::path::PathBuf;

use lembra_agent::channels::meta;
use lembra_agent::domain::message::{Content, InboundEvent};

use crate::support::skip;

/// What the index says of one inbound text.
#[derive(Debug, PartialEq)]
struct Text {
    sender: String,
    text: String,
    id: String,
    timestamp: i64,
    channel: String,
}

fn part<'a>(reading: &'a str, name: &str) -> Option<&'a str> {
    reading.split("; ").find_map(|part| part.strip_prefix(name)?.strip_prefix(' '))
}

fn expected(reading: &str) -> Vec<Text> {
    let texts = reading.split(" || ").filter(|reading| reading.starts_with("inbound text"));
    let text = |reading: &str| {
        Some(Text {
            sender: part(reading, "sender")?.to_owned(),
            text: part(reading, "text")?.trim_matches('"').to_owned(),
            id: part(reading, "id")?.to_owned(),
            timestamp: part(reading, "ts")?.split(' ').next()?.parse().ok()?,
            channel: part(reading, "channel")?.split(' ').next()?.to_owned(),
        })
    };
    texts.filter_map(text).collect()
}

fn read(body: &[u8]) -> Vec<Text> {
    let text = |event: InboundEvent| {
        let InboundEvent::Message(message) = event else {
            return None;
        };
        let Content::Text { text } = &message.content else {
            return None;
        };
        let sender = &message.sender;
        let phone = sender.phone.as_ref().map(|phone| phone.as_str().to_owned());
        Some(Text {
            sender: phone.or(sender.bsuid.clone())?,
            text: text.clone(),
            id: message.message_id.clone(),
            timestamp: message.timestamp.timestamp(),
            channel: message.channel.clone(),
        })
    };
    meta::normalize(body).into_iter().filter_map(text).collect()
}

#[test]
fn every_inbound_text_of_meta_is_read_as_the_index_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/payloads");
    let Ok(index) = std::fs::read_to_string(folder.join("INDEX.tsv")) else {
        eprintln!("skipped: no ../shared/payloads");
        return;
    };
    let mut checked = 0;
    let mut wrong = Vec::new();
    for line in index.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (Some(file), Some(reading)) = (columns.first(), columns.get(5)) else {
            continue;
        };
        let expected = expected(reading);
        if !file.starts_with("meta/") || expected.is_empty() {
            continue;
        }
        checked += 1;
        let body = std::fs::read(folder.join(file)).expect("the index names files that exist");
        let found = read(&body);
        if found != expected {
            wrong.push(format!("{file}: expected {expected:?}, read {found:?}"));
        }
    }
    if checked == 0 {
        return skip("the index holds no inbound text of Meta");
    }
    assert!(wrong.is_empty(), "{} of {checked}:\n{}", wrong.len(), wrong.join("\n"));
}
