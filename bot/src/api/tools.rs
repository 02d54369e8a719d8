//! An account's HTTP tools: list, declare, change, remove, try.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use lembra_agent::services::tools::http::changes::Changes;
use lembra_agent::services::tools::http::declaration::Draft;
use lembra_agent::services::tools::http::{Declared, HttpToolError, Which};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::auth::Account;
use super::{failed, not_found, refuse};
use crate::app::Web;

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

/// A trial: what to call it with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    #[serde(default)]
    arguments: Map<String, Value>,
    /// A tool that changes something is called only when this says so.
    #[serde(default)]
    confirm: bool,
}

pub async fn list(account: Account, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.http_tools.list(account.id).await {
        Ok(tools) => {
            let tools: Vec<_> = tools.iter().map(Declared::json).collect();
            HttpResponse::Ok().json(json!({ "tools": tools }))
        }
        Err(error) => refused(&error),
    }
}

pub async fn add(account: Account, web: web::Data<Web>, draft: web::Json<Draft>) -> HttpResponse {
    match web.runtime.http_tools.add(account.id, draft.into_inner()).await {
        Ok(tool) => HttpResponse::Created().json(tool.json()),
        Err(error) => refused(&error),
    }
}

pub async fn get(account: Account, web: web::Data<Web>, path: web::Path<ToolPath>) -> HttpResponse {
    match web.runtime.http_tools.find(account.id, &path.which()).await {
        Ok(tool) => HttpResponse::Ok().json(tool.json()),
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
        Ok(tool) => HttpResponse::Ok().json(tool.json()),
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
        Ok(report) => HttpResponse::Ok().json(report.json()),
        Err(error) => refused(&error),
    }
}

fn refused(error: &HttpToolError) -> HttpResponse {
    let status = match error {
        HttpToolError::NotFound => return not_found(),
        HttpToolError::Store(error) => return failed(error),
        HttpToolError::Refused(_)
        | HttpToolError::TooMany
        | HttpToolError::Arguments(_)
        | HttpToolError::Unconfirmed => StatusCode::UNPROCESSABLE_ENTITY,
        HttpToolError::NameTaken | HttpToolError::Overtaken => StatusCode::CONFLICT,
        HttpToolError::Sealed(..) | HttpToolError::Vault(_) => {
            tracing::error!(%error, "api");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    };
    refuse(status, &error.to_string())
}
