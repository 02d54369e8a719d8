//! A queue of jobs that a person stopped.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "queue_pauses")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub queue: String,
    pub paused_at: DateTimeUtc,
    /// `operator:3`, `token:7` or `cli`.
    pub paused_by: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
