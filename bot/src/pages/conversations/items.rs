//! What stands in a thread, from top to bottom: days, messages, and marks between them.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use lembra_agent::services::board::thread::{HandoffMark, Thread, ThreadMessage, TurnMark};

use super::row::actor;
use super::tick;
use crate::pages::words;

/// One line of a thread.
pub enum Item {
    Day { key: String, date: String },
    Said(Box<MessageView>),
    Mark(MarkView),
}

/// Something that happened between messages.
pub struct MarkView {
    pub key: String,
    pub at: DateTime<Utc>,
    pub text: String,
    pub detail: Option<String>,
}

/// A message with what its bubble says.
pub struct MessageView {
    pub m: ThreadMessage,
    /// The turn that wrote it, at the last part of its answer.
    pub turn: Option<TurnMark>,
    /// The name above it, where it is not the one before.
    pub by: Option<String>,
}

impl MessageView {
    pub fn is_ours(&self) -> bool {
        self.m.direction == "out"
    }

    pub fn tick(&self) -> String {
        tick::html(self.m.delivery.as_deref())
    }

    /// What stands where there are no words.
    pub fn kind_word(&self) -> Option<String> {
        let shown_otherwise = self.m.file.is_some() || self.m.place.is_some();
        let silent = self.m.text.is_empty() && !shown_otherwise;
        let named = ["contacts", "order", "unsupported"].contains(&self.m.kind.as_str());
        (silent || named).then(|| words::of("message_kind", &self.m.kind))
    }

    /// Whether the file can be shown in the page, and how: `image`, `audio`, `video` or `link`.
    pub fn player(&self) -> &'static str {
        let Some(file) = self.m.file.as_ref().filter(|file| file.state == "kept") else {
            return "none";
        };
        match file.kind.as_str() {
            "image" | "sticker" => "image",
            "audio" => "audio",
            "video" => "video",
            _ => "link",
        }
    }

    /// The size of the file for people.
    pub fn size(&self) -> Option<String> {
        let bytes = self.m.file.as_ref()?.bytes?;
        Some(match bytes {
            ..1_000_000 => format!("{} kB", (bytes + 999) / 1_000),
            _ => format!("{:.1} MB", bytes as f64 / 1e6).replace('.', ","),
        })
    }

    /// What triage said, where it did not let the message through.
    pub fn verdict(&self) -> Option<&str> {
        self.m.verdict.as_deref().filter(|verdict| *verdict != "proceed")
    }

    pub fn is_crisis(&self) -> bool {
        self.m.verdict.as_deref() == Some("crisis")
    }

    /// Nobody knows whether it was sent.
    pub fn is_unclear(&self) -> bool {
        self.m.delivery.as_deref() == Some("unknown")
    }

    /// Why nobody answered, or that somebody will.
    pub fn outcome(&self) -> Option<String> {
        if self.is_ours() {
            return None;
        }
        let Some(outcome) = self.m.outcome.as_deref() else {
            return Some(words::of("outcome", "none"));
        };
        let why = self.m.outcome_detail.as_deref().unwrap_or_default();
        match outcome {
            "answered" | "coalesced" | "preempted" => None,
            "human" | "ignored" => {
                let known = words::of("outcome_why", why);
                Some(if known == why { words::of("outcome", outcome) } else { known })
            }
            _ => Some(words::of("outcome", outcome)),
        }
    }

    /// Why a message of ours did not arrive.
    pub fn error(&self) -> Option<String> {
        let delivery = self.m.delivery.as_deref()?;
        if !["failed", "unknown", "cancelled"].contains(&delivery) {
            return None;
        }
        if let Some(how) = &self.m.attended_as {
            return Some(words::of("attended", how));
        }
        let code = self.m.error_code.map(|code| code.to_string());
        let detail = self.m.error_detail.clone();
        for key in code.iter().chain(&detail) {
            let known = words::of("delivery_error", key);
            if known != *key {
                return Some(known);
            }
        }
        let said = match (delivery, code) {
            ("failed", Some(code)) => words::filled("delivery_error.code", &[("code", &code)]),
            _ => words::of("delivery_error", delivery),
        };
        Some(said)
    }
}

