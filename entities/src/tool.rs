//! An HTTP tool that an account declared.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "tools")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    /// Unique in its account.
    pub name: String,
    pub description: String,
    /// JSON schema of the arguments.
    #[sea_orm(column_type = "JsonBinary")]
    pub parameters: Json,
    /// `GET`, `POST`, `PUT`, `PATCH`, `DELETE`
    pub method: String,
    /// See `agent::services::tools::http::template`.
    pub url_template: String,
    /// Encrypted JSON of names and values; see `agent::config::vault`.
    pub headers: String,
    /// Of one attempt.
    pub timeout_ms: i32,
    /// Which part of the JSON answer is the result; absent: all of it.
    pub result_path: Option<String>,
    /// It changes something on the other side.
    pub has_effect: bool,
    pub enabled: bool,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
