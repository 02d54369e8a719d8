//! Everything that an account knows, as sources of an answer's figures.

use async_trait::async_trait;

use super::Knowledge;
use super::edit::Filter;
use crate::services::agent_chat::MoreSources;
use crate::store::knowledge::Status;

/// Entries that are read, newest first: an answer is checked within a turn.
const MOST: u64 = 2_000;

/// The entries of one account.
pub struct AllEntries {
    knowledge: Knowledge,
    account_id: i64,
}

impl Knowledge {
    pub fn all_entries(&self, account_id: i64) -> AllEntries {
        AllEntries { knowledge: self.clone(), account_id }
    }
}

#[async_trait]
impl MoreSources for AllEntries {
    async fn texts(&self) -> Vec<String> {
        let filter = Filter {
            status: Some(Status::Enabled),
            category: None,
            search: None,
            before: None,
            limit: MOST,
        };
        match self.knowledge.list(self.account_id, &filter).await {
            Ok(rows) => {
                rows.into_iter().map(|row| format!("{}\n{}", row.question, row.answer)).collect()
            }
            Err(error) => {
                tracing::warn!(account.id = self.account_id, %error, "knowledge not read");
                Vec::new()
            }
        }
    }
}
