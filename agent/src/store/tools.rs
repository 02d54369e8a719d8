//! HTTP tools of accounts, as rows; `services::tools::http` opens their headers.

use std::convert::Infallible;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use lembra_entities::tool;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    QueryOrder, Select,
};
use serde_json::Value;

use super::error::StoreResult;

/// A tool to be written; `headers` are encrypted already.
#[derive(Debug, Clone)]
pub struct ToolRow {
    pub name: String,
    pub description: String,
    pub parameters: Value,
    pub method: String,
    pub url_template: String,
    pub headers: String,
    pub timeout_ms: i32,
    pub result_path: Option<String>,
    pub has_effect: bool,
    pub enabled: bool,
}

impl ToolRow {
    fn into_active(self) -> tool::ActiveModel {
        tool::ActiveModel {
            name: Set(self.name),
            description: Set(self.description),
            parameters: Set(self.parameters),
            method: Set(self.method),
            url_template: Set(self.url_template),
            headers: Set(self.headers),
            timeout_ms: Set(self.timeout_ms),
            result_path: Set(self.result_path),
            has_effect: Set(self.has_effect),
            enabled: Set(self.enabled),
            ..Default::default()
        }
    }
}

/// One tool of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    Id(i64),
    Name(String),
}

impl FromStr for Which {
    type Err = Infallible;

    /// A number is an id: no tool's name is one.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text.parse().map_or_else(|_| Which::Name(text.to_owned()), Which::Id))
    }
}

fn select(account_id: i64, which: &Which) -> Select<tool::Entity> {
    let of_account = tool::Entity::find().filter(tool::Column::AccountId.eq(account_id));
    match which {
        Which::Id(id) => of_account.filter(tool::Column::Id.eq(*id)),
        Which::Name(name) => of_account.filter(tool::Column::Name.eq(name)),
    }
}

/// A name that the account has already is a conflict.
pub async fn add(
    db: &impl ConnectionTrait,
    account_id: i64,
    new: ToolRow,
    now: DateTime<Utc>,
) -> StoreResult<tool::Model> {
    let mut row = new.into_active();
    row.account_id = Set(account_id);
    row.created_at = Set(now);
    row.updated_at = Set(now);
    Ok(row.insert(db).await?)
}

/// By name.
pub async fn list(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Vec<tool::Model>> {
    Ok(tool::Entity::find()
        .filter(tool::Column::AccountId.eq(account_id))
        .order_by_asc(tool::Column::Name)
        .all(db)
        .await?)
}

pub async fn find(
    db: &impl ConnectionTrait,
    account_id: i64,
    which: &Which,
) -> StoreResult<Option<tool::Model>> {
    Ok(select(account_id, which).one(db).await?)
}

/// Writes a tool anew; false when somebody else did since it was `seen`, or took it away.
pub async fn replace(
    db: &impl ConnectionTrait,
    (account_id, id): (i64, i64),
    seen: DateTime<Utc>,
    new: ToolRow,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let mut row = new.into_active();
    row.updated_at = Set(now);
    let written = tool::Entity::update_many()
        .set(row)
        .filter(tool::Column::AccountId.eq(account_id))
        .filter(tool::Column::Id.eq(id))
        .filter(tool::Column::UpdatedAt.eq(seen))
        .exec(db)
        .await?;
    Ok(written.rows_affected == 1)
}

/// False when the account has no such tool.
pub async fn remove(
    db: &impl ConnectionTrait,
    account_id: i64,
    which: &Which,
) -> StoreResult<bool> {
    let Some(row) = find(db, account_id, which).await? else {
        return Ok(false);
    };
    let gone = tool::Entity::delete_many()
        .filter(tool::Column::AccountId.eq(account_id))
        .filter(tool::Column::Id.eq(row.id))
        .exec(db)
        .await?;
    Ok(gone.rows_affected == 1)
}
