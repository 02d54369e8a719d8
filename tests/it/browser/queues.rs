//! The ledger's pages: what was given up is seen and tried again, and a queue can be held.

use chrono::{DateTime, Utc};
use lembra_agent::clock::{Clock, SystemClock};
use lembra_entities::job;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, Database};
use serde_json::json;
use uuid::Uuid;

use super::desk::Desk;
use super::driver::Screen;
use super::{on_both_screens, word};

/// A sending that was given up long ago; its conversation has nothing left to send, so that it
/// ends well now.
async fn dead_job(desk: &Desk, conversation: i64) -> Uuid {
    let url = format!("sqlite://{}?mode=rw", desk.installation.database().display());
    let db = Database::connect(url).await.expect("connects");
    let id = Uuid::now_v7();
    let now: DateTime<Utc> = SystemClock.now();
    let row = job::ActiveModel {
        id: Set(id),
        account_id: Set(Some(1)),
        queue: Set("outbound".to_owned()),
        kind: Set("deliver".to_owned()),
        payload: Set(json!({ "conversation_id": conversation })),
        state: Set("dead".to_owned()),
        run_at: Set(now),
        attempts: Set(8),
        max_attempts: Set(8),
        last_error: Set(Some("o provedor não respondeu".to_owned())),
        started_at: Set(Some(now)),
        finished_at: Set(Some(now)),
        created_at: Set(now),
        ..Default::default()
    };
    row.insert(&db).await.expect("is written");
    db.close().await.expect("closes");
    id
}

async fn conversation_of(desk: &Desk, customer: &str) -> i64 {
    desk.phone(customer).await["conversation"]["id"].as_i64().expect("a conversation")
}

on_both_screens! {
    async fn jobs_that_were_given_up_are_tried_again(desk: Desk) {
        let browser = &desk.browser;
        let customer = desk.customer("Ana Beatriz Lopes").await;
        desk.ask(&customer, "Bom dia!").await;
        let conversation = conversation_of(&desk, &customer).await;
        browser.open("/queues").await;
        browser.wait_for(".tile", "Mortos 0").await;
        browser.remember_this_page().await;
        let (first, second) =
            (dead_job(&desk, conversation).await, dead_job(&desk, conversation).await);
        browser.wait_for(".tile.bad", "Mortos 2").await;
        assert!(browser.is_same_page().await, "the number came by loading the page anew");
        browser.press_in(".tiles", "Mortos").await;
        browser.wait_at("/jobs?status=dead").await;
        browser.wait_for("table", "o provedor não respondeu").await;
        // One by its page, the other by choosing it.
        browser.click(&format!("[id='job-{first}'] a")).await;
        browser.wait_for("h1 .badge", &word("job_status.dead")).await;
        browser.press_in("main", &word("job_action.retry")).await;
        browser.wait_for("h1 .badge", &word("job_status.done")).await;
        browser.open("/jobs?status=dead").await;
        browser.press_in("main", &second.to_string()).await;
        browser.press_in(".bulk", &word("job_action.retry")).await;
        browser.wait_gone("table", "o provedor não respondeu").await;
        browser.open("/queues").await;
        browser.wait_for(".tile", "Mortos 0").await;
        assert_eq!(browser.complaints().await, Vec::<String>::new());
    }

    async fn a_held_queue_keeps_what_comes_until_it_is_let_go(desk: Desk) {
        let browser = &desk.browser;
        let (customer, queue) = (desk.customer("Tiago Barros").await, word("queue.outbound"));
        browser.open("/queues").await;
        browser.press(&format!("Pausar {queue}")).await;
        browser.press_in("#confirm", "Confirmar").await;
        browser.wait_for("#queue-outbound", "pausada").await;
        desk.write(&customer, "Qual é o endereço da clínica?").await;
        browser.wait_for("#queue-outbound [data-label=Prontos]", "1").await;
        assert_eq!(desk.messages(&customer).await.len(), 1 + 1, "the answer waits, unsent");
        browser.press(&format!("Retomar {queue}")).await;
        browser.wait_gone("#queue-outbound", "pausada").await;
        browser.open(&desk.conversation(&customer).await).await;
        browser.wait_for("#thread .ours .tick.read", "").await;
        assert_eq!(browser.complaints().await, Vec::<String>::new());
    }
}
