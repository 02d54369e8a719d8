//! On SQLite the facts of an account are compared here, page by page.

use std::collections::HashMap;

use sea_orm::DatabaseConnection;
use serde_json::Value as Json;

use super::account::{Compared, Scored};
use super::sqlite::{cosine, numbers};
use crate::store::error::StoreResult;
use crate::store::rowset::{any_number, parameter, query};

/// Embeddings of 6 kB read at once.
const PAGE: usize = 500;

async fn page(
    db: &DatabaseConnection,
    account_id: i64,
    model: &str,
    ids: &[i64],
) -> StoreResult<Vec<(i64, Vec<f32>)>> {
    let sql = format!(
        "SELECT id, embedding FROM captain_contact_memories WHERE account_id = $1 \
         AND embedding_model = $2 AND embedding IS NOT NULL AND {}",
        any_number(db.get_database_backend(), "id", 3)
    );
    let keys = parameter(ids.iter().copied().map(Json::from));
    let rows = query(db, sql, vec![account_id.into(), model.into(), keys]).await?;
    let mut vectors = Vec::with_capacity(rows.len());
    for row in rows {
        let blob: Vec<u8> = row.try_get("", "embedding")?;
        vectors.push((row.try_get("", "id")?, numbers(&blob)));
    }
    Ok(vectors)
}

pub async fn among(
    db: &DatabaseConnection,
    compared: Compared<'_>,
    ids: &[i64],
) -> StoreResult<Vec<Scored>> {
    let mut scored = Vec::with_capacity(ids.len());
    for ids in ids.chunks(PAGE) {
        let vectors = page(db, compared.account_id, compared.model, ids).await?;
        let of = |(id, vector): (i64, Vec<f32>)| (id, cosine(&vector, compared.vector));
        scored.extend(vectors.into_iter().map(of));
    }
    Ok(scored)
}

pub async fn vectors(
    db: &DatabaseConnection,
    account_id: i64,
    model: &str,
    ids: &[i64],
) -> StoreResult<HashMap<i64, Vec<f32>>> {
    let mut vectors = HashMap::with_capacity(ids.len());
    for ids in ids.chunks(PAGE) {
        vectors.extend(page(db, account_id, model, ids).await?);
    }
    Ok(vectors)
}
