//! Signing in.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use actix_session::Session;
use actix_web::http::header::USER_AGENT;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use lembra_agent::config::random_bytes;
use lembra_agent::services::{operators, sessions};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::respond::{page, see_other};
use super::{VERSION, words};
use crate::access::principal::{CSRF, SESSION};
use crate::app::Web;

/// Attempts that are remembered before those that are long over are let go.
const MOST_REMEMBERED: usize = 10_000;

/// Attempts per address and per e-mail: five at once, then one every twelve seconds. The second
/// holds where many addresses try one e-mail.
#[derive(Clone)]
pub struct Attempts {
    addresses: Arc<DefaultKeyedRateLimiter<Option<IpAddr>>>,
    emails: Arc<DefaultKeyedRateLimiter<String>>,
}

impl Default for Attempts {
    fn default() -> Self {
        const PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(4);
        let quota = Quota::per_minute(PER_MINUTE);
        Self {
            addresses: Arc::new(RateLimiter::keyed(quota)),
            emails: Arc::new(RateLimiter::keyed(quota)),
        }
    }
}

impl Attempts {
    pub fn are_too_many(&self, address: Option<IpAddr>, email: &str) -> bool {
        if self.addresses.len() > MOST_REMEMBERED {
            self.addresses.retain_recent();
        }
        if self.emails.len() > MOST_REMEMBERED {
            self.emails.retain_recent();
        }
        let email = email.trim().to_lowercase();
        self.addresses.check_key(&address).is_err() || self.emails.check_key(&email).is_err()
    }
}

#[derive(Template)]
#[template(path = "pages/sign_in.html")]
struct SignIn {
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
    let error = error.map(|key| words::of("sign_in", key));
    let token = match session.get::<String>(CSRF) {
        Ok(Some(token)) => token,
        _ => match random_word() {
            Some(word) => word,
            None => return HttpResponse::InternalServerError().finish(),
        },
    };
    if session.insert(CSRF, &token).is_err() {
        return HttpResponse::InternalServerError().finish();
    }
    page(&SignIn {
        version: VERSION,
        offline_model: web.runtime.model.is_offline(),
        error,
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
    if attempts.are_too_many(address, &form.email) {
        return show(&web, &session, form.next, Some("too_many"));
    }
    let token = session.get::<String>(CSRF).ok().flatten();
    if token.as_deref() != Some(form.csrf_token.as_str()) {
        return show(&web, &session, form.next, Some("stale"));
    }
    let runtime = &web.runtime;
    let operator = match operators::sign_in(&runtime.db, &form.email, form.password).await {
        Ok(Some(operator)) => operator,
        Ok(None) => return show(&web, &session, form.next, Some("wrong")),
        Err(error) => {
            tracing::error!(%error, "sign-in failed");
            return HttpResponse::ServiceUnavailable().finish();
        }
    };
    let device = request.headers().get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    let address = address.map(|address| address.to_string()).unwrap_or_default();
    let device = device.unwrap_or_default();
    match sessions::open(&runtime.db, &runtime.clock, operator, device, address).await {
        Ok(token) => {
            session.renew();
            // What was known before signing in is worth nothing afterwards.
            let fresh = random_word().and_then(|csrf| {
                session.insert(CSRF, csrf).ok()?;
                session.insert(SESSION, token.expose_secret()).ok()
            });
            match fresh {
                Some(()) => see_other(&local_path(form.next)),
                None => HttpResponse::InternalServerError().finish(),
            }
        }
        Err(error) => {
            tracing::error!(%error, "sign-in failed");
            HttpResponse::ServiceUnavailable().finish()
        }
    }
}

/// 128 random bits as text.
fn random_word() -> Option<String> {
    let bytes = random_bytes::<16>().ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
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
