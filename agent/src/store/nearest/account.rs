//! Facts of a whole account by how alike they are to what an operator asks, and embeddings read
//! for reports.
//!
//! Which way is taken: of at most [`MOST_READ`](crate::store::board::fact_search::MOST_READ) facts
//! that fit the filters, all are compared exactly, on either database: that reads a page of 8 kB per
//! fact and takes tens of milliseconds. Above, PostgreSQL asks the ANN index of seed 002 and SQLite
//! compares the newest. The index is read by an iterative scan, since the account and the filters
//! are conditions that it knows nothing of: a plain scan of a few lists finds none of a small
//! account's facts in a large table (`facts/STACK.md`: 25 of 60 answers empty). The order that it
//! gives is sorted again; the few that it may miss are the price, and words find them.
//!
//! Measured with 300,000 facts (180,000 and 90,000 of them of the accounts that asked), 300 lists,
//! two cores and 128 MB of shared buffers, the best 100 asked for: exactly over 10,000 facts 175–220 ms;
//! by the index 8 ms with one list probed, 37 ms with 8 and 69 ms with 16, of which .85, .81–.88 and .88–1.0
//! were among the exact best 100; with 8 and a filter by kind 61 ms. A million facts in 400 lists
//! are two and a half times as many rows per list.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::DatabaseConnection;

use super::{account_postgres, account_sqlite};
use crate::store::board::fact_search::FactFilter;
use crate::store::db::is_postgres;
use crate::store::error::StoreResult;

/// What facts are compared with.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    pub account_id: i64,
    /// What made the vector. Embeddings of other models are never compared with it.
    pub model: &'a str,
    pub vector: &'a [f32],
}

/// A fact's id with its cosine similarity, -1 to 1.
pub type Scored = (i64, f64);

/// How alike these facts of the account are, best first. Those without an embedding of the model
/// are left out.
pub async fn among(
    db: &DatabaseConnection,
    compared: Compared<'_>,
    ids: &[i64],
) -> StoreResult<Vec<Scored>> {
    let scored = if is_postgres(db) {
        account_postgres::among(db, compared, ids).await?
    } else {
        account_sqlite::among(db, compared, ids).await?
    };
    Ok(sorted(scored))
}

/// The facts of the account that the index finds most alike and that fit the filter, best first;
/// `None` where there is no such index.
pub async fn by_index(
    db: &DatabaseConnection,
    compared: Compared<'_>,
    filter: &FactFilter,
    limit: usize,
    now: DateTime<Utc>,
) -> StoreResult<Option<Vec<Scored>>> {
    if !is_postgres(db) {
        return Ok(None);
    }
    let scored = account_postgres::by_index(db, compared, filter, limit, now).await?;
    Ok(Some(sorted(scored)))
}

fn sorted(mut scored: Vec<Scored>) -> Vec<Scored> {
    // A vector without direction is alike to nothing.
    scored.iter_mut().filter(|(_, score)| !score.is_finite()).for_each(|(_, score)| *score = 0.0);
    scored.sort_by(|left, right| right.1.total_cmp(&left.1).then(right.0.cmp(&left.0)));
    scored
}

/// The embeddings of these facts of the account that one model made.
pub async fn vectors(
    db: &DatabaseConnection,
    account_id: i64,
    model: &str,
    ids: &[i64],
) -> StoreResult<HashMap<i64, Vec<f32>>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    if is_postgres(db) {
        account_postgres::vectors(db, account_id, model, ids).await
    } else {
        account_sqlite::vectors(db, account_id, model, ids).await
    }
}
