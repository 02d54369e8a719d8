//! Knowledge of accounts (seed 002 §4, layer 4): entries that their people write, and what of them
//! answers what a customer asks.

mod all_entries;
pub mod edit;
pub mod embed;
pub mod import;
mod index;
pub mod retrieve;
pub mod shown;

#[cfg(test)]
mod measured;

use std::sync::Arc;

use sea_orm::DatabaseConnection;

use self::index::Indexes;
use crate::clock::SharedClock;
use crate::config::MemoryConfig;
use crate::domain::knowledge::coverage;
use crate::domain::triage::scope::Domain;
use crate::llm::Embedder;
use crate::store::knowledge::Status;
use crate::store::{StoreResult, knowledge_upkeep as upkeep};

/// Most entries of one account, told or not.
pub const MOST_ENTRIES: usize = 10_000;

/// What knowledge needs. Clones share it.
#[derive(Clone)]
pub struct Knowledge {
    pub db: DatabaseConnection,
    pub clock: SharedClock,
    pub embedder: Arc<dyn Embedder>,
    /// For the prices of embeddings.
    pub config: Arc<MemoryConfig>,
    indexes: Indexes,
}

impl Knowledge {
    pub fn new(
        db: DatabaseConnection,
        clock: SharedClock,
        embedder: Arc<dyn Embedder>,
        config: Arc<MemoryConfig>,
    ) -> Self {
        Self { db, clock, embedder, config, indexes: Indexes::default() }
    }
}

/// Writes which domains the account's enabled entries cover, in the transaction that changes them:
/// triage has the account's row at hand and asks nothing.
async fn cover(tx: &sea_orm::DatabaseTransaction, account_id: i64) -> StoreResult<()> {
    let categories = upkeep::categories(tx, account_id, Some(Status::Enabled)).await?;
    let covered: Vec<Domain> =
        categories.iter().flat_map(|category| coverage::domains_of(category)).collect();
    let names: Vec<&str> = Domain::ALL
        .into_iter()
        .filter(|domain| covered.contains(domain))
        .map(Domain::as_str)
        .collect();
    upkeep::set_covered(tx, account_id, &names).await
}
