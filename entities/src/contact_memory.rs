//! A fact about a contact (seed 002 §6.1). Its embedding is read and written in
//! `agent::store::nearest`, since the two databases keep it differently.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "captain_contact_memories")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub contact_id: i64,
    /// One of nine names; see `agent::domain::memory::kind`.
    pub memory_type: String,
    /// 1 to 1,000 characters.
    #[sea_orm(column_type = "Text")]
    pub content: String,
    /// Literal excerpt of a customer's message.
    #[sea_orm(column_type = "Text")]
    pub evidence: String,
    /// 0 to 1.
    pub confidence: f64,
    /// `global` or `unit`.
    pub scope: String,
    /// What made the embedding; absent while there is none.
    pub embedding_model: Option<String>,
    /// May point to a row that is gone, as the next two may.
    pub source_conversation_id: Option<i64>,
    pub source_unit_id: Option<i64>,
    pub source_inbox_id: Option<i64>,
    pub expires_at: Option<DateTimeUtc>,
    pub last_verified_at: DateTimeUtc,
    pub superseded_at: Option<DateTimeUtc>,
    pub superseded_by_id: Option<i64>,
    pub deleted_at: Option<DateTimeUtc>,
    /// Who changed it and when, why it was superseded.
    #[sea_orm(column_type = "JsonBinary")]
    pub metadata: Json,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
