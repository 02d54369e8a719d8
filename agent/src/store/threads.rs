//! Reading an inbox's conversations as a person sees them.

use lembra_entities::{contact, contact_identity, conversation, message, turn};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::error::StoreResult;

/// The account's latest contacts who have a phone, with it.
pub async fn contacts_of(
    db: &DatabaseConnection,
    account_id: i64,
) -> StoreResult<Vec<(contact::Model, contact_identity::Model)>> {
    let rows = contact::Entity::find()
        .filter(contact::Column::AccountId.eq(account_id))
        .order_by_desc(contact::Column::Id)
        .limit(100)
        .all(db)
        .await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let identities = contact_identity::Entity::find()
        .filter(contact_identity::Column::ContactId.is_in(ids))
        .filter(contact_identity::Column::Kind.eq("phone"))
        .all(db)
        .await?;
    let with_phone = |row: contact::Model| {
        let identity = identities.iter().find(|identity| identity.contact_id == row.id)?.clone();
        Some((row, identity))
    };
    Ok(rows.into_iter().filter_map(with_phone).collect())
}

/// The latest messages of a contact on an inbox, oldest first.
pub async fn messages_of(
    db: &DatabaseConnection,
    inbox_id: i64,
    contact_id: i64,
    most: u64,
) -> StoreResult<Vec<message::Model>> {
    let mut rows = message::Entity::find()
        .filter(message::Column::ContactId.eq(contact_id))
        .filter(message::Column::InboxId.eq(inbox_id))
        .order_by_desc(message::Column::Id)
        .limit(most)
        .all(db)
        .await?;
    rows.reverse();
    Ok(rows)
}

/// The latest conversation of a contact on an inbox, open or not.
pub async fn latest_conversation(
    db: &DatabaseConnection,
    inbox_id: i64,
    contact_id: i64,
) -> StoreResult<Option<conversation::Model>> {
    Ok(conversation::Entity::find()
        .filter(conversation::Column::ContactId.eq(contact_id))
        .filter(conversation::Column::InboxId.eq(inbox_id))
        .order_by_desc(conversation::Column::Id)
        .one(db)
        .await?)
}

/// The turns with these ids.
pub async fn turns(db: &DatabaseConnection, ids: Vec<i64>) -> StoreResult<Vec<turn::Model>> {
    Ok(turn::Entity::find().filter(turn::Column::Id.is_in(ids)).all(db).await?)
}

/// Whether a job answers this conversation right now.
pub async fn is_answering(db: &DatabaseConnection, conversation_id: i64) -> StoreResult<bool> {
    use lembra_entities::job;
    let row = job::Entity::find()
        .filter(Expr::cust("state = 'running'"))
        .filter(job::Column::DedupKey.eq(format!("respond:{conversation_id}")))
        .one(db)
        .await?;
    Ok(row.is_some())
}
