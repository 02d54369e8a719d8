//! One reading of a conversation for facts: what it read is marked with its id.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "memory_extractions")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub contact_id: i64,
    pub conversation_id: i64,
    /// `learnt`, `unreadable` or `full`.
    pub outcome: String,
    pub model: Option<String>,
    /// Messages that it read for the first time.
    pub messages: i64,
    /// Facts that it wrote.
    pub facts: i64,
    /// Reasons with their counts.
    #[sea_orm(column_type = "JsonBinary")]
    pub discarded: Json,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
