//! What happened in an account in a quarter of an hour.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "stats_buckets")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: i64,
    /// A multiple of 15 minutes.
    #[sea_orm(primary_key, auto_increment = false)]
    pub bucket_start: DateTimeUtc,
    /// See `agent::domain::stats::Figures`.
    #[sea_orm(column_type = "JsonBinary")]
    pub figures: Json,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
