//! How far figures have been gathered. One row.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "stats_progress")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    /// Everything before it has been counted.
    pub filled_until: DateTimeUtc,
    /// From here on, up to `filled_until`, it is counted once more: something came late.
    pub redo_from: Option<DateTimeUtc>,
    /// The newest message when it was last looked for late ones.
    pub last_message_id: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
