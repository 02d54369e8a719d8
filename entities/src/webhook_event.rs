//! What arrived and led to nothing, with the reason.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_events")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub inbox_id: Option<i64>,
    pub channel: String,
    /// The number or instance that it was addressed to.
    pub external_id: Option<String>,
    pub provider_message_id: Option<String>,
    /// See `agent::domain::message::IgnoredWhy`.
    pub why: String,
    pub detail: String,
    /// The raw body, kept for 30 days.
    #[sea_orm(column_type = "Text", nullable)]
    pub body: Option<String>,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
