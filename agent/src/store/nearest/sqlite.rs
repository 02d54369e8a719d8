//! On SQLite an embedding is a blob of little-endian 32-bit floats, and the distances are computed
//! here.

use sea_orm::{DatabaseConnection, QueryResult, Value};

use super::{Asked, Near, RECALLABLE, Row};
use crate::store::error::StoreResult;
use crate::store::rowset::query;

pub async fn of_contact(db: &DatabaseConnection, asked: &Asked<'_>) -> StoreResult<Vec<Near>> {
    let values = vec![
        // The place of the vector, which stays in the process.
        0.into(),
        asked.account_id.into(),
        asked.contact_id.into(),
        asked.model.into(),
        asked.unit_id.into(),
        asked.now.into(),
    ];
    let mut near = Vec::new();
    for row in query(db, RECALLABLE.clone(), values).await? {
        let embedding: Vec<u8> = row.try_get("", "embedding")?;
        near.extend(read(&row)?.near(cosine(&numbers(&embedding), asked.vector)));
    }
    Ok(near)
}

fn read(row: &QueryResult) -> StoreResult<Row> {
    Ok(Row {
        id: row.try_get("", "id")?,
        memory_type: row.try_get("", "memory_type")?,
        scope: row.try_get("", "scope")?,
        source_unit_id: row.try_get("", "source_unit_id")?,
        content: row.try_get("", "content")?,
        confidence: row.try_get("", "confidence")?,
        expires_at: row.try_get("", "expires_at")?,
        last_verified_at: row.try_get("", "last_verified_at")?,
    })
}

/// The numbers of a stored vector.
pub fn numbers(blob: &[u8]) -> Vec<f32> {
    let (numbers, _) = blob.as_chunks::<4>();
    numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// The cosine of two vectors; no number where one has no direction, or their lengths differ.
pub fn cosine(left: &[f32], right: &[f32]) -> f64 {
    if left.len() != right.len() {
        return f64::NAN;
    }
    let (mut dot, mut one, mut other) = (0.0, 0.0, 0.0);
    for (a, b) in left.iter().zip(right) {
        let (a, b) = (f64::from(*a), f64::from(*b));
        dot += a * b;
        one += a * a;
        other += b * b;
    }
    dot / (one * other).sqrt()
}

/// A vector to be stored, and how a statement takes it.
pub fn stored(vector: &[f32]) -> (Value, &'static str) {
    let blob: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
    (blob.into(), "$1")
}

/// The column, as [`shown`] reads it.
pub const COLUMN: &str = "embedding";

/// A stored vector; `None` when it is none.
pub fn shown(row: &QueryResult) -> StoreResult<Option<Vec<f32>>> {
    let blob: Vec<u8> = row.try_get("", "embedding")?;
    Ok(blob.len().is_multiple_of(4).then(|| numbers(&blob)))
}

/// The account's entries with their similarity.
pub async fn of_account(
    db: &DatabaseConnection,
    account_id: i64,
    model: &str,
    vector: &[f32],
) -> StoreResult<Vec<(i64, f64)>> {
    let sql = "SELECT id, embedding FROM captain_assistant_responses \
               WHERE account_id = $1 AND status = 'enabled' \
               AND embedding IS NOT NULL AND embedding_model = $2";
    let rows = query(db, sql.to_owned(), vec![account_id.into(), model.into()]).await?;
    let read = |row: &QueryResult| {
        let blob: Vec<u8> = row.try_get("", "embedding")?;
        Ok((row.try_get("", "id")?, cosine(&numbers(&blob), vector)))
    };
    rows.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cosine_is_that_of_the_angle() {
        assert!((cosine(&[1.0, 0.0], &[1.0, 1.0]) - 0.5_f64.sqrt()).abs() < 1e-9);
        assert_eq!(cosine(&[1.0, 0.0], &[-2.0, 0.0]), -1.0);
        assert!(cosine(&[0.0, 0.0], &[1.0, 0.0]).is_nan());
        assert!(cosine(&[1.0], &[1.0, 0.0]).is_nan());
    }
}
