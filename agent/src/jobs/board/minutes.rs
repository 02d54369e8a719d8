//! How many jobs of each queue ended in each minute. Minutes that are over are counted once and
//! kept (`queue_minutes`); the few since then are counted in the ledger itself, up to a limit per
//! queue.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, DurationRound, SubsecRound, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};
use serde_json::json;

use super::Values;
use crate::jobs::queue::Queue;
use crate::store::error::StoreResult;
use crate::store::rowset::{Columns, Kind, execute, insert_sql, parameter, query, time};

/// The account number under which the whole installation is counted; accounts begin at 1.
const EVERYBODY: i64 = 0;
/// Rows of one queue and state that are looked at when somebody asks: in the minute or two since
/// the last count, and in all of the time where nobody counts.
const LIVE_ROWS: u32 = 20_000;
const UNCOUNTED_ROWS: u32 = 2_000;
/// Somebody counts, if the last count is not older.
const COUNTED_LATELY: TimeDelta = TimeDelta::minutes(5);
/// A minute is counted when it has been over for this long: its last commits have come.
const SETTLED: TimeDelta = TimeDelta::seconds(5);
/// Counted minutes are kept for this long.
pub const KEPT: TimeDelta = TimeDelta::hours(24);

/// What ended within a minute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ended {
    pub done: i64,
    pub dead: i64,
}

/// By queue, then by the beginning of the minute. Minutes in which nothing ended may be absent.
pub type Minutes = HashMap<String, BTreeMap<DateTime<Utc>, Ended>>;

/// The states that are counted.
const STATES: [&str; 2] = ["done", "dead"];

const MINUTE: Columns = &[
    ("account_id", Kind::BigInt),
    ("minute_at", Kind::Time),
    ("queue", Kind::Text),
    ("done", Kind::BigInt),
    ("dead", Kind::BigInt),
];

/// The minute that `column` lies in, as an instant.
fn minute_of(backend: DbBackend, column: &str) -> String {
    if backend == DbBackend::Postgres {
        format!("date_trunc('minute', {column})")
    } else {
        // Instants are texts of one form.
        format!("substr({column}, 1, 16) || ':00+00:00'")
    }
}

fn start_of_minute(at: DateTime<Utc>) -> DateTime<Utc> {
    at.duration_trunc(TimeDelta::minutes(1)).unwrap_or_else(|_| at.trunc_subsecs(0))
}

/// Counts the minutes that are over, from `reach` before now; those that were counted before only
/// grow, since a dead job that was tried again did die.
pub async fn roll_up(
    db: &DatabaseConnection,
    reach: TimeDelta,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let (from, until) = (start_of_minute(now - reach), start_of_minute(now - SETTLED));
    let mut counted: BTreeMap<(i64, DateTime<Utc>, String), Ended> = BTreeMap::new();
    // A minute in which nothing ended is counted, too.
    for queue in Queue::ALL {
        let mut minute = from;
        while minute < until {
            counted.insert((EVERYBODY, minute, queue.as_str().to_owned()), Ended::default());
            minute += TimeDelta::minutes(1);
        }
    }
    for state in STATES {
        let backend = db.get_database_backend();
        let mut values = Values::default();
        let queues: Vec<String> =
            Queue::ALL.iter().map(|queue| values.bind(queue.as_str())).collect();
        let sql = format!(
            "SELECT queue, account_id, {} AS minute_at, count(*) AS n FROM jobs \
             WHERE state = '{state}' AND queue IN ({}) AND finished_at >= {} AND finished_at < {} \
             GROUP BY 1, 2, 3",
            minute_of(backend, "finished_at"),
            queues.join(", "),
            values.bind(from),
            values.bind(until),
        );
        for row in query(db, sql, values.0).await? {
            let account_id: Option<i64> = row.try_get("", "account_id")?;
            let n: i64 = row.try_get("", "n")?;
            for account_id in [Some(EVERYBODY), account_id].into_iter().flatten() {
                let key = (account_id, row.try_get("", "minute_at")?, row.try_get("", "queue")?);
                add(counted.entry(key).or_default(), state, n);
            }
        }
    }
    let rows = counted.into_iter().map(|((account_id, minute_at, queue), ended)| {
        json!({
            "account_id": account_id,
            "minute_at": time(minute_at),
            "queue": queue,
            "done": ended.done,
            "dead": ended.dead,
        })
    });
    let greater = |column: &str| {
        format!(
            "{column} = CASE WHEN excluded.{column} > queue_minutes.{column} \
             THEN excluded.{column} ELSE queue_minutes.{column} END"
        )
    };
    let sql = format!(
        "{} ON CONFLICT (account_id, minute_at, queue) DO UPDATE SET {}, {} \
         WHERE excluded.done > queue_minutes.done OR excluded.dead > queue_minutes.dead",
        insert_sql(db.get_database_backend(), "queue_minutes", MINUTE, 1),
        greater("done"),
        greater("dead"),
    );
    execute(db, sql, vec![parameter(rows)]).await?;
    Ok(())
}

