//! The transport carries tickets, loses them, and nothing is lost.

use chrono::TimeDelta;
use lembra_agent::jobs::enqueue::enqueue;
use lembra_agent::jobs::kinds::Respond;
use lembra_agent::jobs::{NewJob, Queue};

use crate::support::app::TestApp;
use crate::support::on_both_databases;

async fn write(app: &TestApp, count: i64) {
    let jobs = (0..count).map(|id| NewJob::of(&Respond { conversation_id: id }, None, app.now()));
    enqueue(app.db(), jobs.collect(), app.now()).await.unwrap();
}

async fn waiting(app: &TestApp) -> usize {
    app.runtime.relay.transport().depth(Queue::Replies).await.unwrap().waiting
}

on_both_databases! {
    async fn the_relay_fills_the_transport_up_to_four_times_its_workers_slots(app: TestApp) {
        write(&app, 100).await;
        let relay = &app.runtime.relay;
        assert_eq!(relay.push_due().await.unwrap(), 64);
        assert_eq!(waiting(&app).await, 64);
        assert_eq!(relay.push_due().await.unwrap(), 0);
        let queued = app.jobs().await.into_iter().filter(|job| job.state == "queued").count();
        assert_eq!(queued, 64);
    }

    async fn a_job_that_is_not_due_stays_in_the_ledger(app: TestApp) {
        let job = NewJob::of(&Respond { conversation_id: 1 }, None, app.now() + TimeDelta::seconds(5));
        enqueue(app.db(), vec![job], app.now()).await.unwrap();
        assert_eq!(app.runtime.relay.push_due().await.unwrap(), 0);
        app.clock.advance(TimeDelta::seconds(5));
        assert_eq!(app.runtime.relay.push_due().await.unwrap(), 1);
    }

    async fn two_relays_at_once_push_each_job_once(app: TestApp) {
        write(&app, 40).await;
        let relay = &app.runtime.relay;
        let (one, two) = tokio::join!(relay.push_due(), relay.push_due());
        assert_eq!(one.unwrap() + two.unwrap(), 40);
        assert_eq!(waiting(&app).await, 40);
    }

    async fn a_lost_ticket_is_written_again_and_a_waiting_one_is_not(app: TestApp) {
        write(&app, 5).await;
        let relay = &app.runtime.relay;
        relay.push_due().await.unwrap();
        app.clock.advance(TimeDelta::seconds(30));
        assert_eq!(relay.replace_lost().await.unwrap(), 0);
        lose_everything(&app).await;
        assert_eq!(relay.replace_lost().await.unwrap(), 5);
        assert_eq!(waiting(&app).await, 5);
        assert_eq!(relay.replace_lost().await.unwrap(), 0);
    }
}

async fn lose_everything(app: &TestApp) {
    use lembra_agent::jobs::transport::Transport;
    match app.runtime.relay.transport() {
        Transport::Sqlite { pool, .. } => {
            sqlx::query("DELETE FROM Jobs").execute(pool).await.unwrap();
        }
        Transport::Redis { connection, namespace, .. } => {
            let mut connection = connection.clone();
            let pattern = format!("{namespace}*");
            let keys: Vec<String> =
                redis::cmd("KEYS").arg(pattern).query_async(&mut connection).await.unwrap();
            redis::cmd("DEL").arg(keys).query_async::<()>(&mut connection).await.unwrap();
        }
    }
}
