//! Signing in, for browsers on other devices.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use lembra_agent::config::random_bytes;
use lembra_agent::services::operators;
use secrecy::SecretString;
use serde::Deserialize;

use super::{VERSION, access, page, see_other};
use crate::app::Web;

const CSRF: &str = "csrf";

/// Attempts per address: five at once, then one every twelve seconds.
#[derive(Clone)]
pub struct Attempts(Arc<DefaultKeyedRateLimiter<Option<IpAddr>>>);

impl Default for Attempts {
    fn default() -> Self {
        const PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(4);
        Self(Arc::new(RateLimiter::keyed(Quota::per_minute(PER_MINUTE))))
    }
}

#[derive(Template)]
#[template(path = "pages/sign_in.html")]
struct SignIn {
    title: &'static str,
    version: &'static str,
    offline_model: bool,
    error: Option<String>,
    csrf_token: String,
    next: String,
}

/// Where to go after signing in.
#[derive(Deserialize)]
pub struct Next {
    next: Option<String>,
}

/// The form as sent.
#[derive(Deserialize)]
pub struct Credentials {
    email: String,
    password: SecretString,
    csrf_token: String,
    next: Option<String>,
}

/// Shows the form.
pub async fn form(web: web::Data<Web>, session: Session, query: web::Query<Next>) -> HttpResponse {
    show(&web, &session, query.into_inner().next, None)
}

fn show(web: &Web, session: &Session, next: Option<String>, error: Option<&str>) -> HttpResponse {
    let token = match session.get::<String>(CSRF) {
        Ok(Some(token)) => token,
        _ => match random_bytes::<16>() {
            Ok(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            Err(_) => return HttpResponse::InternalServerError().finish(),
        },
    };
    if session.insert(CSRF, &token).is_err() {
        return HttpResponse::InternalServerError().finish();
    }
    page(&SignIn {
        title: "Entrar",
        version: VERSION,
        offline_model: web.runtime.model.is_offline(),
        error: error.map(str::to_owned),
        csrf_token: token,
        next: local_path(next),
    })
}

/// Checks e-mail and password.
pub async fn submit(
    web: web::Data<Web>,
    attempts: web::Data<Attempts>,
    session: Session,
    request: HttpRequest,
    form: web::Form<Credentials>,
) -> HttpResponse {
    let form = form.into_inner();
    let address = request.peer_addr().map(|peer| peer.ip());
    if attempts.0.check_key(&address).is_err() {
        let wait = "Muitas tentativas. Espere um minuto e tente de novo.";
        return show(&web, &session, form.next, Some(wait));
    }
    let token = session.get::<String>(CSRF).ok().flatten();
    if token.as_deref() != Some(form.csrf_token.as_str()) {
        let stale = "A página ficou aberta por muito tempo. Tente de novo.";
        return show(&web, &session, form.next, Some(stale));
    }
    match operators::sign_in(&web.runtime.db, &form.email, form.password).await {
        Ok(Some(operator)) => {
            session.renew();
            if session.insert(access::OPERATOR, operator).is_err() {
                return HttpResponse::InternalServerError().finish();
            }
            see_other(&local_path(form.next))
        }
        Ok(None) => show(&web, &session, form.next, Some("E-mail ou senha incorretos.")),
        Err(error) => {
            tracing::error!(%error, "sign-in failed");
            HttpResponse::ServiceUnavailable().finish()
        }
    }
}

/// A path of this site; anything else becomes the start page.
fn local_path(next: Option<String>) -> String {
    let local = |path: &String| {
        path.starts_with('/')
            && !path.starts_with("//")
            && !path.contains(|c: char| c == '\\' || c.is_control())
    };
    next.filter(local).unwrap_or_else(|| "/".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signing_in_never_leads_to_another_site() {
        for (next, expected) in [
            (Some("/simulator?customer=1"), "/simulator?customer=1"),
            (Some("//evil.example"), "/"),
            (Some("/\t/evil.example"), "/"),
            (Some("/\\evil.example"), "/"),
            (Some("https://evil.example"), "/"),
            (None, "/"),
        ] {
            assert_eq!(local_path(next.map(str::to_owned)), expected);
        }
    }
}
