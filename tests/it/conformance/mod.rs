//! Real webhook bodies, read beside the project where they are laid: what `bot normalize` says of
//! each is compared with the index.

mod expected;

use std::path::PathBuf;

use lembra_agent::channels::reading::{self, Provider, Reading};

use self::expected::Expected;
use crate::support::skip;

/// Reads one file and says in what it differs from the index; nothing when in nothing.
fn differences(file: &str, provider: Provider, body: &[u8], prose: &str) -> Vec<String> {
    let expected: Vec<Expected> = prose.split(" || ").map(expected::parse).collect();
    let found = reading::read(provider, file, body);
    if found.len() != expected.len() {
        return vec![format!("{} events, {} expected", found.len(), expected.len())];
    }
    let pairs = expected.iter().zip(&found);
    pairs.flat_map(|(expected, found)| expected.differences(found)).collect()
}

#[test]
fn every_body_is_read_as_the_index_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/payloads");
    let Ok(index) = std::fs::read_to_string(folder.join("INDEX.tsv")) else {
        eprintln!("skipped: no ../shared/payloads");
        return;
    };
    let mut checked = 0;
    let mut wrong = Vec::new();
    for line in index.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (Some(file), Some(prose)) = (columns.first(), columns.get(5)) else {
            continue;
        };
        let provider = match file.split('/').next() {
            Some("meta") => Provider::Meta,
            Some("evolution") => Provider::Evolution,
            _ => continue,
        };
        checked += 1;
        let body = std::fs::read(folder.join(file)).expect("the index names files that exist");
        let differences = differences(file, provider, &body, prose);
        match differences.is_empty() {
            true => println!("right  {file}"),
            false => {
                println!("WRONG  {file}: {}", differences.join("; "));
                wrong.push(format!("{file}: {}\n    index: {prose}", differences.join("; ")));
            }
        }
    }
    if checked == 0 {
        return skip("the index is empty");
    }
    println!("{} of {checked} right", checked - wrong.len());
    assert!(
        wrong.len() * 100 <= checked,
        "{} of {checked} are read otherwise:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_comparison_notices_what_is_wrong() {
    let prose = "inbound text; text \"Oi; tudo bem?\"; sender 5511987650001; id W1; ts 1700000000; \
                 channel 107; reply to W0";
    let right = Reading {
        outcome: "message",
        kind: "text".to_owned(),
        channel: Some("107".to_owned()),
        sender: Some("5511987650001".to_owned()),
        message_id: Some("W1".to_owned()),
        timestamp: Some(1_700_000_000),
        text: Some("Oi; tudo bem?".to_owned()),
        reply_to: Some("W0".to_owned()),
        ..Reading::default()
    };
    let expected = expected::parse(prose);
    assert_eq!(expected.differences(&right), Vec::<String>::new());
    let changes: [fn(&mut Reading); 8] = [
        |reading| reading.outcome = "echo",
        |reading| reading.kind = "image".to_owned(),
        |reading| reading.channel = None,
        |reading| reading.sender = Some("558587650002".to_owned()),
        |reading| reading.message_id = Some("W0".to_owned()),
        |reading| reading.timestamp = None,
        |reading| reading.text = Some("Oi".to_owned()),
        |reading| reading.reply_to = None,
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut wrong = right.clone();
        change(&mut wrong);
        assert_eq!(expected.differences(&wrong).len(), 1, "change {index}");
    }
}
