//! The common case, in two journeys to the database in place of five: texts that a turn answers,
//! and from which nothing else follows. PostgreSQL only, where a journey costs more than a row.
//!
//! Whatever else there is in a batch is left to [`super::batch`]. The rules are the same ones;
//! only the order of reading and writing differs.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Utc};
use sea_orm::DatabaseConnection;

use super::batch::Memory;
use super::context::Context;
use super::decide::{Decision, Situation, decide, unanswerable};
use super::incoming::Incoming;
use super::settle::respond;
use super::{Item, Settings};
use crate::domain::chat::ChatMessage;
use crate::domain::message::Content;
use crate::jobs::arrivals;
use crate::store::conversations::{self, Head, Place};
use crate::store::db::is_postgres;
use crate::store::messages::NewMessage;
use crate::store::rowset::Inserts;
use crate::store::{StoreResult, people};

/// What was written of a batch.
pub struct Written<'a> {
    /// What is left to write.
    pub rest: Vec<&'a Item>,
    /// A turn is due at once.
    pub due: bool,
}

/// A message with its place in the batch.
struct Text<'a> {
    index: usize,
    next: Incoming<'a>,
}

/// Writes what it can of `items`; the others come back, in their order.
pub async fn write<'a>(
    db: &DatabaseConnection,
    settings: &Settings,
    items: &[&'a Item],
    memory: &mut Memory,
    now: DateTime<Utc>,
) -> StoreResult<Written<'a>> {
    let nothing = || Written { rest: items.to_vec(), due: false };
    if !is_postgres(db) {
        return Ok(nothing());
    }
    let texts = candidates(settings, items, now);
    if texts.is_empty() {
        return Ok(nothing());
    }
    let callers: Vec<_> = texts.iter().map(|text| text.next.caller()).collect();
    let mut inserts = Inserts::default();
    let persons =
        people::resolve_unchanged(db, &callers, &mut memory.ids, &mut inserts, now).await?;
    let Some(persons) = persons else {
        return Ok(nothing());
    };
    let places: Vec<(Place, bool)> = texts
        .iter()
        .zip(&persons)
        .map(|(text, person)| (text.next.place(person.contact_id), person.is_new))
        .collect();
    let heads = conversations::open_for(db, &places, &mut memory.ids, &mut inserts, now).await?;
    let known: BTreeSet<i64> =
        heads.values().filter(|head| !head.is_new).map(|head| head.id).collect();
    let context = Context::of_conversations(db, &known, now).await?;

    let mut said: HashMap<i64, Vec<ChatMessage>> = HashMap::new();
    let mut others: HashSet<i64> = HashSet::new();
    let mut addressed = Vec::with_capacity(texts.len());
    for (text, (place, _)) in texts.into_iter().zip(&places) {
        let Some(head) = heads.get(place) else {
            return Ok(nothing());
        };
        let history = said.entry(head.id).or_insert_with(|| context.said_in(head.id));
        history.push(ChatMessage::user(text.next.content.text()));
        let answers = context.answers.get(&head.id).copied().unwrap_or_default();
        // The first words of all were judged alone.
        let is_judged = head.is_new && history.len() == 1;
        if !is_judged && !leads_to_a_turn(settings, &text.next, head, history, answers, now) {
            if head.is_new {
                return Ok(nothing());
            }
            others.insert(head.id);
        }
        addressed.push((text, head));
    }
    addressed.retain(|(_, head)| !others.contains(&head.id));
    if addressed.is_empty() {
        return Ok(nothing());
    }

    let rows: Vec<NewMessage> = addressed.iter().map(|(text, head)| text.next.row(head)).collect();
    let jobs: Vec<_> = addressed
        .iter()
        .map(|(text, head)| {
            let trace = memory.traces.get(text.next.message_id).map(String::as_str);
            respond(settings, &text.next.inbox.account, head.id, now).traced_by(trace)
        })
        .collect();
    let due = jobs.iter().any(|job| job.run_at() <= now);
    let touches = addressed.iter().any(|(_, head)| !head.is_new);
    let ids = arrivals::write(db, inserts, &rows, jobs, touches, now).await?;
    metrics::counter!("lembra_triage_total", "verdict" => super::decide::PROCEED)
        .increment(ids.len() as u64);
    let done: HashSet<usize> = addressed.iter().map(|(text, _)| text.index).collect();
    let rest = items.iter().enumerate().filter(|(index, _)| !done.contains(index));
    Ok(Written { rest: rest.map(|(_, item)| *item).collect(), due })
}

/// The texts of people of whom the batch has nothing else. None where something in it may change
/// what follows from a text.
fn candidates<'a>(settings: &Settings, items: &[&'a Item], now: DateTime<Utc>) -> Vec<Text<'a>> {
    let mut texts = Vec::new();
    let mut others: HashSet<String> = HashSet::new();
    let mut seen = HashSet::new();
    let names = |next: &Incoming<'_>| {
        let names = next.sender.identities().into_iter();
        names.map(|name| format!("{}:{}", next.inbox.account.id, name.value)).collect::<Vec<_>>()
    };
    for (index, item) in items.iter().enumerate() {
        match item {
            Item::Message(inbox, message) => {
                let next = Incoming::from_customer(inbox, message);
                if !is_plain(settings, &next, now) || !seen.insert((inbox.id, next.message_id)) {
                    others.extend(names(&next));
                } else {
                    texts.push(Text { index, next });
                }
            }
            Item::Status(..) | Item::Kept(_) => {}
            Item::Echo(..) | Item::History(..) | Item::System(..) | Item::Presence(..) => {
                return Vec::new();
            }
        }
    }
    // Who is named in two ways is one person, and so are those who share either name.
    loop {
        let before = texts.len();
        texts.retain(|text: &Text<'_>| {
            let names = names(&text.next);
            let apart = !names.iter().any(|name| others.contains(name));
            if !apart {
                others.extend(names);
            }
            apart
        });
        if texts.len() == before {
            return texts;
        }
    }
}

/// A text that leads to a turn where nothing was said before.
fn is_plain(settings: &Settings, next: &Incoming<'_>, now: DateTime<Utc>) -> bool {
    let is_text = matches!(next.content, Content::Text { .. });
    if !is_text || next.referral.is_some() || unanswerable(next.content).is_some() {
        return false;
    }
    let head = Head::unknown(next.place(0));
    let history = [ChatMessage::user(next.content.text())];
    leads_to_a_turn(settings, next, &head, &history, 0, now)
}

fn leads_to_a_turn(
    settings: &Settings,
    next: &Incoming<'_>,
    head: &Head,
    history: &[ChatMessage],
    recent_answers: u64,
    now: DateTime<Utc>,
) -> bool {
    let (decision, found) = decide(&Situation {
        head,
        account: &next.inbox.account,
        max_answer_age: settings.max_answer_age,
        history,
        recent_answers,
        written_at: next.written_at,
        now,
    });
    decision == Decision::Answer && found.alert.is_none() && found.verdict.rule.is_none()
}
