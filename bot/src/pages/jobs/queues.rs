//! The queues with their figures; for whoever runs the installation also schedules and workers.

use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::jobs::board::Scope;
use lembra_agent::jobs::board::figures::{self, Point, QueueFigures};
use lembra_agent::jobs::processes::{self, Health, WorkerProcess};
use lembra_agent::jobs::schedules::ScheduleState;
use lembra_agent::store::StoreResult;
use lembra_agent::store::board::actors::{self, Actors};
use lembra_worker::schedule;

use super::{tone, who};
use crate::access::Principal;
use crate::api::job_query::scope;
use crate::app::Web;
use crate::pages::frame::Frame;
use crate::pages::text::{duration, grouped};
use crate::pages::{filters, respond};
use crate::show;

/// Digits of a process's name that tell it from others.
const NAME_DIGITS: usize = 6;

#[derive(Template)]
#[template(path = "pages/queues.html", blocks = ["live"])]
struct Queues {
    frame: Frame,
    /// Counts are of every account's jobs.
    whole_instance: bool,
    rows: Vec<QueueFigures>,
    sums: Sums,
    schedules: Vec<ScheduleState>,
    workers: Vec<WorkerProcess>,
    actors: Actors,
}

/// All queues together.
struct Sums {
    ready: String,
    waiting: String,
    running: String,
    dead: i64,
    dead_shown: String,
    done: i64,
    paused: usize,
}

pub async fn page(principal: Principal, frame: Frame, web: web::Data<Web>) -> HttpResponse {
    match load(&principal, frame, &web).await {
        Ok(view) => show!(view),
        Err(error) => respond::failed(&error),
    }
}

async fn load(principal: &Principal, frame: Frame, web: &Web) -> StoreResult<Queues> {
    let runtime = &web.runtime;
    let (scope, now) = (scope(principal), frame.now);
    let whole_instance = scope == Scope::Instance;
    let rows = figures::read(&runtime.db, scope, now).await?;
    let (schedules, workers) = if whole_instance {
        let workers = processes::list(&runtime.db, &runtime.journal, now).await?;
        (schedule::states(runtime).await?, workers)
    } else {
        (Vec::new(), Vec::new())
    };
    let actors = actors::of_account(&runtime.db, principal.account_id).await?;
    Ok(Queues { frame, whole_instance, sums: Sums::of(&rows), rows, schedules, workers, actors })
}

impl Sums {
    fn of(rows: &[QueueFigures]) -> Self {
        let sum = |number: fn(&QueueFigures) -> i64| {
            let least = rows.iter().any(|row| number(row) >= row.counted_to);
            (rows.iter().map(number).sum::<i64>(), least)
        };
        let written = |(n, least): (i64, bool)| at_least(n, least);
        let dead = sum(|row| row.dead);
        let (due, queued) = (sum(|row| row.due), sum(|row| row.queued));
        Self {
            ready: at_least(due.0 + queued.0, due.1 || queued.1),
            waiting: written(sum(|row| row.waiting)),
            running: written(sum(|row| row.running)),
            dead: dead.0,
            dead_shown: written(dead),
            done: rows.iter().map(|row| row.done_last_hour).sum(),
            paused: rows.iter().filter(|row| row.paused.is_some()).count(),
        }
    }
}

/// A count that may have been cut off.
fn at_least(n: i64, least: bool) -> String {
    let sign = if least { "+" } else { "" };
    format!("{}{sign}", grouped(&n.to_string()))
}

impl Queues {
    fn counted(&self, row: &QueueFigures, n: &i64) -> String {
        at_least(*n, *n >= row.counted_to)
    }

    fn span(&self, ms: &Option<i64>) -> String {
        ms.map_or_else(|| "–".to_owned(), |ms| duration(ms as f64))
    }

    /// The processes that live, or may.
    fn alive(&self) -> usize {
        let lives = |worker: &&WorkerProcess| matches!(worker.health, Health::Alive | Health::Late);
        self.workers.iter().filter(lives).count()
    }

    /// How many jobs of a queue run at a time in all processes that live.
    fn slots(&self, queue: &str) -> usize {
        let alive = self.workers.iter().filter(|worker| worker.health == Health::Alive);
        let of_queue = alive.flat_map(|worker| &worker.queues).filter(|each| each.queue == queue);
        of_queue.map(|each| each.concurrency).sum()
    }

    fn short(&self, name: &str) -> String {
        let digits: Vec<char> = name.chars().collect();
        digits[digits.len().saturating_sub(NAME_DIGITS)..].iter().collect()
    }

    fn health_tone(&self, health: &Health) -> &'static str {
        match health {
            Health::Alive => "good",
            Health::Late => "warn",
            Health::Gone => "bad",
            Health::Stopped => "quiet",
        }
    }

    fn tone(&self, status: &lembra_agent::jobs::board::JobStatus) -> &'static str {
        tone(*status)
    }

    fn who(&self, by: &str) -> String {
        who(&self.actors, by)
    }

    fn spark(&self, row: &QueueFigures) -> Spark {
        Spark::of(&row.series)
    }
}

/// A series as lines in a box of 100 by 32.
struct Spark {
    done: String,
    area: String,
    /// Empty where nothing died.
    dead: String,
    total: i64,
    died: i64,
}

impl Spark {
    fn of(series: &[Point]) -> Self {
        let most = series.iter().map(|point| point.done.max(point.dead)).max().unwrap_or_default();
        let line = |number: fn(&Point) -> i64| {
            let points = series.iter().enumerate().map(|(place, point)| {
                let x = place as f64 * 100.0 / (series.len().max(2) - 1) as f64;
                let y = 31.0 - number(point) as f64 * 30.0 / most.max(1) as f64;
                format!("{x:.1},{y:.1}")
            });
            points.collect::<Vec<_>>().join(" ")
        };
        let died = series.iter().map(|point| point.dead).sum();
        let done = line(|point| point.done);
        Self {
            area: format!("0,32 {done} 100,32"),
            done,
            dead: if died > 0 { line(|point| point.dead) } else { String::new() },
            total: series.iter().map(|point| point.done).sum(),
            died,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{DateTime, Utc};

    fn point(done: i64, dead: i64) -> Point {
        Point { at: DateTime::<Utc>::UNIX_EPOCH, done, dead }
    }

    #[test]
    fn the_highest_point_touches_the_top_and_nothing_lies_at_the_bottom() {
        let spark = Spark::of(&[point(0, 0), point(10, 0), point(5, 0)]);
        assert_eq!(spark.done, "0.0,31.0 50.0,1.0 100.0,16.0");
        assert_eq!((spark.total, spark.died, spark.dead.as_str()), (15, 0, ""));
        let still = Spark::of(&[point(0, 0), point(0, 0)]);
        assert_eq!(still.done, "0.0,31.0 100.0,31.0");
        assert!(!Spark::of(&[point(1, 1)]).dead.is_empty());
    }

    #[test]
    fn a_count_that_was_cut_off_says_so() {
        assert_eq!(at_least(1_999, false), "1.999");
        assert_eq!(at_least(2_000, true), "2.000+");
    }
}
