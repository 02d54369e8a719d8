//! Ending a conversation.

use sea_orm::DatabaseConnection;

use crate::clock::SharedClock;
use crate::domain::conversation::Outcome;
use crate::store::{StoreResult, conversations, db, messages};

/// Resolves the conversation; what still waits in it is nobody's any more, with that outcome.
/// False when it was not open.
pub async fn resolve(
    connection: &DatabaseConnection,
    clock: &SharedClock,
    conversation_id: i64,
) -> StoreResult<bool> {
    let now = clock.now();
    let tx = db::begin(connection).await?;
    let resolved = conversations::resolve(&tx, conversation_id, now).await?;
    if resolved {
        let waiting = messages::waiting_ids(&tx, conversation_id, 0).await?;
        let outcome = Outcome::Ignored { why: "conversation_resolved" };
        messages::end(&tx, &waiting, &outcome, None, now).await?;
    }
    tx.commit().await?;
    Ok(resolved)
}
