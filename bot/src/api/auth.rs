//! Whether what callers name is theirs: extractors that come first among a handler's arguments. The
//! guard has told already who calls; what is of another account is 404, as if there were nothing.

use actix_web::dev::Payload;
use actix_web::error::InternalError;
use actix_web::http::StatusCode;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, HttpResponse, web};
use futures::future::LocalBoxFuture;
use lembra_agent::services::memory::edit::Owner;
use lembra_agent::store::{conversations, memory_subject};

use super::{failed, not_found, refuse};
use crate::access::Principal;
use crate::app::Web;

/// A caller of the account in the path.
pub struct Account {
    pub id: i64,
    /// For the metadata of what they change.
    pub caller: String,
}

/// A caller who may do what they ask to the contact in the path.
pub struct Caller {
    pub owner: Owner,
    /// For the metadata of what they change.
    pub name: String,
}

/// The conversation in the path, of the caller's account.
pub struct OwnConversation {
    pub id: i64,
    pub account_id: i64,
    /// Who does what is done to it.
    pub caller: String,
}

/// A number of the path. What is none is the id of nothing.
fn number(request: &HttpRequest, name: &str) -> Option<i64> {
    request.match_info().get(name)?.parse().ok()
}

/// The state of the server, which every route has.
fn web_of(request: &HttpRequest) -> Option<&web::Data<Web>> {
    request.app_data::<web::Data<Web>>()
}

fn not_ready() -> HttpResponse {
    refuse(StatusCode::SERVICE_UNAVAILABLE, "the server is not ready")
}

fn account(request: &HttpRequest) -> Result<Account, HttpResponse> {
    let principal = request.extensions().get::<Principal>().cloned().ok_or_else(not_ready)?;
    Ok(Account { id: principal.account_id, caller: principal.name })
}

async fn contact(request: &HttpRequest) -> Result<Caller, HttpResponse> {
    let account = account(request)?;
    let owner = Owner {
        account_id: account.id,
        contact_id: number(request, "contact").ok_or_else(not_found)?,
    };
    let db = &web_of(request).ok_or_else(not_ready)?.runtime.db;
    let exists = memory_subject::exists(db, owner.account_id, owner.contact_id).await;
    if !exists.map_err(|error| failed(&error))? {
        return Err(not_found());
    }
    Ok(Caller { owner, name: account.caller })
}

async fn conversation(request: &HttpRequest) -> Result<OwnConversation, HttpResponse> {
    let account = account(request)?;
    let id = number(request, "conversation").ok_or_else(not_found)?;
    let head = conversations::head(&web_of(request).ok_or_else(not_ready)?.runtime.db, id).await;
    match head.map_err(|error| failed(&error))? {
        Some(head) if head.place.account_id == account.id => {
            Ok(OwnConversation { id, account_id: account.id, caller: account.caller })
        }
        _ => Err(not_found()),
    }
}

/// An answer as the error of an extractor.
fn refusal(response: HttpResponse) -> Error {
    InternalError::from_response("refused", response).into()
}

impl FromRequest for Account {
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { account(&request).map_err(refusal) })
    }
}

impl FromRequest for Caller {
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { contact(&request).await.map_err(refusal) })
    }
}

impl FromRequest for OwnConversation {
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { conversation(&request).await.map_err(refusal) })
    }
}
