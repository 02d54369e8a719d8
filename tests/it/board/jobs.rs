//! Jobs as operators see them: finding them, their history, and what may be done to them.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::TimeDelta;
use lembra_agent::domain::access::Role;
use lembra_agent::jobs::enqueue::enqueue;
use lembra_agent::jobs::finish::finish;
use lembra_agent::jobs::kinds::{Deliver, Respond};
use lembra_agent::jobs::reap::reap;
use lembra_agent::jobs::{JobOutcome, NewJob};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::queues::{ask, end, other_account, take, write};
use crate::support::app::TestApp;
use crate::support::on_both_databases;
use crate::support::operator::Operator;

/// A dead job of the account.
async fn dead(app: &TestApp, account: Option<i64>, conversation_id: i64, error: &str) -> Uuid {
    let id = write(app, account, conversation_id).await;
    end(app, id, JobOutcome::dead(error)).await;
    id
}

async fn state(app: &TestApp, id: Uuid) -> (String, i32) {
    let job = app.jobs().await.into_iter().find(|job| job.id == id).expect("the job");
    (job.state, job.attempts)
}

/// What the API answers to a body of JSON.
async fn send(operator: &Operator, path: &str, body: &Value) -> (u16, Value) {
    let path = format!("/api/v1/accounts/{}{path}", operator.account_id);
    let request = operator.request(Method::POST, &path).header("x-csrf-token", &operator.csrf);
    let answer = request.json(body).send().await.expect("an answer");
    let status = answer.status().as_u16();
    (status, answer.json().await.expect("JSON"))
}

fn ids(page: &Value) -> Vec<String> {
    let jobs = page["jobs"].as_array().expect("jobs");
    jobs.iter().map(|job| job["id"].as_str().expect("an id").to_owned()).collect()
}

