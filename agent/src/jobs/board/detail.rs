//! One job, with everything that is kept of it.

use chrono::{DateTime, Utc};
use lembra_entities::job;
use sea_orm::{DatabaseConnection, EntityTrait};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::listing::JobRow;
use super::{JobStatus, Scope};
use crate::jobs::admin::Action;
use crate::jobs::attempts::{JobEvent, Log};
use crate::store::error::StoreResult;

/// A job and its history.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct JobDetail {
    #[serde(flatten)]
    pub job: JobRow,
    /// Ids only.
    #[schema(value_type = Object)]
    pub payload: serde_json::Value,
    /// Never postponed past this instant by later requests of its key.
    pub run_by: Option<DateTime<Utc>>,
    /// When it last got a ticket.
    pub queued_at: Option<DateTime<Utc>>,
    /// Another worker may take it from then on.
    pub lease_until: Option<DateTime<Utc>>,
    pub trace_context: Option<String>,
    /// Failures and what people did, oldest first, the last ten. A first try that succeeds leaves
    /// none.
    pub events: Vec<JobEvent>,
    /// What may be done to it as it stands.
    pub actions: Vec<Action>,
}

/// The job, if there is one of this id in the scope.
pub async fn find(
    db: &DatabaseConnection,
    scope: Scope,
    id: Uuid,
    now: DateTime<Utc>,
) -> StoreResult<Option<JobDetail>> {
    let row = job::Entity::find_by_id(id).one(db).await?;
    Ok(row.filter(|row| scope.holds(row.account_id)).map(|row| of(row, now)))
}

fn of(row: job::Model, now: DateTime<Utc>) -> JobDetail {
    let status = JobStatus::of(&row.state, row.run_at, now);
    let actions = Action::ALL.into_iter().filter(|action| action.refused_in(status).is_none());
    JobDetail {
        events: Log::of(&row).events().to_vec(),
        actions: actions.collect(),
        payload: row.payload,
        run_by: row.run_by,
        queued_at: row.queued_at,
        lease_until: row.lease_until,
        trace_context: row.trace_context,
        job: JobRow {
            id: row.id,
            account_id: row.account_id,
            queue: row.queue,
            kind: row.kind,
            status,
            run_at: row.run_at,
            attempts: row.attempts,
            max_attempts: row.max_attempts,
            dedup_key: row.dedup_key,
            once_key: row.once_key,
            last_error: row.last_error,
            created_at: row.created_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            worker: row.worker,
        },
    }
}
