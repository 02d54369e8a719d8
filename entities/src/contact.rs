//! A customer of an account.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "contacts")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    /// As the customer's own profile says.
    pub name: Option<String>,
    /// Identity layer: key–value pairs.
    #[sea_orm(column_type = "JsonBinary")]
    pub custom_attributes: Json,
    /// Since when the customer wants no marketing.
    pub marketing_opt_out_at: Option<DateTimeUtc>,
    /// They asked to be forgotten: nothing written before proves anything.
    pub forgotten_at: Option<DateTimeUtc>,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
