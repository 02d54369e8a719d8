//! One turn, taken apart: why the bot said what it said.

use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::services::board::turn_record::{self, CallLine, Moment, TurnRecord};

use super::TurnPath;
use crate::access::Principal;
use crate::app::Web;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond, words};

#[derive(Template)]
#[template(path = "pages/conversations/turn.html")]
struct TurnPage {
    frame: Frame,
    turn: TurnRecord,
}

impl TurnPage {
    /// A moment in words.
    fn told(&self, moment: &Moment) -> String {
        let detail = moment.detail.as_deref().unwrap_or_default();
        let detail = match moment.what.as_str() {
            "judged" => words::of("triage_verdict", detail),
            _ => detail.to_owned(),
        };
        words::filled(&format!("moment.{}", moment.what), &[("detail", &detail)]).trim().to_owned()
    }

    /// Who made the answer.
    fn model(&self) -> String {
        words::of("turn_model", &self.turn.model)
    }

    /// Arguments for people: one line each.
    fn arguments(&self, call: &CallLine) -> String {
        serde_json::to_string_pretty(&call.arguments).unwrap_or_default()
    }

    /// A result for people: JSON in lines, text as it is.
    fn result(&self, call: &CallLine) -> String {
        let json = serde_json::from_str::<serde_json::Value>(&call.result).ok();
        let json = json.filter(|json| json.is_object() || json.is_array());
        let pretty = json.and_then(|json| serde_json::to_string_pretty(&json).ok());
        pretty.unwrap_or_else(|| call.result.clone())
    }

    /// Whether the call went as it should.
    fn is_good(&self, call: &CallLine) -> bool {
        ["done", "replayed"].contains(&call.ended.as_str())
    }
}

/// The page of a turn.
pub async fn show(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    path: web::Path<TurnPath>,
) -> HttpResponse {
    match turn_record::read(&web.runtime.db, principal.account_id, path.turn).await {
        Ok(Some(turn)) if turn.conversation_id == path.conversation => {
            respond::page(&TurnPage { frame, turn })
        }
        Ok(_) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}
