//! Jobs in a list: filtered, searched, a page at a time.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use sea_orm::{DatabaseConnection, QueryResult};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::walk::{Order, Part, Position, Wanted, walk};
use super::{JobStatus, Scope, queue_of};
use crate::jobs::queue::Queue;
use crate::store::error::StoreResult;

/// Jobs of one page, if the caller does not say.
pub const PAGE: usize = 50;
/// Digits of an id from which on a text is taken for one.
const ID_DIGITS: usize = 8;

/// Which jobs are wanted. Everything that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    pub queue: Option<Queue>,
    pub kind: Option<String>,
    pub status: Option<JobStatus>,
    pub account_id: Option<i64>,
    /// An id or its first eight digits or more; otherwise part of a key or of the last error.
    pub text: Option<String>,
}

/// A job in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobRow {
    pub id: Uuid,
    /// Absent for work of the installation itself.
    pub account_id: Option<i64>,
    pub queue: String,
    pub kind: String,
    pub status: JobStatus,
    /// Not before that.
    pub run_at: DateTime<Utc>,
    /// Tries so far.
    pub attempts: i32,
    pub max_attempts: i32,
    /// One job of a key waits and one runs, at most.
    pub dedup_key: Option<String>,
    pub once_key: Option<String>,
    pub last_error: Option<String>,
    pub created_at: DateTime<Utc>,
    /// Of the last try.
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    /// The process that took it last.
    pub worker: Option<String>,
}

impl JobRow {
    pub(super) fn read(row: &QueryResult, now: DateTime<Utc>) -> StoreResult<Self> {
        let (state, run_at): (String, _) = (row.try_get("", "state")?, row.try_get("", "run_at")?);
        Ok(Self {
            id: row.try_get("", "id")?,
            account_id: row.try_get("", "account_id")?,
            queue: row.try_get("", "queue")?,
            kind: row.try_get("", "kind")?,
            status: JobStatus::of(&state, run_at, now),
            run_at,
            attempts: row.try_get("", "attempts")?,
            max_attempts: row.try_get("", "max_attempts")?,
            dedup_key: row.try_get("", "dedup_key")?,
            once_key: row.try_get("", "once_key")?,
            last_error: row.try_get("", "last_error")?,
            created_at: row.try_get("", "created_at")?,
            started_at: row.try_get("", "started_at")?,
            finished_at: row.try_get("", "finished_at")?,
            worker: row.try_get("", "worker")?,
        })
    }

    /// How long the last try took, in milliseconds.
    pub fn run_ms(&self) -> Option<i64> {
        let (started, finished) = self.started_at.zip(self.finished_at)?;
        (finished >= started).then(|| (finished - started).num_milliseconds())
    }
}

/// A page of jobs: due and waiting ones by their time, ended ones of one status by their end, and
/// all others newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobPage {
    pub jobs: Vec<JobRow>,
    /// Where to go on; absent at the end. A page with fewer jobs than asked for may have one: the
    /// search stopped there, after as many rows as it may look at.
    pub next: Option<String>,
}

/// Where a page begins: what a page before it had as `next`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor(Position);

/// It is no `next` of a page.
#[derive(Debug, thiserror::Error)]
#[error("this is no place in a list of jobs")]
pub struct BadCursor;

impl Cursor {
    fn text(position: &Position) -> String {
        let id = position.id.simple();
        match position.at.and_then(|at| at.timestamp_nanos_opt()) {
            Some(nanos) => format!("{nanos}.{id}"),
            None => id.to_string(),
        }
    }
}

impl FromStr for Cursor {
    type Err = BadCursor;

    fn from_str(text: &str) -> Result<Self, BadCursor> {
        let (nanos, id) = match text.split_once('.') {
            Some((nanos, id)) => (Some(nanos.parse().map_err(|_| BadCursor)?), id),
            None => (None, text),
        };
        let id = Uuid::try_parse(id).map_err(|_| BadCursor)?;
        Ok(Self(Position { at: nanos.map(DateTime::from_timestamp_nanos), id }))
    }
}

