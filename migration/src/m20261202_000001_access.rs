//! Roles of operators, their sessions, and the scopes of tokens.

use sea_orm_migration::prelude::*;

use crate::columns::{belongs_to, big, id, index, optional_time, text, time};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// What tokens could reach when they had no scopes.
const SCOPES_BEFORE: &str = "conversations:read conversations:write contacts:read contacts:write contacts:erase knowledge:read knowledge:write tools:read tools:write";

fn text_or(name: &str, default: &str) -> ColumnDef {
    let mut column = text(name);
    column.default(default);
    column
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut runs = ColumnDef::new(Alias::new("runs_instance"));
        runs.boolean().not_null().default(false);
        // One column at a time: SQLite adds no more.
        for column in
            [text_or("name", ""), text_or("role", "admin"), runs, optional_time("disabled_at")]
        {
            let table =
                Table::alter().table(Alias::new("operators")).add_column(column.clone()).to_owned();
            manager.alter_table(table).await?;
        }
        // Where there is one account, its operators run the installation.
        let only_account =
            "UPDATE operators SET runs_instance = TRUE WHERE (SELECT count(*) FROM accounts) = 1";
        manager.get_connection().execute_unprepared(only_account).await?;
        let scopes = Table::alter()
            .table(Alias::new("api_tokens"))
            .add_column(text_or("scopes", SCOPES_BEFORE))
            .to_owned();
        manager.alter_table(scopes).await?;
        let sessions = Table::create()
            .table(Alias::new("operator_sessions"))
            .col(id())
            .col(big("operator_id"))
            .col(text("token_hash"))
            .col(text("device"))
            .col(text("address"))
            .col(time("created_at"))
            .col(time("last_seen_at"))
            .col(optional_time("ended_at"))
            .foreign_key(&mut belongs_to("operator_sessions", "operator_id", "operators"))
            .to_owned();
        manager.create_table(sessions).await?;
        let mut by_hash = index("ux_operator_sessions_hash", "operator_sessions", &["token_hash"]);
        manager.create_index(by_hash.unique().to_owned()).await?;
        let of = index("ix_operator_sessions_operator", "operator_sessions", &["operator_id"]);
        manager.create_index(of).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sessions = Table::drop().table(Alias::new("operator_sessions")).to_owned();
        manager.drop_table(sessions).await?;
        for (table, column) in [
            ("api_tokens", "scopes"),
            ("operators", "disabled_at"),
            ("operators", "runs_instance"),
            ("operators", "role"),
            ("operators", "name"),
        ] {
            let alter =
                Table::alter().table(Alias::new(table)).drop_column(Alias::new(column)).to_owned();
            manager.alter_table(alter).await?;
        }
        Ok(())
    }
}
