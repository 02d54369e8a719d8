//! A model call and what it cost.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "llm_usage")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub conversation_id: Option<i64>,
    /// See `agent::llm::Purpose`.
    pub purpose: String,
    pub model: String,
    pub prompt_tokens: i64,
    pub completion_tokens: i64,
    /// By the price table of the configuration.
    pub brl: f64,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
