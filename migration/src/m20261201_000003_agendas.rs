//! Where the agendas of accounts are.

use sea_orm_migration::prelude::*;

use crate::columns::{belongs_to, optional_text, text, time};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut account = ColumnDef::new(Alias::new("account_id"));
        account.big_integer().not_null().primary_key();
        let agendas = Table::create()
            .table(Alias::new("agendas"))
            .col(account)
            .col(text("base_url"))
            .col(optional_text("token"))
            .col(time("created_at"))
            .col(time("updated_at"))
            .foreign_key(&mut belongs_to("agendas", "account_id", "accounts"))
            .to_owned();
        manager.create_table(agendas).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(Alias::new("agendas")).to_owned()).await
    }
}
