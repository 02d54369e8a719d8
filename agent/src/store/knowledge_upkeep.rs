//! An account's knowledge as a whole: its revision, what it covers, its texts for the index, and
//! which entries have no embedding of today's model.

use chrono::{DateTime, Utc};
use lembra_entities::{account, assistant_response as entry};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use serde_json::json;

use super::error::StoreResult;
use super::knowledge::Status;
use super::rowset::{execute, query};

/// Rows per statement.
const PAGE: i64 = 500;

/// Counts a change of the account's knowledge; false when there is no such account. Others that
/// would change it wait until this transaction ends.
pub async fn begin_change(tx: &impl ConnectionTrait, account_id: i64) -> StoreResult<bool> {
    let sql = "UPDATE accounts SET knowledge_revision = knowledge_revision + 1 WHERE id = $1";
    Ok(execute(tx, sql.to_owned(), vec![account_id.into()]).await? == 1)
}

/// Writes which domains of scope the account's knowledge covers.
pub async fn set_covered(
    tx: &impl ConnectionTrait,
    account_id: i64,
    domains: &[&str],
) -> StoreResult<()> {
    account::Entity::update_many()
        .col_expr(account::Column::CoveredDomains, sea_orm::sea_query::Expr::value(json!(domains)))
        .filter(account::Column::Id.eq(account_id))
        .exec(tx)
        .await?;
    Ok(())
}

/// The account's revision of knowledge with its profile of scope.
pub async fn revision(
    db: &impl ConnectionTrait,
    account_id: i64,
) -> StoreResult<Option<(i64, String)>> {
    let row = account::Entity::find_by_id(account_id)
        .select_only()
        .columns([account::Column::KnowledgeRevision, account::Column::ScopeProfile])
        .into_tuple()
        .one(db)
        .await?;
    Ok(row)
}

/// The categories of the account's entries, in order; only of enabled ones, if so wanted.
pub async fn categories(
    db: &impl ConnectionTrait,
    account_id: i64,
    only: Option<Status>,
) -> StoreResult<Vec<String>> {
    let mut rows = entry::Entity::find()
        .select_only()
        .column(entry::Column::Category)
        .distinct()
        .filter(entry::Column::AccountId.eq(account_id))
        .filter(entry::Column::Category.is_not_null())
        .order_by_asc(entry::Column::Category);
    if let Some(status) = only {
        rows = rows.filter(entry::Column::Status.eq(status.as_str()));
    }
    Ok(rows.into_tuple().all(db).await?)
}

/// What the index is made of.
#[derive(Debug, Clone, PartialEq, Eq, sea_orm::FromQueryResult)]
pub struct Texts {
    pub id: i64,
    pub question: String,
    pub answer: String,
    pub category: Option<String>,
}

/// The texts of the account's enabled entries, oldest first.
pub async fn texts(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Vec<Texts>> {
    let rows = entry::Entity::find()
        .select_only()
        .columns([
            entry::Column::Id,
            entry::Column::Question,
            entry::Column::Answer,
            entry::Column::Category,
        ])
        .filter(entry::Column::AccountId.eq(account_id))
        .filter(entry::Column::Status.eq(Status::Enabled.as_str()))
        .order_by_asc(entry::Column::Id);
    Ok(rows.into_model().all(db).await?)
}

/// The account's entries that came from this source and whose question has this in it: ids with
/// questions.
pub async fn of_source(
    db: &impl ConnectionTrait,
    account_id: i64,
    source: &str,
    part: &str,
) -> StoreResult<Vec<(i64, String)>> {
    let rows = entry::Entity::find()
        .select_only()
        .columns([entry::Column::Id, entry::Column::Question])
        .filter(entry::Column::AccountId.eq(account_id))
        .filter(entry::Column::Source.eq(source))
        .filter(entry::Column::Question.contains(part));
    Ok(rows.into_tuple().all(db).await?)
}

/// Entries after `after` whose embedding is another model's, or that never got one though they were
/// written before `written_before`: ids with their accounts, in pages.
pub async fn to_embed_again(
    db: &DatabaseConnection,
    model: &str,
    written_before: DateTime<Utc>,
    after: i64,
) -> StoreResult<Vec<(i64, i64)>> {
    let sql = "SELECT id, account_id FROM captain_assistant_responses WHERE id > $1 \
               AND ((embedding_model IS NULL AND updated_at < $2) OR embedding_model <> $3) \
               ORDER BY id LIMIT $4";
    let values = vec![after.into(), written_before.into(), model.into(), PAGE.into()];
    let rows = query(db, sql.to_owned(), values).await?;
    rows.iter().map(|row| Ok((row.try_get("", "id")?, row.try_get("", "account_id")?))).collect()
}