/// The jobs of a scope that the filter lets through, from `after` on, at most `most`.
pub async fn list(
    db: &DatabaseConnection,
    scope: Scope,
    filter: &JobFilter,
    after: Option<Cursor>,
    most: usize,
    now: DateTime<Utc>,
) -> StoreResult<JobPage> {
    let nothing = JobPage { jobs: Vec::new(), next: None };
    if filter.account_id.is_some_and(|id| !scope.holds(Some(id))) {
        return Ok(nothing);
    }
    let of_kind = filter.kind.as_deref().and_then(queue_of);
    if filter.queue.is_some() && of_kind.is_some() && filter.queue != of_kind {
        return Ok(nothing);
    }
    let ids = filter.text.as_deref().and_then(ids);
    let wanted = Wanted {
        queue: filter.queue.or(of_kind),
        kind: filter.kind.clone(),
        status: filter.status,
        account_id: scope.account().or(filter.account_id),
        text: filter.text.clone().filter(|_| ids.is_none()),
    };
    let (order, parts) = plan(&wanted, ids);
    // A place in another order leads to the beginning of this one.
    let after = after.map(|cursor| cursor.0);
    let after = after.filter(|after| after.at.is_some() == (order != Order::Newest));
    let walked = walk(db, &parts, &wanted, order, (after, most), now).await?;
    Ok(JobPage { jobs: walked.rows, next: walked.known_to.as_ref().map(Cursor::text) })
}

/// Which indexes lead to these rows, and in which order.
fn plan(wanted: &Wanted, ids: Option<(Uuid, Uuid)>) -> (Order, Vec<Part>) {
    if let Some((low, high)) = ids {
        return (Order::Newest, vec![Part::Ids(low, high)]);
    }
    let queues = || {
        let all = Queue::ALL.into_iter();
        all.filter(|each| wanted.queue.is_none_or(|queue| queue == *each))
    };
    match (wanted.status, wanted.account_id) {
        (None, None) => (Order::Newest, vec![Part::All]),
        (None, Some(account)) => (Order::Newest, vec![Part::EndedOf(account), Part::Open(None)]),
        (Some(status @ (JobStatus::Due | JobStatus::Waiting)), _) => {
            (Order::Soonest, queues().map(|queue| Part::Pending(status, queue)).collect())
        }
        (Some(status @ (JobStatus::Queued | JobStatus::Running)), _) => {
            (Order::Newest, vec![Part::Open(Some(status))])
        }
        (Some(status), None) => {
            (Order::LastFinished, queues().map(|queue| Part::Ended(status, queue)).collect())
        }
        (Some(_), Some(account)) => (Order::Newest, vec![Part::EndedOf(account)]),
    }
}

/// The first and the last id that begin with these digits; `None` for what is no part of an id.
fn ids(text: &str) -> Option<(Uuid, Uuid)> {
    let digits: String = text.chars().filter(|character| *character != '-').collect();
    let is_id = (ID_DIGITS..=32).contains(&digits.len())
        && digits.chars().all(|digit| digit.is_ascii_hexdigit());
    let bound = |fill: &str| {
        let rest = fill.repeat(32 - digits.len());
        Uuid::try_parse(&format!("{digits}{rest}")).ok()
    };
    if is_id { bound("0").zip(bound("f")) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_known_by_its_first_digits() {
        let id = Uuid::try_parse("019a1b2c-3d4e-7f00-8123-456789abcdef").unwrap();
        assert_eq!(ids(&id.to_string()), Some((id, id)));
        let (low, high) = ids("019a1b2c").unwrap();
        assert!(low < id && id < high);
        for text in ["019a1b2", "respond:7", "deadbeefx", &"0".repeat(33), ""] {
            assert_eq!(ids(text), None, "{text}");
        }
    }

    #[test]
    fn a_place_in_a_list_survives_its_text() {
        let at = DateTime::from_timestamp_micros(1_800_000_000_123_456);
        for at in [None, at] {
            let position = Position { at, id: Uuid::now_v7() };
            let cursor: Cursor = Cursor::text(&position).parse().unwrap();
            assert_eq!(cursor, Cursor(position));
        }
        for text in ["", "x", "1.x", "x.019a1b2c3d4e7f008123456789abcdef", "1.2.3"] {
            assert!(text.parse::<Cursor>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_account_is_never_looked_for_among_all_rows() {
        for status in std::iter::once(None).chain(JobStatus::ALL.map(Some)) {
            let wanted = Wanted { status, account_id: Some(1), ..Wanted::default() };
            let (_, parts) = plan(&wanted, None);
            assert!(!parts.contains(&Part::All), "{status:?}");
        }
    }
}
