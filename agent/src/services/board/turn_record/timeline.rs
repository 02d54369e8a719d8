//! When what happened, from the customer's message to the answer on their phone.

use chrono::{DateTime, Utc};
use lembra_entities::{message, tool_call, turn};
use serde::Serialize;
use utoipa::ToSchema;

use crate::services::agent_chat::Round;

/// Something that happened in a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Moment {
    /// `received`, `judged`, `started`, `round`, `called`, `finished`, `sent`, `delivered`, `read`
    /// or `failed`.
    pub what: String,
    /// Absent for rounds, of which only the length is known.
    pub at: Option<DateTime<Utc>>,
    /// Since the first message came.
    pub after_ms: Option<i64>,
    /// How long it took, where it took any time.
    pub duration_ms: Option<i64>,
    /// A tool's name, a verdict, the number of a round.
    pub detail: Option<String>,
}

/// The moments of a turn in their order. Rounds stand between the turn's beginning and its end,
/// each before the calls that it led to.
pub fn of(
    turn: &turn::Model,
    read: &[message::Model],
    written: &[message::Model],
    calls: &[tool_call::Model],
    rounds: &[Round],
) -> Vec<Moment> {
    let first = read.iter().map(|row| row.created_at).min().unwrap_or(turn.started_at);
    let at = |what: &str, at: DateTime<Utc>, detail: Option<String>| Moment {
        what: what.to_owned(),
        at: Some(at),
        after_ms: Some((at - first).num_milliseconds()),
        duration_ms: None,
        detail,
    };
    let mut moments = Vec::new();
    for row in read {
        moments.push(at("received", row.created_at, None));
        if let Some(verdict) = &row.verdict {
            moments.push(at("judged", row.created_at, Some(verdict.clone())));
        }
    }
    // A fixed answer of triage is made in the moment in which the message comes.
    if turn.model != crate::store::turns::TRIAGE {
        moments.push(at("started", turn.started_at, None));
    }
    for (index, round) in rounds.iter().enumerate() {
        moments.push(Moment {
            what: "round".to_owned(),
            at: None,
            after_ms: None,
            duration_ms: i64::try_from(round.duration_ms).ok(),
            detail: Some((index + 1).to_string()),
        });
        for call in &round.calls {
            moments.push(Moment {
                what: "called".to_owned(),
                at: begun(calls, &call.tool, call.has_effect),
                after_ms: None,
                duration_ms: i64::try_from(call.duration_ms).ok(),
                detail: Some(call.tool.clone()),
            });
        }
    }
    moments.push(at("finished", turn.finished_at, None));
    let mut sent = Vec::new();
    let parts = written.len();
    for (index, row) in written.iter().enumerate() {
        let part = (parts > 1).then(|| format!("{}/{parts}", index + 1));
        let steps = [("sent", row.sent_at), ("delivered", row.delivered_at), ("read", row.read_at)];
        for (what, when) in steps {
            sent.extend(when.map(|when| at(what, when, part.clone())));
        }
        if row.delivery.as_deref() == Some("failed") {
            sent.push(at("failed", row.updated_at, part));
        }
    }
    sent.sort_by_key(|moment| moment.at);
    moments.extend(sent);
    moments
}

/// When a call with an effect was begun, where the journal tells one of that tool.
fn begun(calls: &[tool_call::Model], tool: &str, has_effect: bool) -> Option<DateTime<Utc>> {
    let mut same = calls.iter().filter(|call| has_effect && call.tool == tool);
    let first = same.next()?;
    same.next().is_none().then_some(first.begun_at)
}
