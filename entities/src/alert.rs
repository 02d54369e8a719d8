//! Something that an operator must look at.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "alerts")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: Option<i64>,
    pub inbox_id: Option<i64>,
    pub conversation_id: Option<i64>,
    pub kind: String,
    /// What it is about; one alert per kind and subject is open at a time.
    pub subject: String,
    pub detail: String,
    /// How often it was raised while open.
    pub times: i32,
    pub raised_at: DateTimeUtc,
    pub last_raised_at: DateTimeUtc,
    pub resolved_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
