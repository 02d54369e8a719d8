//! Conversations as a list shows them: who it is with, what was said last, and how it stands.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, QueryResult};
use serde::Serialize;
use serde_json::Value as Json;
use utoipa::ToSchema;

use super::actors::Actors;
use super::conversations::Filter;
use crate::domain::phone_text;
use crate::store::StoreResult;
use crate::store::rowset::{any_number, parameter, query};

/// Characters of the last message that are shown.
const PREVIEW_CHARS: usize = 160;

/// A conversation in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ConversationRow {
    pub id: i64,
    pub contact_id: i64,
    /// As the customer's own profile says.
    pub contact_name: Option<String>,
    /// Digits with the country code; absent where the channel does not tell it.
    pub phone: Option<String>,
    /// The number as it is written: `(11) 98765-0001`.
    pub phone_text: Option<String>,
    pub inbox_id: i64,
    /// `meta` or `evolution`.
    pub channel: String,
    /// The provider's name of the line.
    pub line: String,
    /// The conversation's own unit, else that of its line.
    pub unit_id: Option<i64>,
    pub unit_name: Option<String>,
    /// `open` or `resolved`.
    pub state: String,
    /// `bot` or `human`.
    pub handler: String,
    pub handler_since: Option<DateTime<Utc>>,
    /// The bot is silent until then; absent when that is over.
    pub paused_until: Option<DateTime<Utc>>,
    /// The customer is typing now.
    pub is_typing: bool,
    /// When the customer, or a person of the business, wrote last.
    pub last_message_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    pub resolved_at: Option<DateTime<Utc>>,
    pub last_message: Option<LastMessage>,
    /// The customer said the last word, and the conversation goes on.
    pub is_unanswered: bool,
    /// What triage said of the customer's last message.
    pub verdict: Option<String>,
    pub rule: Option<String>,
    /// The place in the queue of people, where it has one.
    pub handoff: Option<OpenHandoff>,
    /// A message failed or stayed unclear, and nobody dealt with it.
    pub has_undelivered: bool,
}

impl ConversationRow {
    /// Whether it is one of those wanted.
    pub fn fits(&self, filter: &Filter) -> bool {
        let waits = || self.handoff.as_ref().is_some_and(|handoff| handoff.state == "waiting");
        filter.state.is_none_or(|state| self.state == state.as_str())
            && filter.handler.is_none_or(|handler| self.handler == handler.as_str())
            && (!filter.waiting || waits())
            && filter.inbox_id.is_none_or(|id| self.inbox_id == id)
            && filter.unit_id.is_none_or(|id| self.unit_id == Some(id))
            && (filter.verdict.is_none() || self.verdict == filter.verdict)
            && (!filter.undelivered || self.has_undelivered)
    }
}

/// The last message of a conversation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LastMessage {
    pub id: i64,
    /// `in` or `out`.
    pub direction: String,
    /// `customer`, `bot`, `operator` or `human` (on the phone).
    pub author: String,
    /// `text`, `image`, `audio`, `video`, `document`, `sticker`, `location`, `contacts`, `choice`,
    /// `order` or `unsupported`.
    pub kind: String,
    /// Its first line, cut.
    pub text: String,
    pub is_revoked: bool,
    /// Outbound: `pending`, `sending`, `sent`, `delivered`, `read`, `failed`, `unknown` or
    /// `cancelled`.
    pub delivery: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// A conversation's open row in the queue of people.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OpenHandoff {
    pub id: i64,
    /// `waiting` or `taken`.
    pub state: String,
    pub reason: String,
    pub detail: Option<String>,
    /// 0 before 1 before 2.
    pub priority: i32,
    pub waiting_since: DateTime<Utc>,
    /// Until it was taken, or until now.
    pub waiting_seconds: i64,
    pub taken_at: Option<DateTime<Utc>>,
    /// Who took it: `operator:3`, `token:7`, or `phone` for a person outside of Lembra.
    pub taken_by: Option<String>,
    /// What they are called, where they are of the account.
    pub taken_by_name: Option<String>,
    /// When it had waited for too long.
    pub overdue_at: Option<DateTime<Utc>>,
}

