//! Walking through jobs in an order that an index has, from a position on. What no index knows is
//! looked for in windows of [`WINDOW`] rows, for [`PATIENCE`] altogether; whoever wants to look
//! further goes on from where that ended.

use std::cmp::Ordering;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sea_orm::DatabaseConnection;
use tokio::time::Instant;
use uuid::Uuid;

use super::listing::JobRow;
use super::{JobStatus, Values};
use crate::jobs::queue::Queue;
use crate::store::error::StoreResult;
use crate::store::rowset::query;

/// Rows that one statement looks at.
const WINDOW: usize = 5_000;
/// Time for all windows of one request. Each source is given one at least.
const PATIENCE: Duration = Duration::from_millis(80);
/// Waiting rows of a queue among which an account's own are looked for, where all its jobs are
/// listed together.
const OPEN_ROWS: usize = 2_000;

const COLUMNS: &str = "id, account_id, queue, kind, state, run_at, attempts, max_attempts, \
    dedup_key, once_key, last_error, created_at, started_at, finished_at, worker";

/// What comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The last one written; ids are sorted by time.
    Newest,
    LastFinished,
    /// The one whose time comes first.
    Soonest,
}

/// A place in an order: the instant that it goes by, if it is not by the id alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub at: Option<DateTime<Utc>>,
    pub id: Uuid,
}

impl Order {
    fn column(self) -> Option<&'static str> {
        match self {
            Order::Newest => None,
            Order::LastFinished => Some("finished_at"),
            Order::Soonest => Some("run_at"),
        }
    }

    fn clause(self, turned: bool) -> String {
        let descends = (self == Order::Soonest) == turned;
        let direction = if descends { "DESC" } else { "ASC" };
        let columns = self.column().into_iter().chain(["id"]);
        let columns: Vec<String> = columns.map(|column| format!("{column} {direction}")).collect();
        columns.join(", ")
    }

    /// The rows after a position.
    fn beyond(self, position: Position, values: &mut Values) -> String {
        let sign = if self == Order::Soonest { '>' } else { '<' };
        match (self.column(), position.at) {
            (Some(column), Some(at)) => {
                let (at, id) = (values.bind(at), values.bind(position.id));
                // The first part is for planners that cannot use the second.
                format!("{column} {sign}= {at} AND ({column}, id) {sign} ({at}, {id})")
            }
            _ => format!("id {sign} {}", values.bind(position.id)),
        }
    }

    pub fn position(self, row: &JobRow) -> Position {
        let at = match self {
            Order::Newest => None,
            Order::LastFinished => row.finished_at,
            Order::Soonest => Some(row.run_at),
        };
        Position { at, id: row.id }
    }

    fn compare(self, left: &Position, right: &Position) -> Ordering {
        let ascending = (left.at, left.id).cmp(&(right.at, right.id));
        if self == Order::Soonest { ascending } else { ascending.reverse() }
    }
}

/// Rows that an index holds together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    All,
    /// Done, dead or laid aside, of one account.
    EndedOf(i64),
    /// In an ended state, of one queue.
    Ended(JobStatus, Queue),
    /// Due or waiting, of one queue.
    Pending(JobStatus, Queue),
    /// Within a range of ids.
    Ids(Uuid, Uuid),
    /// Not ended: as many queues as given, all states or one. There are few, but for a backlog,
    /// of which [`OPEN_ROWS`] per queue are seen.
    Open(Option<JobStatus>),
}

/// What rows must be like, besides lying in their part. All of it is asked of rows at hand.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub queue: Option<Queue>,
    pub kind: Option<String>,
    pub status: Option<JobStatus>,
    pub account_id: Option<i64>,
    /// Part of a key or of the last error.
    pub text: Option<String>,
}

/// Rows in their order, and how far everything is known: `None` when there is nothing further.
pub struct Walked {
    pub rows: Vec<JobRow>,
    pub known_to: Option<Position>,
}

