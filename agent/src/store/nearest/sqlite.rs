//! On SQLite an embedding is a blob of little-endian 32-bit floats, and the distances are computed
//! here.

use sea_orm::{ConnectionTrait, DatabaseConnection, QueryResult};

use super::{Asked, Near, RECALLABLE, Row};
use crate::store::error::{StoreError, StoreResult};
use crate::store::rowset::{execute, query};

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

fn numbers(blob: &[u8]) -> Vec<f32> {
    let (numbers, _) = blob.as_chunks::<4>();
    numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
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

pub async fn set_embedding(
    tx: &impl ConnectionTrait,
    id: i64,
    content: &str,
    vector: &[f32],
    model: &str,
) -> StoreResult<bool> {
    let blob: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
    let sql = "UPDATE captain_contact_memories SET embedding = $1, embedding_model = $2 \
               WHERE id = $3 AND content = $4";
    let values = vec![blob.into(), model.into(), id.into(), content.into()];
    Ok(execute(tx, sql.to_owned(), values).await? == 1)
}

pub async fn embedding_of(
    db: &impl ConnectionTrait,
    id: i64,
) -> StoreResult<Option<(String, Vec<f32>)>> {
    let sql = "SELECT embedding_model, embedding FROM captain_contact_memories \
               WHERE id = $1 AND embedding IS NOT NULL";
    let rows = query(db, sql.to_owned(), vec![id.into()]).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let blob: Vec<u8> = row.try_get("", "embedding")?;
    if !blob.len().is_multiple_of(4) {
        return Err(StoreError::Inconsistent(format!("embedding of {id}")));
    }
    Ok(Some((row.try_get("", "embedding_model")?, numbers(&blob))))
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
