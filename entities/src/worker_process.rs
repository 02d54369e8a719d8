//! A process that runs jobs, by its last sign of life.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "worker_processes")]
pub struct Model {
    /// The name under which it claims jobs.
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub host: String,
    /// `standalone` or `production`.
    pub mode: String,
    pub version: String,
    /// Per queue: how many jobs at a time, and how often its worker had to be started again.
    #[sea_orm(column_type = "JsonBinary")]
    pub queues: Json,
    pub started_at: DateTimeUtc,
    pub seen_at: DateTimeUtc,
    /// It was asked to stop, and did.
    pub stopped_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