on_both_databases! {
    async fn a_job_tells_each_of_its_tries_and_who_gave_it_new_ones(app: TestApp) {
        let id = write(&app, Some(app.account().await), 7).await;
        end(&app, id, JobOutcome::retry("the model is busy")).await;
        app.clock.advance(TimeDelta::seconds(10));
        take(&app, id).await;
        app.clock.advance(TimeDelta::seconds(16));
        reap(app.db(), &app.runtime.journal, app.now()).await.unwrap();
        end(&app, id, JobOutcome::dead("the model refused")).await;

        let operator = Operator::sign_in(&app, Role::Admin).await;
        let job = ask(&operator, &format!("/jobs/{id}")).await;
        let events = job["events"].as_array().unwrap();
        let what: Vec<&str> = events.iter().map(|event| event["what"].as_str().unwrap()).collect();
        assert_eq!(what, ["failed", "lost", "died"]);
        assert_eq!((&events[0]["error"], &events[0]["ms"]), (&"the model is busy".into(), &250.into()));
        assert_eq!((&events[2]["attempt"], &events[2]["by"]), (&3.into(), &"process".into()));
        assert_eq!(job["actions"], json!(["retry", "discard"]));
        assert_eq!(job["payload"]["conversation_id"], 7);

        let answer = operator.post(&format!("/jobs/{id}/retry"), &[]).await;
        assert_eq!((answer.status, answer.notice.as_deref()), (204, Some("Vai tentar de novo.")));
        assert_eq!(state(&app, id).await, ("pending".to_owned(), 0));
        let again = operator.post(&format!("/jobs/{id}/retry"), &[]).await;
        assert_eq!((again.status, again.notice.as_deref()), (409, Some("Só trabalhos mortos tentam de novo.")));
        let page = operator.get(&format!("/jobs/{id}")).await;
        for text in ["the model is busy", "Morreu", "Processo caiu", &operator.email] {
            assert!(page.body.contains(text), "{text}: {}", page.body);
        }
        end(&app, id, JobOutcome::Done).await;
        let job = ask(&operator, &format!("/jobs/{id}")).await;
        assert_eq!((&job["status"], &job["attempts"]), (&"done".into(), &1.into()));
        assert_eq!(job["events"].as_array().map(Vec::len), Some(4), "its history stays");
    }

    async fn a_retry_beside_a_waiting_job_of_its_key_is_refused_with_the_reason(app: TestApp) {
        let account = Some(app.account().await);
        let first = dead(&app, account, 1, "x").await;
        let other = dead(&app, account, 2, "x").await;
        let second = write(&app, account, 1).await;
        let operator = Operator::sign_in(&app, Role::Admin).await;
        let (status, body) = send(&operator, &format!("/jobs/{first}/retry"), &json!({})).await;
        assert_eq!(status, 409, "{body}");
        assert!(body["detail"].as_str().unwrap().contains("another job of its key"), "{body}");
        // Among many it is left, and the others are done.
        let asked = json!({ "action": "retry", "ids": [first, other, Uuid::nil()] });
        let (status, body) = send(&operator, "/jobs/act", &asked).await;
        assert_eq!((status, &body["changed"]), (200, &1.into()), "{body}");
        let refused: Vec<&Value> = body["refused"].as_array().unwrap().iter().map(|one| &one["refused"]).collect();
        assert_eq!(refused, ["another_waits", "unknown"]);
        assert_eq!(state(&app, first).await.0, "dead");
        assert_eq!(state(&app, other).await.0, "pending");
        // Beside one that runs a further one may wait.
        take(&app, second).await;
        assert_eq!(operator.post(&format!("/jobs/{first}/retry"), &[]).await.status, 204);
    }

    async fn another_accounts_jobs_do_not_exist(app: TestApp) {
        let other = other_account(&app).await;
        let theirs = dead(&app, Some(other), 1, "secreto").await;
        let nobodys = dead(&app, None, 2, "secreto").await;
        let operator = Operator::sign_in(&app, Role::Admin).await;
        for id in [theirs, nobodys] {
            assert_eq!(operator.get(&format!("/jobs/{id}")).await.status, 404);
            let path = format!("/api/v1/accounts/{}/jobs/{id}", operator.account_id);
            assert_eq!(operator.get(&path).await.status, 404);
            for action in ["retry", "discard", "run_now"] {
                assert_eq!(operator.post(&format!("/jobs/{id}/{action}"), &[]).await.status, 404);
            }
            assert_eq!(send(&operator, &format!("/jobs/{id}/retry"), &json!({})).await.0, 404);
            assert_eq!(state(&app, id).await.0, "dead");
        }
        for query in ["", "?status=dead", "?q=secreto", &format!("?account_id={other}"), &format!("?q={theirs}")] {
            assert!(ids(&ask(&operator, &format!("/jobs{query}")).await).is_empty(), "{query}");
        }
        let all = json!({ "action": "retry", "matching": { "status": "dead" } });
        assert_eq!(send(&operator, "/jobs/act", &all).await.1["changed"], 0);
        let some = json!({ "action": "discard", "ids": [theirs, nobodys] });
        assert_eq!(send(&operator, "/jobs/act", &some).await.1["changed"], 0);
        let host = Operator::who_runs_the_instance(&app).await;
        assert_eq!(ids(&ask(&host, "/jobs?status=dead").await).len(), 2);
        assert_eq!(ids(&ask(&host, &format!("/jobs?account_id={other}")).await), [theirs.to_string()]);
        assert_eq!(send(&host, "/jobs/act", &all).await.1["changed"], 2);
    }

    async fn jobs_are_found_by_status_queue_kind_text_and_id(app: TestApp) {
        let account = Some(app.account().await);
        let broken = dead(&app, account, 11, "Invalid_Template 100%").await;
        let done = write(&app, account, 12).await;
        end(&app, done, JobOutcome::Done).await;
        let deliver = NewJob::of(&Deliver { conversation_id: 13 }, account, app.now() + TimeDelta::hours(1));
        enqueue(app.db(), vec![deliver], app.now()).await.unwrap();
        let due = write(&app, account, 14).await;
        let running = write(&app, account, 15).await;
        take(&app, running).await;
        let later = app.jobs().await.into_iter().find(|job| job.kind == "deliver").unwrap().id;
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let host = Operator::who_runs_the_instance(&app).await;
        for who in [&operator, &host] {
            for (query, expected) in [
                ("status=dead", vec![broken]),
                ("status=done", vec![done]),
                ("status=waiting", vec![later]),
                ("status=due", vec![due]),
                ("status=running", vec![running]),
                ("status=queued", vec![]),
                ("queue=outbound", vec![later]),
                ("queue=outbound&kind=respond", vec![]),
                ("kind=respond&status=done", vec![done]),
                ("q=invalid_template", vec![broken]),
                ("q=100%25", vec![broken]),
                ("q=invalidxtemplate", vec![]),
                ("q=respond:12", vec![done]),
                (&format!("q={done}"), vec![done]),
                ("", vec![running, due, later, done, broken]),
            ] {
                let expected: Vec<String> = expected.iter().map(Uuid::to_string).collect();
                let mut found = ids(&ask(who, &format!("/jobs?{query}")).await);
                if query.is_empty() {
                    found.sort();
                    let mut expected = expected.clone();
                    expected.sort();
                    assert_eq!(found, expected);
                    continue;
                }
                assert_eq!(found, expected, "{query}");
            }
        }
        for query in ["status=lost", "queue=mail", "account_id=x", "before=x"] {
            let path = format!("/api/v1/accounts/{}/jobs?{query}", operator.account_id);
            assert_eq!(operator.get(&path).await.status, 400, "{query}");
            assert_eq!(operator.get(&format!("/jobs?{query}")).await.status, 200, "{query}");
        }
    }

    async fn pages_of_a_list_hold_every_job_once(app: TestApp) {
        let account = app.account().await;
        let mut jobs = Vec::new();
        for conversation_id in 0..60 {
            let run_at = app.now() + TimeDelta::seconds(i64::from(conversation_id % 7 == 0) * 3_600);
            let conversation_id = i64::from(conversation_id);
            jobs.push(NewJob::of(&Respond { conversation_id }, Some(account), run_at));
            jobs.push(NewJob::of(&Deliver { conversation_id }, Some(account), run_at));
        }
        enqueue(app.db(), jobs, app.now()).await.unwrap();
        for (place, job) in app.jobs().await.into_iter().enumerate() {
            if job.run_at > app.now() || place % 3 == 0 {
                continue;
            }
            let outcome = if place % 2 == 0 { JobOutcome::Done } else { JobOutcome::dead("x") };
            let claimed = take(&app, job.id).await;
            finish(app.db(), &claimed, &outcome, Duration::ZERO, app.now()).await.unwrap();
        }
        let rows = app.jobs().await;
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let host = Operator::who_runs_the_instance(&app).await;
        for who in [&operator, &host] {
            for status in ["", "due", "waiting", "done", "dead"] {
                let expected: BTreeSet<String> = rows
                    .iter()
                    .filter(|job| match status {
                        "" => true,
                        "due" => job.state == "pending" && job.run_at <= app.now(),
                        "waiting" => job.state == "pending" && job.run_at > app.now(),
                        state => job.state == state,
                    })
                    .map(|job| job.id.to_string())
                    .collect();
                let (mut found, mut before) = (Vec::new(), String::new());
                loop {
                    let path = format!("/jobs?limit=7&status={status}&before={before}");
                    let page = ask(who, &path).await;
                    found.extend(ids(&page));
                    match page["next"].as_str() {
                        Some(next) => before = next.to_owned(),
                        None => break,
                    }
                }
                assert_eq!(found.len(), expected.len(), "{status}");
                assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{status}");
            }
        }
    }

    async fn all_that_are_alike_are_retried_discarded_or_hurried_together(app: TestApp) {
        let account = Some(app.account().await);
        let mut broken = Vec::new();
        for conversation in 0..5 {
            broken.push(dead(&app, account, conversation, "template rejected").await);
        }
        let other = dead(&app, account, 9, "timeout").await;
        let operator = Operator::sign_in(&app, Role::Admin).await;
        let form = [("action", "retry"), ("all", "1"), ("status", "dead"), ("q", "rejected")];
        let answer = operator.post("/jobs/act", &form).await;
        assert_eq!((answer.status, answer.notice.as_deref()), (204, Some("5 trabalhos vão tentar de novo.")));
        assert_eq!(state(&app, broken[4]).await.0, "pending");
        assert_eq!(state(&app, other).await.0, "dead");
        // A job that waits for its time is due at once; one that has not begun is laid aside.
        for id in &broken {
            end(&app, *id, JobOutcome::retry("busy")).await;
        }
        let hurry = json!({ "action": "run_now", "matching": { "status": "waiting" } });
        let (status, body) = send(&operator, "/jobs/act", &hurry).await;
        assert_eq!((status, &body["changed"], &body["more"]), (200, &5.into(), &false.into()), "{body}");
        take(&app, broken[0]).await;
        let chosen: Vec<String> = broken.iter().map(Uuid::to_string).collect();
        let mut form: Vec<(&str, &str)> = chosen.iter().map(|id| ("ids", id.as_str())).collect();
        form.push(("action", "discard"));
        let answer = operator.post("/jobs/act", &form).await;
        let notice = answer.notice.unwrap_or_default();
        assert!(notice.contains("4 trabalhos descartados") && notice.contains("Está rodando"), "{notice}");
        assert_eq!(state(&app, broken[0]).await.0, "running");
        assert_eq!(state(&app, broken[1]).await.0, "cancelled");
        // Nothing is meant by nothing.
        for form in [&[("action", "discard")][..], &[("action", "discard"), ("all", "1")]] {
            assert_eq!(operator.post("/jobs/act", form).await.status, 400);
        }
        let nothing = json!({ "action": "discard" });
        assert_eq!(send(&operator, "/jobs/act", &nothing).await.0, 400);
        assert_eq!(state(&app, other).await.0, "dead");
    }

    async fn who_may_only_look_changes_nothing(app: TestApp) {
        let id = dead(&app, Some(app.account().await), 1, "x").await;
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let page = operator.get(&format!("/jobs/{id}")).await;
        assert!(page.status == 200 && !page.body.contains("/retry"), "{}", page.body);
        assert_eq!(operator.post(&format!("/jobs/{id}/retry"), &[]).await.status, 403);
        let some = [("action", "retry"), ("ids", &*id.to_string())];
        assert_eq!(operator.post("/jobs/act", &some).await.status, 403);
        assert_eq!(state(&app, id).await.0, "dead");
    }
}
