//! The agent with tools: what an account says of itself, the journal of calls, conversations left
//! to people, and failures.

use sea_orm_migration::prelude::*;

use crate::columns::{
    belongs_to, big, boolean, id, index, integer, json, only, optional_big, optional_json,
    optional_text, optional_time, text, time,
};

#[derive(DeriveMigrationName)]
pub struct Migration;

fn optional_double(name: &str) -> ColumnDef {
    let mut column = ColumnDef::new(Alias::new(name));
    column.double();
    column
}

/// New columns; SQLite adds one per statement.
fn added() -> Vec<(&'static str, ColumnDef)> {
    vec![
        ("accounts", optional_text("persona")),
        ("accounts", optional_text("facts")),
        ("accounts", optional_double("monthly_ceiling_brl")),
        ("accounts", integer("handoff_minutes", 15)),
        ("accounts", boolean("handoff_resumes")),
        ("accounts", optional_text("notify_url")),
        ("accounts", optional_text("notify_secret")),
        ("turns", optional_json("record")),
        ("turns", optional_double("brl")),
    ]
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in added() {
            let table = Table::alter().table(Alias::new(table)).add_column(column).to_owned();
            manager.alter_table(table).await?;
        }
        tool_calls(manager).await?;
        handoffs(manager).await?;
        dashboard_errors(manager).await?;
        manager
            .create_index(index("llm_usage_account", "llm_usage", &["account_id", "created_at"]))
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let usage =
            Index::drop().name("llm_usage_account").table(Alias::new("llm_usage")).to_owned();
        manager.drop_index(usage).await?;
        for table in ["dashboard_errors", "handoffs", "tool_calls"] {
            manager.drop_table(Table::drop().table(Alias::new(table)).to_owned()).await?;
        }
        for (table, column) in added() {
            let name = Alias::new(column.get_column_name());
            let table = Table::alter().table(Alias::new(table)).drop_column(name).to_owned();
            manager.alter_table(table).await?;
        }
        Ok(())
    }
}

async fn tool_calls(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let name = "tool_calls";
    let table = Table::create()
        .table(Alias::new(name))
        .col(id())
        .col(big("account_id"))
        .col(big("conversation_id"))
        .col(optional_big("turn_id"))
        .col(text("call_key"))
        .col(text("tool"))
        .col(json("arguments"))
        .col(boolean("has_effect"))
        .col(text("state"))
        .col(optional_text("code"))
        .col(optional_text("result"))
        .col(time("begun_at"))
        .col(optional_time("finished_at"))
        .col(optional_time("settled_at"))
        .foreign_key(&mut belongs_to(name, "account_id", "accounts"))
        .foreign_key(&mut belongs_to(name, "conversation_id", "conversations"))
        .to_owned();
    manager.create_table(table).await?;
    manager
        .create_index(index("tool_calls_conversation", name, &["conversation_id", "id"]))
        .await?;
    manager.create_index(index("tool_calls_age", name, &["begun_at"])).await
}

async fn handoffs(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let name = "handoffs";
    let table = Table::create()
        .table(Alias::new(name))
        .col(id())
        .col(big("account_id"))
        .col(big("conversation_id"))
        .col(text("reason"))
        .col(optional_text("detail"))
        .col(integer("priority", 2))
        .col(text("state"))
        .col(time("created_at"))
        .col(optional_time("taken_at"))
        .col(optional_text("taken_by"))
        .col(optional_time("overdue_at"))
        .col(optional_time("closed_at"))
        .foreign_key(&mut belongs_to(name, "account_id", "accounts"))
        .foreign_key(&mut belongs_to(name, "conversation_id", "conversations"))
        .to_owned();
    manager.create_table(table).await?;
    let open = index("handoffs_open", name, &["conversation_id"])
        .unique()
        .and_where(only("closed_at IS NULL"))
        .to_owned();
    manager.create_index(open).await?;
    let waiting = index("handoffs_waiting", name, &["account_id", "priority", "created_at"])
        .and_where(only("closed_at IS NULL"))
        .to_owned();
    manager.create_index(waiting).await
}

async fn dashboard_errors(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let name = "dashboard_errors";
    let table = Table::create()
        .table(Alias::new(name))
        .col(id())
        .col(big("account_id"))
        .col(optional_big("conversation_id"))
        .col(optional_big("turn_id"))
        .col(text("error_type"))
        .col(optional_text("tool"))
        .col(text("code"))
        .col(text("detail"))
        .col(time("created_at"))
        .foreign_key(&mut belongs_to(name, "account_id", "accounts"))
        .foreign_key(&mut belongs_to(name, "conversation_id", "conversations"))
        .to_owned();
    manager.create_table(table).await?;
    let recent = index("dashboard_errors_recent", name, &["account_id", "created_at"]);
    manager.create_index(recent).await?;
    let of = index("dashboard_errors_conversation", name, &["conversation_id"]);
    manager.create_index(of).await
}
