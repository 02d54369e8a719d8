//! Where the agenda of an account is, as `docs/agenda.openapi.yaml` describes one.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "agendas")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: i64,
    pub base_url: String,
    /// Encrypted; see `agent::config::vault`. Absent: the agenda asks for none.
    pub token: Option<String>,
    /// The account chose the address: nothing private is called unless the host allows it.
    pub public_only: bool,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
