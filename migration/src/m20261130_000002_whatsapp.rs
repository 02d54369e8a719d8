//! What the channels' other events leave behind: alerts, statuses that came before their message,
//! files, changed and withdrawn messages, ads, opt-outs, lines that are stopped.

use sea_orm_migration::prelude::*;

use crate::columns::{
    big, id, index, integer, only, optional_big, optional_json, optional_text, optional_time, text,
    time,
};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Table and column of everything that is added to a table of before.
fn added() -> Vec<(&'static str, ColumnDef)> {
    vec![
        ("messages", optional_time("edited_at")),
        ("messages", optional_time("revoked_at")),
        ("messages", optional_json("pricing")),
        ("conversations", optional_json("referral")),
        ("conversations", optional_time("typing_until")),
        ("contacts", optional_time("marketing_opt_out_at")),
        ("inboxes", optional_time("stopped_at")),
        ("inboxes", optional_text("stopped_why")),
    ]
}

const ADDED_NAMES: &[(&str, &str)] = &[
    ("messages", "edited_at"),
    ("messages", "revoked_at"),
    ("messages", "pricing"),
    ("conversations", "referral"),
    ("conversations", "typing_until"),
    ("contacts", "marketing_opt_out_at"),
    ("inboxes", "stopped_at"),
    ("inboxes", "stopped_why"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, mut column) in added() {
            let mut alter = Table::alter();
            manager
                .alter_table(alter.table(Alias::new(table)).add_column(&mut column).to_owned())
                .await?;
        }
        alerts(manager).await?;
        early_statuses(manager).await?;
        media_files(manager).await?;
        quick_echoes(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["quick_echoes", "media_files", "early_statuses", "alerts"] {
            manager.drop_table(Table::drop().table(Alias::new(table)).to_owned()).await?;
        }
        for (table, column) in ADDED_NAMES {
            let mut alter = Table::alter();
            alter.table(Alias::new(*table)).drop_column(Alias::new(*column));
            manager.alter_table(alter).await?;
        }
        Ok(())
    }
}

async fn alerts(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let alerts = Table::create()
        .table(Alias::new("alerts"))
        .col(id())
        .col(optional_big("account_id"))
        .col(optional_big("inbox_id"))
        .col(optional_big("conversation_id"))
        .col(text("kind"))
        // One open alert per subject; another event of the kind counts it up.
        .col(text("subject"))
        .col(text("detail"))
        .col(integer("times", 1))
        .col(time("raised_at"))
        .col(time("last_raised_at"))
        .col(optional_time("resolved_at"))
        .to_owned();
    manager.create_table(alerts).await?;
    let open = index("alerts_open", "alerts", &["kind", "subject"])
        .unique()
        .and_where(only("resolved_at IS NULL"))
        .to_owned();
    manager.create_index(open).await
}

async fn early_statuses(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut status = ColumnDef::new(Alias::new("status"));
    status.json_binary().not_null();
    let table = Table::create()
        .table(Alias::new("early_statuses"))
        .col(id())
        .col(big("inbox_id"))
        .col(text("provider_message_id"))
        .col(status)
        .col(time("created_at"))
        .to_owned();
    manager.create_table(table).await?;
    let name = "early_statuses";
    let columns = ["inbox_id", "provider_message_id"];
    manager.create_index(index("early_statuses_message", name, &columns)).await?;
    manager.create_index(index("early_statuses_age", name, &["created_at"])).await
}

async fn media_files(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table(Alias::new("media_files"))
        .col(id())
        .col(big("account_id"))
        .col(big("message_id"))
        .col(text("state"))
        .col(optional_text("mime"))
        .col(optional_big("bytes"))
        .col(optional_text("path"))
        .col(optional_text("error"))
        .col(time("created_at"))
        .col(time("updated_at"))
        .to_owned();
    manager.create_table(table).await?;
    let once = index("media_files_message", "media_files", &["message_id"]).unique().to_owned();
    manager.create_index(once).await?;
    manager.create_index(index("media_files_age", "media_files", &["created_at"])).await
}

async fn quick_echoes(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table(Alias::new("quick_echoes"))
        .col(big("inbox_id"))
        .col(text("digest"))
        .col(big("conversations"))
        .col(big("last_conversation_id"))
        .col(time("updated_at"))
        .primary_key(Index::create().col(Alias::new("inbox_id")).col(Alias::new("digest")))
        .to_owned();
    manager.create_table(table).await
}
