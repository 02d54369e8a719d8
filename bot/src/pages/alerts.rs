//! Alerts as pages show them: what happened, what to do about it, and where.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use chrono::{DateTime, Utc};
use lembra_agent::domain::access::Permission;
use lembra_agent::store::board::alerts::{self, Alert, Owner};

use super::{respond, words};
use crate::access::{Principal, Routes};
use crate::app::Web;

pub fn routes(routes: &mut Routes<'_>) {
    routes.page(Method::POST, "/alerts/{id}/resolve", Permission::ConversationsWrite, resolve);
}

/// Whose alerts who is signed in sees.
pub fn owner(principal: &Principal) -> Owner {
    Owner {
        account_id: principal.account_id,
        runs_instance: principal.may(Permission::InstanceRun),
    }
}

/// An alert in words.
pub struct AlertView {
    pub id: i64,
    pub title: String,
    pub hint: String,
    /// What the provider said, or which failure it is.
    pub note: Option<String>,
    /// `bad` or `warn`.
    pub level: &'static str,
    pub times: i32,
    pub raised_at: DateTime<Utc>,
    pub last_raised_at: DateTime<Utc>,
    pub resolved_at: Option<DateTime<Utc>>,
    pub href: Option<String>,
    /// What the link is called.
    pub action: String,
}

/// Kinds that cannot wait.
const GRAVE: [&str; 6] =
    ["crisis", "unanswered", "inbox_stopped", "untold_effect", "delivery_unknown", "channel"];

impl AlertView {
    pub fn of(alert: &Alert) -> Self {
        let kind = alert.kind.as_str();
        let code = alert.subject.split_whitespace().next_back().unwrap_or_default();
        let note = match kind {
            "tool_failures" => Some(words::of("failure_code", code)),
            "channel" | "inbox_stopped" => Some(alert.detail.clone()),
            _ => None,
        };
        let (href, action) = place(alert, code);
        Self {
            id: alert.id,
            title: words::of("alert", kind),
            hint: words::of("alert_hint", kind),
            note,
            level: if GRAVE.contains(&kind) { "bad" } else { "warn" },
            times: alert.times,
            raised_at: alert.raised_at,
            last_raised_at: alert.last_raised_at,
            resolved_at: alert.resolved_at,
            href,
            action: words::word(action),
        }
    }

    pub fn all(alerts: &[Alert]) -> Vec<Self> {
        alerts.iter().map(Self::of).collect()
    }
}

/// Where something can be done about it, and what the link is called.
fn place(alert: &Alert, code: &str) -> (Option<String>, &'static str) {
    match (alert.kind.as_str(), alert.conversation_id, alert.inbox_id) {
        ("tool_failures", ..) => {
            let code: String = url::form_urlencoded::byte_serialize(code.as_bytes()).collect();
            (Some(format!("/failures?code={code}")), "alert_action.failures")
        }
        ("spending", ..) => (Some("/settings".to_owned()), "alert_action.settings"),
        ("unanswered", ..) => (Some("/#unanswered".to_owned()), "alert_action.overview"),
        (_, Some(id), _) => (Some(format!("/conversations/{id}")), "alert_action.conversation"),
        (_, None, Some(_)) => (Some("/inboxes".to_owned()), "alert_action.inboxes"),
        _ => (None, "alert_action.none"),
    }
}

async fn resolve(principal: Principal, web: web::Data<Web>, id: web::Path<i64>) -> HttpResponse {
    let runtime = &web.runtime;
    let now = runtime.clock.now();
    match alerts::resolve(&runtime.db, owner(&principal), *id, now).await {
        Ok(true) => respond::done("alert_action.resolved"),
        Ok(false) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alert(kind: &str, subject: &str, conversation_id: Option<i64>) -> Alert {
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("an instant");
        Alert {
            id: 1,
            kind: kind.to_owned(),
            subject: subject.to_owned(),
            detail: "5 times within an hour".to_owned(),
            inbox_id: conversation_id,
            conversation_id,
            times: 1,
            raised_at: now,
            last_raised_at: now,
            resolved_at: None,
        }
    }

    #[test]
    fn an_alert_leads_to_where_something_can_be_done() {
        let crisis = AlertView::of(&alert("crisis", "conversation 7", Some(7)));
        assert_eq!((crisis.href.as_deref(), crisis.level), (Some("/conversations/7"), "bad"));
        let failures = AlertView::of(&alert("tool_failures", "account 1 agenda_empty", None));
        assert_eq!(failures.href.as_deref(), Some("/failures?code=agenda_empty"));
        assert!(failures.note.is_some_and(|note| note != "agenda_empty"));
    }

    #[test]
    fn every_kind_has_words() {
        use lembra_agent::services::alerts::Kind;
        for kind in Kind::ALL {
            for group in ["alert", "alert_hint"] {
                assert_ne!(words::of(group, kind.as_str()), kind.as_str(), "{group}");
            }
        }
    }
}
