//! Something that an operator must look at, whatever the bot does about it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "operator_alerts")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub conversation_id: i64,
    /// The message that raised it.
    pub message_id: Option<i64>,
    /// `crisis` or `human_request`.
    pub kind: String,
    pub created_at: DateTimeUtc,
    /// When an operator put it aside.
    pub seen_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
