//! Accounts with their lines and people; on PostgreSQL the vector extension first.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::columns::{
    belongs_to, big, boolean, id, index, optional_text, optional_time, text, time,
};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Postgres {
            let extension = "CREATE EXTENSION IF NOT EXISTS vector";
            manager.get_connection().execute_unprepared(extension).await?;
        }
        let mut debounce = ColumnDef::new(Alias::new("debounce_ms"));
        debounce.integer();
        let accounts = Table::create()
            .table(Alias::new("accounts"))
            .col(id())
            .col(text("name"))
            .col(text("locale"))
            .col(text("timezone"))
            .col(text("assistant_name"))
            .col(boolean("bot_paused"))
            .col(debounce)
            .col(time("created_at"))
            .col(time("updated_at"))
            .to_owned();
        manager.create_table(accounts).await?;

        let inboxes = Table::create()
            .table(Alias::new("inboxes"))
            .col(id())
            .col(big("account_id"))
            .col(text("channel"))
            .col(text("inbox_key").unique_key())
            .col(text("external_id"))
            .col(optional_text("base_url"))
            .col(text("credentials"))
            .col(boolean("simulated"))
            .col(optional_time("last_event_at"))
            .col(optional_time("last_status_at"))
            .col(time("created_at"))
            .col(time("updated_at"))
            .foreign_key(&mut belongs_to("inboxes", "account_id", "accounts"))
            .to_owned();
        manager.create_table(inboxes).await?;
        let line =
            index("inboxes_line", "inboxes", &["channel", "external_id"]).unique().to_owned();
        manager.create_index(line).await?;

        let operators = Table::create()
            .table(Alias::new("operators"))
            .col(id())
            .col(big("account_id"))
            .col(text("email").unique_key())
            .col(text("password_hash"))
            .col(time("created_at"))
            .col(time("updated_at"))
            .foreign_key(&mut belongs_to("operators", "account_id", "accounts"))
            .to_owned();
        manager.create_table(operators).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["operators", "inboxes", "accounts"] {
            manager.drop_table(Table::drop().table(Alias::new(table)).to_owned()).await?;
        }
        Ok(())
    }
}
