//! A knowledge entry: a question with its answer (seed 002 §4, layer 4). Its embedding is read and
//! written in `agent::store::nearest`, since the two databases keep it differently.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "captain_assistant_responses")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    /// 1 to 500 characters on one line.
    #[sea_orm(column_type = "Text")]
    pub question: String,
    /// 1 to 4,000 characters.
    #[sea_orm(column_type = "Text")]
    pub answer: String,
    /// A name or a path of names; see `agent::domain::knowledge`.
    pub category: Option<String>,
    /// `enabled` or `disabled`.
    pub status: String,
    /// The same for questions that differ in accents, case and marks only; unique in an account.
    pub question_key: String,
    /// Question and answer, folded, for looking up parts of words.
    #[sea_orm(column_type = "Text")]
    pub folded: String,
    /// The file, token or operator that it came from last.
    pub source: String,
    /// What made the embedding; absent while there is none.
    pub embedding_model: Option<String>,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
