//! A person who works in the browser.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "operators")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    /// Lower case, unique.
    pub email: String,
    /// argon2, PHC string.
    pub password_hash: String,
    /// What colleagues call them; may be empty.
    pub name: String,
    /// `admin`, `agent` or `viewer`; see `agent::domain::access`.
    pub role: String,
    /// May do what concerns every account.
    pub runs_instance: bool,
    /// Since when they may not sign in.
    pub disabled_at: Option<DateTimeUtc>,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
