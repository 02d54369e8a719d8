//! Facts as a whole: those whose time is over, those beyond what a contact may have, those deleted
//! long ago, and those of another embedding model.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection};

use super::error::StoreResult;
use super::rowset::{execute, merged_json, query};
use crate::domain::memory::aging::{Age, MOST_ACTIVE};
use crate::domain::memory::{Expiry, MemoryKind};

/// Rows per statement: short locks.
const PAGE: i64 = 500;

fn names(expiry: Expiry) -> String {
    let names: Vec<String> = MemoryKind::names_of(expiry).map(|name| format!("'{name}'")).collect();
    names.join(", ")
}

/// Marks expired facts of the deleting kinds as deleted; answers how many.
pub async fn delete_expired(db: &DatabaseConnection, now: DateTime<Utc>) -> StoreResult<u64> {
    let sql = format!(
        "UPDATE captain_contact_memories SET deleted_at = $1, updated_at = $1, metadata = {} \
         WHERE id IN (SELECT id FROM captain_contact_memories WHERE deleted_at IS NULL \
         AND superseded_at IS NULL AND expires_at <= $1 AND memory_type IN ({}) LIMIT $3)",
        merged_json(db.get_database_backend(), "metadata", 2),
        names(Expiry::Deletes)
    );
    let note = r#"{"deleted_why":"expired"}"#;
    let mut total = 0;
    loop {
        let values = vec![now.into(), note.into(), PAGE.into()];
        let changed = execute(db, sql.clone(), values).await?;
        total += changed;
        if changed < PAGE.unsigned_abs() {
            return Ok(total);
        }
    }
}

/// Contacts after `after` with more active facts than they may have, in pages.
pub async fn crowded(
    db: &DatabaseConnection,
    after: i64,
    now: DateTime<Utc>,
) -> StoreResult<Vec<(i64, i64)>> {
    let sql = format!(
        "SELECT account_id, contact_id FROM captain_contact_memories WHERE contact_id > $1 \
         AND deleted_at IS NULL AND superseded_at IS NULL \
         AND (expires_at IS NULL OR expires_at > $2 OR memory_type IN ({})) \
         GROUP BY account_id, contact_id HAVING count(*) > {MOST_ACTIVE} \
         ORDER BY contact_id LIMIT $3",
        names(Expiry::WeighsLess)
    );
    let rows = query(db, sql, vec![after.into(), now.into(), PAGE.into()]).await?;
    let read =
        rows.iter().map(|row| Ok((row.try_get("", "account_id")?, row.try_get("", "contact_id")?)));
    read.collect()
}

/// The ages of a contact's active facts.
pub async fn ages(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<Vec<Age>> {
    let rows = super::memories::active_of(db, account_id, contact_id, now).await?;
    let age = |row: lembra_entities::contact_memory::Model| Age {
        id: row.id,
        last_verified_at: row.last_verified_at,
    };
    Ok(rows.into_iter().map(age).collect())
}

/// Removes facts deleted before `before`; answers how many of each account.
pub async fn hard_delete(
    db: &DatabaseConnection,
    before: DateTime<Utc>,
) -> StoreResult<Vec<(i64, u64)>> {
    let sql = "DELETE FROM captain_contact_memories WHERE id IN \
               (SELECT id FROM captain_contact_memories \
                WHERE deleted_at IS NOT NULL AND deleted_at < $1 LIMIT $2) RETURNING account_id";
    let mut counts = std::collections::BTreeMap::new();
    loop {
        let rows = query(db, sql.to_owned(), vec![before.into(), PAGE.into()]).await?;
        for row in &rows {
            *counts.entry(row.try_get::<i64>("", "account_id")?).or_insert(0_u64) += 1;
        }
        if rows.len() < usize::try_from(PAGE).unwrap_or(usize::MAX) {
            return Ok(counts.into_iter().collect());
        }
    }
}

/// Standing facts after `after` whose embedding is another model's, or that never got one though
/// they were written before `written_before`: ids with their accounts, in pages.
pub async fn to_embed_again(
    db: &DatabaseConnection,
    model: &str,
    written_before: DateTime<Utc>,
    after: i64,
) -> StoreResult<Vec<(i64, i64)>> {
    let sql = "SELECT id, account_id FROM captain_contact_memories WHERE id > $1 \
               AND deleted_at IS NULL AND superseded_at IS NULL \
               AND ((embedding_model IS NULL AND updated_at < $2) OR embedding_model <> $3) \
               ORDER BY id LIMIT $4";
    let values = vec![after.into(), written_before.into(), model.into(), PAGE.into()];
    let rows = query(db, sql.to_owned(), values).await?;
    rows.iter().map(|row| Ok((row.try_get("", "id")?, row.try_get("", "account_id")?))).collect()
}

/// Standing facts of every account, also of those that have none. Counted in the index of recall,
/// without reading rows: expired ones of the deleting kinds count until the aging job takes them.
pub async fn standing_counts(db: &DatabaseConnection) -> StoreResult<Vec<(i64, i64)>> {
    let sql = "SELECT accounts.id AS account_id, COALESCE(counted.n, 0) AS n FROM accounts \
               LEFT JOIN (SELECT account_id, count(*) AS n FROM captain_contact_memories \
                          WHERE deleted_at IS NULL AND superseded_at IS NULL \
                          GROUP BY account_id) AS counted ON counted.account_id = accounts.id";
    let rows = query(db, sql.to_owned(), Vec::new()).await?;
    rows.iter().map(|row| Ok((row.try_get("", "account_id")?, row.try_get("", "n")?))).collect()
}
