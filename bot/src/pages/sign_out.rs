//! Signing out.

use actix_session::Session;
use actix_web::{HttpResponse, web};
use lembra_agent::store::operator_sessions;

use super::respond;
use crate::access::Principal;
use crate::app::Web;

/// Ends this browser's session here and in the database.
pub async fn submit(principal: Principal, web: web::Data<Web>, session: Session) -> HttpResponse {
    let runtime = &web.runtime;
    if let Some(browser) = &principal.browser {
        let (operator, id) = (browser.operator_id, browser.session_id);
        let ended = operator_sessions::end(&runtime.db, operator, id, runtime.clock.now()).await;
        if let Err(error) = ended {
            return respond::failed(&error);
        }
    }
    session.purge();
    respond::go("/sign-in")
}
