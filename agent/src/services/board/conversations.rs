//! The list of conversations, with its filters and its search.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sea_orm::DatabaseConnection;
use serde::Serialize;
use tokio::time::Instant;
use utoipa::ToSchema;

use crate::domain::sought::Sought;
use crate::store::StoreResult;
use crate::store::board::actors;
use crate::store::board::conversation_rows::{ConversationRow, rows};
use crate::store::board::conversation_search::{of_contacts, of_messages};
use crate::store::board::conversations::{Cursor, Filter, page};

/// How long one step of a search may read messages.
const SEARCH: Duration = Duration::from_millis(80);
/// Characters of a search that count.
const SEARCH_CHARS: usize = 100;

/// What is asked of the list.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    pub filter: Filter,
    /// A name, a telephone number, or words of messages; blank for none.
    pub search: String,
    pub before: Option<Cursor>,
    pub limit: usize,
}

/// A page of the list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ConversationList {
    /// Of a search, on its first page: conversations with contacts whose name or telephone was
    /// typed.
    pub contacts: Vec<ConversationRow>,
    /// By the last message, latest first; of a search those in which the words were said.
    pub conversations: Vec<Listed>,
    /// For `before` of the next page; absent at the end. A page that looks for what is rare may
    /// hold little, or nothing, and have a next one.
    pub next: Option<String>,
}

/// A conversation of the list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Listed {
    #[serde(flatten)]
    pub conversation: ConversationRow,
    /// Of a search: where the words were said.
    pub found: Option<FoundMessage>,
}

/// A message in which the words of a search were said.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FoundMessage {
    pub id: i64,
    /// The words with what stands around them.
    pub excerpt: String,
}

/// One page of the account's conversations.
pub async fn list(
    db: &DatabaseConnection,
    account_id: i64,
    asked: &Asked,
    now: DateTime<Utc>,
) -> StoreResult<ConversationList> {
    let typed: String = asked.search.trim().chars().take(SEARCH_CHARS).collect();
    let actors = actors::of_account(db, account_id).await?;
    let Some(sought) = Sought::parse(&typed) else {
        let found = page(db, account_id, &asked.filter, asked.before, asked.limit).await?;
        let rows = rows(db, account_id, &found.ids, &actors, now).await?;
        let listed = rows.into_iter().map(|conversation| Listed { conversation, found: None });
        return Ok(ConversationList {
            contacts: Vec::new(),
            conversations: listed.collect(),
            next: found.next.map(|next| next.to_string()),
        });
    };
    let until = Instant::now() + SEARCH;
    let contacts = match asked.before {
        Some(_) => Vec::new(),
        None => {
            let ids = of_contacts(db, account_id, &typed).await?;
            let mut found = rows(db, account_id, &ids, &actors, now).await?;
            found.retain(|row| row.fits(&asked.filter));
            found
        }
    };
    let found = of_messages(db, account_id, &sought, asked.before, asked.limit, until).await?;
    let ids: Vec<i64> = found.hits.iter().map(|hit| hit.conversation_id).collect();
    let mut hits = found.hits.into_iter();
    let mut conversations = Vec::new();
    for conversation in rows(db, account_id, &ids, &actors, now).await? {
        // Both are in one order; a conversation that went meanwhile is passed over.
        let hit = hits.find(|hit| hit.conversation_id == conversation.id);
        let found = hit.map(|hit| FoundMessage { id: hit.message_id, excerpt: hit.excerpt });
        if conversation.fits(&asked.filter) {
            conversations.push(Listed { conversation, found });
        }
    }
    let next = found.next.map(|next| next.to_string());
    Ok(ConversationList { contacts, conversations, next })
}
