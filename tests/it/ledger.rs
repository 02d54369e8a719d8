//! The ledger by itself: what is waiting, running and done.

use std::time::Duration;

use chrono::TimeDelta;
use lembra_agent::jobs::admin::{Action, Refusal};
use lembra_agent::jobs::board::Scope;
use lembra_agent::jobs::claim::{claim, hold};
use lembra_agent::jobs::enqueue::{enqueue, enqueue_once};
use lembra_agent::jobs::finish::finish;
use lembra_agent::jobs::journal::ProcessJournal;
use lembra_agent::jobs::kinds::{Respond, Retention};
use lembra_agent::jobs::reap::reap;
use lembra_agent::jobs::{Claim, ClaimedJob, JobOutcome, NewJob, admin};
use lembra_agent::store::StoreError;
use lembra_worker::schedule;

use crate::support::app::TestApp;
use crate::support::bodies::ANA;
use crate::support::on_both_databases;

async fn write(app: &TestApp, conversation_id: i64) {
    let job = NewJob::of(&Respond { conversation_id }, None, app.now());
    enqueue(app.db(), vec![job], app.now()).await.unwrap();
}

async fn take(app: &TestApp, index: usize) -> ClaimedJob {
    let id = app.jobs().await[index].id;
    match claim(app.db(), id, "test", app.now()).await.unwrap() {
        Claim::Taken(job) => *job,
        other => panic!("{other:?}"),
    }
}

