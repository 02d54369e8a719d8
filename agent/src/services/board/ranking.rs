//! What is said most: facts that say the same together, counted by the customers who said it.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use sea_orm::DatabaseConnection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::memory::MemoryKind;
use crate::domain::memory::grouping::{self, Told};
use crate::store::board::contacts::ContactName;
use crate::store::board::unit_facts::Said;
use crate::store::nearest::account as nearest;
use crate::store::{StoreError, StoreResult};

/// Facts read of one kind, and those of them that are compared by their embeddings too: comparing
/// takes milliseconds, and reading 6 kB of each is most of it.
pub const MOST_FACTS: i64 = 1_000;
const MOST_EMBEDDED: usize = 400;
/// Examples of a group, each of another customer.
const EXAMPLES: usize = 3;

/// Groups of facts that say the same.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct RankedFacts {
    /// Said by most customers first.
    pub groups: Vec<FactGroup>,
    /// Facts that were grouped, in these groups and in those that are not shown.
    pub facts: i64,
    /// Only the newest facts were looked at.
    pub sampled: bool,
}

/// Facts that say the same.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FactGroup {
    /// In the words of the fact that says best what they have in common.
    pub content: String,
    /// Customers who said it.
    pub contacts: i64,
    /// Facts that say it.
    pub mentions: i64,
    pub first_said_at: DateTime<Utc>,
    pub last_said_at: DateTime<Utc>,
    /// The latest, of different customers where there are such.
    pub examples: Vec<Example>,
}

/// A fact of a group.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Example {
    pub memory_id: i64,
    pub contact_id: i64,
    /// Absent when the contact was erased meanwhile.
    pub contact: Option<ContactName>,
    /// Where it was said; the conversation may be gone.
    pub conversation_id: Option<i64>,
    pub content: String,
    /// The customer's own words.
    pub evidence: String,
    pub said_at: DateTime<Utc>,
}

impl RankedFacts {
    /// Whoever is named in it.
    pub fn contact_ids(&self) -> BTreeSet<i64> {
        let examples = self.groups.iter().flat_map(|group| &group.examples);
        examples.map(|example| example.contact_id).collect()
    }

    /// Puts names to them.
    pub fn name(&mut self, names: &HashMap<i64, ContactName>) {
        let examples = self.groups.iter_mut().flat_map(|group| &mut group.examples);
        examples.for_each(|example| example.contact = names.get(&example.contact_id).cloned());
    }
}

/// Groups facts of one kind, newest first, and ranks the groups.
pub async fn rank(
    db: &DatabaseConnection,
    account_id: i64,
    model: &str,
    kind: MemoryKind,
    said: Vec<Said>,
    (top, sampled): (usize, bool),
) -> StoreResult<RankedFacts> {
    let ids: Vec<i64> = said.iter().take(MOST_EMBEDDED).map(|said| said.id).collect();
    let vectors = nearest::vectors(db, account_id, model, &ids).await?;
    // Tens of millions of multiplications: not on a thread that answers others.
    let grouped = tokio::task::spawn_blocking(move || {
        let told: Vec<Told<'_>> = said
            .iter()
            .map(|said| Told {
                content: &said.content,
                vector: vectors.get(&said.id).map(Vec::as_slice),
            })
            .collect();
        let places = grouping::groups(kind, &told);
        let facts = i64::try_from(said.len()).unwrap_or(i64::MAX);
        let mut groups: Vec<FactGroup> =
            places.iter().filter_map(|places| group(&said, places)).collect();
        groups.sort_by(|one, other| {
            let key = |group: &FactGroup| (group.contacts, group.mentions, group.last_said_at);
            key(other).cmp(&key(one))
        });
        groups.truncate(top);
        RankedFacts { groups, facts, sampled }
    });
    grouped.await.map_err(|error| StoreError::Inconsistent(error.to_string()))
}

fn group(said: &[Said], places: &[usize]) -> Option<FactGroup> {
    let facts: Vec<&Said> = places.iter().filter_map(|place| said.get(*place)).collect();
    let contents: Vec<&str> = facts.iter().map(|said| said.content.as_str()).collect();
    let people: BTreeSet<i64> = facts.iter().map(|said| said.contact_id).collect();
    let mut latest = facts.clone();
    latest.sort_by_key(|said| std::cmp::Reverse((said.last_verified_at, said.id)));
    let mut shown = BTreeSet::new();
    let (new, again): (Vec<&Said>, Vec<&Said>) =
        latest.iter().partition(|said| shown.insert(said.contact_id));
    let examples = new.into_iter().chain(again).take(EXAMPLES).map(|said| Example {
        memory_id: said.id,
        contact_id: said.contact_id,
        contact: None,
        conversation_id: said.conversation_id,
        content: said.content.clone(),
        evidence: said.evidence.clone(),
        said_at: said.last_verified_at,
    });
    Some(FactGroup {
        content: grouping::title(&contents).to_owned(),
        contacts: i64::try_from(people.len()).unwrap_or(i64::MAX),
        mentions: i64::try_from(facts.len()).unwrap_or(i64::MAX),
        first_said_at: facts.iter().map(|said| said.created_at).min()?,
        last_said_at: facts.iter().map(|said| said.last_verified_at).max()?,
        examples: examples.collect(),
    })
}