fn add(ended: &mut Ended, state: &str, n: i64) {
    match state {
        "done" => ended.done += n,
        _ => ended.dead += n,
    }
}

/// The latest minute that was counted.
pub async fn counted_to(db: &impl ConnectionTrait) -> StoreResult<Option<DateTime<Utc>>> {
    let sql = "SELECT minute_at FROM queue_minutes WHERE account_id = $1 \
               ORDER BY minute_at DESC LIMIT 1";
    let rows = query(db, sql.to_owned(), vec![EVERYBODY.into()]).await?;
    rows.first().map(|row| Ok(row.try_get("", "minute_at")?)).transpose()
}

/// Whether the last minute that is over is still to be counted.
pub fn is_behind(counted_to: Option<DateTime<Utc>>, now: DateTime<Utc>) -> bool {
    let last = start_of_minute(now - SETTLED) - TimeDelta::minutes(1);
    counted_to.is_none_or(|counted| counted < last)
}

/// What ended since `since`, of one account or of the whole installation.
pub async fn read(
    db: &DatabaseConnection,
    account: Option<i64>,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> StoreResult<Minutes> {
    let since = start_of_minute(since);
    let live_from = counted_to(db).await?.map_or(since, |last| last + TimeDelta::minutes(1));
    let live_from = live_from.max(since);
    let mut minutes = Minutes::new();
    let sql = "SELECT queue, minute_at, done, dead FROM queue_minutes \
               WHERE account_id = $1 AND minute_at >= $2 AND minute_at < $3 \
               AND (done > 0 OR dead > 0)";
    let values = vec![account.unwrap_or(EVERYBODY).into(), since.into(), live_from.into()];
    for row in query(db, sql.to_owned(), values).await? {
        let ended = Ended { done: row.try_get("", "done")?, dead: row.try_get("", "dead")? };
        let of_queue = minutes.entry(row.try_get("", "queue")?).or_default();
        of_queue.insert(row.try_get("", "minute_at")?, ended);
    }
    let most = if now - live_from <= COUNTED_LATELY { LIVE_ROWS } else { UNCOUNTED_ROWS };
    for row in live(db, account, live_from, most).await? {
        let state: String = row.try_get("", "state")?;
        let of_queue = minutes.entry(row.try_get("", "queue")?).or_default();
        let ended = of_queue.entry(row.try_get("", "minute_at")?).or_default();
        add(ended, &state, row.try_get("", "n")?);
    }
    Ok(minutes)
}

/// The newest rows of each queue since then, counted by minute.
async fn live(
    db: &DatabaseConnection,
    account: Option<i64>,
    from: DateTime<Utc>,
    most: u32,
) -> StoreResult<Vec<sea_orm::QueryResult>> {
    let minute = minute_of(db.get_database_backend(), "finished_at");
    let mut values = Values::default();
    let from = values.bind(from);
    let own = account.map(|id| format!("WHERE account_id = {}", values.bind(id)));
    let own = own.unwrap_or_default();
    let mut parts = Vec::new();
    for queue in Queue::ALL {
        let queue = values.bind(queue.as_str());
        for state in STATES {
            parts.push(format!(
                "SELECT queue, '{state}' AS state, {minute} AS minute_at, count(*) AS n FROM \
                 (SELECT queue, finished_at, account_id FROM jobs WHERE state = '{state}' \
                  AND queue = {queue} AND finished_at >= {from} \
                  ORDER BY finished_at DESC LIMIT {most}) AS part {own} GROUP BY 1, 3"
            ));
        }
    }
    query(db, parts.join(" UNION ALL "), values.0).await
}

/// Removes what is no longer shown.
pub async fn forget_before(db: &DatabaseConnection, before: DateTime<Utc>) -> StoreResult<u64> {
    let sql = "DELETE FROM queue_minutes WHERE minute_at < $1";
    execute(db, sql.to_owned(), vec![before.into()]).await
}
