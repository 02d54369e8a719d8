//! Knowledge entries of accounts (seed 002 §4, layer 4), and what they cover.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::columns::{belongs_to, big, id, index, json, optional_text, text, time};

#[derive(DeriveMigrationName)]
pub struct Migration;

const NAME: &str = "captain_assistant_responses";

/// New columns of `accounts`; SQLite adds one column per statement.
fn of_accounts() -> [ColumnDef; 2] {
    let mut covered = json("covered_domains");
    covered.default("[]");
    let mut revision = big("knowledge_revision");
    revision.default(0);
    [covered, revision]
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in of_accounts() {
            let table = Table::alter().table(Alias::new("accounts")).add_column(column).to_owned();
            manager.alter_table(table).await?;
        }
        let postgres = manager.get_database_backend() == DbBackend::Postgres;
        let mut embedding = ColumnDef::new(Alias::new("embedding"));
        embedding.custom(Alias::new(if postgres { "vector(1536)" } else { "blob" }));
        let mut status = text("status");
        status.default("enabled");
        let table = Table::create()
            .table(Alias::new(NAME))
            .col(id())
            .col(big("account_id"))
            .col(text("question"))
            .col(text("answer"))
            .col(optional_text("category"))
            .col(status)
            .col(text("question_key"))
            .col(text("folded"))
            .col(text("source"))
            .col(embedding)
            .col(optional_text("embedding_model"))
            .col(time("created_at"))
            .col(time("updated_at"))
            .foreign_key(&mut belongs_to(NAME, "account_id", "accounts"))
            .check(Expr::cust("length(trim(question)) > 0 AND length(question) <= 500"))
            .check(Expr::cust("length(trim(answer)) > 0 AND length(answer) <= 4000"))
            .check(Expr::cust("status IN ('enabled', 'disabled')"))
            .to_owned();
        manager.create_table(table).await?;
        let key = index("idx_car_question", NAME, &["account_id", "question_key"]);
        manager.create_index(key.clone().unique().to_owned()).await?;
        if postgres {
            // As for memories: read at once, in the row's own page. There is no ANN index on this
            // table, so no planner can choose one: an account's entries are compared exactly.
            let inline = "ALTER TABLE captain_assistant_responses \
                          ALTER COLUMN embedding SET STORAGE PLAIN";
            manager.get_connection().execute_unprepared(inline).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(Alias::new(NAME)).to_owned()).await?;
        for column in of_accounts() {
            let name = Alias::new(column.get_column_name());
            let table = Table::alter().table(Alias::new("accounts")).drop_column(name).to_owned();
            manager.alter_table(table).await?;
        }
        Ok(())
    }
}
