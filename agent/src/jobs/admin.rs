//! What an operator does with jobs: one, several, or all that a filter lets through. Nothing here
//! doubles a job: where another one of its key waits already, that one does the work, and the
//! refusal says so.

use std::fmt;

use chrono::{DateTime, Utc};
use lembra_entities::job;
use sea_orm::sea_query::{Expr, Query, UpdateStatement};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Value,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::attempts::{JobEvent, Log, What};
use super::board::listing::{self, Cursor, JobFilter};
use super::board::{JobStatus, Scope};
use super::state;
use crate::store::db::begin;
use crate::store::error::{StoreError, StoreResult};

/// Most jobs that one request changes.
pub const MOST: usize = 1_000;
/// Jobs that one transaction changes.
const CHUNK: usize = 100;
/// Pages of a search for jobs to change.
const MOST_PAGES: usize = 20;

/// What is done to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A dead job gets all its tries anew, and is due at once.
    Retry,
    /// A dead job, or one that has not begun, is laid aside. What it would have done is not done;
    /// later events may ask for it again.
    Discard,
    /// A job that waits for its time is due at once.
    RunNow,
}

/// Why a job was left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// There is none of this id, for the one who asks.
    Unknown,
    /// Only dead jobs are tried again.
    NotDead,
    /// It runs right now.
    Running,
    /// It is done or was laid aside.
    Ended,
    /// Only jobs whose time has not come are run before it.
    NotWaiting,
    /// Another job of its key waits, and will do the work.
    AnotherWaits,
    /// It changed while this was asked.
    Overtaken,
}

/// What came of an action on one job; `refused` is absent where it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Acted {
    pub id: Uuid,
    pub refused: Option<Refusal>,
}

/// What came of an action on many jobs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ActedOnMany {
    pub changed: usize,
    /// Those that were left as they are.
    pub refused: Vec<Acted>,
    /// More jobs are like this: ask again.
    pub more: bool,
}

impl From<Vec<Acted>> for ActedOnMany {
    /// Of exactly these.
    fn from(acted: Vec<Acted>) -> Self {
        let all = acted.len();
        let refused: Vec<Acted> = acted.into_iter().filter(|one| one.refused.is_some()).collect();
        Self { changed: all - refused.len(), refused, more: false }
    }
}

impl Action {
    pub const ALL: [Action; 3] = [Action::Retry, Action::RunNow, Action::Discard];

    pub fn as_str(self) -> &'static str {
        match self {
            Action::Retry => "retry",
            Action::Discard => "discard",
            Action::RunNow => "run_now",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == name)
    }

    /// Why it is not done to a job that stands so; `None` where it is.
    pub fn refused_in(self, status: JobStatus) -> Option<Refusal> {
        match (self, status) {
            (Action::Retry, JobStatus::Dead)
            | (
                Action::Discard,
                JobStatus::Dead | JobStatus::Due | JobStatus::Waiting | JobStatus::Queued,
            )
            | (Action::RunNow, JobStatus::Waiting) => None,
            (Action::Retry, _) => Some(Refusal::NotDead),
            (_, JobStatus::Running) => Some(Refusal::Running),
            (Action::Discard, _) => Some(Refusal::Ended),
            (Action::RunNow, _) => Some(Refusal::NotWaiting),
        }
    }
}

impl Refusal {
    pub fn as_str(self) -> &'static str {
        match self {
            Refusal::Unknown => "unknown",
            Refusal::NotDead => "not_dead",
            Refusal::Running => "running",
            Refusal::Ended => "ended",
            Refusal::NotWaiting => "not_waiting",
            Refusal::AnotherWaits => "another_waits",
            Refusal::Overtaken => "overtaken",
        }
    }
}

impl fmt::Display for Refusal {
    /// For programs and the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Unknown => "there is no such job",
            Refusal::NotDead => "only dead jobs are tried again",
            Refusal::Running => "the job runs right now",
            Refusal::Ended => "the job is done or was laid aside",
            Refusal::NotWaiting => "only jobs whose time has not come are run before it",
            Refusal::AnotherWaits => "another job of its key waits, and will do the work",
            Refusal::Overtaken => "the job changed in the meantime",
        })
    }
}

/// The newest jobs in a state.
pub async fn list(db: &DatabaseConnection, state: &str, most: u64) -> StoreResult<Vec<job::Model>> {
    Ok(job::Entity::find()
        .filter(job::Column::State.eq(state))
        .order_by_desc(job::Column::Id)
        .limit(most)
        .all(db)
        .await?)
}

/// Who acts, on whose jobs, and when.
#[derive(Debug, Clone, Copy)]
pub struct Actor<'a> {
    pub scope: Scope,
    /// `operator:3`, `token:7` or `cli`.
    pub name: &'a str,
    pub now: DateTime<Utc>,
}

/// Does it to one job; the answer is why not, if it was not done.
pub async fn act(
    db: &DatabaseConnection,
    actor: Actor<'_>,
    action: Action,
    id: Uuid,
) -> StoreResult<Option<Refusal>> {
    let acted = act_on(db, actor, action, &[id]).await?;
    Ok(acted.first().map_or(Some(Refusal::Unknown), |acted| acted.refused))
}

