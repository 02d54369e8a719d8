//! Episodic memory (seed 002 §6): facts, what was read to learn them, switches, tokens, costs.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::columns::{
    belongs_to, big, boolean, id, index, json, only, optional_big, optional_text, optional_time,
    text, time,
};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Columns added to tables of before.
const ADDED: [(&str, &str); 5] = [
    ("inboxes", "unit_id"),
    ("conversations", "captain_unit_id"),
    ("conversations", "learned_until"),
    ("messages", "extraction_id"),
    ("contacts", "forgotten_at"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, name) in ADDED {
            let at = name == "learned_until" || name == "forgotten_at";
            let column = if at { optional_time(name) } else { optional_big(name) };
            let table = Table::alter().table(Alias::new(table)).add_column(column).to_owned();
            manager.alter_table(table).await?;
        }
        units_and_switches(manager).await?;
        memories(manager).await?;
        extractions(manager).await?;
        usage_and_tokens(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = [
            "api_tokens",
            "llm_usage",
            "memory_extractions",
            "captain_contact_memories",
            "account_features",
            "units",
        ];
        for table in tables {
            manager.drop_table(Table::drop().table(Alias::new(table)).to_owned()).await?;
        }
        for (table, column) in ADDED {
            let table =
                Table::alter().table(Alias::new(table)).drop_column(Alias::new(column)).to_owned();
            manager.alter_table(table).await?;
        }
        Ok(())
    }
}

async fn units_and_switches(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let units = Table::create()
        .table(Alias::new("units"))
        .col(id())
        .col(big("account_id"))
        .col(text("name"))
        .col(time("created_at"))
        .col(time("updated_at"))
        .foreign_key(&mut belongs_to("units", "account_id", "accounts"))
        .to_owned();
    manager.create_table(units).await?;
    let name = index("units_name", "units", &["account_id", "name"]);
    manager.create_index(name.clone().unique().to_owned()).await?;

    let features = Table::create()
        .table(Alias::new("account_features"))
        .col(id())
        .col(big("account_id"))
        .col(text("name"))
        .col(boolean("enabled"))
        .col(text("changed_by"))
        .col(time("changed_at"))
        .foreign_key(&mut belongs_to("account_features", "account_id", "accounts"))
        .to_owned();
    manager.create_table(features).await?;
    let name = index("account_features_name", "account_features", &["account_id", "name"]);
    manager.create_index(name.clone().unique().to_owned()).await
}

