//! Figures over time, what a turn tells of its speed, thresholds of failures, and the indexes that
//! let pages look at a span of time without reading what lies before it.

use sea_orm_migration::prelude::*;

use crate::columns::{
    belongs_to, big, index, integer, json, only, optional_big, optional_time, text, time,
};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// New columns of `turns`; SQLite adds one per statement.
fn of_turns() -> [ColumnDef; 4] {
    [
        // When the first message that it read had come, and when its answer was first sent.
        optional_time("received_at"),
        optional_time("answered_at"),
        // What recall took, and how many facts it brought; absent where it was not wanted.
        optional_big("recall_ms"),
        optional_big("recalled"),
    ]
}

fn indexes() -> Vec<IndexCreateStatement> {
    let partial = |name: &str, table: &str, columns: &[&str], condition: &'static str| {
        index(name, table, columns).and_where(only(condition)).to_owned()
    };
    let memories = "captain_contact_memories";
    vec![
        index("messages_created", "messages", &["created_at"]),
        partial(
            "messages_curation",
            "messages",
            &["account_id", "id"],
            "outcome = 'preempted' AND rule IS NOT NULL",
        ),
        partial("turns_answered", "turns", &["answered_at"], "answered_at IS NOT NULL"),
        partial("turns_recalled", "turns", &["finished_at"], "recall_ms IS NOT NULL"),
        index("memories_created", memories, &["created_at"]),
        partial("memories_superseded", memories, &["superseded_at"], "superseded_at IS NOT NULL"),
        index("llm_usage_created", "llm_usage", &["created_at"]),
        index("dashboard_errors_created", "dashboard_errors", &["created_at"]),
        index("dashboard_errors_code", "dashboard_errors", &["account_id", "code", "created_at"]),
        index("alerts_account", "alerts", &["account_id", "id"]),
    ]
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in of_turns() {
            let table = Table::alter().table(Alias::new("turns")).add_column(column).to_owned();
            manager.alter_table(table).await?;
        }
        for index in indexes() {
            manager.create_index(index).await?;
        }
        // Another index has the same columns.
        let twice =
            Index::drop().name("llm_usage_account").table(Alias::new("llm_usage")).to_owned();
        manager.drop_index(twice).await?;
        buckets(manager).await?;
        thresholds(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = ["failure_thresholds", "stats_gauges", "stats_progress", "stats_buckets"];
        for table in tables {
            manager.drop_table(Table::drop().table(Alias::new(table)).to_owned()).await?;
        }
        let again = index("llm_usage_account", "llm_usage", &["account_id", "created_at"]);
        manager.create_index(again).await?;
        let names = [
            ("messages_created", "messages"),
            ("messages_curation", "messages"),
            ("turns_answered", "turns"),
            ("turns_recalled", "turns"),
            ("memories_created", "captain_contact_memories"),
            ("memories_superseded", "captain_contact_memories"),
            ("llm_usage_created", "llm_usage"),
            ("dashboard_errors_created", "dashboard_errors"),
            ("dashboard_errors_code", "dashboard_errors"),
            ("alerts_account", "alerts"),
        ];
        for (name, table) in names {
            let index = Index::drop().name(name).table(Alias::new(table)).to_owned();
            manager.drop_index(index).await?;
        }
        for column in of_turns() {
            let name = Alias::new(column.get_column_name());
            let table = Table::alter().table(Alias::new("turns")).drop_column(name).to_owned();
            manager.alter_table(table).await?;
        }
        Ok(())
    }
}

async fn buckets(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let name = "stats_buckets";
    let table = Table::create()
        .table(Alias::new(name))
        .col(big("account_id"))
        .col(time("bucket_start"))
        .col(json("figures"))
        .primary_key(Index::create().col(Alias::new("account_id")).col(Alias::new("bucket_start")))
        .foreign_key(&mut belongs_to(name, "account_id", "accounts"))
        .to_owned();
    manager.create_table(table).await?;
    manager.create_index(index("stats_buckets_age", name, &["bucket_start"])).await?;

    let mut key = text("name");
    key.primary_key();
    let progress = Table::create()
        .table(Alias::new("stats_progress"))
        .col(key)
        .col(time("filled_until"))
        .col(optional_time("redo_from"))
        .col(big("last_message_id"))
        .to_owned();
    manager.create_table(progress).await?;

    let mut account = big("account_id");
    account.primary_key();
    let name = "stats_gauges";
    let gauges = Table::create()
        .table(Alias::new(name))
        .col(account)
        .col(json("facts"))
        .col(time("measured_at"))
        .foreign_key(&mut belongs_to(name, "account_id", "accounts"))
        .to_owned();
    manager.create_table(gauges).await
}

async fn thresholds(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let name = "failure_thresholds";
    let table = Table::create()
        .table(Alias::new(name))
        .col(big("account_id"))
        .col(text("code"))
        .col(integer("per_hour", 5))
        .col(text("changed_by"))
        .col(time("changed_at"))
        .primary_key(Index::create().col(Alias::new("account_id")).col(Alias::new("code")))
        .foreign_key(&mut belongs_to(name, "account_id", "accounts"))
        .to_owned();
    manager.create_table(table).await
}
