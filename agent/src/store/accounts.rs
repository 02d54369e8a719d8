//! Accounts.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use lembra_entities::account;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait, EntityTrait, QueryOrder};

use super::error::StoreResult;
use crate::domain::triage::locale::Locale;
use crate::domain::triage::router::HumanSupport;
use crate::domain::triage::scope::Profile;

/// What an account is to be; what is absent stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct Changes<'a> {
    pub name: Option<&'a str>,
    /// IANA name.
    pub timezone: Option<&'a str>,
    pub bot_paused: Option<bool>,
    /// Milliseconds, or the process's default again.
    pub debounce_ms: Option<Option<i32>>,
    pub scope_profile: Option<Profile>,
    pub human_support: Option<HumanSupport>,
    pub locale: Option<Locale>,
    pub assistant_name: Option<&'a str>,
    /// Texts; an empty one takes them away.
    pub helps_with: Option<&'a str>,
    pub persona: Option<&'a str>,
    pub facts: Option<&'a str>,
    /// A ceiling, or none any more.
    pub monthly_ceiling_brl: Option<Option<f64>>,
    pub handoff_minutes: Option<i32>,
    pub handoff_resumes: Option<bool>,
    /// Address with its encrypted secret, or no announcements any more.
    pub notify: Option<Option<(&'a str, &'a str)>>,
}

/// Makes an account with the defaults of a Brazilian business.
pub async fn add(
    db: &impl ConnectionTrait,
    name: &str,
    now: DateTime<Utc>,
) -> StoreResult<account::Model> {
    let row = account::ActiveModel {
        name: Set(name.to_owned()),
        locale: Set("pt-BR".to_owned()),
        timezone: Set("America/Sao_Paulo".to_owned()),
        assistant_name: Set("mel".to_owned()),
        bot_paused: Set(false),
        debounce_ms: Set(None),
        scope_profile: Set("none".to_owned()),
        human_support: Set("none".to_owned()),
        helps_with: Set(None),
        persona: Set(None),
        facts: Set(None),
        monthly_ceiling_brl: Set(None),
        handoff_minutes: Set(15),
        handoff_resumes: Set(false),
        notify_url: Set(None),
        notify_secret: Set(None),
        covered_domains: Set(serde_json::json!([])),
        knowledge_revision: Set(0),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    Ok(row.insert(db).await?)
}

/// The account's time zone; São Paulo's where it has none that is known.
pub fn zone(account: &account::Model) -> Tz {
    account.timezone.parse().unwrap_or(chrono_tz::America::Sao_Paulo)
}

pub async fn find(db: &impl ConnectionTrait, id: i64) -> StoreResult<Option<account::Model>> {
    Ok(account::Entity::find_by_id(id).one(db).await?)
}

pub async fn list(db: &impl ConnectionTrait) -> StoreResult<Vec<account::Model>> {
    Ok(account::Entity::find().order_by_asc(account::Column::Id).all(db).await?)
}

/// Changes an account; `None` when there is no such account.
pub async fn change(
    db: &impl ConnectionTrait,
    id: i64,
    changes: &Changes<'_>,
    now: DateTime<Utc>,
) -> StoreResult<Option<account::Model>> {
    let Some(row) = find(db, id).await? else {
        return Ok(None);
    };
    let mut row: account::ActiveModel = row.into();
    if let Some(name) = changes.name {
        row.name = Set(name.to_owned());
    }
    if let Some(timezone) = changes.timezone {
        row.timezone = Set(timezone.to_owned());
    }
    if let Some(paused) = changes.bot_paused {
        row.bot_paused = Set(paused);
    }
    if let Some(debounce) = changes.debounce_ms {
        row.debounce_ms = Set(debounce);
    }
    if let Some(profile) = changes.scope_profile {
        row.scope_profile = Set(profile.as_str().to_owned());
    }
    if let Some(support) = changes.human_support {
        row.human_support = Set(support.as_str().to_owned());
    }
    if let Some(locale) = changes.locale {
        row.locale = Set(locale.as_str().to_owned());
    }
    if let Some(name) = changes.assistant_name {
        row.assistant_name = Set(name.to_owned());
    }
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    if let Some(words) = changes.helps_with {
        row.helps_with = Set(text(words));
    }
    if let Some(persona) = changes.persona {
        row.persona = Set(text(persona));
    }
    if let Some(facts) = changes.facts {
        row.facts = Set(text(facts));
    }
    if let Some(ceiling) = changes.monthly_ceiling_brl {
        row.monthly_ceiling_brl = Set(ceiling);
    }
    if let Some(minutes) = changes.handoff_minutes {
        row.handoff_minutes = Set(minutes);
    }
    if let Some(resumes) = changes.handoff_resumes {
        row.handoff_resumes = Set(resumes);
    }
    if let Some(notify) = changes.notify {
        row.notify_url = Set(notify.map(|(url, _)| url.to_owned()));
        row.notify_secret = Set(notify.map(|(_, secret)| secret.to_owned()));
    }
    row.updated_at = Set(now);
    Ok(Some(row.update(db).await?))
}

/// An account for tests, as [`add`] makes one.
#[cfg(test)]
pub fn example() -> account::Model {
    let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
    account::Model {
        id: 1,
        name: "Clínica Aurora".into(),
        locale: "pt-BR".into(),
        timezone: "America/Sao_Paulo".into(),
        assistant_name: "mel".into(),
        bot_paused: false,
        debounce_ms: None,
        scope_profile: "none".into(),
        human_support: "none".into(),
        helps_with: None,
        persona: None,
        facts: None,
        monthly_ceiling_brl: None,
        handoff_minutes: 15,
        handoff_resumes: false,
        notify_url: None,
        notify_secret: None,
        covered_domains: serde_json::json!([]),
        knowledge_revision: 0,
        created_at: now,
        updated_at: now,
    }
}
