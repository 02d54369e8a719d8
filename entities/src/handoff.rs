//! A conversation that waits for a person, or that one has taken.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "handoffs")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub conversation_id: i64,
    /// See `agent::services::handoff::Reason`.
    pub reason: String,
    /// What the bot says of it, such as the failure of a tool.
    pub detail: Option<String>,
    /// 0 before 1 before 2.
    pub priority: i32,
    /// `waiting`, `taken`, `returned`, `resolved` or `expired`.
    pub state: String,
    pub created_at: DateTimeUtc,
    pub taken_at: Option<DateTimeUtc>,
    pub taken_by: Option<String>,
    /// When it had waited for too long.
    pub overdue_at: Option<DateTimeUtc>,
    /// Absent while it waits or is taken.
    pub closed_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
