//! Telling a person's message from our own, seen from outside. Ours may be seen before the
//! provider has answered the call that sent it.

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;

use crate::domain::message::{Echo, EchoOrigin};
use crate::services::inboxes::Inbox;
use crate::store::{StoreResult, identities, own_echoes};

/// Whether a person wrote it. What has the id of a message of ours is ours; so is what says what we
/// are just sending in the same chat, and that settles the send. What else went out through the
/// provider's API is another program's, and silences nobody.
pub async fn is_of_a_person(
    tx: &impl ConnectionTrait,
    inbox: &Inbox,
    echo: &Echo,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    if own_echoes::is_ours(tx, inbox.id, &echo.message_id).await? {
        return Ok(false);
    }
    if let Some(contact_id) = identities::find(tx, inbox.account.id, &echo.recipient).await? {
        let text = echo.content.text();
        let id = &echo.message_id;
        if own_echoes::claim_echo(tx, inbox.id, contact_id, id, text, now).await? {
            metrics::counter!("lembra_sends_total", "result" => "seen_as_echo").increment(1);
            return Ok(false);
        }
    }
    Ok(echo.origin == EchoOrigin::Line)
}
