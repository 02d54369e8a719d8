//! Contacts, conversations, messages, turns, and webhook events that led to nothing.
//!
//! Rows that every webhook writes refer to accounts and inboxes without a foreign key: checking it
//! would make every writer share a lock on the same few rows. Accounts and inboxes are never
//! deleted under them.

use sea_orm_migration::prelude::*;

use crate::columns::{
    belongs_to, big, id, index, integer, json, only, optional_big, optional_json, optional_text,
    optional_time, text, time,
};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        contacts(manager).await?;
        conversations(manager).await?;
        messages(manager).await?;
        events_and_turns(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = [
            "turns",
            "webhook_events",
            "messages",
            "conversations",
            "contact_identities",
            "contacts",
        ];
        for table in tables {
            manager.drop_table(Table::drop().table(Alias::new(table)).to_owned()).await?;
        }
        Ok(())
    }
}

async fn contacts(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let contacts = Table::create()
        .table(Alias::new("contacts"))
        .col(id())
        .col(big("account_id"))
        .col(optional_text("name"))
        .col(json("custom_attributes"))
        .col(time("created_at"))
        .col(time("updated_at"))
        .to_owned();
    manager.create_table(contacts).await?;

    let identities = Table::create()
        .table(Alias::new("contact_identities"))
        .col(id())
        .col(big("account_id"))
        .col(big("contact_id"))
        .col(text("kind"))
        .col(text("value"))
        .col(text("address"))
        .col(time("created_at"))
        .foreign_key(&mut belongs_to("contact_identities", "contact_id", "contacts"))
        .to_owned();
    manager.create_table(identities).await?;
    let table = "contact_identities";
    // The value leads: without statistics a planner may walk through all of an account's names.
    let name = index("contact_identities_name", table, &["value", "account_id", "kind"]);
    manager.create_index(name.clone().unique().to_owned()).await?;
    let owner = index("contact_identities_contact", table, &["contact_id"]);
    manager.create_index(owner).await
}

async fn conversations(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let conversations = Table::create()
        .table(Alias::new("conversations"))
        .col(id())
        .col(big("account_id"))
        .col(big("inbox_id"))
        .col(big("contact_id"))
        .col(text("state"))
        .col(text("handler"))
        .col(optional_text("handler_reason"))
        .col(optional_time("handler_since"))
        .col(optional_time("paused_until"))
        .col(integer("past_turns_without_tool_call", 0))
        .col(time("last_message_at"))
        .col(optional_time("resolved_at"))
        .col(time("created_at"))
        .col(time("updated_at"))
        .foreign_key(&mut belongs_to("conversations", "contact_id", "contacts"))
        .to_owned();
    manager.create_table(conversations).await?;
    let open = index("conversations_open", "conversations", &["contact_id", "inbox_id"])
        .unique()
        .and_where(only("state = 'open'"))
        .to_owned();
    manager.create_index(open).await?;
    // Resolved ones stay reachable from their contact, for the working memory of its next one.
    manager
        .create_index(index("conversations_contact", "conversations", &["contact_id", "inbox_id"]))
        .await
}

async fn messages(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let messages = Table::create()
        .table(Alias::new("messages"))
        .col(id())
        .col(big("account_id"))
        .col(big("inbox_id"))
        .col(big("conversation_id"))
        .col(big("contact_id"))
        .col(text("direction"))
        .col(text("author"))
        .col(optional_text("provider_message_id"))
        .col(text("kind"))
        .col(text("text"))
        .col(optional_json("content"))
        .col(optional_text("reply_to"))
        .col(time("written_at"))
        .col(optional_text("verdict"))
        .col(optional_text("rule"))
        .col(optional_text("outcome"))
        .col(optional_text("outcome_detail"))
        .col(optional_time("outcome_at"))
        .col(optional_big("turn_id"))
        .col(optional_text("delivery"))
        .col(optional_big("error_code"))
        .col(optional_text("error_detail"))
        .col(optional_time("sending_at"))
        .col(optional_time("sent_at"))
        .col(optional_time("delivered_at"))
        .col(optional_time("read_at"))
        .col(time("created_at"))
        .col(time("updated_at"))
        .foreign_key(&mut belongs_to("messages", "conversation_id", "conversations"))
        .to_owned();
    manager.create_table(messages).await?;

    let table = "messages";
    // A redelivered webhook stops here.
    let once = index("messages_once", table, &["inbox_id", "provider_message_id"]);
    manager.create_index(once.clone().unique().to_owned()).await?;
    let thread = index("messages_thread", table, &["conversation_id", "id"]);
    manager.create_index(thread).await?;
    // When a customer last wrote, and what a person reads of them.
    let customer = index("messages_contact", table, &["contact_id", "inbox_id", "id"]);
    manager.create_index(customer).await?;
    let waiting = index("messages_waiting", table, &["conversation_id", "created_at"])
        .and_where(only("direction = 'in' AND outcome IS NULL"))
        .to_owned();
    manager.create_index(waiting).await?;
    let outbox = index("messages_outbox", table, &["conversation_id", "id"])
        .and_where(only("delivery IN ('pending', 'sending')"))
        .to_owned();
    manager.create_index(outbox).await
}

async fn events_and_turns(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let events = Table::create()
        .table(Alias::new("webhook_events"))
        .col(id())
        .col(optional_big("inbox_id"))
        .col(text("channel"))
        .col(optional_text("external_id"))
        .col(optional_text("provider_message_id"))
        .col(text("why"))
        .col(text("detail"))
        .col(optional_text("body"))
        .col(time("created_at"))
        .foreign_key(&mut belongs_to("webhook_events", "inbox_id", "inboxes"))
        .to_owned();
    manager.create_table(events).await?;
    let age = index("webhook_events_age", "webhook_events", &["created_at"]);
    manager.create_index(age).await?;

    let mut job = ColumnDef::new(Alias::new("job_id"));
    job.uuid();
    let turns = Table::create()
        .table(Alias::new("turns"))
        .col(id())
        .col(big("account_id"))
        .col(big("conversation_id"))
        .col(job)
        .col(text("model"))
        .col(optional_big("prompt_tokens"))
        .col(optional_big("completion_tokens"))
        .col(optional_json("transcript"))
        .col(text("reply"))
        .col(time("started_at"))
        .col(time("finished_at"))
        .foreign_key(&mut belongs_to("turns", "conversation_id", "conversations"))
        .to_owned();
    manager.create_table(turns).await?;
    manager.create_index(index("turns_thread", "turns", &["conversation_id", "id"])).await?;
    let transcripts = index("turns_age", "turns", &["finished_at"])
        .and_where(only("transcript IS NOT NULL"))
        .to_owned();
    manager.create_index(transcripts).await
}