/// The conversations of the account with these ids, in the order given; others are left out.
pub async fn rows(
    db: &impl ConnectionTrait,
    account_id: i64,
    ids: &[i64],
    actors: &Actors,
    now: DateTime<Utc>,
) -> StoreResult<Vec<ConversationRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let any = any_number(db.get_database_backend(), "c.id", 2);
    let sql = format!(
        "WITH picked AS MATERIALIZED (\
           SELECT c.id, c.contact_id, c.inbox_id, c.captain_unit_id, c.state, c.handler, \
             c.handler_since, c.paused_until, c.typing_until, c.last_message_at, c.created_at, \
             c.resolved_at, \
             (SELECT m.id FROM messages AS m WHERE m.conversation_id = c.id \
                AND m.kind NOT IN ('edit', 'revoke', 'reaction') \
                ORDER BY m.id DESC LIMIT 1) AS last_id, \
             (SELECT m.id FROM messages AS m WHERE m.conversation_id = c.id \
                AND m.direction = 'in' AND m.verdict IS NOT NULL \
                ORDER BY m.id DESC LIMIT 1) AS judged_id, \
             (SELECT i.address FROM contact_identities AS i WHERE i.contact_id = c.contact_id \
                AND i.kind = 'phone' ORDER BY i.id DESC LIMIT 1) AS phone, \
             EXISTS (SELECT 1 FROM messages AS m WHERE m.account_id = c.account_id \
                AND m.conversation_id = c.id AND m.delivery IN ('failed', 'unknown') \
                AND m.attended_at IS NULL) AS has_undelivered \
           FROM conversations AS c WHERE c.account_id = $1 AND {any}) \
         SELECT picked.*, contacts.name AS contact_name, inboxes.channel, \
           inboxes.external_id AS line, units.id AS unit_id, units.name AS unit_name, \
           last.direction, last.author, last.kind, last.text, last.delivery, \
           last.created_at AS said_at, last.revoked_at, judged.verdict, judged.rule, \
           queued.id AS handoff_id, queued.state AS handoff_state, queued.reason, queued.detail, \
           queued.priority, queued.created_at AS waiting_since, queued.taken_at, \
           queued.taken_by, queued.overdue_at \
         FROM picked JOIN contacts ON contacts.id = picked.contact_id \
         JOIN inboxes ON inboxes.id = picked.inbox_id \
         LEFT JOIN units ON units.id = COALESCE(picked.captain_unit_id, inboxes.unit_id) \
         LEFT JOIN messages AS last ON last.id = picked.last_id \
         LEFT JOIN messages AS judged ON judged.id = picked.judged_id \
         LEFT JOIN handoffs AS queued ON queued.conversation_id = picked.id \
           AND queued.closed_at IS NULL"
    );
    let values = vec![account_id.into(), parameter(ids.iter().copied().map(Json::from))];
    let mut found = HashMap::new();
    for row in query(db, sql, values).await? {
        let row = read(&row, actors, now)?;
        found.insert(row.id, row);
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

fn read(row: &QueryResult, actors: &Actors, now: DateTime<Utc>) -> StoreResult<ConversationRow> {
    let still = |until: Option<DateTime<Utc>>| until.filter(|until| now < *until);
    let phone: Option<String> = row.try_get("", "phone")?;
    let state: String = row.try_get("", "state")?;
    let last_message = last_message(row)?;
    let typing: Option<DateTime<Utc>> = row.try_get("", "typing_until")?;
    Ok(ConversationRow {
        id: row.try_get("", "id")?,
        contact_id: row.try_get("", "contact_id")?,
        contact_name: row.try_get("", "contact_name")?,
        phone_text: phone.as_deref().map(phone_text::shown),
        phone,
        inbox_id: row.try_get("", "inbox_id")?,
        channel: row.try_get("", "channel")?,
        line: row.try_get("", "line")?,
        unit_id: row.try_get("", "unit_id")?,
        unit_name: row.try_get("", "unit_name")?,
        handler: row.try_get("", "handler")?,
        handler_since: row.try_get("", "handler_since")?,
        paused_until: still(row.try_get("", "paused_until")?),
        is_typing: still(typing).is_some(),
        last_message_at: row.try_get("", "last_message_at")?,
        created_at: row.try_get("", "created_at")?,
        resolved_at: row.try_get("", "resolved_at")?,
        is_unanswered: state == "open"
            && last_message.as_ref().is_some_and(|message| message.direction == "in"),
        state,
        last_message,
        verdict: row.try_get("", "verdict")?,
        rule: row.try_get("", "rule")?,
        handoff: open_handoff(row, actors, now)?,
        has_undelivered: row.try_get("", "has_undelivered")?,
    })
}

fn last_message(row: &QueryResult) -> StoreResult<Option<LastMessage>> {
    let Some(id) = row.try_get::<Option<i64>>("", "last_id")? else {
        return Ok(None);
    };
    let text: String = row.try_get("", "text")?;
    let revoked_at: Option<DateTime<Utc>> = row.try_get("", "revoked_at")?;
    Ok(Some(LastMessage {
        id,
        direction: row.try_get("", "direction")?,
        author: row.try_get("", "author")?,
        kind: row.try_get("", "kind")?,
        text: first_line(&text, PREVIEW_CHARS),
        is_revoked: revoked_at.is_some(),
        delivery: row.try_get("", "delivery")?,
        created_at: row.try_get("", "said_at")?,
    }))
}

/// The place in the queue that a row names, if it names one.
pub(super) fn open_handoff(
    row: &QueryResult,
    actors: &Actors,
    now: DateTime<Utc>,
) -> StoreResult<Option<OpenHandoff>> {
    let Some(id) = row.try_get::<Option<i64>>("", "handoff_id")? else {
        return Ok(None);
    };
    let since: DateTime<Utc> = row.try_get("", "waiting_since")?;
    let taken_at: Option<DateTime<Utc>> = row.try_get("", "taken_at")?;
    let taken_by: Option<String> = row.try_get("", "taken_by")?;
    Ok(Some(OpenHandoff {
        id,
        state: row.try_get("", "handoff_state")?,
        reason: row.try_get("", "reason")?,
        detail: row.try_get("", "detail")?,
        priority: row.try_get("", "priority")?,
        waiting_since: since,
        waiting_seconds: (taken_at.unwrap_or(now) - since).num_seconds(),
        taken_at,
        taken_by_name: taken_by.as_deref().and_then(|by| actors.name(by)).map(str::to_owned),
        taken_by,
        overdue_at: row.try_get("", "overdue_at")?,
    }))
}

/// The first line that says something, at most so long.
pub fn first_line(text: &str, most: usize) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(most) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_says_something_is_shown() {
        assert_eq!(first_line("\n  \n Oi!\nTudo bem?", 160), "Oi!");
        assert_eq!(first_line("ação demorada", 4), "ação…");
        assert_eq!(first_line("", 4), "");
    }
}
