//! A browser in which an operator is signed in.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "operator_sessions")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub operator_id: i64,
    /// SHA-256 of the session's token, in hex; the token itself is in the browser only.
    pub token_hash: String,
    /// What the browser calls itself.
    pub device: String,
    /// Where it signed in from.
    pub address: String,
    pub created_at: DateTimeUtc,
    /// To the minute.
    pub last_seen_at: DateTimeUtc,
    pub ended_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
