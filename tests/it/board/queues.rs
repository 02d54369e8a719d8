//! Queues, schedules and workers as operators see them, and stopping a queue.

use std::time::Duration;

use chrono::TimeDelta;
use lembra_agent::domain::access::Role;
use lembra_agent::jobs::board::minutes;
use lembra_agent::jobs::claim::claim;
use lembra_agent::jobs::enqueue::enqueue;
use lembra_agent::jobs::finish::finish;
use lembra_agent::jobs::journal::ProcessJournal;
use lembra_agent::jobs::kinds::{Respond, Watch};
use lembra_agent::jobs::processes::{self, Beat, QueueWorker};
use lembra_agent::jobs::{Claim, ClaimedJob, JobOutcome, NewJob};
use lembra_agent::store::accounts;
use lembra_worker::schedule;
use lembra_worker::vitals;
use serde_json::Value;
use uuid::Uuid;

use crate::support::app::TestApp;
use crate::support::on_both_databases;
use crate::support::operator::Operator;
use crate::support::processes::Installation;

/// Writes a job that is due now, and answers its id.
pub async fn write(app: &TestApp, account: Option<i64>, conversation_id: i64) -> Uuid {
    let before: Vec<Uuid> = app.jobs().await.into_iter().map(|job| job.id).collect();
    let job = NewJob::of(&Respond { conversation_id }, account, app.now());
    enqueue(app.db(), vec![job], app.now()).await.unwrap();
    let new = app.jobs().await.into_iter().find(|job| !before.contains(&job.id));
    new.expect("a new job").id
}

pub async fn take(app: &TestApp, id: Uuid) -> ClaimedJob {
    match claim(app.db(), id, "process", app.now()).await.unwrap() {
        Claim::Taken(job) => *job,
        other => panic!("{other:?}"),
    }
}

pub async fn end(app: &TestApp, id: Uuid, outcome: JobOutcome) {
    let job = take(app, id).await;
    app.clock.advance(TimeDelta::milliseconds(250));
    finish(app.db(), &job, &outcome, Duration::from_secs(10), app.now()).await.unwrap();
}

/// Another account, with nobody in it.
pub async fn other_account(app: &TestApp) -> i64 {
    accounts::add(app.db(), "Clínica", app.now()).await.unwrap().id
}

/// The API of the operator's account, asked from their browser.
pub async fn ask(operator: &Operator, path: &str) -> Value {
    let answer = operator.get(&format!("/api/v1/accounts/{}{path}", operator.account_id)).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.json()
}

async fn queue(operator: &Operator, name: &str) -> Value {
    let queues = ask(operator, "/queues").await;
    let found = queues["queues"].as_array().unwrap().iter().find(|queue| queue["queue"] == name);
    found.expect("the queue").clone()
}

