//! Who asks: an operator in a browser, or a program with a token.

use std::future::{Ready, ready};

use actix_session::SessionExt;
use actix_web::dev::Payload;
use actix_web::error::ErrorInternalServerError;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest};
use lembra_agent::domain::access::{Permission, Permissions};
use lembra_agent::services::{sessions, tokens};
use lembra_agent::store::StoreResult;

use crate::app::Web;

/// Key of the session's token in the cookie.
pub const SESSION: &str = "session";
/// Key of what the browser's own pages add to requests that change something.
pub const CSRF: &str = "csrf";

/// Who asks. Handlers get it as an argument; the guard has put it there.
#[derive(Debug, Clone)]
pub struct Principal {
    pub account_id: i64,
    /// `operator:3` or `token:7`, for the columns that say who changed something.
    pub name: String,
    /// What people call them: name or e-mail, or the token's name.
    pub shown: String,
    pub permissions: Permissions,
    /// Absent: a program.
    pub browser: Option<Browser>,
}

/// An operator's browser.
#[derive(Debug, Clone)]
pub struct Browser {
    pub operator_id: i64,
    pub session_id: i64,
    pub email: String,
    /// What requests that change something must carry.
    pub csrf: String,
}

impl Principal {
    pub fn may(&self, permission: Permission) -> bool {
        self.permissions.holds(permission)
    }
}

/// The program behind a bearer token.
pub async fn of_token(request: &HttpRequest, web: &Web) -> StoreResult<Option<Principal>> {
    let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = header.and_then(|header| {
        let (scheme, token) = header.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
    });
    let Some(token) = token else {
        return Ok(None);
    };
    let runtime = &web.runtime;
    let row = tokens::authenticate(&runtime.db, &runtime.clock, token).await?;
    Ok(row.map(|row| Principal {
        account_id: row.account_id,
        name: format!("token:{}", row.id),
        permissions: tokens::permissions_of(&row),
        shown: row.name,
        browser: None,
    }))
}

/// The operator behind a browser's cookie.
pub async fn of_browser(request: &HttpRequest, web: &Web) -> StoreResult<Option<Principal>> {
    let cookie = request.get_session();
    let (Ok(Some(token)), Ok(Some(csrf))) =
        (cookie.get::<String>(SESSION), cookie.get::<String>(CSRF))
    else {
        return Ok(None);
    };
    let runtime = &web.runtime;
    let found = sessions::find(&runtime.db, &runtime.clock, &token).await?;
    Ok(found.map(|signed_in| {
        let permissions = signed_in.permissions();
        let operator = signed_in.operator;
        let named = !operator.name.is_empty();
        Principal {
            account_id: operator.account_id,
            name: format!("operator:{}", operator.id),
            shown: if named { operator.name } else { operator.email.clone() },
            permissions,
            browser: Some(Browser {
                operator_id: operator.id,
                session_id: signed_in.session.id,
                email: operator.email,
                csrf,
            }),
        }
    }))
}

impl FromRequest for Principal {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = request.extensions().get::<Principal>().cloned();
        // Only a route that lets everybody in has none.
        ready(found.ok_or_else(|| ErrorInternalServerError("no principal")))
    }
}
