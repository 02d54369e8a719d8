//! Who calls, and whether the contact is theirs.

use actix_web::http::StatusCode;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{HttpRequest, HttpResponse};
use lembra_agent::services::memory::edit::Owner;
use lembra_agent::services::tokens;
use lembra_agent::store::memory_subject;
use lembra_entities::api_token;
use serde::Deserialize;

use super::{failed, not_found, refuse};
use crate::app::Web;

/// The path of every route.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct ContactPath {
    account: i64,
    contact: i64,
}

/// A caller who may do what they ask to this contact.
pub struct Caller {
    pub owner: Owner,
    /// For the metadata of what they change.
    pub name: String,
}

/// The token of a caller of this account, or the answer to somebody who is none.
pub async fn of_account(
    web: &Web,
    request: &HttpRequest,
    account_id: i64,
) -> Result<api_token::Model, HttpResponse> {
    let runtime = &web.runtime;
    let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = header.and_then(|header| {
        let (scheme, token) = header.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
    });
    let unauthorized = || refuse(StatusCode::UNAUTHORIZED, "a valid bearer token is needed");
    let Some(token) = token else {
        return Err(unauthorized());
    };
    let found = tokens::authenticate(&runtime.db, &runtime.clock, token).await;
    let Some(row) = found.map_err(|error| failed(&error))? else {
        return Err(unauthorized());
    };
    if row.account_id != account_id {
        return Err(not_found());
    }
    Ok(row)
}

/// The caller, or the answer to somebody who may not. Another account's contact is answered like
/// one that is not there.
pub async fn caller(
    web: &Web,
    request: &HttpRequest,
    path: ContactPath,
) -> Result<Caller, HttpResponse> {
    let row = of_account(web, request, path.account).await?;
    let owner = Owner { account_id: path.account, contact_id: path.contact };
    let exists = memory_subject::exists(&web.runtime.db, path.account, path.contact).await;
    if !exists.map_err(|error| failed(&error))? {
        return Err(not_found());
    }
    Ok(Caller { owner, name: format!("token:{}", row.id) })
}