/// Does it to each of these jobs, the first [`MOST`] of them, in their order.
pub async fn act_on(
    db: &DatabaseConnection,
    actor: Actor<'_>,
    action: Action,
    ids: &[Uuid],
) -> StoreResult<Vec<Acted>> {
    let mut acted = Vec::new();
    for chunk in ids.get(..MOST).unwrap_or(ids).chunks(CHUNK) {
        match together(db, actor, action, chunk).await {
            Ok(all) => acted.extend(all),
            // A key was taken in the meantime: which one, each by itself will tell.
            Err(StoreError::Conflict) => {
                for id in chunk {
                    let one = together(db, actor, action, std::slice::from_ref(id)).await;
                    match one {
                        Ok(one) => acted.extend(one),
                        Err(StoreError::Conflict) => {
                            acted.push(Acted { id: *id, refused: Some(Refusal::AnotherWaits) });
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(acted)
}

/// Does it to all jobs that the filter lets through, [`MOST`] at most; those in whose status it
/// is not done are passed over in silence.
pub async fn act_on_matching(
    db: &DatabaseConnection,
    actor: Actor<'_>,
    action: Action,
    filter: &JobFilter,
) -> StoreResult<ActedOnMany> {
    let mut ids = Vec::new();
    let mut after: Option<Cursor> = None;
    let mut more = true;
    for _ in 0..MOST_PAGES {
        let page = listing::list(db, actor.scope, filter, after, 200, actor.now).await?;
        let fit = page.jobs.iter().filter(|job| action.refused_in(job.status).is_none());
        ids.extend(fit.map(|job| job.id));
        after = page.next.and_then(|next| next.parse().ok());
        more = after.is_some() || ids.len() > MOST;
        if !more || ids.len() >= MOST {
            break;
        }
    }
    ids.truncate(MOST);
    let acted = act_on(db, actor, action, &ids).await?;
    Ok(ActedOnMany { more, ..ActedOnMany::from(acted) })
}

async fn together(
    db: &DatabaseConnection,
    actor: Actor<'_>,
    action: Action,
    ids: &[Uuid],
) -> StoreResult<Vec<Acted>> {
    let tx = begin(db).await?;
    let rows = job::Entity::find().filter(job::Column::Id.is_in(ids.iter().copied()));
    let rows = rows.all(&tx).await?;
    let mut acted = Vec::with_capacity(ids.len());
    for id in ids {
        let row = rows.iter().find(|row| row.id == *id && actor.scope.holds(row.account_id));
        let refused = match row {
            Some(row) => change(&tx, actor, action, row).await?,
            None => Some(Refusal::Unknown),
        };
        acted.push(Acted { id: *id, refused });
    }
    tx.commit().await?;
    Ok(acted)
}

async fn change(
    tx: &impl ConnectionTrait,
    actor: Actor<'_>,
    action: Action,
    row: &job::Model,
) -> StoreResult<Option<Refusal>> {
    let status = JobStatus::of(&row.state, row.run_at, actor.now);
    if let Some(refusal) = action.refused_in(status) {
        return Ok(Some(refusal));
    }
    if action == Action::Retry && another_waits(tx, row).await? {
        return Ok(Some(Refusal::AnotherWaits));
    }
    let mut update = noted(actor, action, row);
    match action {
        Action::Retry => update
            .value(job::Column::State, state::PENDING)
            .value(job::Column::Attempts, 0)
            .value(job::Column::RunAt, actor.now)
            .value(job::Column::FinishedAt, Value::ChronoDateTimeUtc(None)),
        Action::Discard => update
            .value(job::Column::State, state::CANCELLED)
            .value(job::Column::FinishedAt, row.finished_at.unwrap_or(actor.now)),
        Action::RunNow => update.value(job::Column::RunAt, actor.now),
    };
    let changed = tx.execute(&update).await?.rows_affected();
    Ok((changed != 1).then_some(Refusal::Overtaken))
}

/// The update of a row that is still as it was read, with a note of who acts.
fn noted(actor: Actor<'_>, action: Action, row: &job::Model) -> UpdateStatement {
    let what = match action {
        Action::Retry => What::Retried,
        Action::Discard => What::Discarded,
        Action::RunNow => What::Hurried,
    };
    let event = JobEvent {
        at: actor.now,
        what,
        attempt: row.attempts,
        by: Some(actor.name.to_owned()),
        error: None,
        ms: None,
    };
    Query::update()
        .table(job::Entity)
        .value(job::Column::AttemptsLog, Log::of(row).with(event))
        .and_where(job::Column::Id.eq(row.id))
        .and_where(job::Column::State.eq(row.state.as_str()))
        .and_where(job::Column::Attempts.eq(row.attempts))
        .to_owned()
}

async fn another_waits(tx: &impl ConnectionTrait, row: &job::Model) -> StoreResult<bool> {
    let Some(key) = &row.dedup_key else {
        return Ok(false);
    };
    // In the words of the index.
    let found = job::Entity::find()
        .select_only()
        .column(job::Column::Id)
        .filter(Expr::cust("dedup_key IS NOT NULL AND state IN ('pending', 'queued')"))
        .filter(job::Column::DedupKey.eq(key.as_str()))
        .into_tuple::<Uuid>()
        .one(tx)
        .await?;
    Ok(found.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_or_has_ended_is_left_alone() {
        for action in Action::ALL {
            assert!(action.refused_in(JobStatus::Running).is_some(), "{action:?}");
            assert!(action.refused_in(JobStatus::Done).is_some(), "{action:?}");
            assert!(action.refused_in(JobStatus::Cancelled).is_some(), "{action:?}");
            assert_eq!(Action::named(action.as_str()), Some(action));
        }
        assert_eq!(Action::Retry.refused_in(JobStatus::Dead), None);
        assert_eq!(Action::Discard.refused_in(JobStatus::Queued), None);
        assert_eq!(Action::RunNow.refused_in(JobStatus::Waiting), None);
        assert_eq!(Action::RunNow.refused_in(JobStatus::Due), Some(Refusal::NotWaiting));
    }
}
