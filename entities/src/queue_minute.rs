//! How many jobs of a queue ended within a minute.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "queue_minutes")]
pub struct Model {
    /// 0 for the whole installation.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: i64,
    /// When the minute begins.
    #[sea_orm(primary_key, auto_increment = false)]
    pub minute_at: DateTimeUtc,
    #[sea_orm(primary_key, auto_increment = false)]
    pub queue: String,
    pub done: i64,
    pub dead: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
