//! One answer: what the model was given and gave.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "turns")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub conversation_id: i64,
    pub job_id: Option<Uuid>,
    pub model: String,
    pub prompt_tokens: Option<i64>,
    pub completion_tokens: Option<i64>,
    /// The messages of the prompt, kept for 30 days.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub transcript: Option<Json>,
    /// Rounds and calls, see `agent::services::agent_chat::record`; kept for 30 days.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub record: Option<Json>,
    /// What its model calls cost.
    pub brl: Option<f64>,
    #[sea_orm(column_type = "Text")]
    pub reply: String,
    /// When the first message that it read had come; absent where it answers none.
    pub received_at: Option<DateTimeUtc>,
    /// When its answer was first sent.
    pub answered_at: Option<DateTimeUtc>,
    /// What recall took; absent where it was not wanted.
    pub recall_ms: Option<i64>,
    /// Facts that it brought.
    pub recalled: Option<i64>,
    pub started_at: DateTimeUtc,
    pub finished_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