/// The table of seed 002 §6.1. Where a fact came from is kept after its origin is gone, so those
/// columns are no foreign keys. The kinds are checked by the program: a new one needs no migration.
async fn memories(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let postgres = manager.get_database_backend() == DbBackend::Postgres;
    let name = "captain_contact_memories";
    let words = |column: &str| ColumnDef::new(Alias::new(column)).string().not_null().to_owned();
    let mut embedding = ColumnDef::new(Alias::new("embedding"));
    embedding.custom(Alias::new(if postgres { "vector(1536)" } else { "blob" }));
    let reference = |column: &str, parent: &str| {
        ForeignKey::create()
            .from(Alias::new(name), Alias::new(column))
            .to(Alias::new(parent), Alias::new("id"))
            .to_owned()
    };
    let table = Table::create()
        .table(Alias::new(name))
        .col(id())
        .col(big("account_id"))
        .col(big("contact_id"))
        .col(words("memory_type"))
        .col(text("content"))
        .col(text("evidence"))
        .col(ColumnDef::new(Alias::new("confidence")).double().not_null())
        .col(words("scope").default("global"))
        .col(embedding)
        .col(optional_text("embedding_model"))
        .col(optional_big("source_conversation_id"))
        .col(optional_big("source_unit_id"))
        .col(optional_big("source_inbox_id"))
        .col(optional_time("expires_at"))
        .col(time("last_verified_at"))
        .col(optional_time("superseded_at"))
        .col(optional_big("superseded_by_id"))
        .col(optional_time("deleted_at"))
        .col(json("metadata").default("{}"))
        .col(time("created_at"))
        .col(time("updated_at"))
        .foreign_key(&mut reference("account_id", "accounts"))
        .foreign_key(&mut reference("contact_id", "contacts"))
        .check(Expr::cust("length(trim(content)) > 0 AND length(content) <= 1000"))
        .check(Expr::cust("length(trim(evidence)) > 0"))
        .check(Expr::cust("confidence >= 0 AND confidence <= 1"))
        .check(Expr::cust("scope IN ('global', 'unit')"))
        .to_owned();
    manager.create_table(table).await?;

    let partial = |index_name: &str, columns: &[&str], condition: &'static str| {
        index(index_name, name, columns).and_where(only(condition)).to_owned()
    };
    for index in [
        partial(
            "idx_ccm_recall",
            &["account_id", "contact_id"],
            "deleted_at IS NULL AND superseded_at IS NULL",
        ),
        index("idx_ccm_analytics", name, &["source_unit_id", "memory_type", "created_at"]),
        partial("idx_ccm_hard_delete", &["deleted_at"], "deleted_at IS NOT NULL"),
        partial("idx_ccm_superseded", &["superseded_by_id"], "superseded_at IS NOT NULL"),
    ] {
        manager.create_index(index).await?;
    }
    if postgres {
        let nearest = "CREATE INDEX idx_ccm_embedding ON captain_contact_memories \
                       USING ivfflat (embedding vector_cosine_ops) WITH (lists = 100)";
        // Built before there are rows it knows nothing of them, and PostgreSQL says so each time.
        let connection = manager.get_connection();
        connection.execute_unprepared("SET client_min_messages = warning").await?;
        connection.execute_unprepared(nearest).await?;
        connection.execute_unprepared("RESET client_min_messages").await?;
        // A vector of 6 kB in its row's own page is read at once; beside the table it would be four
        // chunks, found by an index of their own. All together they take as many pages.
        let inline =
            "ALTER TABLE captain_contact_memories ALTER COLUMN embedding SET STORAGE PLAIN";
        connection.execute_unprepared(inline).await?;
    }
    Ok(())
}

async fn extractions(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table(Alias::new("memory_extractions"))
        .col(id())
        .col(big("account_id"))
        .col(big("contact_id"))
        .col(big("conversation_id"))
        .col(text("outcome"))
        .col(optional_text("model"))
        .col(big("messages"))
        .col(big("facts"))
        .col(json("discarded"))
        .col(time("created_at"))
        .foreign_key(&mut belongs_to("memory_extractions", "conversation_id", "conversations"))
        .to_owned();
    manager.create_table(table).await?;
    let thread = index("memory_extractions_thread", "memory_extractions", &["conversation_id"]);
    manager.create_index(thread).await
}

async fn usage_and_tokens(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let usage = Table::create()
        .table(Alias::new("llm_usage"))
        .col(id())
        .col(big("account_id"))
        .col(optional_big("conversation_id"))
        .col(text("purpose"))
        .col(text("model"))
        .col(big("prompt_tokens"))
        .col(big("completion_tokens"))
        .col(ColumnDef::new(Alias::new("brl")).double().not_null())
        .col(time("created_at"))
        .foreign_key(&mut belongs_to("llm_usage", "account_id", "accounts"))
        .to_owned();
    manager.create_table(usage).await?;
    manager
        .create_index(index("llm_usage_month", "llm_usage", &["account_id", "created_at"]))
        .await?;

    let tokens = Table::create()
        .table(Alias::new("api_tokens"))
        .col(id())
        .col(big("account_id"))
        .col(text("name"))
        .col(text("token_hash").unique_key())
        .col(optional_time("last_used_at"))
        .col(optional_time("revoked_at"))
        .col(time("created_at"))
        .foreign_key(&mut belongs_to("api_tokens", "account_id", "accounts"))
        .to_owned();
    manager.create_table(tokens).await
}
