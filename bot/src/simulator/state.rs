//! What the page shows, read from the database: it is the same after a restart.

use std::collections::HashMap;

use lembra_agent::domain::identity::{IdentityKind, Phone};
use lembra_agent::domain::tool_failure::ToolFailure;
use lembra_agent::store::{StoreResult, threads};
use lembra_entities::{conversation, message, turn};
use lembra_worker::runtime::Runtime;
use serde_json::{Value, json};

use super::Simulator;

/// Who writes when nobody was chosen.
pub const DEFAULT_CUSTOMER: &str = "5511987650001";
pub const DEFAULT_NAME: &str = "Você";
/// Messages on the page.
const MOST_MESSAGES: u64 = 200;

/// A customer on the left.
struct Customer {
    key: String,
    name: String,
    contact_id: Option<i64>,
}

async fn customers(runtime: &Runtime, simulator: &Simulator) -> StoreResult<Vec<Customer>> {
    let rows = threads::contacts_of(&runtime.db, simulator.inbox().account.id).await?;
    let mut customers: Vec<Customer> = rows
        .into_iter()
        .filter(|(_, identity)| identity.kind == IdentityKind::Phone.as_str())
        .map(|(contact, identity)| Customer {
            key: identity.address,
            name: contact.name.unwrap_or_else(|| DEFAULT_NAME.to_owned()),
            contact_id: Some(contact.id),
        })
        .collect();
    if !customers.iter().any(|customer| customer.key == DEFAULT_CUSTOMER) {
        let (key, name) = (DEFAULT_CUSTOMER.to_owned(), DEFAULT_NAME.to_owned());
        customers.push(Customer { key, name, contact_id: None });
    }
    Ok(customers)
}

/// The name of a customer, where they are known.
pub async fn name_of(
    runtime: &Runtime,
    simulator: &Simulator,
    key: &str,
) -> StoreResult<Option<String>> {
    let customers = customers(runtime, simulator).await?;
    Ok(customers.into_iter().find(|customer| customer.key == key).map(|customer| customer.name))
}

/// The contact that a customer is, once they have written.
pub async fn contact_of(
    runtime: &Runtime,
    simulator: &Simulator,
    key: &str,
) -> StoreResult<Option<i64>> {
    let customers = customers(runtime, simulator).await?;
    Ok(customers
        .into_iter()
        .find(|customer| customer.key == key)
        .and_then(|found| found.contact_id))
}

/// Everything on the page; `None` when there is no such customer.
pub async fn read(
    runtime: &Runtime,
    simulator: &Simulator,
    key: &str,
) -> StoreResult<Option<Value>> {
    let customers = customers(runtime, simulator).await?;
    let Some(chosen) = customers.iter().find(|customer| customer.key == key) else {
        return Ok(None);
    };
    let inbox = simulator.inbox();
    let (mut messages, mut turns, mut latest) = (Vec::new(), HashMap::new(), None);
    if let Some(contact) = chosen.contact_id {
        messages = threads::messages_of(&runtime.db, inbox.id, contact, MOST_MESSAGES).await?;
        let mut ids: Vec<i64> = messages.iter().filter_map(|message| message.turn_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let rows = threads::turns(&runtime.db, ids).await?;
        turns = rows.into_iter().map(|turn| (turn.id, turn)).collect();
        latest = threads::latest_conversation(&runtime.db, inbox.id, contact).await?;
    }
    let typing = match &latest {
        Some(latest) => threads::is_answering(&runtime.db, latest.id).await?,
        None => false,
    };
    let mut listed = Vec::new();
    for customer in &customers {
        listed.push(describe(runtime, simulator, customer).await?);
    }
    let thread = Thread { messages: &messages, turns: &turns };
    Ok(Some(json!({
        "customer": {
            "key": chosen.key,
            "name": chosen.name,
            "phone_display": display(&chosen.key),
        },
        "customers": listed,
        "assistant": {
            "name": inbox.account.assistant_name,
            "account": inbox.account.name,
            "typing": typing,
        },
        "conversation": conversation_json(latest.as_ref()),
        "messages": messages.iter().map(|message| thread.message(message)).collect::<Vec<_>>(),
    })))
}

async fn describe(
    runtime: &Runtime,
    simulator: &Simulator,
    customer: &Customer,
) -> StoreResult<Value> {
    let last = match customer.contact_id {
        Some(id) => threads::messages_of(&runtime.db, simulator.inbox().id, id, 1).await?.pop(),
        None => None,
    };
    Ok(json!({
        "key": customer.key,
        "name": customer.name,
        "phone_display": display(&customer.key),
        "last_text": last.as_ref().map(|message| &message.text),
        "last_at": last.as_ref().map(|message| message.created_at),
    }))
}

fn conversation_json(latest: Option<&conversation::Model>) -> Value {
    json!({
        "id": latest.map(|latest| latest.id),
        "state": latest.map(|latest| &latest.state),
        "handler": latest.map_or("bot", |latest| latest.handler.as_str()),
        "handler_reason": latest.and_then(|latest| latest.handler_reason.as_ref()),
    })
}

/// `+55 11 98765-0001`.
fn display(key: &str) -> String {
    match Phone::parse(key).map(|phone| phone.as_str().to_owned()) {
        Some(digits) if digits.len() == 13 && digits.starts_with("55") => {
            format!("+55 {} {}-{}", &digits[2..4], &digits[4..9], &digits[9..])
        }
        _ => format!("+{key}"),
    }
}

/// The messages of the page, which explain each other.
struct Thread<'a> {
    messages: &'a [message::Model],
    turns: &'a HashMap<i64, turn::Model>,
}

