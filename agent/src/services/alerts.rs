//! Alerts: what a person must know of, in the database, in a metric and in the log.

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;

use crate::store::StoreResult;
use crate::store::alerts::{self, NewAlert};

/// The kinds of alert. The stable names are stored in `alerts.kind` and are metric labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The provider says something of the account, the number or the connection.
    Channel,
    /// The provider refuses the line itself: nothing is sent through it until a person acts.
    InboxStopped,
    /// Nothing was heard of a line for longer than configured.
    InboxSilent,
    /// An accepted message did not reach its customer, or could not be sent.
    DeliveryFailed,
    /// Nobody can tell whether a message was sent.
    DeliveryUnknown,
    /// Messages without an outcome for too long.
    Unanswered,
    /// A customer speaks of suicide or self-harm.
    Crisis,
    /// A customer asked for a person.
    HumanRequest,
    /// Nobody took a conversation that waits for a person.
    HandoffWaiting,
    /// A tool did something, and the turn that would have told the customer was never written.
    UntoldEffect,
    /// A kind of tool failure came up too often.
    ToolFailures,
    /// What model calls cost comes near the account's ceiling, or has reached it.
    Spending,
}

impl Kind {
    pub const ALL: [Kind; 12] = [
        Kind::Channel,
        Kind::InboxStopped,
        Kind::InboxSilent,
        Kind::DeliveryFailed,
        Kind::DeliveryUnknown,
        Kind::Unanswered,
        Kind::Crisis,
        Kind::HumanRequest,
        Kind::HandoffWaiting,
        Kind::UntoldEffect,
        Kind::ToolFailures,
        Kind::Spending,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Channel => "channel",
            Kind::InboxStopped => "inbox_stopped",
            Kind::InboxSilent => "inbox_silent",
            Kind::DeliveryFailed => "delivery_failed",
            Kind::DeliveryUnknown => "delivery_unknown",
            Kind::Unanswered => "unanswered",
            Kind::Crisis => "crisis",
            Kind::HumanRequest => "human_request",
            Kind::HandoffWaiting => "handoff_waiting",
            Kind::UntoldEffect => "untold_effect",
            Kind::ToolFailures => "tool_failures",
            Kind::Spending => "spending",
        }
    }
}

/// Where something happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    pub account_id: Option<i64>,
    pub inbox_id: Option<i64>,
    pub conversation_id: Option<i64>,
}

/// Raises an alert, or counts up the open one about the same subject.
pub async fn raise(
    tx: &impl ConnectionTrait,
    kind: Kind,
    place: Place,
    subject: impl Into<String>,
    detail: impl Into<String>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let alert = NewAlert {
        account_id: place.account_id,
        inbox_id: place.inbox_id,
        conversation_id: place.conversation_id,
        kind: kind.as_str(),
        subject: subject.into(),
        detail: detail.into(),
    };
    alerts::raise(tx, alert, now).await?;
    metrics::counter!("lembra_alerts_total", "kind" => kind.as_str()).increment(1);
    tracing::warn!(
        kind = kind.as_str(),
        inbox.id = place.inbox_id,
        conversation.id = place.conversation_id,
        "alert"
    );
    Ok(())
}

/// What the alert was about is over.
pub async fn settle(
    tx: &impl ConnectionTrait,
    kind: Kind,
    subject: &str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    alerts::resolve_subject(tx, kind.as_str(), subject, now).await
}
