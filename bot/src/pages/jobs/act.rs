//! What the controls of these pages do.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use lembra_agent::jobs::admin::{self, ActedOnMany, Action, Refusal};
use lembra_agent::jobs::schedules::Asked;
use lembra_agent::jobs::{Queue, pauses};
use lembra_worker::schedule;
use uuid::Uuid;

use crate::access::Principal;
use crate::api::job_query::JobQuery;
use crate::api::jobs::actor;
use crate::app::Web;
use crate::pages::text::grouped;
use crate::pages::{respond, words};

pub async fn pause(
    principal: Principal,
    web: web::Data<Web>,
    queue: web::Path<String>,
) -> HttpResponse {
    let Some(queue) = Queue::named(&queue) else {
        return respond::gone();
    };
    let now = web.runtime.clock.now();
    match pauses::pause(&web.runtime.db, queue, &principal.name, now).await {
        Ok(_) => respond::done("jobs.paused"),
        Err(error) => respond::failed(&error),
    }
}

pub async fn resume(web: web::Data<Web>, queue: web::Path<String>) -> HttpResponse {
    let Some(queue) = Queue::named(&queue) else {
        return respond::gone();
    };
    match pauses::resume(&web.runtime.db, queue).await {
        Ok(_) => {
            web.runtime.relay.ring(queue);
            respond::done("jobs.resumed")
        }
        Err(error) => respond::failed(&error),
    }
}

pub async fn run_schedule(
    principal: Principal,
    web: web::Data<Web>,
    name: web::Path<String>,
) -> HttpResponse {
    match schedule::run_now(&web.runtime, &name, &principal.name).await {
        Ok(Some(Asked::Written(_))) => respond::done("jobs.schedule_asked"),
        Ok(Some(Asked::Open(_))) => respond::cannot(StatusCode::CONFLICT, "jobs.schedule_open"),
        Ok(None) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}

pub async fn act(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<(Uuid, String)>,
) -> HttpResponse {
    let (id, action) = path.into_inner();
    let Some(action) = Action::named(&action) else {
        return respond::gone();
    };
    match admin::act(&web.runtime.db, actor(&principal, &web), action, id).await {
        Ok(None) => {
            web.runtime.relay.ring_all(Queue::ALL);
            respond::done_saying(&words::of("job_acted", action.as_str()))
        }
        Ok(Some(Refusal::Unknown)) => respond::gone(),
        Ok(Some(refusal)) => {
            let why = words::of("job_refusal", refusal.as_str());
            respond::cannot_saying(StatusCode::CONFLICT, &why)
        }
        Err(error) => respond::failed(&error),
    }
}

/// What the list sends: an action with chosen jobs, or with all that its filter lets through.
/// Boxes of one name come several times, so the form is read as pairs.
#[derive(Debug, Default)]
struct Sent {
    action: Option<Action>,
    ids: Vec<Uuid>,
    all: bool,
    filter: JobQuery,
}

impl Sent {
    fn read(pairs: Vec<(String, String)>) -> Self {
        let mut sent = Self::default();
        for (field, value) in pairs {
            match field.as_str() {
                "action" => sent.action = Action::named(&value),
                "all" => sent.all = value == "1",
                "ids" => sent.ids.extend(Uuid::try_parse(&value)),
                "queue" => sent.filter.queue = Some(value),
                "kind" => sent.filter.kind = Some(value),
                "status" => sent.filter.status = Some(value),
                "account_id" => sent.filter.account_id = Some(value),
                "q" => sent.filter.q = Some(value),
                _ => {}
            }
        }
        sent
    }
}

pub async fn act_on_many(
    principal: Principal,
    web: web::Data<Web>,
    form: web::Form<Vec<(String, String)>>,
) -> HttpResponse {
    let Sent { action, ids, all, filter } = Sent::read(form.into_inner());
    let Some(action) = action else {
        return respond::gone();
    };
    let (db, actor) = (&web.runtime.db, actor(&principal, &web));
    let acted = if all {
        match filter.filter() {
            // Everything in every status is never meant.
            Ok(filter) if filter.status.is_some() => {
                admin::act_on_matching(db, actor, action, &filter).await
            }
            _ => return respond::cannot(StatusCode::BAD_REQUEST, "jobs.no_status"),
        }
    } else if ids.is_empty() {
        return respond::cannot(StatusCode::BAD_REQUEST, "jobs.none_chosen");
    } else {
        admin::act_on(db, actor, action, &ids).await.map(ActedOnMany::from)
    };
    match acted {
        Ok(acted) => {
            web.runtime.relay.ring_all(Queue::ALL);
            respond::done_saying(&told(action, &acted))
        }
        Err(error) => respond::failed(&error),
    }
}

/// How many were changed; how many were not, with the first reason; and whether there are more.
fn told(action: Action, acted: &ActedOnMany) -> String {
    let changed = match acted.changed {
        0 => words::word("jobs.nothing_changed"),
        1 => words::of("job_acted", action.as_str()),
        n => {
            let path = format!("job_acted_on_many.{}", action.as_str());
            words::filled(&path, &[("n", &grouped(&n.to_string()))])
        }
    };
    let mut told = vec![changed];
    if let Some(first) = acted.refused.iter().find_map(|one| one.refused) {
        let n = grouped(&acted.refused.len().to_string());
        let why = words::of("job_refusal", first.as_str());
        told.push(words::filled("jobs.left", &[("n", &n), ("why", &why)]));
    }
    if acted.more {
        told.push(words::word("jobs.more"));
    }
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lembra_agent::jobs::admin::Acted;

    #[test]
    fn a_form_is_read_with_all_its_boxes() {
        let (one, other) = (Uuid::now_v7(), Uuid::now_v7());
        let pairs = [
            ("action", "retry".to_owned()),
            ("ids", one.to_string()),
            ("ids", other.to_string()),
            ("ids", "x".to_owned()),
            ("status", "dead".to_owned()),
        ];
        let sent = Sent::read(pairs.map(|(name, value)| (name.to_owned(), value)).to_vec());
        assert_eq!((sent.action, sent.ids), (Some(Action::Retry), vec![one, other]));
        assert!(!sent.all);
        assert_eq!(sent.filter.status.as_deref(), Some("dead"));
    }

    #[test]
    fn what_was_done_to_many_is_said_with_what_was_not() {
        let refused = Acted { id: Uuid::nil(), refused: Some(Refusal::AnotherWaits) };
        let acted = ActedOnMany { changed: 1200, refused: vec![refused], more: true };
        for action in Action::ALL {
            let told = told(action, &acted);
            assert!(told.contains("1.200") && !told.contains(['{', '_']), "{told}");
            assert!(told.contains(&words::of("job_refusal", "another_waits")), "{told}");
        }
    }

    #[test]
    fn every_refusal_and_action_has_its_words() {
        for refusal in [
            Refusal::Unknown,
            Refusal::NotDead,
            Refusal::Running,
            Refusal::Ended,
            Refusal::NotWaiting,
            Refusal::AnotherWaits,
            Refusal::Overtaken,
        ] {
            assert_ne!(words::of("job_refusal", refusal.as_str()), refusal.as_str());
        }
        for action in Action::ALL {
            assert_ne!(words::of("job_acted", action.as_str()), action.as_str());
        }
    }
}
