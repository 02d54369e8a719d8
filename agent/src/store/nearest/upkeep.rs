//! Keeping the ANN index of facts fit for its table.
//!
//! An ivfflat index parts the vectors around centres that it chose when it was built. Ours is built
//! with the table, before there is a row, and its centres mean nothing; later the table outgrows
//! them. So it is built anew, beside its use, when the table has grown to twice what it was at the
//! last time, with one list per thousand rows: at least the seed's hundred, and no more than what a
//! build needs less than [`MEMORY`] for. The comment on the index tells how many rows there were.

use sea_orm::DatabaseConnection;

use super::postgres::failed;
use crate::store::db::is_postgres;
use crate::store::error::StoreResult;
use crate::store::rowset::query;

/// Fewer facts are always compared exactly.
const WORTH_IT: f64 = 10_000.0;
const ROWS_PER_LIST: f64 = 1_000.0;
const LISTS: (f64, f64) = (100.0, 400.0);
/// What a build may use: a sample of fifty rows of 6 kB per list, and what it compares them by.
const MEMORY: &str = "SET maintenance_work_mem = '256MB'";
/// Two processes never build at once; any number will do.
const LOCK: i64 = 0x1e_3b7b;

/// A build that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Build {
    pub rows: i64,
    pub lists: i64,
}

/// What a table of `rows` needs whose index was built when there were `built`.
fn due(rows: f64, built: Option<f64>) -> Option<Build> {
    let outgrown = built.is_none_or(|built| rows >= 2.0 * built);
    (rows >= WORTH_IT && outgrown).then(|| Build {
        rows: rows as i64,
        lists: (rows / ROWS_PER_LIST).clamp(LISTS.0, LISTS.1) as i64,
    })
}

/// The build that is due; `None` when none is, and on SQLite. The number of rows is the one that
/// the planner goes by.
pub async fn due_build(db: &DatabaseConnection) -> StoreResult<Option<Build>> {
    if !is_postgres(db) {
        return Ok(None);
    }
    let sql = "SELECT CAST(tables.reltuples AS DOUBLE PRECISION) AS tuples, \
               obj_description(indexes.oid, 'pg_class') AS note \
               FROM pg_index JOIN pg_class AS indexes ON indexes.oid = indexrelid \
               JOIN pg_class AS tables ON tables.oid = indrelid \
               WHERE indexrelid = to_regclass('idx_ccm_embedding')";
    let rows = query(db, sql.to_owned(), Vec::new()).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let note: Option<String> = row.try_get("", "note")?;
    let built = note.as_deref().and_then(|note| note.strip_prefix("rows=")?.parse().ok());
    Ok(due(row.try_get("", "tuples")?, built))
}

/// Builds the index anew while the old one is used; false when another process does. It takes
/// minutes for a million rows.
pub async fn rebuild(db: &DatabaseConnection, build: Build) -> StoreResult<bool> {
    // A connection of its own, closed afterwards: its settings must not reach others.
    let pool = db.get_postgres_connection_pool();
    let mut connection = pool.acquire().await.map_err(failed)?.detach();
    let taken: (bool,) = sqlx::query_as("SELECT pg_try_advisory_lock($1)")
        .bind(LOCK)
        .fetch_one(&mut connection)
        .await
        .map_err(failed)?;
    if !taken.0 {
        return Ok(false);
    }
    let lists = format!("ALTER INDEX idx_ccm_embedding SET (lists = {})", build.lists);
    let note = format!("COMMENT ON INDEX idx_ccm_embedding IS 'rows={}'", build.rows);
    for statement in [
        // What a build that was cut off left behind.
        "DROP INDEX CONCURRENTLY IF EXISTS idx_ccm_embedding_ccnew",
        "DROP INDEX CONCURRENTLY IF EXISTS idx_ccm_embedding_ccold",
        MEMORY,
        // Whoever waits behind it waits for whoever is before it, recall too: rather another time.
        "SET lock_timeout = '2s'",
        lists.as_str(),
        // It waits for transactions that began before it, and nobody waits for it meanwhile.
        "SET lock_timeout = 0",
        "REINDEX INDEX CONCURRENTLY idx_ccm_embedding",
        note.as_str(),
    ] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement))
            .execute(&mut connection)
            .await
            .map_err(failed)?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_is_due_when_the_table_has_doubled() {
        assert_eq!(due(9_999.0, None), None);
        assert_eq!(due(-1.0, None), None);
        assert_eq!(due(10_000.0, None), Some(Build { rows: 10_000, lists: 100 }));
        assert_eq!(due(19_999.0, Some(10_000.0)), None);
        assert_eq!(due(250_000.0, Some(10_000.0)), Some(Build { rows: 250_000, lists: 250 }));
        assert_eq!(due(1e6, Some(250_000.0)), Some(Build { rows: 1_000_000, lists: 400 }));
    }
}