/// The first `most` rows after a position, of all parts together.
pub async fn walk(
    db: &DatabaseConnection,
    parts: &[Part],
    wanted: &Wanted,
    order: Order,
    from: (Option<Position>, usize),
    now: DateTime<Utc>,
) -> StoreResult<Walked> {
    let (after, most) = from;
    let share = PATIENCE / u32::try_from(parts.len().max(1)).unwrap_or(1);
    let mut rows: Vec<JobRow> = Vec::new();
    let mut known_to: Option<Position> = None;
    for part in parts {
        let walk = Walk { db, part: *part, wanted, order, now };
        // One more than is shown tells whether there are more.
        let found = walk.read(after, most + 1, Instant::now() + share).await?;
        rows.extend(found.rows);
        known_to = match (known_to, found.known_to) {
            (Some(one), Some(other)) if order.compare(&other, &one).is_gt() => Some(one),
            (one, other) => other.or(one),
        };
    }
    let place = |row: &JobRow| order.position(row);
    rows.sort_by(|left, right| order.compare(&place(left), &place(right)));
    // Beyond that, rows of another part may be missing in between.
    if let Some(end) = known_to {
        rows.retain(|row| order.compare(&place(row), &end).is_le());
    }
    if rows.len() > most {
        rows.truncate(most);
        known_to = rows.last().map(place);
    }
    Ok(Walked { rows, known_to })
}

struct Walk<'a> {
    db: &'a DatabaseConnection,
    part: Part,
    wanted: &'a Wanted,
    order: Order,
    now: DateTime<Utc>,
}

impl Walk<'_> {
    async fn read(
        &self,
        mut after: Option<Position>,
        most: usize,
        until: Instant,
    ) -> StoreResult<Walked> {
        let mut rows = Vec::new();
        loop {
            rows.extend(self.window(after, most - rows.len()).await?);
            if rows.len() >= most {
                let known_to = rows.last().map(|row| self.order.position(row));
                return Ok(Walked { rows, known_to });
            }
            if matches!(self.part, Part::Open(_)) || !self.is_filtered() {
                return Ok(Walked { rows, known_to: None });
            }
            let Some(end) = self.end_of_window(after).await? else {
                return Ok(Walked { rows, known_to: None });
            };
            if Instant::now() >= until {
                return Ok(Walked { rows, known_to: Some(end) });
            }
            after = Some(end);
        }
    }

    /// The rows of a window that are wanted.
    async fn window(&self, after: Option<Position>, most: usize) -> StoreResult<Vec<JobRow>> {
        let mut values = Values::default();
        let inside = if self.is_filtered() { WINDOW } else { most };
        let rows = self.rows(COLUMNS, after, inside, &mut values);
        let wanted = self.conditions(&mut values);
        let wanted = if wanted.is_empty() { "true".to_owned() } else { wanted.join(" AND ") };
        let sql = format!(
            "SELECT {COLUMNS} FROM ({rows}) AS part WHERE {wanted} ORDER BY {} LIMIT {most}",
            self.order.clause(false)
        );
        let found = query(self.db, sql, values.0).await?;
        found.iter().map(|row| JobRow::read(row, self.now)).collect()
    }

    /// The position of the last row of a window; `None` for an empty one.
    async fn end_of_window(&self, after: Option<Position>) -> StoreResult<Option<Position>> {
        let mut values = Values::default();
        let columns = match self.order.column() {
            Some(at) => format!("{at}, id"),
            None => "id".to_owned(),
        };
        let rows = self.rows(&columns, after, WINDOW, &mut values);
        let turned = self.order.clause(true);
        let sql = format!("SELECT {columns} FROM ({rows}) AS part ORDER BY {turned} LIMIT 1");
        let found = query(self.db, sql, values.0).await?;
        let position = found.first().map(|row| -> StoreResult<Position> {
            let at = self.order.column().map(|column| row.try_get("", column)).transpose()?;
            Ok(Position { at, id: row.try_get("", "id")? })
        });
        position.transpose()
    }

    /// The part's rows after a position, in order.
    fn rows(
        &self,
        columns: &str,
        after: Option<Position>,
        most: usize,
        values: &mut Values,
    ) -> String {
        let mut conditions = Vec::new();
        match self.part {
            Part::All => {}
            Part::EndedOf(account) => {
                // In the words of the index.
                conditions.push("state IN ('done', 'cancelled', 'dead')".to_owned());
                conditions.push(format!("account_id = {}", values.bind(account)));
            }
            Part::Ended(status, queue) | Part::Pending(status, queue) => {
                conditions.push(in_status(status, self.now, values));
                conditions.push(format!("queue = {}", values.bind(queue.as_str())));
            }
            Part::Ids(low, high) => {
                conditions.push(format!("id >= {}", values.bind(low)));
                conditions.push(format!("id <= {}", values.bind(high)));
            }
            Part::Open(status) => {
                let open = open_rows(status, self.wanted.queue, values);
                let beyond = after.map(|after| self.order.beyond(after, values));
                let beyond = beyond.map(|beyond| format!("WHERE {beyond}")).unwrap_or_default();
                return format!("SELECT {columns} FROM ({open}) AS open {beyond}");
            }
        }
        if let Some(after) = after {
            conditions.push(self.order.beyond(after, values));
        }
        let conditions = match conditions.is_empty() {
            true => "true".to_owned(),
            false => conditions.join(" AND "),
        };
        let order = self.order.clause(false);
        format!("SELECT {columns} FROM jobs WHERE {conditions} ORDER BY {order} LIMIT {most}")
    }

    /// Whether the part holds rows that are not wanted.
    fn is_filtered(&self) -> bool {
        !self.conditions(&mut Values::default()).is_empty()
    }

    /// What is asked of the part's rows: nothing that the part says itself.
    fn conditions(&self, values: &mut Values) -> Vec<String> {
        let mut conditions = Vec::new();
        let part = self.part;
        let of_queue = matches!(part, Part::Ended(..) | Part::Pending(..) | Part::Open(_));
        if let Some(queue) = self.wanted.queue.filter(|_| !of_queue) {
            conditions.push(format!("queue = {}", values.bind(queue.as_str())));
        }
        let in_state = matches!(part, Part::Ended(..) | Part::Pending(..) | Part::Open(Some(_)));
        if let Some(status) = self.wanted.status.filter(|_| !in_state) {
            conditions.push(in_status(status, self.now, values));
        }
        let of_account = matches!(part, Part::EndedOf(_));
        if let Some(account) = self.wanted.account_id.filter(|_| !of_account) {
            conditions.push(format!("account_id = {}", values.bind(account)));
        }
        if let Some(kind) = &self.wanted.kind {
            conditions.push(format!("kind = {}", values.bind(kind.as_str())));
        }
        if let Some(text) = &self.wanted.text {
            let like = values.bind(pattern(text));
            let columns = ["dedup_key", "once_key", "last_error"];
            let any = columns.map(|column| format!("lower({column}) LIKE {like} ESCAPE '!'"));
            conditions.push(format!("({})", any.join(" OR ")));
        }
        conditions
    }
}

