//! Embeddings of knowledge entries, and how alike an account's entries are to what is asked.

use sea_orm::{ConnectionTrait, DatabaseConnection};

use super::{column, postgres, sqlite};
use crate::store::db::is_postgres;
use crate::store::error::StoreResult;

/// The account's enabled entries that this model embedded, with their cosine similarity to
/// `vector`, -1 to 1, in no order. Read outside of any transaction.
pub async fn of_account(
    db: &DatabaseConnection,
    account_id: i64,
    model: &str,
    vector: &[f32],
) -> StoreResult<Vec<(i64, f64)>> {
    let mut alike = if is_postgres(db) {
        postgres::of_account(db, account_id, model, vector).await?
    } else {
        sqlite::of_account(db, account_id, model, vector).await?
    };
    // A vector without direction is alike to nothing.
    for (_, similarity) in alike.iter_mut().filter(|(_, similarity)| !similarity.is_finite()) {
        *similarity = 0.0;
    }
    Ok(alike)
}

/// Writes the embedding of an entry that still has these texts; false when it has others.
pub async fn set_embedding(
    tx: &impl ConnectionTrait,
    id: i64,
    (question, answer): (&str, &str),
    vector: &[f32],
    model: &str,
) -> StoreResult<bool> {
    column::set(tx, column::ENTRIES, id, &[question, answer], vector, model).await
}

/// The embedding of an entry with what made it; `None` when it has none.
pub async fn embedding_of(
    db: &impl ConnectionTrait,
    id: i64,
) -> StoreResult<Option<(String, Vec<f32>)>> {
    column::get(db, column::ENTRIES, id).await
}
