//! The words of each account's entries, kept in memory while the account's revision stays.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, RwLock};

use sea_orm::DatabaseConnection;

use crate::domain::knowledge::coverage;
use crate::domain::knowledge::lexical::{Document, Index};
use crate::domain::triage::scope::{Domain, Profile};
use crate::store::knowledge_upkeep::{self as upkeep, Texts};
use crate::store::{StoreError, StoreResult};

/// Accounts whose words are kept: about 5 MB each for thousands of entries, far less as a rule.
const MOST_KEPT: usize = 200;

/// An account's entries by words and by the domains that they cover.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    pub index: Index,
    /// Entries whose category covers a domain.
    of_domain: HashMap<Domain, HashSet<i64>>,
}

impl Shelf {
    fn of(texts: &[Texts]) -> Self {
        let mut of_domain: HashMap<Domain, HashSet<i64>> = HashMap::new();
        for row in texts {
            let domains = row.category.as_deref().map(coverage::domains_of).unwrap_or_default();
            for domain in domains {
                of_domain.entry(domain).or_default().insert(row.id);
            }
        }
        let index = Index::build(texts.iter().map(|row| Document {
            id: row.id,
            question: &row.question,
            answer: &row.answer,
            category: row.category.as_deref(),
        }));
        Self { index, of_domain }
    }

    /// The entries that cover this domain.
    pub fn covering(&self, domain: Option<Domain>) -> Option<&HashSet<i64>> {
        self.of_domain.get(&domain?)
    }
}

/// An account's shelf with its profile of scope.
pub(super) struct Opened {
    pub shelf: Arc<Shelf>,
    pub profile: Profile,
}

/// All shelves. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Indexes(Arc<RwLock<HashMap<i64, Kept>>>);

/// A shelf with the revision that it was made of.
#[derive(Debug)]
struct Kept {
    revision: i64,
    shelf: Arc<Shelf>,
}

impl Indexes {
    /// The account's shelf as it is now; an empty one of an account that is not there.
    pub async fn open(&self, db: &DatabaseConnection, account_id: i64) -> StoreResult<Opened> {
        let Some((revision, profile)) = upkeep::revision(db, account_id).await? else {
            return Ok(Opened { shelf: Arc::default(), profile: Profile::None });
        };
        let profile = profile.parse().unwrap_or_default();
        if let Some(shelf) = self.kept(account_id, revision) {
            return Ok(Opened { shelf, profile });
        }
        // In a task of its own: who gives up waiting finds it ready the next time.
        let (indexes, db) = (self.clone(), db.clone());
        let built = tokio::spawn(async move { indexes.build(&db, account_id, revision).await });
        let lost = |_| StoreError::Unavailable("the index was not built".to_owned());
        let shelf = built.await.map_err(lost)??;
        Ok(Opened { shelf, profile })
    }

    fn kept(&self, account_id: i64, revision: i64) -> Option<Arc<Shelf>> {
        let kept = self.0.read().ok()?;
        let kept = kept.get(&account_id)?;
        (kept.revision == revision).then(|| kept.shelf.clone())
    }

    /// The texts may be newer than the revision that was read before them; then they are read
    /// once more at the next question, and never the other way round.
    async fn build(
        &self,
        db: &DatabaseConnection,
        account_id: i64,
        revision: i64,
    ) -> StoreResult<Arc<Shelf>> {
        let texts = upkeep::texts(db, account_id).await?;
        let shelf = tokio::task::spawn_blocking(move || Arc::new(Shelf::of(&texts)));
        let lost = |_| StoreError::Unavailable("the index was not built".to_owned());
        let shelf = shelf.await.map_err(lost)?;
        if let Ok(mut kept) = self.0.write() {
            if kept.len() >= MOST_KEPT && !kept.contains_key(&account_id) {
                let any = kept.keys().next().copied();
                any.and_then(|any| kept.remove(&any));
            }
            kept.insert(account_id, Kept { revision, shelf: shelf.clone() });
        }
        Ok(shelf)
    }
}
