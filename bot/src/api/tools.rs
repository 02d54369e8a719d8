//! An account's HTTP tools: list, declare, change, remove, try.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::services::tools::http::changes::Changes;
use lembra_agent::services::tools::http::declaration::Draft;
use lembra_agent::services::tools::http::shown::{ToolView, TrialReport};
use lembra_agent::services::tools::http::{Declared, HttpToolError, Which};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::auth::Account;
use super::{failed, not_found, refuse, refuse_fields};
use crate::access::Routes;
use crate::app::Web;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::ToolsRead, Permission::ToolsWrite);
    routes
        .api(Method::GET, "/tools", read, list)
        .about("List the account's tools")
        .answers::<ToolList>(200);
    routes
        .api(Method::POST, "/tools", write, add)
        .about("Declare a tool")
        .body::<Draft>()
        .answers::<ToolView>(201);
    routes
        .api(Method::GET, "/tools/{tool}", read, get)
        .about("A tool, by id or name")
        .answers::<ToolView>(200);
    routes
        .api(Method::PATCH, "/tools/{tool}", write, change)
        .about("Change a tool")
        .body::<Changes>()
        .answers::<ToolView>(200);
    routes
        .api(Method::DELETE, "/tools/{tool}", write, remove)
        .about("Remove a tool")
        .answers_nothing();
    routes
        .api(Method::POST, "/tools/{tool}/try", write, try_out)
        .about("Call a tool and see what comes of it")
        .body::<Trial>()
        .answers::<TrialReport>(200);
}

#[derive(Deserialize)]
pub struct ToolPath {
    /// Id or name.
    tool: String,
}

impl ToolPath {
    fn which(&self) -> Which {
        let Ok(which) = self.tool.parse::<Which>();
        which
    }
}

#[derive(Serialize, ToSchema)]
struct ToolList {
    tools: Vec<ToolView>,
}

/// A trial: what to call it with.
#[derive(Deserialize, ToSchema)]
#[schema(as = ToolTrial)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    #[serde(default)]
    #[schema(value_type = Object)]
    arguments: Map<String, Value>,
    /// A tool that changes something is called only when this says so.
    #[serde(default)]
    confirm: bool,
}

pub async fn list(account: Account, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.http_tools.list(account.id).await {
        Ok(tools) => {
            let tools = tools.iter().map(Declared::view).collect();
            HttpResponse::Ok().json(ToolList { tools })
        }
        Err(error) => refused(&error),
    }
}

pub async fn add(account: Account, web: web::Data<Web>, draft: web::Json<Draft>) -> HttpResponse {
    match web.runtime.http_tools.add(account.id, draft.into_inner()).await {
        Ok(tool) => HttpResponse::Created().json(tool.view()),
        Err(error) => refused(&error),
    }
}

pub async fn get(account: Account, web: web::Data<Web>, path: web::Path<ToolPath>) -> HttpResponse {
    match web.runtime.http_tools.find(account.id, &path.which()).await {
        Ok(tool) => HttpResponse::Ok().json(tool.view()),
        Err(error) => refused(&error),
    }
}

pub async fn change(
    account: Account,
    web: web::Data<Web>,
    path: web::Path<ToolPath>,
    changes: web::Json<Changes>,
) -> HttpResponse {
    let tools = &web.runtime.http_tools;
    match tools.change(account.id, &path.which(), changes.into_inner()).await {
        Ok(tool) => HttpResponse::Ok().json(tool.view()),
        Err(error) => refused(&error),
    }
}

pub async fn remove(
    account: Account,
    web: web::Data<Web>,
    path: web::Path<ToolPath>,
) -> HttpResponse {
    match web.runtime.http_tools.remove(account.id, &path.which()).await {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => refused(&error),
    }
}

/// Calls the tool. Whatever came of it is answered 200; the body says what.
pub async fn try_out(
    account: Account,
    web: web::Data<Web>,
    path: web::Path<ToolPath>,
    trial: web::Json<Trial>,
) -> HttpResponse {
    let tools = &web.runtime.http_tools;
    let tried = tools.try_out(account.id, &path.which(), &trial.arguments, trial.confirm).await;
    match tried {
        Ok(report) => HttpResponse::Ok().json(report.view()),
        Err(error) => refused(&error),
    }
}

fn refused(error: &HttpToolError) -> HttpResponse {
    let status = match error {
        HttpToolError::NotFound => return not_found(),
        HttpToolError::Store(error) => return failed(error),
        HttpToolError::Refused(refused) => {
            let said = [(refused.field.to_owned(), refused.problem.to_string())];
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return refuse_fields(status, &error.to_string(), said.into());
        }
        HttpToolError::TooMany | HttpToolError::Arguments(_) | HttpToolError::Unconfirmed => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        HttpToolError::NameTaken | HttpToolError::Overtaken => StatusCode::CONFLICT,
        HttpToolError::Sealed(..) | HttpToolError::Vault(_) => {
            tracing::error!(%error, "api");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    };
    refuse(status, &error.to_string())
}
