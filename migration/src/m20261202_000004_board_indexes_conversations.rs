//! What the pages of conversations read by, and who dealt with a message that did not go out.
//!
//! Only one of the indexes is written with webhooks: an account's conversations by their last
//! message. The others hold rows that are few, and nothing of a message that goes its way.

use sea_orm_migration::prelude::*;

use crate::columns::{index, only, optional_text, optional_time};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// New columns of messages; SQLite adds one per statement.
fn added() -> Vec<ColumnDef> {
    vec![
        // Which operator wrote it.
        optional_text("said_by"),
        // What an operator made of a message that failed or stayed unclear.
        optional_text("attended_as"),
        optional_text("attended_by"),
        optional_time("attended_at"),
    ]
}

fn indexes() -> Vec<IndexCreateStatement> {
    let conversations = "conversations";
    let activity =
        index("conversations_activity", conversations, &["account_id", "last_message_at", "id"]);
    let human = index("conversations_human", conversations, &["account_id"])
        .and_where(only("state = 'open' AND handler = 'human'"))
        .to_owned();
    let unsent = index("messages_unsent", "messages", &["account_id", "conversation_id"])
        .and_where(only("delivery IN ('failed', 'unknown') AND attended_at IS NULL"))
        .to_owned();
    let handoffs = index("handoffs_conversation", "handoffs", &["conversation_id", "id"]);
    let alerts = index("alerts_conversation", "alerts", &["conversation_id"])
        .and_where(only("resolved_at IS NULL"))
        .to_owned();
    vec![activity, human, unsent, handoffs, alerts]
}

const NAMES: [(&str, &str); 5] = [
    ("conversations", "conversations_activity"),
    ("conversations", "conversations_human"),
    ("messages", "messages_unsent"),
    ("handoffs", "handoffs_conversation"),
    ("alerts", "alerts_conversation"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in added() {
            let table = Table::alter().table(Alias::new("messages")).add_column(column).to_owned();
            manager.alter_table(table).await?;
        }
        for index in indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, name) in NAMES {
            let drop = Index::drop().name(name).table(Alias::new(table)).to_owned();
            manager.drop_index(drop).await?;
        }
        for column in added() {
            let name = Alias::new(column.get_column_name());
            let table = Table::alter().table(Alias::new("messages")).drop_column(name).to_owned();
            manager.alter_table(table).await?;
        }
        Ok(())
    }
}
