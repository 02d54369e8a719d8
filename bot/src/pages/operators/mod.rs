//! The people who work in the browser: who they are, what they may, where they are signed in.

mod one;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::operators::{OperatorDraft, OperatorView};
use secrecy::ExposeSecret;
use serde::Deserialize;

use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::{self, Errors, actor, unable};
use crate::pages::frame::Frame;
use crate::pages::{filters, respond};
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let write = Permission::OperatorsWrite;
    routes.page(Method::GET, "/operators", write, list);
    routes.page(Method::POST, "/operators", write, add);
    one::routes(routes);
}

/// Somebody to be added, as typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct NewForm {
    email: String,
    name: String,
    role: String,
    /// A box: there when it is ticked.
    runs_instance: Option<String>,
}

/// Somebody who was just added, with their password.
struct Added {
    email: String,
    password: String,
}

#[derive(Template)]
#[template(path = "pages/operators.html", blocks = ["live", "new"])]
struct Operators {
    frame: Frame,
    rows: Vec<OperatorView>,
    /// Who looks.
    own_id: Option<i64>,
    form: NewForm,
    errors: Errors,
    added: Option<Added>,
}

impl Operators {
    async fn load(web: &Web, principal: &Principal, frame: Frame) -> Result<Self, AdminError> {
        Ok(Self {
            rows: web.runtime.admin().operators(principal.account_id).await?,
            own_id: actor(principal).operator_id,
            form: NewForm { role: "agent".to_owned(), ..NewForm::default() },
            errors: Errors::default(),
            added: None,
            frame,
        })
    }
}

async fn list(principal: Principal, frame: Frame, web: web::Data<Web>) -> HttpResponse {
    match Operators::load(&web, &principal, frame).await {
        Ok(view) => show!(view),
        Err(error) => unable(&error),
    }
}

/// Adds an operator; the password is shown once, in the place of the form.
async fn add(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    form: web::Form<NewForm>,
) -> HttpResponse {
    let form = form.into_inner();
    let draft = OperatorDraft {
        email: form.email.clone(),
        name: form.name.clone(),
        role: form.role.clone(),
        runs_instance: form.runs_instance.is_some(),
    };
    let admin = web.runtime.admin();
    let added = admin.add_operator(principal.account_id, &draft, actor(&principal)).await;
    let (errors, added) = match added {
        Ok((view, password)) => {
            let password = password.expose_secret().to_owned();
            (Errors::default(), Some(Added { email: view.email, password }))
        }
        Err(AdminError::Invalid(invalid)) => (Errors::of(&invalid), None),
        Err(error) => return unable(&error),
    };
    let view = match Operators::load(&web, &principal, frame).await {
        Ok(view) => Operators { errors, ..view },
        Err(error) => return unable(&error),
    };
    match added {
        Some(added) => forms::shown(&Operators { added: Some(added), ..view }.as_new()),
        None => respond::refused(&Operators { form, ..view }.as_new()),
    }
}
