//! The files of messages, as rows; the bytes are in the store of files.

use chrono::{DateTime, Utc};
use lembra_entities::{media_file, message};
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, Value,
};

use super::error::StoreResult;

/// Where a file stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaState {
    /// It is to be fetched; nobody waits for it.
    Waiting,
    /// It is to be fetched and heard before its message can be answered.
    Unheard,
    Kept,
    Failed,
    /// Older than the installation keeps files.
    Removed,
}

impl MediaState {
    pub fn as_str(self) -> &'static str {
        match self {
            MediaState::Waiting => "waiting",
            MediaState::Unheard => "unheard",
            MediaState::Kept => "kept",
            MediaState::Failed => "failed",
            MediaState::Removed => "removed",
        }
    }
}

/// Notes that a message has a file.
pub async fn add(
    tx: &impl ConnectionTrait,
    account_id: i64,
    message_id: i64,
    state: MediaState,
    mime: Option<String>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let row = media_file::ActiveModel {
        account_id: Set(account_id),
        message_id: Set(message_id),
        state: Set(state.as_str().to_owned()),
        mime: Set(mime),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    media_file::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

pub async fn of_message(
    db: &impl ConnectionTrait,
    message_id: i64,
) -> StoreResult<Option<media_file::Model>> {
    let found = media_file::Entity::find().filter(media_file::Column::MessageId.eq(message_id));
    Ok(found.one(db).await?)
}

/// The file is in the store.
pub async fn kept(
    tx: &impl ConnectionTrait,
    id: i64,
    path: &str,
    mime: &str,
    bytes: usize,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    let changes = [
        (media_file::Column::Path, Value::from(path.to_owned())),
        (media_file::Column::Mime, mime.to_owned().into()),
        (media_file::Column::Bytes, bytes.into()),
    ];
    set_state(tx, id, MediaState::Kept, changes, now).await
}

/// It will not be fetched, with the reason.
pub async fn failed(
    tx: &impl ConnectionTrait,
    id: i64,
    why: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let why: String = why.chars().take(200).collect();
    set_state(tx, id, MediaState::Failed, [(media_file::Column::Error, why.into())], now).await
}

/// Why a voice was not heard that could have been: the account's month is paid for.
pub const NOT_PAID: &str = "spend_ceiling";

/// The file is kept, and nobody heard it.
pub async fn not_heard(tx: &impl ConnectionTrait, id: i64, why: &str) -> StoreResult<()> {
    let why: String = why.chars().take(200).collect();
    media_file::Entity::update_many()
        .col_expr(media_file::Column::Error, Expr::value(why))
        .filter(media_file::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Whether one of these messages is a voice that was not heard for want of money.
pub async fn any_not_paid(db: &impl ConnectionTrait, messages: &[i64]) -> StoreResult<bool> {
    let found = media_file::Entity::find()
        .filter(media_file::Column::MessageId.is_in(messages.iter().copied()))
        .filter(media_file::Column::Error.eq(NOT_PAID))
        .one(db)
        .await?;
    Ok(found.is_some())
}

/// The bytes are gone.
pub async fn removed(tx: &impl ConnectionTrait, id: i64, now: DateTime<Utc>) -> StoreResult<()> {
    let path = (media_file::Column::Path, Value::String(None));
    set_state(tx, id, MediaState::Removed, [path], now).await
}

async fn set_state(
    tx: &impl ConnectionTrait,
    id: i64,
    state: MediaState,
    changes: impl IntoIterator<Item = (media_file::Column, Value)>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut update = media_file::Entity::update_many()
        .col_expr(media_file::Column::State, Expr::value(state.as_str()))
        .col_expr(media_file::Column::UpdatedAt, Expr::value(now))
        .filter(media_file::Column::Id.eq(id));
    for (column, value) in changes {
        update = update.col_expr(column, Expr::value(value));
    }
    update.exec(tx).await?;
    Ok(())
}

/// Kept files that are older than `before`: id and path.
pub async fn older_than(
    db: &impl ConnectionTrait,
    before: DateTime<Utc>,
    most: u64,
) -> StoreResult<Vec<(i64, Option<String>)>> {
    Ok(media_file::Entity::find()
        .select_only()
        .columns([media_file::Column::Id, media_file::Column::Path])
        .filter(media_file::Column::State.eq(MediaState::Kept.as_str()))
        .filter(media_file::Column::CreatedAt.lt(before))
        .limit(most)
        .into_tuple()
        .all(db)
        .await?)
}

/// Kept files of a contact: id and path.
pub async fn of_contact(
    db: &impl ConnectionTrait,
    contact_id: i64,
) -> StoreResult<Vec<(i64, Option<String>)>> {
    let own = Query::select()
        .column(message::Column::Id)
        .from(message::Entity)
        .and_where(message::Column::ContactId.eq(contact_id))
        .to_owned();
    Ok(media_file::Entity::find()
        .select_only()
        .columns([media_file::Column::Id, media_file::Column::Path])
        .filter(media_file::Column::State.eq(MediaState::Kept.as_str()))
        .filter(media_file::Column::MessageId.in_subquery(own))
        .into_tuple()
        .all(db)
        .await?)
}
