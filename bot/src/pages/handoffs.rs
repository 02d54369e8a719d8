//! The queue of people: who waits for somebody, and who has whom.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::store::board::actors;
use lembra_agent::store::board::handoffs::{self, QueueRow};

use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::conversations::row;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond};
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    routes.page(Method::GET, "/handoffs", Permission::ConversationsRead, list);
}

#[derive(Template)]
#[template(path = "pages/handoffs.html", blocks = ["live"])]
struct Queue {
    frame: Frame,
    waiting: Vec<QueueRow>,
    taken: Vec<QueueRow>,
    me: String,
}

impl Queue {
    fn name(&self, queued: &QueueRow) -> String {
        row::name(&queued.conversation)
    }

    fn waited(&self, queued: &QueueRow) -> String {
        row::waited(&queued.handoff, self.frame.now)
    }

    fn holder(&self, queued: &QueueRow) -> String {
        row::holder(&queued.handoff)
    }

    fn is_mine(&self, queued: &QueueRow) -> bool {
        queued.handoff.taken_by.as_deref() == Some(self.me.as_str())
    }
}

/// What waits, most urgent first, and what is taken.
async fn list(principal: Principal, frame: Frame, web: web::Data<Web>) -> HttpResponse {
    let db = &web.runtime.db;
    let account_id = principal.account_id;
    let open = async {
        let actors = actors::of_account(db, account_id).await?;
        handoffs::open(db, account_id, &actors, frame.now).await
    };
    match open.await {
        Ok(rows) => {
            let (waiting, taken) = rows.into_iter().partition(QueueRow::is_waiting);
            show!(Queue { frame, waiting, taken, me: principal.name })
        }
        Err(error) => respond::failed(&error),
    }
}