/// The condition of a status, in the words of the indexes.
fn in_status(status: JobStatus, now: DateTime<Utc>, values: &mut Values) -> String {
    match status {
        JobStatus::Due => format!("state = 'pending' AND run_at <= {}", values.bind(now)),
        JobStatus::Waiting => format!("state = 'pending' AND run_at > {}", values.bind(now)),
        other => format!("state = '{}'", other.as_str()),
    }
}

/// Rows that have not ended. Their order names the index that they are read by, and not the one
/// of ids, through which a planner might look for them from one end of the ledger to the other.
fn open_rows(status: Option<JobStatus>, queue: Option<Queue>, values: &mut Values) -> String {
    let queues: Vec<String> = Queue::ALL
        .into_iter()
        .filter(|each| queue.is_none_or(|queue| queue == *each))
        .map(|each| values.bind(each.as_str()))
        .collect();
    let states = [
        (JobStatus::Running, "running", "lease_until"),
        (JobStatus::Queued, "queued", "queued_at"),
        (JobStatus::Waiting, "pending", "run_at"),
    ];
    let mut parts = Vec::new();
    for (each, state, order) in states {
        if status.is_some_and(|status| status != each) {
            continue;
        }
        for queue in &queues {
            parts.push(format!(
                "SELECT * FROM (SELECT {COLUMNS} FROM jobs WHERE state = '{state}' \
                 AND queue = {queue} ORDER BY {order} LIMIT {OPEN_ROWS}) AS {state}"
            ));
        }
    }
    parts.join(" UNION ALL ")
}

/// A text as part of another one, for LIKE with `!` before what stands for itself.
fn pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for character in text.to_lowercase().chars() {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_for_stands_for_itself() {
        assert_eq!(pattern("Respond:7_100%!"), "%respond:7!_100!%!!%");
    }

    #[test]
    fn orders_put_the_newest_or_the_soonest_first() {
        let at = |secs| DateTime::from_timestamp(secs, 0);
        let early = Position { at: at(1), id: Uuid::nil() };
        let late = Position { at: at(2), id: Uuid::nil() };
        assert!(Order::Soonest.compare(&early, &late).is_lt());
        assert!(Order::LastFinished.compare(&late, &early).is_lt());
        assert_eq!(Order::LastFinished.clause(false), "finished_at DESC, id DESC");
        assert_eq!(Order::Soonest.clause(false), "run_at ASC, id ASC");
        assert_eq!(Order::Newest.clause(true), "id ASC");
    }
}