impl Thread<'_> {
    fn message(&self, message: &message::Model) -> Value {
        json!({
            "id": message.id,
            "direction": message.direction,
            "author": message.author,
            "text": message.text,
            "at": message.created_at,
            "conversation_id": message.conversation_id,
            "delivery": message.delivery,
            "error": message.error_code.map(|code| code.to_string()).or(message.error_detail.clone()),
            "trace": self.trace(message),
        })
    }

    fn of_turn(&self, turn_id: Option<i64>, direction: &str) -> Vec<&message::Model> {
        let same = |message: &&message::Model| {
            turn_id.is_some() && message.turn_id == turn_id && message.direction == direction
        };
        self.messages.iter().filter(same).collect()
    }

    fn trace(&self, message: &message::Model) -> Value {
        let turn = message.turn_id.and_then(|id| self.turns.get(&id));
        let answers = self.of_turn(message.turn_id, "out");
        let answer = match message.direction.as_str() {
            "in" => answers.first().copied(),
            _ => Some(message),
        };
        let read = self.of_turn(message.turn_id, "in");
        json!({
            "verdict": message.verdict,
            "rule": message.rule,
            "gate": gate(message),
            "outcome": message.outcome,
            "outcome_detail": message.outcome_detail,
            "written_at": message.written_at,
            "received_at": message.created_at,
            "turn_started_at": turn.map(|turn| turn.started_at),
            "answered_at": turn.map(|turn| turn.finished_at),
            "sent_at": answer.and_then(|answer| answer.sent_at),
            "delivered_at": answer.and_then(|answer| answer.delivered_at),
            "read_at": answer.and_then(|answer| answer.read_at),
            "model": turn.map(|turn| &turn.model),
            "calls": turn.map(calls).unwrap_or_default(),
            "turn_id": message.turn_id,
            "read_with": read.iter().map(|message| message.id).collect::<Vec<_>>(),
        })
    }
}

/// The tools that a turn called, in order, without what they were called with.
fn calls(turn: &turn::Model) -> Vec<Value> {
    let rounds = turn.record.as_ref().and_then(Value::as_array).into_iter().flatten();
    let calls = rounds.flat_map(|round| round["calls"].as_array().into_iter().flatten());
    let shown = calls.map(|call| {
        let result = call["result"].as_str().unwrap_or_default();
        json!({
            "tool": call["tool"],
            "ended": call["ended"],
            "failure": result.parse::<ToolFailure>().ok().map(|failure| failure.detail()),
            "duration_ms": call["duration_ms"],
        })
    });
    shown.collect()
}

/// The gate that was closed, in the words of the page.
fn gate(message: &message::Model) -> Option<&'static str> {
    match (message.outcome.as_deref()?, message.outcome_detail.as_deref()) {
        ("human", Some("bot_paused" | "paused_by_human")) => Some("paused"),
        ("human", _) => Some("human"),
        ("too_old", _) => Some("too_old"),
        ("window_closed", _) => Some("window_closed"),
        ("rate_limited", _) => Some("rate_limited"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brazilian_mobiles_are_shown_as_brazilians_write_them() {
        assert_eq!(display("5511987650001"), "+55 11 98765-0001");
        assert_eq!(display("551134560001"), "+551134560001");
    }
}
