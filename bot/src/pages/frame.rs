//! What stands around every page: who is signed in, where they are, what waits.

use actix_web::dev::Payload;
use actix_web::error::InternalError;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, web};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use futures::future::LocalBoxFuture;
use lembra_agent::config::Mode;
use lembra_agent::domain::access::{Permission, Permissions};
use lembra_agent::store::board::{alerts, handoffs};
use lembra_agent::store::{StoreResult, accounts};

use super::alerts::owner;
use super::{VERSION, respond};
use crate::access::Principal;
use crate::app::Web;

/// The frame of a page. A handler takes it as an argument and gives it to its template.
#[derive(Debug, Clone)]
pub struct Frame {
    pub version: &'static str,
    pub offline_model: bool,
    /// The simulator is there.
    pub standalone: bool,
    pub account: String,
    pub timezone: Tz,
    pub now: DateTime<Utc>,
    /// Who is signed in, as people call them.
    pub who: String,
    pub csrf: String,
    /// The first part of the path: `conversations`; empty on the overview.
    pub section: String,
    /// Path and query of this page, for the parts that ask for themselves again.
    pub here: String,
    /// The request wants the changing part alone.
    pub part: bool,
    /// Conversations that wait for a person.
    pub waiting: i64,
    /// Things that somebody must look at.
    pub alerts: u64,
    permissions: Permissions,
}

impl Frame {
    /// Whether who is signed in may do what has this name. Nobody may what has none.
    pub fn may(&self, permission: &str) -> bool {
        Permission::parse(permission).is_some_and(|permission| self.permissions.holds(permission))
    }

    /// What marks the link to the page that is open.
    pub fn current(&self, section: &str) -> &'static str {
        if self.section == section { "page" } else { "false" }
    }

    async fn of(request: &HttpRequest) -> StoreResult<Option<Self>> {
        let Some(web) = request.app_data::<web::Data<Web>>() else {
            return Ok(None);
        };
        let Some(principal) = request.extensions().get::<Principal>().cloned() else {
            return Ok(None);
        };
        let runtime = &web.runtime;
        let Some(account) = accounts::find(&runtime.db, principal.account_id).await? else {
            return Ok(None);
        };
        let (waiting, alerts) = tokio::try_join!(
            handoffs::count_waiting(&runtime.db, account.id),
            alerts::count_open(&runtime.db, owner(&principal)),
        )?;
        let section = request.path().split('/').nth(1).unwrap_or_default().to_owned();
        Ok(Some(Self {
            version: VERSION,
            offline_model: runtime.model.is_offline(),
            standalone: runtime.config.mode == Mode::Standalone,
            timezone: accounts::zone(&account),
            account: account.name,
            now: runtime.clock.now(),
            who: principal.shown,
            csrf: principal.browser.map(|browser| browser.csrf).unwrap_or_default(),
            section,
            here: request.uri().to_string(),
            part: request.headers().contains_key("hx-request"),
            waiting,
            alerts,
            permissions: principal.permissions,
        }))
    }
}

impl FromRequest for Frame {
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let refused = match Frame::of(&request).await {
                Ok(Some(frame)) => return Ok(frame),
                Ok(None) => respond::gone(),
                Err(error) => respond::failed(&error),
            };
            Err(InternalError::from_response("frame", refused).into())
        })
    }
}
