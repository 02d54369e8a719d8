//! What follows from notices of the line, of a customer's names, and of a customer who types.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::ConnectionTrait;

use crate::domain::live::{ConnectionState, Presence, PresenceState};
use crate::domain::message::SystemNotice;
use crate::services::alerts::{self, Kind, Place};
use crate::services::inboxes::Inbox;
use crate::store::{StoreResult, conversations, identities};

/// A sign of typing holds for this long; clients repeat it while it goes on.
const TYPING: TimeDelta = TimeDelta::seconds(10);
/// Notices of the account that an operator must see.
const ALARMING: [&str; 2] = ["account_update", "account_alerts"];

/// Acts upon a notice; that it came is kept by the caller.
pub async fn apply(
    tx: &impl ConnectionTrait,
    inbox: &Inbox,
    notice: &SystemNotice,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let account_id = inbox.account.id;
    if let (Some(sender), Some(renamed)) = (&notice.sender, &notice.new_identity) {
        return identities::rename(tx, account_id, sender, renamed, now).await;
    }
    if let Some(connection) = &notice.connection {
        let code = connection.status_code;
        return connected(tx, inbox, connection.state, code, now).await;
    }
    let mut words = notice.kind.split(':');
    match (words.next(), &notice.sender) {
        (Some("user_preferences"), Some(sender)) => {
            let out = words.next_back() == Some("stop");
            identities::set_marketing_opt_out(tx, account_id, sender, out.then_some(now)).await
        }
        (Some(field), _) if ALARMING.contains(&field) => {
            let subject = format!("{}:{}", inbox_subject(inbox), notice.kind);
            alerts::raise(tx, Kind::Channel, place(inbox), subject, notice.kind.clone(), now).await
        }
        _ => Ok(()),
    }
}

async fn connected(
    tx: &impl ConnectionTrait,
    inbox: &Inbox,
    state: ConnectionState,
    code: Option<i64>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let subject = inbox_subject(inbox);
    match state {
        ConnectionState::Open => {
            alerts::settle(tx, Kind::Channel, &subject, now).await?;
            Ok(())
        }
        // It says so of itself each time it comes back.
        ConnectionState::Connecting | ConnectionState::Unknown => Ok(()),
        ConnectionState::Closed
        | ConnectionState::LoggedOut
        | ConnectionState::NeedsPairing
        | ConnectionState::Removed => {
            let code = code.map_or_else(String::new, |code| format!(" (code {code})"));
            let detail = format!("the connection to WhatsApp is {}{code}", state.as_str());
            alerts::raise(tx, Kind::Channel, place(inbox), subject, detail, now).await
        }
    }
}

/// The answer waits for a customer who goes on typing.
pub async fn typing(
    tx: &impl ConnectionTrait,
    inbox: &Inbox,
    presence: &Presence,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let Some(contact_id) = identities::find(tx, inbox.account.id, &presence.sender).await? else {
        return Ok(());
    };
    let until = match presence.state {
        PresenceState::Typing | PresenceState::Recording => Some(now + TYPING),
        PresenceState::Paused => None,
    };
    conversations::set_typing(tx, inbox.id, contact_id, until).await
}

fn inbox_subject(inbox: &Inbox) -> String {
    format!("inbox {}", inbox.id)
}

fn place(inbox: &Inbox) -> Place {
    let (account_id, inbox_id) = (Some(inbox.account.id), Some(inbox.id));
    Place { account_id, inbox_id, conversation_id: None }
}