/// The lines of a page of a conversation. Marks that lie before or behind its messages belong to
/// another page. `resolved_at` is when the conversation ended.
pub fn of(thread: Thread, resolved_at: Option<DateTime<Utc>>, zone: Tz) -> Vec<Item> {
    let first = thread.messages.first().map(|message| message.created_at);
    let last = thread.messages.last().map(|message| message.created_at);
    let mut marks: Vec<MarkView> = thread.handoffs.iter().flat_map(marks_of).collect();
    marks.extend(resolved_at.map(|at| MarkView {
        key: "resolved".to_owned(),
        at,
        text: words::word("thread_mark.resolved"),
        detail: None,
    }));
    marks.retain(|mark| {
        let before = thread.older.is_some() && first.is_some_and(|first| mark.at < first);
        let behind = thread.newer.is_some() && last.is_some_and(|last| mark.at > last);
        !before && !behind
    });
    marks.sort_by_key(|mark| mark.at);
    let mut marks = marks.into_iter().peekable();
    let mut turns = thread.turns;
    let mut items = Vec::new();
    let mut day: Option<NaiveDate> = None;
    let mut speaker: Option<(String, Option<String>)> = None;
    let mut messages = thread.messages.into_iter().peekable();
    while let Some(message) = messages.next() {
        while let Some(mark) = marks.next_if(|mark| mark.at <= message.created_at) {
            items.push(Item::Mark(mark));
            speaker = None;
        }
        let date = message.written_at.with_timezone(&zone).date_naive();
        if day != Some(date) {
            let shown = date.format("%d/%m/%Y").to_string();
            items.push(Item::Day { key: date.to_string(), date: shown });
            day = Some(date);
            speaker = None;
        }
        let by = (message.author.clone(), message.said_by.clone());
        let named = speaker.as_ref() != Some(&by);
        let is_last_part = messages.peek().is_none_or(|next| next.turn_id != message.turn_id);
        let turn = message.turn_id.filter(|_| message.direction == "out" && is_last_part);
        let turn = turn.and_then(|id| turns.iter().position(|turn| turn.id == id));
        let turn = turn.map(|at| turns.swap_remove(at));
        speaker = Some(by);
        items.push(Item::Said(Box::new(MessageView {
            by: named.then(|| author(&message)).flatten(),
            turn,
            m: message,
        })));
    }
    items.extend(marks.map(Item::Mark));
    items
}

/// Who wrote a message of the business.
fn author(message: &ThreadMessage) -> Option<String> {
    match message.author.as_str() {
        "customer" => None,
        "operator" => {
            let name = message.said_by_name.clone();
            Some(name.unwrap_or_else(|| words::of("message_author", "operator")))
        }
        other => Some(words::of("message_author", other)),
    }
}

fn marks_of(handoff: &HandoffMark) -> Vec<MarkView> {
    let key = |what: &str| format!("{what}-{}", handoff.id);
    let mut marks = Vec::new();
    // Whoever took it from the bot says so by taking it.
    if handoff.reason != "operator" {
        marks.push(MarkView {
            key: key("left"),
            at: handoff.created_at,
            text: words::filled(
                "thread_mark.left",
                &[("reason", &words::of("handoff_reason", &handoff.reason))],
            ),
            detail: handoff.detail.clone(),
        });
    }
    if let Some(at) = handoff.taken_at {
        let by = handoff.taken_by.as_deref().unwrap_or_default();
        let name = handoff.taken_by_name.clone().unwrap_or_else(|| actor(by));
        let text = words::filled("thread_mark.taken", &[("name", &name)]);
        marks.push(MarkView { key: key("taken"), at, text, detail: None });
    }
    if let Some(at) = handoff.closed_at.filter(|_| handoff.state != "resolved") {
        let text = words::of("thread_mark", &handoff.state);
        marks.push(MarkView { key: key("closed"), at, text, detail: None });
    }
    marks
}