on_both_databases! {
    async fn one_job_waits_per_key_and_a_later_request_moves_it(app: TestApp) {
        write(&app, 1).await;
        let later = app.now() + TimeDelta::seconds(5);
        let job = NewJob::of(&Respond { conversation_id: 1 }, None, later);
        enqueue(app.db(), vec![job.clone(), job], app.now()).await.unwrap();
        let jobs = app.jobs().await;
        assert_eq!(jobs.len(), 1);
        assert_eq!(jobs[0].run_at, later);
    }

    async fn of_eight_claims_at_once_one_takes_the_job(app: TestApp) {
        write(&app, 1).await;
        let id = app.jobs().await[0].id;
        let claims = (0..8).map(|_| claim(app.db(), id, "test", app.now()));
        let claims = futures::future::join_all(claims).await;
        let taken = claims.into_iter().filter(|claim| matches!(claim, Ok(Claim::Taken(_))));
        assert_eq!(taken.count(), 1);
    }

    async fn a_job_does_not_run_before_its_time_nor_twice(app: TestApp) {
        let job = NewJob::of(&Respond { conversation_id: 1 }, None, app.now() + TimeDelta::seconds(1));
        enqueue(app.db(), vec![job], app.now()).await.unwrap();
        let id = app.jobs().await[0].id;
        assert!(matches!(claim(app.db(), id, "test", app.now()).await, Ok(Claim::Nothing)));
        app.clock.advance(TimeDelta::seconds(1));
        let job = take(&app, 0).await;
        finish(app.db(), &job, &JobOutcome::Done, Duration::ZERO, app.now()).await.unwrap();
        assert!(matches!(claim(app.db(), id, "test", app.now()).await, Ok(Claim::Nothing)));
    }

    async fn while_one_of_a_key_runs_the_next_one_waits(app: TestApp) {
        write(&app, 1).await;
        let running = take(&app, 0).await;
        write(&app, 1).await;
        let jobs = app.jobs().await;
        assert_eq!(jobs.len(), 2);
        let next = claim(app.db(), jobs[1].id, "test", app.now()).await.unwrap();
        assert!(matches!(next, Claim::Busy), "{next:?}");
        finish(app.db(), &running, &JobOutcome::Done, Duration::ZERO, app.now()).await.unwrap();
        app.clock.advance(TimeDelta::seconds(1));
        take(&app, 1).await;
    }

    async fn a_worker_that_lost_its_lease_writes_nothing(app: TestApp) {
        write(&app, 1).await;
        let first = take(&app, 0).await;
        app.clock.advance(TimeDelta::seconds(16));
        assert_eq!(reap(app.db(), &app.runtime.journal, app.now()).await.unwrap(), 1);
        let second = take(&app, 0).await;
        assert_eq!(second.attempt, 2);
        let lost = hold(app.db(), &first, app.now()).await;
        assert!(matches!(lost, Err(StoreError::LeaseLost)));
        let lost = finish(app.db(), &first, &JobOutcome::Done, Duration::ZERO, app.now()).await;
        assert!(matches!(lost, Err(StoreError::LeaseLost)));
        hold(app.db(), &second, app.now()).await.unwrap();
    }

    async fn the_jobs_of_a_process_that_is_known_to_be_dead_are_taken_back_at_once(app: TestApp) {
        write(&app, 1).await;
        let process = ProcessJournal::new(app.runtime.config.data_dir.join("processes"));
        process.keep().unwrap();
        let id = app.jobs().await[0].id;
        let taken = claim(app.db(), id, process.process(), app.now()).await;
        assert!(matches!(taken, Ok(Claim::Taken(_))));
        assert_eq!(reap(app.db(), &app.runtime.journal, app.now()).await.unwrap(), 0, "it lives");
        drop(process);
        assert_eq!(reap(app.db(), &app.runtime.journal, app.now()).await.unwrap(), 1);
        assert_eq!(app.jobs().await[0].state, "pending");
    }

    async fn a_renewed_lease_is_not_taken_away(app: TestApp) {
        write(&app, 1).await;
        let job = take(&app, 0).await;
        app.clock.advance(TimeDelta::seconds(14));
        hold(app.db(), &job, app.now()).await.unwrap();
        app.clock.advance(TimeDelta::seconds(14));
        assert_eq!(reap(app.db(), &app.runtime.journal, app.now()).await.unwrap(), 0);
    }

    async fn a_snooze_uses_no_try_and_a_retry_does(app: TestApp) {
        write(&app, 1).await;
        let job = take(&app, 0).await;
        let until = app.now() + TimeDelta::seconds(1);
        finish(app.db(), &job, &JobOutcome::Snooze { until }, Duration::ZERO, app.now()).await.unwrap();
        app.clock.set(until);
        let job = take(&app, 0).await;
        assert_eq!(job.attempt, 1);
        finish(app.db(), &job, &JobOutcome::retry("x"), Duration::ZERO, app.now()).await.unwrap();
        assert_eq!(take(&app, 0).await.attempt, 2);
    }

    async fn a_retry_beside_a_waiting_job_of_its_key_becomes_that_job(app: TestApp) {
        write(&app, 1).await;
        let job = take(&app, 0).await;
        write(&app, 1).await;
        let wait = Duration::from_secs(60);
        finish(app.db(), &job, &JobOutcome::retry("busy"), wait, app.now()).await.unwrap();
        let jobs = app.jobs().await;
        assert_eq!((jobs[0].state.as_str(), jobs[1].state.as_str()), ("cancelled", "pending"));
        // The wait that the provider asked for, and the count of tries, go on.
        assert_eq!(jobs[1].run_at, app.now() + TimeDelta::seconds(60));
        assert_eq!(jobs[1].attempts, 1);
        // A further request does not shorten the wait.
        write(&app, 1).await;
        assert_eq!(app.jobs().await[1].run_at, app.now() + TimeDelta::seconds(60));
    }

    async fn a_job_whose_workers_all_die_ends_with_the_technical_sentence(app: TestApp) {
        app.say(ANA, "tem vaga?").await;
        app.clock.advance(TimeDelta::seconds(3));
        for _ in 0..4 {
            take(&app, 0).await;
            app.clock.advance(TimeDelta::seconds(16));
            reap(app.db(), &app.runtime.journal, app.now()).await.unwrap();
        }
        app.settle().await;
        assert_eq!(app.model.requests().len(), 0);
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert_eq!(app.jobs().await[0].state, "dead");
    }

    async fn a_job_that_kills_its_worker_also_in_giving_up_is_dead(app: TestApp) {
        write(&app, 1).await;
        for _ in 0..6 {
            take(&app, 0).await;
            app.clock.advance(TimeDelta::seconds(16));
            reap(app.db(), &app.runtime.journal, app.now()).await.unwrap();
        }
        assert_eq!(app.jobs().await[0].state, "dead");
    }

    async fn a_dead_job_can_be_tried_again_or_laid_aside(app: TestApp) {
        write(&app, 1).await;
        let job = take(&app, 0).await;
        finish(app.db(), &job, &JobOutcome::dead("x"), Duration::ZERO, app.now()).await.unwrap();
        assert_eq!(admin::list(app.db(), "dead", 9).await.unwrap().len(), 1);
        let now = app.now();
        let actor = admin::Actor { scope: Scope::Instance, name: "test", now };
        let retry = || admin::act(app.db(), actor, Action::Retry, job.id);
        assert_eq!(retry().await.unwrap(), None);
        assert_eq!(retry().await.unwrap(), Some(Refusal::NotDead));
        let job = take(&app, 0).await;
        assert_eq!(job.attempt, 1);
        finish(app.db(), &job, &JobOutcome::dead("x"), Duration::ZERO, app.now()).await.unwrap();
        let discarded = admin::act(app.db(), actor, Action::Discard, job.id).await.unwrap();
        assert_eq!(discarded, None);
        assert_eq!(app.jobs().await[0].state, "cancelled");
    }

    async fn a_kind_that_this_build_does_not_know_waits_for_a_build_that_does(app: TestApp) {
        use lembra_entities::job;
        use sea_orm::{EntityTrait, sea_query::Expr};
        write(&app, 1).await;
        job::Entity::update_many()
            .col_expr(job::Column::Kind, Expr::value("of_tomorrow"))
            .exec(app.db())
            .await
            .unwrap();
        app.drain().await;
        let job = &app.jobs().await[0];
        assert_eq!((job.state.as_str(), job.attempts), ("pending", 0));
        assert!(job.run_at > app.now());
    }

    async fn a_schedule_ticks_once_over_all_replicas_and_catches_up_once(app: TestApp) {
        let ticks = (0..3).map(|_| schedule::tick(&app.runtime));
        let written: usize = futures::future::join_all(ticks).await.into_iter().map(Result::unwrap).sum();
        let kinds = app.jobs().await.into_iter().map(|job| job.kind);
        let kinds = kinds.collect::<std::collections::BTreeSet<String>>();
        assert_eq!(written, kinds.len());
        assert!(kinds.contains("retention"));
        app.clock.advance(TimeDelta::days(3));
        let missed = schedule::tick(&app.runtime).await.unwrap();
        let jobs = app.jobs().await;
        assert_eq!(jobs.len(), written + missed);
        assert_eq!(jobs.iter().filter(|job| job.kind == "retention").count(), 2);
        assert_eq!(schedule::tick(&app.runtime).await.unwrap(), 0);
    }

    async fn a_once_key_is_used_once_for_ever(app: TestApp) {
        let job = || NewJob::of(&Retention {}, None, app.now()).once("retention:x".to_owned());
        assert!(enqueue_once(app.db(), &job(), app.now()).await.unwrap());
        app.drain().await;
        assert!(!enqueue_once(app.db(), &job(), app.now()).await.unwrap());
        assert_eq!(app.jobs().await.len(), 1);
    }

    async fn what_is_older_than_thirty_days_goes(app: TestApp) {
        assert_eq!(app.post("no json").await, 200);
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        assert!(app.turns().await[0].transcript.is_some());
        app.clock.advance(TimeDelta::days(29));
        schedule::tick(&app.runtime).await.unwrap();
        app.drain().await;
        assert_eq!(app.events().await.len(), 1);
        app.clock.advance(TimeDelta::days(2));
        schedule::tick(&app.runtime).await.unwrap();
        app.drain().await;
        assert_eq!(app.events().await.len(), 0);
        assert!(app.turns().await[0].transcript.is_none());
        let of_then = |job: &lembra_entities::job::Model| {
            matches!(job.kind.as_str(), "respond" | "deliver")
        };
        assert!(!app.jobs().await.iter().any(of_then));
        assert_eq!(app.messages().await.len(), 2);
    }
}
