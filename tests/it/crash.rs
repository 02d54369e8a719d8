//! Processes that die: what was acknowledged is answered once, in both modes.

use std::collections::HashMap;
use std::time::Duration;

use url::Url;

use crate::support::bodies;
use crate::support::processes::Installation;
use crate::support::proxy::Proxy;
use crate::support::redis_server::RedisServer;
use crate::support::{skip, until};

const CUSTOMERS: usize = 50;

/// Within half a minute every customer has exactly one answer, and a little later still one.
async fn all_answered_once(installation: &Installation, customers: &[String]) {
    until(30, "everybody has an answer", || async {
        let counts = installation.meta.counts();
        customers.iter().all(|customer| counts.contains_key(customer))
    })
    .await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let expected: HashMap<String, usize> =
        customers.iter().map(|customer| (customer.clone(), 1)).collect();
    assert_eq!(installation.meta.counts(), expected);
}

async fn killed_while_the_model_thinks(mut installation: Installation) {
    installation.model.delay(Duration::from_secs(2));
    installation.up().await;
    let customers = installation.write_at_once(CUSTOMERS).await;
    until(10, "the model is asked", || async { installation.model.requests().len() >= 5 }).await;
    installation.kill();
    assert!(installation.meta.sends().len() < CUSTOMERS, "nothing was in flight");
    installation.up().await;
    all_answered_once(&installation, &customers).await;
}

async fn killed_while_sending(mut installation: Installation) {
    installation.meta.delay(Duration::from_secs(1));
    installation.up().await;
    let customers = installation.write_at_once(CUSTOMERS).await;
    until(10, "answers are being sent", || async { installation.meta.in_flight() >= 5 }).await;
    installation.kill();
    assert!(installation.meta.sends().len() < CUSTOMERS, "nothing was in flight");
    installation.up().await;
    all_answered_once(&installation, &customers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_the_model_thinks_loses_and_doubles_nothing_standalone() {
    if let Some(installation) = Installation::standalone() {
        killed_while_the_model_thinks(installation).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_the_model_thinks_loses_and_doubles_nothing_in_production() {
    if let Some(installation) = Installation::production(None).await {
        killed_while_the_model_thinks(installation).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_sending_loses_and_doubles_nothing_standalone() {
    if let Some(installation) = Installation::standalone() {
        killed_while_sending(installation).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_sending_loses_and_doubles_nothing_in_production() {
    if let Some(installation) = Installation::production(None).await {
        killed_while_sending(installation).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_the_model_thinks_loses_and_doubles_nothing_on_evolution_standalone() {
    if let Some(installation) = Installation::standalone() {
        killed_while_the_model_thinks(installation.on_evolution()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_the_model_thinks_loses_and_doubles_nothing_on_evolution_in_production() {
    if let Some(installation) = Installation::production(None).await {
        killed_while_the_model_thinks(installation.on_evolution()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_sending_loses_and_doubles_nothing_on_evolution_standalone() {
    if let Some(installation) = Installation::standalone() {
        killed_while_sending(installation.on_evolution()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_sending_loses_and_doubles_nothing_on_evolution_in_production() {
    if let Some(installation) = Installation::production(None).await {
        killed_while_sending(installation.on_evolution()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flushed_redis_loses_and_doubles_nothing_on_evolution() {
    let Some(redis) = RedisServer::start().await else {
        return skip("no TEST_REDIS_SERVER");
    };
    let Some(installation) = Installation::production(Some(redis.url())).await else {
        return;
    };
    let mut installation = installation.on_evolution();
    installation.model.delay(Duration::from_secs(2));
    installation.up().await;
    let customers = installation.write_at_once(CUSTOMERS).await;
    until(10, "the model is asked", || async { installation.model.requests().len() >= 5 }).await;
    redis.flush().await;
    all_answered_once(&installation, &customers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_is_killed_and_comes_back_loses_and_doubles_nothing() {
    let Some(mut redis) = RedisServer::start().await else {
        return skip("no TEST_REDIS_SERVER");
    };
    let Some(mut installation) = Installation::production(Some(redis.url())).await else {
        return;
    };
    installation.model.delay(Duration::from_secs(2));
    installation.up().await;
    let customers = installation.write_at_once(CUSTOMERS / 2).await;
    until(10, "the model is asked", || async { installation.model.requests().len() >= 5 }).await;
    redis.kill();
    // Without Redis, webhooks are taken in all the same.
    let late = format!("55119871{:05}", 1);
    let message =
        bodies::text_message(&late, "wamid.LATE", "ainda tem vaga?", installation.seconds());
    let body = bodies::envelope(&[vec![bodies::messages(&[message])]]);
    assert_eq!(installation.post(&body).await, Some(200));
    tokio::time::sleep(Duration::from_secs(2)).await;
    redis.up().await;
    let everybody: Vec<String> = customers.into_iter().chain([late]).collect();
    all_answered_once(&installation, &everybody).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_database_it_answers_503_and_the_redelivery_is_answered() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    let direct = installation.setting("DATABASE_URL").expect("is set").to_owned();
    let mut url = Url::parse(&direct).expect("an address");
    let target = format!("127.0.0.1:{}", url.port().unwrap_or(5432));
    let proxy = Proxy::to(target).await;
    url.set_port(Some(proxy.port)).expect("has a port");
    installation.set("DATABASE_URL", url.as_str());
    installation.up().await;
    let body = |customer: &str| {
        let now = installation.seconds();
        let message =
            bodies::text_message(customer, &format!("wamid.D{customer}"), "tem vaga?", now);
        bodies::envelope(&[vec![bodies::messages(&[message])]])
    };
    let (before, during) = ("5511987000001", "5511987000002");
    assert_eq!(installation.post(&body(before)).await, Some(200));
    proxy.cut();
    let lost = body(during);
    assert_eq!(installation.post(&lost).await, Some(503));
    assert_eq!(installation.get("/readyz").await.0, 503);
    assert_eq!(installation.get("/healthz").await.0, 200);
    proxy.mend();
    until(15, "it is taken in again", || async { installation.post(&lost).await == Some(200) })
        .await;
    assert_eq!(installation.post(&lost).await, Some(200));
    all_answered_once(&installation, &[before.to_owned(), during.to_owned()]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flushed_redis_loses_and_doubles_nothing() {
    let Some(redis) = RedisServer::start().await else {
        return skip("no TEST_REDIS_SERVER");
    };
    let Some(mut installation) = Installation::production(Some(redis.url())).await else {
        return;
    };
    installation.model.delay(Duration::from_secs(2));
    installation.up().await;
    let customers = installation.write_at_once(CUSTOMERS).await;
    until(10, "the model is asked", || async { installation.model.requests().len() >= 5 }).await;
    redis.flush().await;
    all_answered_once(&installation, &customers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn asked_to_stop_it_ends_well_and_finishes_what_it_runs() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    installation.model.delay(Duration::from_secs(2));
    installation.up().await;
    let customers = installation.write_at_once(10).await;
    until(10, "the model is asked", || async { installation.model.requests().len() >= 10 }).await;
    assert!(installation.terminate(30).await, "a process did not end well");
    installation.up().await;
    all_answered_once(&installation, &customers).await;
    // The turns that ran were finished, not thrown away and asked for again.
    assert_eq!(installation.model.requests().len(), 10);
}
