//! A failure that operators see (seed 004).

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "dashboard_errors")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub conversation_id: Option<i64>,
    pub turn_id: Option<i64>,
    /// `falha_consulta`, `uncontrolled` or `ungrounded`.
    pub error_type: String,
    pub tool: Option<String>,
    /// What failures are grouped by.
    pub code: String,
    pub detail: String,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
