//! Failures of an account as operators look at them: all of a week in short, one code in detail,
//! and how many of a code alert.

use chrono::{DateTime, Utc};
use lembra_entities::{dashboard_error, failure_threshold};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use serde::Serialize;

use crate::store::error::StoreResult;

/// A failure without its detail: enough to count.
#[derive(Debug, Clone, PartialEq, Eq, sea_orm::FromQueryResult)]
pub struct Brief {
    pub error_type: String,
    pub tool: Option<String>,
    pub code: String,
    pub created_at: DateTime<Utc>,
}

/// The account's failures since then, latest first, at most `most`.
pub async fn briefs(
    db: &impl ConnectionTrait,
    account_id: i64,
    since: DateTime<Utc>,
    most: u64,
) -> StoreResult<Vec<Brief>> {
    Ok(dashboard_error::Entity::find()
        .select_only()
        .columns([
            dashboard_error::Column::ErrorType,
            dashboard_error::Column::Tool,
            dashboard_error::Column::Code,
            dashboard_error::Column::CreatedAt,
        ])
        .filter(dashboard_error::Column::AccountId.eq(account_id))
        .filter(dashboard_error::Column::CreatedAt.gte(since))
        .order_by_desc(dashboard_error::Column::CreatedAt)
        .limit(most)
        .into_model::<Brief>()
        .all(db)
        .await?)
}

/// A failure of a tool or of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Failure {
    pub id: i64,
    /// `falha_consulta`, `uncontrolled` or `ungrounded`.
    pub error_type: String,
    /// What failures are grouped by.
    pub code: String,
    pub tool: Option<String>,
    /// For operators; what the failure itself said.
    pub detail: String,
    pub conversation_id: Option<i64>,
    pub turn_id: Option<i64>,
    pub created_at: DateTime<Utc>,
}

/// Which failures are listed, latest first.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    pub error_type: &'a str,
    pub code: &'a str,
    pub since: DateTime<Utc>,
    /// Only those with a smaller id.
    pub before: Option<i64>,
    pub limit: u64,
}

/// The account's failures of one code, latest first.
pub async fn of_code(
    db: &impl ConnectionTrait,
    account_id: i64,
    page: &Page<'_>,
) -> StoreResult<Vec<Failure>> {
    let mut rows = dashboard_error::Entity::find()
        .filter(dashboard_error::Column::AccountId.eq(account_id))
        .filter(dashboard_error::Column::Code.eq(page.code))
        .filter(dashboard_error::Column::ErrorType.eq(page.error_type))
        .filter(dashboard_error::Column::CreatedAt.gte(page.since));
    if let Some(before) = page.before {
        rows = rows.filter(dashboard_error::Column::Id.lt(before));
    }
    let rows = rows
        .order_by_desc(dashboard_error::Column::CreatedAt)
        .order_by_desc(dashboard_error::Column::Id)
        .limit(page.limit)
        .all(db)
        .await?;
    let shown = |row: dashboard_error::Model| Failure {
        id: row.id,
        error_type: row.error_type,
        code: row.code,
        tool: row.tool,
        detail: row.detail,
        conversation_id: row.conversation_id,
        turn_id: row.turn_id,
        created_at: row.created_at,
    };
    Ok(rows.into_iter().map(shown).collect())
}

/// How many failures of a code within an hour alert an account's operators, as they set it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = FailureThreshold)]
pub struct Threshold {
    pub code: String,
    /// 0 never alerts.
    pub per_hour: i32,
    /// `operator:3` or `token:7`.
    pub changed_by: String,
    pub changed_at: DateTime<Utc>,
}

impl From<failure_threshold::Model> for Threshold {
    fn from(row: failure_threshold::Model) -> Self {
        let failure_threshold::Model { code, per_hour, changed_by, changed_at, .. } = row;
        Self { code, per_hour, changed_by, changed_at }
    }
}

/// The thresholds that the account has set, by code.
pub async fn thresholds(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Vec<Threshold>> {
    let rows = failure_threshold::Entity::find()
        .filter(failure_threshold::Column::AccountId.eq(account_id))
        .order_by_asc(failure_threshold::Column::Code)
        .all(db)
        .await?;
    Ok(rows.into_iter().map(Threshold::from).collect())
}

/// The account's threshold of one code; `None` where it has set none.
pub async fn threshold(
    db: &impl ConnectionTrait,
    account_id: i64,
    code: &str,
) -> StoreResult<Option<i32>> {
    let key = (account_id, code.to_owned());
    let row = failure_threshold::Entity::find_by_id(key).one(db).await?;
    Ok(row.map(|row| row.per_hour))
}

/// Sets the account's threshold of a code.
pub async fn set_threshold(
    db: &impl ConnectionTrait,
    account_id: i64,
    code: &str,
    per_hour: i32,
    by: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let row = failure_threshold::ActiveModel {
        account_id: Set(account_id),
        code: Set(code.to_owned()),
        per_hour: Set(per_hour),
        changed_by: Set(by.to_owned()),
        changed_at: Set(now),
    };
    let columns = [failure_threshold::Column::AccountId, failure_threshold::Column::Code];
    let again = OnConflict::columns(columns)
        .update_columns([
            failure_threshold::Column::PerHour,
            failure_threshold::Column::ChangedBy,
            failure_threshold::Column::ChangedAt,
        ])
        .to_owned();
    failure_threshold::Entity::insert(row).on_conflict(again).exec_without_returning(db).await?;
    Ok(())
}

/// Takes the account's own threshold away; false when it had none.
pub async fn clear_threshold(
    db: &impl ConnectionTrait,
    account_id: i64,
    code: &str,
) -> StoreResult<bool> {
    let key = (account_id, code.to_owned());
    let gone = failure_threshold::Entity::delete_by_id(key).exec(db).await?;
    Ok(gone.rows_affected == 1)
}
