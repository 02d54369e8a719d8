//! Keys to the API.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::tokens::{TokenDraft, TokenView, grantable};
use secrecy::ExposeSecret;

use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::{self, Errors, actor, unable};
use crate::pages::frame::Frame;
use crate::pages::{filters, respond};
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let write = Permission::OperatorsWrite;
    routes.page(Method::GET, "/tokens", write, list);
    routes.page(Method::POST, "/tokens", write, add);
    routes.page(Method::POST, "/tokens/{id}/revoke", write, revoke);
}

/// A permission that can be given.
struct Scope {
    name: &'static str,
    is_chosen: bool,
}

/// A token that was just made.
struct Made {
    name: String,
    token: String,
}

#[derive(Template)]
#[template(path = "pages/tokens.html", blocks = ["live", "new"])]
struct Tokens {
    frame: Frame,
    rows: Vec<TokenView>,
    name: String,
    scopes: Vec<Scope>,
    errors: Errors,
    made: Option<Made>,
}

impl Tokens {
    async fn load(
        web: &Web,
        principal: &Principal,
        frame: Frame,
        draft: &TokenDraft,
    ) -> Result<Self, AdminError> {
        let scope = |permission: Permission| Scope {
            name: permission.as_str(),
            is_chosen: draft.scopes.iter().any(|name| name == permission.as_str()),
        };
        Ok(Self {
            rows: web.runtime.admin().tokens(principal.account_id).await?,
            name: draft.name.clone(),
            scopes: grantable(principal.permissions).map(scope).collect(),
            errors: Errors::default(),
            made: None,
            frame,
        })
    }
}

async fn list(principal: Principal, frame: Frame, web: web::Data<Web>) -> HttpResponse {
    match Tokens::load(&web, &principal, frame, &TokenDraft::default()).await {
        Ok(view) => show!(view),
        Err(error) => unable(&error),
    }
}

/// Makes a token; it is shown once, in the place of the form. Boxes of one name come several times,
/// so the form is read as pairs.
async fn add(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    form: web::Form<Vec<(String, String)>>,
) -> HttpResponse {
    let mut draft = TokenDraft::default();
    for (field, value) in form.into_inner() {
        match field.as_str() {
            "name" => draft.name = value,
            "scopes" => draft.scopes.push(value),
            _ => {}
        }
    }
    let admin = web.runtime.admin();
    let made = admin.add_token(principal.account_id, &draft, actor(&principal)).await;
    let (errors, made) = match made {
        Ok((view, token)) => {
            let made = Made { name: view.name, token: token.expose_secret().to_owned() };
            (Errors::default(), Some(made))
        }
        Err(AdminError::Invalid(invalid)) => (Errors::of(&invalid), None),
        Err(error) => return unable(&error),
    };
    match Tokens::load(&web, &principal, frame, &draft).await {
        Ok(view) if made.is_some() => forms::shown(&Tokens { made, ..view }.as_new()),
        Ok(view) => respond::refused(&Tokens { errors, ..view }.as_new()),
        Err(error) => unable(&error),
    }
}

async fn revoke(principal: Principal, web: web::Data<Web>, id: web::Path<i64>) -> HttpResponse {
    let admin = web.runtime.admin();
    match admin.revoke_token(principal.account_id, *id, actor(&principal)).await {
        Ok(()) => respond::done("tokens.revoked"),
        Err(error) => unable(&error),
    }
}
