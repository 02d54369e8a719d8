//! Conversations: the list, one of them beside it, and what operators do there.

mod acts;
mod asked;
pub mod files;
mod items;
mod list;
pub mod row;
mod thread;
mod tick;
mod turn;

use actix_web::http::Method;
use lembra_agent::domain::access::Permission;
use serde::Deserialize;

use crate::access::Routes;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::ConversationsRead, Permission::ConversationsWrite);
    routes.page(Method::GET, "/conversations", read, list::index);
    routes.page(Method::GET, "/conversations/rows", read, list::rows);
    let one = |rest: &str| format!("/conversations/{{conversation}}{rest}");
    routes.page(Method::GET, &one(""), read, thread::show);
    routes.page(Method::GET, &one("/live"), read, thread::live);
    routes.page(Method::GET, &one("/older"), read, thread::older);
    routes.page(Method::GET, &one("/turns/{turn}"), read, turn::show);
    routes.page(Method::POST, &one("/messages"), write, acts::say);
    routes.page(Method::POST, &one("/take"), write, acts::take);
    routes.page(Method::POST, &one("/pause"), write, acts::pause);
    routes.page(Method::POST, &one("/return"), write, acts::give_back);
    routes.page(Method::POST, &one("/resolve"), write, acts::resolve);
    routes.page(Method::GET, &one("/messages/{message}/file"), read, files::show);
    routes.page(Method::POST, &one("/messages/{message}/resend"), write, acts::resend);
    routes.page(Method::POST, &one("/messages/{message}/leave"), write, acts::leave);
}

/// The conversation of an address.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct ConversationPath {
    pub conversation: i64,
}

/// A message in the address.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct MessagePath {
    pub conversation: i64,
    pub message: i64,
}

/// A turn in the address.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct TurnPath {
    pub conversation: i64,
    pub turn: i64,
}
