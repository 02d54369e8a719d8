//! Runs of schedules: the last one, and one more when a person asks for it. Which schedules there
//! are, and when they tick, is in `worker`.

use chrono::{DateTime, Utc};
use lembra_entities::{job, schedule_run};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, QueryFilter,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::board::JobStatus;
use super::enqueue::{NewJob, enqueue_once};
use crate::store::db::begin;
use crate::store::error::{StoreError, StoreResult};

/// A schedule, as operators see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ScheduleState {
    pub name: String,
    /// Seconds, minutes, hours, days, months, weekdays.
    pub cron: String,
    /// Of these hours.
    pub time_zone: String,
    pub queue: String,
    /// Absent where it will not tick again.
    pub next_at: Option<DateTime<Utc>>,
    /// Absent where none is kept.
    pub last: Option<ScheduleRun>,
}

/// A run of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ScheduleRun {
    pub job_id: Uuid,
    pub status: JobStatus,
    /// The instant that it was for.
    pub due_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub ms: Option<i64>,
    pub last_error: Option<String>,
    /// Who asked for it; absent where the clock did.
    pub asked_by: Option<String>,
}

/// What came of asking for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// This job does it.
    Written(Uuid),
    /// This one of the same schedule waits or runs already.
    Open(Uuid),
}

/// The once keys of a schedule's latest ticks.
#[derive(Debug, Clone)]
pub struct Ticks {
    pub name: &'static str,
    pub keys: Vec<String>,
}

/// The last run of each schedule, in their order: among its latest ticks, and the run that was
/// asked for last.
pub async fn last_runs(
    db: &impl ConnectionTrait,
    schedules: &[Ticks],
    now: DateTime<Utc>,
) -> StoreResult<Vec<Option<ScheduleRun>>> {
    let asked = schedule_run::Entity::find().all(db).await?;
    let by_hand: Vec<Uuid> = asked.iter().filter_map(|row| row.job_id).collect();
    let keys: Vec<&String> = schedules.iter().flat_map(|schedule| &schedule.keys).collect();
    let rows = of_schedules(db, &keys, &by_hand).await?;
    let last = |schedule: &Ticks| {
        let asked = asked.iter().find(|asked| asked.name == schedule.name);
        let by_hand = asked.and_then(|asked| asked.job_id);
        let own = rows.iter().filter(|row| {
            let ticked = row.once_key.as_ref().is_some_and(|key| schedule.keys.contains(key));
            ticked || by_hand == Some(row.id)
        });
        let row = own.max_by_key(|row| (row.created_at, row.id))?;
        let asked_by = asked.filter(|_| by_hand == Some(row.id));
        let span = row.started_at.zip(row.finished_at).map(|(from, to)| to - from);
        Some(ScheduleRun {
            job_id: row.id,
            status: JobStatus::of(&row.state, row.run_at, now),
            due_at: row.run_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            ms: span.map(|span| span.num_milliseconds().max(0)),
            last_error: row.last_error.clone(),
            asked_by: asked_by.map(|asked| asked.asked_by.clone()),
        })
    };
    Ok(schedules.iter().map(last).collect())
}

/// Writes `job` as a further run, unless a run waits or is under way. Whoever asks at the same
/// time waits for the first one, and finds its job.
pub async fn run_now(
    db: &DatabaseConnection,
    ticks: &Ticks,
    job: NewJob,
    by: &str,
    now: DateTime<Utc>,
) -> StoreResult<Asked> {
    let name = ticks.name;
    let tx = begin(db).await?;
    let earlier = schedule_run::Entity::find_by_id(name).one(&tx).await?;
    write_asked(&tx, name, earlier.and_then(|row| row.job_id), by, now).await?;
    // Read again under the row's lock: another may have been first.
    let asked = schedule_run::Entity::find_by_id(name).one(&tx).await?;
    let by_hand = asked.and_then(|row| row.job_id);
    let keys: Vec<&String> = ticks.keys.iter().collect();
    for row in of_schedules(&tx, &keys, by_hand.as_slice()).await? {
        if JobStatus::of(&row.state, row.run_at, now).is_open() {
            tx.rollback().await?;
            return Ok(Asked::Open(row.id));
        }
    }
    let key = format!("asked:{name}:{}", Uuid::now_v7().simple());
    enqueue_once(&tx, &job.once(key.clone()), now).await?;
    let written = job::Entity::find().filter(job::Column::OnceKey.eq(key)).one(&tx).await?;
    let Some(written) = written else {
        return Err(StoreError::Inconsistent(format!("run of schedule {name}")));
    };
    write_job(&tx, name, written.id).await?;
    tx.commit().await?;
    Ok(Asked::Written(written.id))
}

async fn write_asked(
    tx: &impl ConnectionTrait,
    name: &str,
    job_id: Option<Uuid>,
    by: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    use schedule_run::Column;
    let row = schedule_run::ActiveModel {
        name: Set(name.to_owned()),
        job_id: Set(job_id),
        asked_at: Set(now),
        asked_by: Set(by.to_owned()),
    };
    // The job stays: another's may have been written since it was read.
    let again = OnConflict::column(Column::Name)
        .update_columns([Column::AskedAt, Column::AskedBy])
        .to_owned();
    schedule_run::Entity::insert(row).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

async fn write_job(tx: &impl ConnectionTrait, name: &str, job_id: Uuid) -> StoreResult<()> {
    use sea_orm::sea_query::Expr;
    schedule_run::Entity::update_many()
        .col_expr(schedule_run::Column::JobId, Expr::value(job_id))
        .filter(schedule_run::Column::Name.eq(name))
        .exec(tx)
        .await?;
    Ok(())
}

async fn of_schedules(
    db: &impl ConnectionTrait,
    keys: &[&String],
    by_hand: &[Uuid],
) -> StoreResult<Vec<job::Model>> {
    let mut rows = job::Entity::find()
        .filter(job::Column::OnceKey.is_not_null())
        .filter(job::Column::OnceKey.is_in(keys.iter().map(|key| key.as_str())))
        .all(db)
        .await?;
    let asked = job::Entity::find().filter(job::Column::Id.is_in(by_hand.iter().copied()));
    rows.extend(asked.all(db).await?);
    Ok(rows)
}
