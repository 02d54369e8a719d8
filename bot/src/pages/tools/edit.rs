//! Declaring a tool, and changing one.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::tools::http::Which;
use lembra_agent::services::tools::http::shown::ToolView;

use super::form::ToolForm;
use super::{refused, unable_to};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::Errors;
use crate::pages::frame::Frame;
use crate::pages::respond;
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let write = Permission::ToolsWrite;
    routes.page(Method::GET, "/tools/new", write, new);
    routes.page(Method::POST, "/tools", write, add);
    routes.page(Method::GET, "/tools/{id}", Permission::ToolsRead, page);
    routes.page(Method::POST, "/tools/{id}", write, save);
}

#[derive(Template)]
#[template(path = "pages/tool.html", blocks = ["live", "form"])]
struct Edit {
    frame: Frame,
    /// Absent: one that is being declared.
    tool: Option<ToolView>,
    form: ToolForm,
    errors: Errors,
}

impl Edit {
    fn methods(&self) -> [&'static str; 5] {
        ["GET", "POST", "PUT", "PATCH", "DELETE"]
    }
}

async fn new(frame: Frame) -> HttpResponse {
    show!(Edit { frame, tool: None, form: ToolForm::fresh(), errors: Errors::default() })
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
            let form = ToolForm::of(&tool);
            show!(Edit { frame, tool: Some(tool), form, errors: Errors::default() })
        }
        Err(error) => unable_to(&error),
    }
}

async fn add(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    form: web::Form<Vec<(String, String)>>,
) -> HttpResponse {
    let form = ToolForm::read(form.into_inner());
    let errors = match form.draft() {
        Ok(draft) => match web.runtime.http_tools.add(principal.account_id, draft).await {
            Ok(tool) => return respond::go(&format!("/tools/{}/try", tool.id)),
            Err(error) => match refused(&error) {
                Ok(errors) => errors,
                Err(response) => return response,
            },
        },
        Err(errors) => errors,
    };
    respond::refused(&Edit { frame, tool: None, form, errors }.as_form())
}

async fn save(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<i64>,
    form: web::Form<Vec<(String, String)>>,
) -> HttpResponse {
    let (tools, which) = (&web.runtime.http_tools, Which::Id(*id));
    let form = ToolForm::read(form.into_inner());
    let errors = match form.changes() {
        Ok(changes) => match tools.change(principal.account_id, &which, changes).await {
            // The headers are to be listed anew, and their field empty.
            Ok(_) => return respond::go(&format!("/tools/{id}")),
            Err(error) => match refused(&error) {
                Ok(errors) => errors,
                Err(response) => return response,
            },
        },
        Err(errors) => errors,
    };
    match tools.find(principal.account_id, &which).await {
        Ok(tool) => {
            respond::refused(&Edit { frame, tool: Some(tool.view()), form, errors }.as_form())
        }
        Err(error) => unable_to(&error),
    }
}
