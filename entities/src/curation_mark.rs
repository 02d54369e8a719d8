//! What an operator thinks of a fixed answer of triage.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "curation_marks")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub message_id: i64,
    pub account_id: i64,
    /// `right` or `wrong`.
    pub mark: String,
    /// What triage should have said, with a wrong mark.
    pub expected: Option<String>,
    pub marked_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
