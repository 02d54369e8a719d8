//! What becomes of a customer's message after it was written: changed, withdrawn, heard.

use chrono::{DateTime, Utc};
use lembra_entities::message;
use sea_orm::sea_query::{Expr, ExprTrait, SimpleExpr};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::conversations::Place;
use super::error::StoreResult;
use super::messages;
use crate::domain::conversation::Outcome;

/// A customer changed the words of an earlier message of theirs: a turn that has not begun reads
/// the new ones.
pub async fn edit(
    tx: &impl ConnectionTrait,
    place: Place,
    provider_message_id: &str,
    text: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    message::Entity::update_many()
        .col_expr(message::Column::Text, Expr::value(text))
        .col_expr(message::Column::EditedAt, Expr::value(now))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(of_customer(place, provider_message_id))
        .exec(tx)
        .await?;
    Ok(())
}

/// A customer withdrew an earlier message of theirs: it stays for the operators, nobody answers it
/// and no model reads it any more.
pub async fn revoke(
    tx: &impl ConnectionTrait,
    place: Place,
    provider_message_id: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let withdrawn = message::Entity::update_many()
        .col_expr(message::Column::RevokedAt, Expr::value(now))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(of_customer(place, provider_message_id))
        .exec_with_returning(tx)
        .await?;
    let ids: Vec<i64> = withdrawn.iter().map(|row| row.id).collect();
    messages::end(tx, &ids, &Outcome::Ignored { why: "revoked" }, None, now).await?;
    Ok(())
}

/// One message of the customer at that place.
fn of_customer(place: Place, provider_message_id: &str) -> SimpleExpr {
    message::Column::InboxId
        .eq(place.inbox_id)
        .and(message::Column::ContactId.eq(place.contact_id))
        .and(message::Column::ProviderMessageId.eq(provider_message_id))
        .and(Expr::cust("direction = 'in'"))
}

/// The words of a voice, which are its text from now on.
pub async fn set_heard(
    tx: &impl ConnectionTrait,
    id: i64,
    words: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    message::Entity::update_many()
        .col_expr(message::Column::Text, Expr::value(words))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(message::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}
