//! One job: how it stands, what it is about, and what happened to it.

use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::{DateTime, Utc};
use lembra_agent::domain::access::Permission;
use lembra_agent::jobs::admin::Action;
use lembra_agent::jobs::attempts::What;
use lembra_agent::jobs::board::Scope;
use lembra_agent::jobs::board::detail::{self, JobDetail};
use lembra_agent::store::StoreResult;
use lembra_agent::store::board::actors::{self, Actors};
use uuid::Uuid;

use super::{account_names, tone, who};
use crate::access::Principal;
use crate::api::job_query::scope;
use crate::app::Web;
use crate::pages::frame::Frame;
use crate::pages::text::duration;
use crate::pages::{filters, respond};
use crate::show;

#[derive(Template)]
#[template(path = "pages/job.html", blocks = ["live"])]
struct Job {
    frame: Frame,
    whole_instance: bool,
    job: JobDetail,
    payload: String,
    /// The conversation that it is about, where the page may show it.
    conversation: Option<i64>,
    account: Option<String>,
    actions: Vec<Action>,
    actors: Actors,
}

pub async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<Uuid>,
) -> HttpResponse {
    match load(&principal, frame, &web, *id).await {
        Ok(Some(view)) => show!(view),
        Ok(None) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}

async fn load(
    principal: &Principal,
    frame: Frame,
    web: &Web,
    id: Uuid,
) -> StoreResult<Option<Job>> {
    let scope = scope(principal);
    let Some(mut job) = detail::find(&web.runtime.db, scope, id, frame.now).await? else {
        return Ok(None);
    };
    let own = job.job.account_id == Some(principal.account_id);
    let names = account_names(web, scope).await?;
    job.events.reverse();
    Ok(Some(Job {
        whole_instance: scope == Scope::Instance,
        payload: serde_json::to_string_pretty(&job.payload).unwrap_or_default(),
        conversation: job.payload["conversation_id"].as_i64().filter(|_| own),
        account: job
            .job
            .account_id
            .map(|id| names.get(&id).cloned().unwrap_or_else(|| id.to_string())),
        actions: match principal.may(Permission::JobsWrite) {
            true => job.actions.clone(),
            false => Vec::new(),
        },
        actors: actors::of_account(&web.runtime.db, principal.account_id).await?,
        job,
        frame,
    }))
}

impl Job {
    fn tone(&self) -> &'static str {
        tone(self.job.job.status)
    }

    /// An instant to the second: tries follow each other closely.
    fn exact(&self, at: &DateTime<Utc>) -> String {
        at.with_timezone(&self.frame.timezone).format("%d/%m/%Y %H:%M:%S").to_string()
    }

    fn took(&self) -> Option<String> {
        self.job.job.run_ms().map(|ms| duration(ms as f64))
    }

    fn event_tone(&self, what: &What) -> &'static str {
        match what {
            What::Died => "bad",
            What::Failed | What::Lost => "warn",
            What::Retried | What::Discarded | What::Hurried => "quiet",
        }
    }

    fn event_name(&self, what: &What) -> &'static str {
        match what {
            What::Failed => "failed",
            What::Died => "died",
            What::Lost => "lost",
            What::Retried => "retried",
            What::Discarded => "discarded",
            What::Hurried => "hurried",
        }
    }

    fn who(&self, by: &str) -> String {
        who(&self.actors, by)
    }

    fn is_of_person(&self, what: &What) -> bool {
        matches!(what, What::Retried | What::Discarded | What::Hurried)
    }
}
