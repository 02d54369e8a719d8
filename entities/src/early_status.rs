//! A delivery status that came before the message that it is about was known.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "early_statuses")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub inbox_id: i64,
    pub provider_message_id: String,
    /// See `agent::domain::message::DeliveryUpdate`.
    #[sea_orm(column_type = "JsonBinary")]
    pub status: Json,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
