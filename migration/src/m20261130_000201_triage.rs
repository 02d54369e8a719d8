//! What triage goes by per account, and what operators think of its verdicts.

use sea_orm_migration::prelude::*;

use crate::columns::{belongs_to, big, index, only, optional_text, text, time};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// New columns of `accounts`; SQLite adds one column per statement.
fn settings() -> [ColumnDef; 3] {
    let word = |name: &str| {
        let mut column = text(name);
        column.default("none");
        column
    };
    [word("scope_profile"), word("human_support"), optional_text("helps_with")]
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in settings() {
            let table = Table::alter().table(Alias::new("accounts")).add_column(column).to_owned();
            manager.alter_table(table).await?;
        }

        let mut message = ColumnDef::new(Alias::new("message_id"));
        message.big_integer().not_null().primary_key();
        let marks = Table::create()
            .table(Alias::new("curation_marks"))
            .col(message)
            .col(big("account_id"))
            .col(text("mark"))
            .col(optional_text("expected"))
            .col(time("marked_at"))
            .foreign_key(&mut belongs_to("curation_marks", "message_id", "messages"))
            .to_owned();
        manager.create_table(marks).await?;
        let preempted = index("messages_preempted", "messages", &["outcome_at"])
            .and_where(only("outcome = 'preempted'"))
            .to_owned();
        manager.create_index(preempted).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_index(
                Index::drop().name("messages_preempted").table(Alias::new("messages")).to_owned(),
            )
            .await?;
        manager.drop_table(Table::drop().table(Alias::new("curation_marks")).to_owned()).await?;
        for column in settings() {
            let name = Alias::new(column.get_column_name());
            let table = Table::alter().table(Alias::new("accounts")).drop_column(name).to_owned();
            manager.alter_table(table).await?;
        }
        Ok(())
    }
}