on_both_databases! {
    async fn figures_are_of_the_own_account_and_of_all_for_who_runs_the_instance(app: TestApp) {
        let (own, other) = (app.account().await, other_account(&app).await);
        for (account, conversation) in [(Some(own), 1), (Some(own), 2), (Some(other), 3), (None, 4)] {
            let id = write(&app, account, conversation).await;
            end(&app, id, JobOutcome::Done).await;
        }
        let dead = write(&app, Some(own), 5).await;
        end(&app, dead, JobOutcome::dead("x")).await;
        let running = write(&app, Some(other), 6).await;
        take(&app, running).await;
        write(&app, Some(own), 7).await;
        let later = NewJob::of(&Respond { conversation_id: 8 }, Some(own), app.now() + TimeDelta::hours(1));
        enqueue(app.db(), vec![later], app.now()).await.unwrap();

        let operator = Operator::sign_in(&app, Role::Admin).await;
        let mine = queue(&operator, "replies").await;
        let numbers = |queue: &Value| {
            ["done_last_hour", "dead", "running", "due", "waiting"].map(|name| queue[name].as_i64().unwrap())
        };
        assert_eq!(numbers(&mine), [2, 1, 0, 1, 1]);
        assert_eq!(mine["run"]["p50_ms"], 250);
        let host = Operator::who_runs_the_instance(&app).await;
        let all = queue(&host, "replies").await;
        assert_eq!(numbers(&all), [4, 1, 1, 1, 1]);
        let points = all["series"].as_array().unwrap();
        let sum = |name: &str| points.iter().map(|point| point[name].as_i64().unwrap()).sum::<i64>();
        assert_eq!((sum("done"), sum("dead")), (4, 1));
        let page = operator.get("/queues").await;
        assert_eq!(page.status, 200);
        assert!(page.body.contains("Respostas") && !page.body.contains("Rotinas"), "{}", page.body);
        assert!(host.get("/queues").await.body.contains("Rotinas"));
    }

    async fn minutes_that_were_counted_say_the_same_as_the_ledger(app: TestApp) {
        let (own, other) = (app.account().await, other_account(&app).await);
        for (conversation, account) in [(1, own), (2, own), (3, other)] {
            let id = write(&app, Some(account), conversation).await;
            end(&app, id, JobOutcome::Done).await;
            app.clock.advance(TimeDelta::seconds(70));
        }
        let dead = write(&app, Some(own), 4).await;
        end(&app, dead, JobOutcome::dead("x")).await;
        app.clock.advance(TimeDelta::minutes(2));
        let since = app.now() - TimeDelta::hours(1);
        let read = async |account| {
            let minutes = minutes::read(app.db(), account, since, app.now()).await.unwrap();
            let of_queue = minutes.get("replies").cloned().unwrap_or_default();
            let ended: Vec<_> = of_queue.into_iter().filter(|(_, ended)| ended.done + ended.dead > 0).collect();
            ended
        };
        let before = [read(None).await, read(Some(own)).await, read(Some(other)).await];
        vitals::count(&app.runtime, true).await.unwrap();
        assert_eq!([read(None).await, read(Some(own)).await, read(Some(other)).await], before);
        // What was counted does not need its rows any more, and what comes later is added.
        lembra_agent::store::retention::remove_older(app.db(), app.now()).await.unwrap();
        let id = write(&app, Some(own), 9).await;
        end(&app, id, JobOutcome::Done).await;
        let after = read(Some(own)).await;
        assert_eq!(after.len(), before[1].len() + 1);
        assert_eq!(after.iter().map(|(_, ended)| ended.done).sum::<i64>(), 3);
        assert_eq!(after.iter().map(|(_, ended)| ended.dead).sum::<i64>(), 1);
    }

    async fn of_a_stopped_queue_nothing_is_taken_and_nothing_lost(app: TestApp) {
        let id = write(&app, Some(app.account().await), 1).await;
        let relay = &app.runtime.relay;
        assert_eq!(relay.push_due().await.unwrap(), 1, "it has a ticket");
        let host = Operator::who_runs_the_instance(&app).await;
        assert_eq!(host.post("/queues/replies/pause", &[]).await.status, 204);
        let job = &app.jobs().await[0];
        assert_eq!(job.state, "pending", "its ticket is worth nothing");
        assert!(matches!(claim(app.db(), id, "process", app.now()).await, Ok(Claim::Nothing)));
        assert_eq!(relay.push_due().await.unwrap(), 0);
        assert_eq!(app.jobs().await[0].attempts, 0);
        let shown = queue(&host, "replies").await;
        assert_eq!(shown["paused"]["paused_by"], format!("operator:{}", host.id));
        assert!(host.get("/queues").await.body.contains("pausada"));

        assert_eq!(host.post("/queues/replies/resume", &[]).await.status, 204);
        assert_eq!(relay.push_due().await.unwrap(), 1);
        assert_eq!(take(&app, id).await.attempt, 1);
        assert_eq!(host.post("/queues/none/pause", &[]).await.status, 404);
    }

    async fn while_housekeeping_is_stopped_no_ticks_pile_up(app: TestApp) {
        let host = Operator::who_runs_the_instance(&app).await;
        assert_eq!(host.post("/queues/maintenance/pause", &[]).await.status, 204);
        for _ in 0..3 {
            assert_eq!(schedule::tick(&app.runtime).await.unwrap(), 0);
            app.clock.advance(TimeDelta::minutes(1));
        }
        assert_eq!(host.post("/queues/maintenance/resume", &[]).await.status, 204);
        schedule::tick(&app.runtime).await.unwrap();
        let watches = app.jobs().await.into_iter().filter(|job| job.kind == "watch").count();
        assert_eq!(watches, 1, "the missed ticks count as one");
    }

    async fn only_who_runs_the_instance_stops_queues_and_runs_schedules(app: TestApp) {
        let operator = Operator::sign_in(&app, Role::Admin).await;
        for path in ["/queues/replies/pause", "/queues/replies/resume", "/schedules/watch/run"] {
            assert_eq!(operator.post(path, &[]).await.status, 403, "{path}");
        }
        for path in ["/schedules", "/workers"] {
            let path = format!("/api/v1/accounts/{}{path}", operator.account_id);
            assert_eq!(operator.get(&path).await.status, 403, "{path}");
        }
        assert!(app.jobs().await.is_empty());
        assert_eq!(queue(&operator, "replies").await["paused"], Value::Null);
    }

    async fn a_schedule_runs_once_more_when_somebody_asks_and_never_twice_at_once(app: TestApp) {
        let host = Operator::who_runs_the_instance(&app).await;
        let (one, other) =
            tokio::join!(host.post("/schedules/watch/run", &[]), host.post("/schedules/watch/run", &[]));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 409]);
        assert_eq!(app.jobs().await.len(), 1);
        app.drain().await;
        let state = || async {
            let schedules = ask(&host, "/schedules").await;
            let all = schedules["schedules"].as_array().unwrap().clone();
            all.into_iter().find(|schedule| schedule["name"] == "watch").unwrap()
        };
        let watch = state().await;
        assert_eq!(watch["last"]["status"], "done", "{watch}");
        assert_eq!(watch["last"]["asked_by"], format!("operator:{}", host.id));
        assert!(watch["next_at"].is_string());
        assert_eq!(host.post("/schedules/watch/run", &[]).await.status, 204);
        // A tick that waits is a run, too.
        app.drain().await;
        app.clock.advance(TimeDelta::minutes(1));
        schedule::tick(&app.runtime).await.unwrap();
        let refused = host.post("/schedules/watch/run", &[]).await;
        assert_eq!(refused.status, 409);
        assert!(refused.notice.is_some_and(|notice| notice.contains("rotina")));
        assert_eq!(state().await["last"]["asked_by"], Value::Null);
        assert_eq!(host.post("/schedules/none/run", &[]).await.status, 404);
    }

    async fn a_process_is_alive_late_and_gone_with_what_it_runs(app: TestApp) {
        let host = Operator::who_runs_the_instance(&app).await;
        assert!(host.get("/queues").await.body.contains("id=\"nobody\""));
        let journal = ProcessJournal::new(app.runtime.config.data_dir.join("processes"));
        let beat = || Beat {
            name: journal.process().to_owned(),
            host: "servidor".to_owned(),
            mode: "production",
            version: "1.2.3",
            queues: vec![QueueWorker {
                queue: "replies".to_owned(),
                concurrency: 16,
                restarts: 2,
                last_restart_at: Some(app.now()),
                last_restart_why: Some("connection reset".to_owned()),
                running: 0,
            }],
            started_at: app.now(),
            stopped: false,
        };
        processes::beat(app.db(), beat(), app.now()).await.unwrap();
        let id = write(&app, None, 1).await;
        let taken = claim(app.db(), id, journal.process(), app.now()).await;
        assert!(matches!(taken, Ok(Claim::Taken(_))));
        let worker = || async { ask(&host, "/workers").await["workers"][0].clone() };
        let alive = worker().await;
        assert_eq!((&alive["health"], &alive["running"], &alive["restarts"]), (&"alive".into(), &1.into(), &2.into()));
        let page = host.get("/queues").await.body;
        assert!(page.contains("servidor") && page.contains("connection reset"), "{page}");
        assert!(!page.contains("id=\"nobody\""));
        app.clock.advance(TimeDelta::seconds(30));
        assert_eq!(worker().await["health"], "late");
        app.clock.advance(TimeDelta::seconds(40));
        assert_eq!(worker().await["health"], "gone");
        processes::beat(app.db(), beat(), app.now()).await.unwrap();
        assert_eq!(worker().await["health"], "alive");
        app.clock.advance(TimeDelta::hours(25));
        let forgotten = processes::forget_before(app.db(), app.now() - processes::KEPT).await;
        assert_eq!(forgotten.unwrap(), 1);
        assert!(ask(&host, "/workers").await["workers"].as_array().unwrap().is_empty());
    }

    async fn what_changed_in_the_ledger_is_in_the_next_refresh(app: TestApp) {
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let before = operator.live("/jobs").await;
        assert!(before.body.contains("Nenhum trabalho ainda") && !before.body.contains("<html"));
        let job = NewJob::of(&Watch {}, Some(operator.account_id), app.now());
        enqueue(app.db(), vec![job], app.now()).await.unwrap();
        let after = operator.live("/jobs").await;
        assert!(after.body.contains("Vigiar linhas") && after.body.contains("Pronto"), "{}", after.body);
        // Who may only look has nothing to choose.
        assert!(!after.body.contains("data-select"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_stops_a_queue_and_lets_it_go_on() {
    let Some(installation) = Installation::standalone() else {
        return;
    };
    let stopped = installation.bot_json(&["jobs", "pause", "media"]);
    assert_eq!((&stopped["paused"], &stopped["changed"]), (&true.into(), &true.into()));
    assert_eq!(installation.bot_json(&["jobs", "pause", "media"])["changed"], false);
    assert_eq!(installation.bot_json(&["jobs", "resume", "media"])["changed"], true);
    assert_eq!(installation.bot_json(&["jobs", "resume", "media"])["changed"], false);
    let unknown = installation.bot(&["jobs", "pause", "mail"]);
    let told = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(!unknown.status.success() && told.contains("captain_heavy"), "{told}");
}
