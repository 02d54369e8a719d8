//! What stands before every handler: who asks, whether they may, whether the request is their own
//! doing, and whether what they name is of their account.

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{Method, StatusCode, header};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use lembra_agent::store::StoreError;

use super::problem::{failed, not_found, refuse};
use super::routes::{Access, Kind};
use super::{Principal, local, principal};
use crate::app::Web;
use crate::pages::respond;

/// Header that our own pages add to what changes something.
pub const CSRF_HEADER: &str = "x-csrf-token";

/// Lets the request through, or answers it.
pub async fn stand<B: MessageBody + 'static>(
    access: Access,
    kind: Kind,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, actix_web::Error> {
    match admit(access, kind, request.request()).await {
        Ok(Some(principal)) => {
            request.extensions_mut().insert(principal);
        }
        Ok(None) => {}
        Err(refusal) => return Ok(request.into_response(refusal).map_into_right_body()),
    }
    Ok(next.call(request).await?.map_into_left_body())
}

async fn admit(
    access: Access,
    kind: Kind,
    request: &HttpRequest,
) -> Result<Option<Principal>, HttpResponse> {
    let Some(web) = request.app_data::<web::Data<Web>>() else {
        return Err(refuse(StatusCode::SERVICE_UNAVAILABLE, "the server is not ready"));
    };
    let failed = |error: StoreError| match kind {
        Kind::Api => failed(&error),
        Kind::Page => respond::failed(&error),
    };
    let permission = match access {
        Access::Open(_) => return Ok(None),
        Access::Simulator => {
            return simulator(web, request).await;
        }
        Access::Signed => None,
        Access::Needs(permission) => Some(permission),
    };
    let token = match kind {
        Kind::Api => principal::of_token(request, web).await.map_err(failed)?,
        Kind::Page => None,
    };
    let principal = match token {
        Some(principal) => principal,
        None => {
            let found = principal::of_browser(request, web).await;
            let found = found.map_err(failed)?;
            found.ok_or_else(|| unknown(kind, request))?
        }
    };
    web.limits.of_call(kind, &principal)?;
    own_doing(&principal, kind, request)?;
    let named = request.match_info().get("account");
    if named.is_some_and(|account| account.parse() != Ok(principal.account_id)) {
        return Err(not_found());
    }
    if permission.is_some_and(|permission| !principal.may(permission)) {
        let needed = permission.map_or("", |permission| permission.as_str());
        return Err(match kind {
            Kind::Api => refuse(StatusCode::FORBIDDEN, &format!("this needs {needed}")),
            Kind::Page => respond::forbidden(),
        });
    }
    Ok(Some(principal))
}

/// At the machine itself nobody signs in; elsewhere it is for operators.
async fn simulator(web: &Web, request: &HttpRequest) -> Result<Option<Principal>, HttpResponse> {
    let principal =
        principal::of_browser(request, web).await.map_err(|error| respond::failed(&error))?;
    let at_home = local::is_at_home(request, web.runtime.config.web.public_url.as_ref());
    if principal.is_none() && !at_home {
        return Err(unknown(Kind::Page, request));
    }
    if changes(request.method()) && !local::is_from_own_page(request) {
        return Err(HttpResponse::Forbidden().finish());
    }
    Ok(principal)
}

fn changes(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// A browser sends its cookie with whatever any site makes it send; only our own pages know what
/// goes into the header.
fn own_doing(principal: &Principal, kind: Kind, request: &HttpRequest) -> Result<(), HttpResponse> {
    let Some(browser) = principal.browser.as_ref().filter(|_| changes(request.method())) else {
        return Ok(());
    };
    let sent = request.headers().get(CSRF_HEADER);
    if sent.is_some_and(|sent| sent.as_bytes() == browser.csrf.as_bytes()) {
        return Ok(());
    }
    Err(match kind {
        Kind::Api => refuse(StatusCode::FORBIDDEN, "the header x-csrf-token is missing or old"),
        Kind::Page => respond::stale(),
    })
}

/// Nobody we know: programs are told, people sign in and come back.
fn unknown(kind: Kind, request: &HttpRequest) -> HttpResponse {
    match kind {
        Kind::Api => {
            let mut refusal = refuse(StatusCode::UNAUTHORIZED, "a valid bearer token is needed");
            let bearer = header::HeaderValue::from_static("Bearer");
            refusal.headers_mut().insert(header::WWW_AUTHENTICATE, bearer);
            refusal
        }
        Kind::Page => respond::sign_in_first(request),
    }
}
