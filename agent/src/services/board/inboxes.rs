//! The lines of an account as operators see them; what they prove themselves with is never shown.

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::inbox;
use serde::Serialize;
use utoipa::ToSchema;

use super::admin::{Admin, AdminError};
use crate::services::alerts::{self, Kind};
use crate::services::inboxes::Credentials;
use crate::store::{inboxes, units};

/// How a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InboxState {
    Working,
    /// Nothing has come in since it was connected.
    Waiting,
    /// Nothing has come in for long: its webhook may lead elsewhere.
    Silent,
    /// The provider refuses the line: nothing is sent until somebody starts it again.
    Stopped,
    /// The other side is the simulator.
    Simulated,
    /// Its secrets do not open with this `LEMBRA_KEY`, or its address is not allowed any more.
    Closed,
}

impl InboxState {
    /// As in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            InboxState::Working => "working",
            InboxState::Waiting => "waiting",
            InboxState::Silent => "silent",
            InboxState::Stopped => "stopped",
            InboxState::Simulated => "simulated",
            InboxState::Closed => "closed",
        }
    }
}

/// A line.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct InboxView {
    pub id: i64,
    /// `meta` or `evolution`.
    pub channel: String,
    /// Meta's phone number id, Evolution's instance.
    pub external_id: String,
    pub unit_id: Option<i64>,
    pub unit_name: Option<String>,
    pub state: InboxState,
    /// Since when nothing is sent.
    pub stopped_at: Option<DateTime<Utc>>,
    /// What the provider said.
    pub stopped_why: Option<String>,
    /// When anything last came in.
    pub last_event_at: Option<DateTime<Utc>>,
    /// When a delivery status last came in.
    pub last_status_at: Option<DateTime<Utc>>,
    /// Where the provider answers, when not at its usual address.
    pub base_url: Option<String>,
    /// Where the provider posts its events. It holds a secret: only for those who may change it.
    pub webhook_url: Option<String>,
    /// Names of the secrets that are set: `access_token`, `webhook_secret` and the like.
    pub secrets: Vec<String>,
    pub created_at: DateTime<Utc>,
}

impl Admin<'_> {
    /// The account's lines, oldest first. `with_webhooks`: for those who may change them.
    pub async fn inboxes(
        &self,
        account_id: i64,
        with_webhooks: bool,
    ) -> Result<Vec<InboxView>, AdminError> {
        let rows = inboxes::of_account(self.db, account_id).await?;
        let units = units::list(self.db, account_id).await?;
        let shown = rows.into_iter().map(|row| {
            let unit = units.iter().find(|unit| Some(unit.id) == row.unit_id);
            let unit = unit.map(|unit| unit.name.clone());
            self.inbox_view(row, unit, with_webhooks)
        });
        Ok(shown.collect())
    }

    /// One line.
    pub async fn inbox(
        &self,
        account_id: i64,
        id: i64,
        with_webhook: bool,
    ) -> Result<InboxView, AdminError> {
        let row = self.inbox_row(account_id, id).await?;
        let unit = match row.unit_id {
            Some(unit) => units::find(self.db, account_id, unit).await?,
            None => None,
        };
        Ok(self.inbox_view(row, unit.map(|unit| unit.name), with_webhook))
    }

    /// Sends again through a line that was stopped.
    pub async fn resume_inbox(&self, account_id: i64, id: i64, by: &str) -> Result<(), AdminError> {
        let row = self.inbox_row(account_id, id).await?;
        inboxes::resume(self.db, row.id).await?;
        let subject = format!("inbox {id}");
        alerts::settle(self.db, Kind::InboxStopped, &subject, self.clock.now()).await?;
        self.inboxes.forget();
        tracing::info!(account.id = account_id, inbox.id = id, by, "inbox started again");
        Ok(())
    }

    pub(super) async fn inbox_row(
        &self,
        account_id: i64,
        id: i64,
    ) -> Result<inbox::Model, AdminError> {
        inboxes::find(self.db, account_id, id).await?.ok_or(AdminError::NotFound)
    }

    fn inbox_view(
        &self,
        row: inbox::Model,
        unit_name: Option<String>,
        with_webhook: bool,
    ) -> InboxView {
        let credentials = self.inboxes.credentials(&row).ok();
        let silence = self.config.answering.silence_alert;
        let open = credentials.is_some() && self.inboxes.may_call(&row);
        let webhook =
            format!("{}/webhooks/{}/{}", self.config.web.base_url(), row.channel, row.inbox_key);
        InboxView {
            id: row.id,
            state: if open { state(&row, silence, self.clock.now()) } else { InboxState::Closed },
            channel: row.channel,
            external_id: row.external_id,
            unit_id: row.unit_id,
            unit_name,
            stopped_at: row.stopped_at,
            stopped_why: row.stopped_at.and(row.stopped_why),
            last_event_at: row.last_event_at,
            last_status_at: row.last_status_at,
            base_url: row.base_url,
            webhook_url: with_webhook.then_some(webhook),
            secrets: credentials.as_ref().map(names).unwrap_or_default(),
            created_at: row.created_at,
        }
    }
}

fn names(credentials: &Credentials) -> Vec<String> {
    let names = match credentials {
        Credentials::Meta(_) => vec!["app_secret", "verify_token", "access_token"],
        Credentials::Evolution(secrets) => {
            let mut names = vec!["api_key"];
            names.extend(secrets.webhook_secret.as_ref().map(|_| "webhook_secret"));
            names.extend(secrets.jwt_key.as_ref().map(|_| "jwt_key"));
            names
        }
    };
    names.into_iter().map(str::to_owned).collect()
}

fn state(row: &inbox::Model, silence: Option<TimeDelta>, now: DateTime<Utc>) -> InboxState {
    let last = row.last_event_at.unwrap_or(row.created_at);
    let is_silent = silence.is_some_and(|silence| now - last >= silence);
    match () {
        () if row.stopped_at.is_some() => InboxState::Stopped,
        () if row.simulated => InboxState::Simulated,
        () if is_silent => InboxState::Silent,
        () if row.last_event_at.is_none() => InboxState::Waiting,
        () => InboxState::Working,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_silent_when_nothing_came_for_as_long_as_configured() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let hours = |hours| now - TimeDelta::hours(hours);
        let row = |created, last: Option<i64>| inbox::Model {
            id: 1,
            account_id: 1,
            unit_id: None,
            channel: "meta".into(),
            inbox_key: "k".into(),
            external_id: "1".into(),
            base_url: None,
            public_only: false,
            credentials: String::new(),
            simulated: false,
            last_event_at: last.map(hours),
            last_status_at: None,
            stopped_at: None,
            stopped_why: None,
            created_at: hours(created),
            updated_at: now,
        };
        let day = Some(TimeDelta::hours(24));
        assert_eq!(state(&row(100, Some(1)), day, now), InboxState::Working);
        assert_eq!(state(&row(100, Some(24)), day, now), InboxState::Silent);
        assert_eq!(state(&row(100, Some(24)), None, now), InboxState::Working);
        assert_eq!(state(&row(1, None), day, now), InboxState::Waiting);
        assert_eq!(state(&row(30, None), day, now), InboxState::Silent);
        let stopped = inbox::Model { stopped_at: Some(now), ..row(100, Some(1)) };
        assert_eq!(state(&stopped, day, now), InboxState::Stopped);
        let simulated = inbox::Model { simulated: true, ..row(100, None) };
        assert_eq!(state(&simulated, day, now), InboxState::Simulated);
    }
}
