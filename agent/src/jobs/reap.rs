//! Taking back jobs whose workers died.

use chrono::{DateTime, Utc};
use lembra_entities::job;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::claim::ClaimedJob;
use super::finish::{JobOutcome, finish, take_back};
use super::journal::ProcessJournal;
use super::state;
use crate::store::error::{StoreError, StoreResult};

/// Tries beyond the last in which a handler may still record its failure; a job that kills its
/// worker in these too is dead.
const GRACE_ATTEMPTS: i32 = 2;
/// Rows per call.
const PAGE: u64 = 200;

/// Returns running jobs to the waiting ones whose lease ran out or whose process is known to be
/// dead. Answers how many.
pub async fn reap(
    db: &impl ConnectionTrait,
    journal: &ProcessJournal,
    now: DateTime<Utc>,
) -> StoreResult<usize> {
    let ended = ended_workers(db, journal).await?;
    let left =
        Condition::any().add(job::Column::LeaseUntil.lt(now)).add(job::Column::Worker.is_in(ended));
    let rows = job::Entity::find()
        .filter(job::Column::State.eq(state::RUNNING))
        .filter(left)
        .order_by_asc(job::Column::LeaseUntil)
        .limit(PAGE)
        .all(db)
        .await?;
    let mut reaped = 0;
    for row in rows {
        let spent = row.attempts >= row.max_attempts + GRACE_ATTEMPTS;
        let error = "its worker stopped without an outcome".to_owned();
        let lease_until = row.lease_until.unwrap_or(now);
        let claim = ClaimedJob::from(row);
        let result = if spent {
            finish(db, &claim, &JobOutcome::Dead { error }, std::time::Duration::ZERO, now).await
        } else {
            take_back(db, &claim, lease_until, &error, now).await
        };
        match result {
            Ok(()) => reaped += 1,
            // Renewed or finished since it was read.
            Err(StoreError::LeaseLost) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(reaped)
}

/// Processes that are dead and have jobs that run.
async fn ended_workers(
    db: &impl ConnectionTrait,
    journal: &ProcessJournal,
) -> StoreResult<Vec<String>> {
    let workers: Vec<String> = job::Entity::find()
        .select_only()
        .column(job::Column::Worker)
        .distinct()
        .filter(job::Column::State.eq(state::RUNNING))
        .filter(job::Column::Worker.is_not_null())
        .into_tuple()
        .all(db)
        .await?;
    Ok(workers.into_iter().filter(|worker| journal.has_ended(worker)).collect())
}
