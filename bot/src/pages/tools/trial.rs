//! Trying a tool: it is really called, with what is typed.

use std::collections::HashMap;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::tools::http::Which;
use lembra_agent::services::tools::http::shown::{ToolView, TrialReport};

use super::trial_form::{self, Control};
use super::{refused, unable_to};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::Errors;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond};
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let write = Permission::ToolsWrite;
    routes.page(Method::GET, "/tools/{id}/try", write, page);
    routes.page(Method::POST, "/tools/{id}/try", write, try_out);
}

#[derive(Template)]
#[template(path = "pages/tool_try.html", blocks = ["live", "trial"])]
struct Try {
    frame: Frame,
    tool: ToolView,
    controls: Vec<Control>,
    errors: Errors,
    report: Option<TrialReport>,
}

async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<i64>,
) -> HttpResponse {
    match web.runtime.http_tools.find(principal.account_id, &Which::Id(*id)).await {
        Ok(tool) => {
            let tool = tool.view();
            let controls = trial_form::controls(&tool, &HashMap::new());
            show!(Try { frame, tool, controls, errors: Errors::default(), report: None })
        }
        Err(error) => unable_to(&error),
    }
}

/// Calls it. What came of it stands below the form.
async fn try_out(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<i64>,
    form: web::Form<HashMap<String, String>>,
) -> HttpResponse {
    let (tools, account, which) = (&web.runtime.http_tools, principal.account_id, Which::Id(*id));
    let tool = match tools.find(account, &which).await {
        Ok(tool) => tool.view(),
        Err(error) => return unable_to(&error),
    };
    let confirmed = form.get("confirm").is_some_and(|word| word == "yes");
    let controls = trial_form::controls(&tool, &form);
    let tried = match trial_form::arguments(&controls) {
        Ok(arguments) => {
            let tried = tools.try_out(account, &which, &arguments, confirmed).await;
            match tried.map_err(|error| refused(&error)) {
                Ok(report) => Ok(report.view()),
                Err(Ok(errors)) => Err(errors),
                Err(Err(response)) => return response,
            }
        }
        Err(errors) => Err(errors),
    };
    match tried {
        Ok(report) => {
            let (errors, report) = (Errors::default(), Some(report));
            respond::page(&Try { frame, tool, controls, errors, report }.as_trial())
        }
        Err(errors) => {
            respond::refused(&Try { frame, tool, controls, errors, report: None }.as_trial())
        }
    }
}
