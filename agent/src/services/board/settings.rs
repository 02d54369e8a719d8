//! What an account goes by: one place that reads it and changes it, for pages, API and command
//! line. Each field has its rule here and nowhere else.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use lembra_entities::account;
use secrecy::SecretString;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::admin::{Admin, AdminError};
use crate::domain::fields::{self, Invalid, Reason};
use crate::domain::triage::locale::Locale;
use crate::domain::triage::router::HumanSupport;
use crate::domain::triage::scope::Profile;
use crate::services::handoff::notify;
use crate::store::accounts::{self, Changes};

/// Longest name of an account, in characters.
pub const MOST_NAME_CHARS: usize = 120;
/// Longest name of an assistant: it stands in fixed answers.
const MOST_ASSISTANT_CHARS: usize = 60;
const MOST_HELPS_WITH_CHARS: usize = 200;
/// Persona and facts, each: they are in every prompt.
const MOST_PROMPT_CHARS: usize = 10_000;
/// Longest rest between a message and its answer: after ten seconds an answer is due anyway.
pub const MOST_DEBOUNCE_MS: i64 = 10_000;
const MOST_HANDOFF_MINUTES: i64 = 1_440;

/// The settings of an account; of secrets nothing.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AccountSettings {
    pub id: i64,
    /// Of the business, as customers read it.
    pub name: String,
    /// What the assistant calls itself.
    pub assistant_name: String,
    /// `pt-BR`, `es-419` or `en`: fixed answers where the customer's language is not clear.
    pub locale: String,
    /// IANA name, such as `America/Sao_Paulo`.
    pub timezone: String,
    /// Who the assistant is and how it speaks.
    pub persona: Option<String>,
    /// What may be told of the business.
    pub facts: Option<String>,
    /// What it can help with, as it stands in a sentence; the usual words when absent.
    pub helps_with: Option<String>,
    /// `none` or `medication-adherence`.
    pub scope_profile: String,
    /// `none` or `available`: whether people take conversations.
    pub human_support: String,
    /// Minutes that a conversation may wait for a person before it alerts again.
    pub handoff_minutes: i32,
    /// Whether the bot goes on when nobody took the conversation in time.
    pub handoff_resumes: bool,
    /// Milliseconds to wait for further messages; `default_debounce_ms` when absent.
    pub debounce_ms: Option<i32>,
    /// The rest of the installation.
    pub default_debounce_ms: i64,
    /// What model calls may cost in a month; no limit when absent.
    pub monthly_ceiling_brl: Option<f64>,
    /// Where waiting conversations are announced.
    pub notify_url: Option<String>,
    /// No answer goes out while it is set.
    pub bot_paused: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// What is to be changed; what is left out stays. Texts and numbers that may be absent are taken
/// away by null.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SettingsChange {
    /// 1 to 120 characters.
    pub name: Option<String>,
    /// 1 to 60 characters.
    pub assistant_name: Option<String>,
    /// `pt-BR`, `es-419` or `en`.
    pub locale: Option<String>,
    /// IANA name.
    pub timezone: Option<String>,
    /// At most 10,000 characters.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub persona: Option<Option<String>>,
    /// At most 10,000 characters.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub facts: Option<Option<String>>,
    /// 1 to 200 characters: "reservas, cardápio ou pagamento".
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub helps_with: Option<Option<String>>,
    /// `none` or `medication-adherence`.
    pub scope_profile: Option<String>,
    /// `none` or `available`.
    pub human_support: Option<String>,
    /// 1 to 1440.
    pub handoff_minutes: Option<i64>,
    pub handoff_resumes: Option<bool>,
    /// 0 to 10000.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<i64>)]
    pub debounce_ms: Option<Option<i64>>,
    /// In BRL.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<f64>)]
    pub monthly_ceiling_brl: Option<Option<f64>>,
    /// Another address gets another secret.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub notify_url: Option<Option<String>>,
    pub bot_paused: Option<bool>,
}

/// A field that is there, also when it is null.
pub(super) fn given<'de, D, T>(field: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(field).map(Some)
}

/// Changed settings, with the secret of announcements when there is a new one: it is shown once.
#[derive(Debug)]
pub struct Changed {
    pub settings: AccountSettings,
    pub notify_secret: Option<SecretString>,
}

impl Admin<'_> {
    /// The settings of an account; `None` when there is no such account.
    pub async fn settings(&self, account_id: i64) -> Result<Option<AccountSettings>, AdminError> {
        Ok(accounts::find(self.db, account_id).await?.map(|row| self.shown(row)))
    }

    /// Changes an account: all that is given, or nothing when a field is refused. Running processes
    /// follow within seconds.
    pub async fn change_settings(
        &self,
        account_id: i64,
        change: &SettingsChange,
        by: &str,
    ) -> Result<Changed, AdminError> {
        let row = accounts::find(self.db, account_id).await?.ok_or(AdminError::NotFound)?;
        let read = self.read(change)?;
        let other_address = read.notify_url.as_ref().filter(|url| **url != row.notify_url);
        let secret = match other_address {
            Some(Some(_)) => Some(notify::new_secret(&self.config.vault, account_id)?),
            _ => None,
        };
        let sealed = secret.as_ref().map(|secret| secret.sealed.as_str());
        let changes = Changes {
            notify: other_address.map(|url| url.as_deref().zip(sealed)),
            ..read.changes()
        };
        let now = self.clock.now();
        let changed = accounts::change(self.db, account_id, &changes, now).await?;
        self.inboxes.forget();
        tracing::info!(account.id = account_id, by, "settings changed");
        Ok(Changed {
            settings: self.shown(changed.ok_or(AdminError::NotFound)?),
            notify_secret: secret.map(|secret| secret.plain),
        })
    }

    /// Another secret for announcements: what was signed with the one before is signed so no more.
    pub async fn renew_notify_secret(
        &self,
        account_id: i64,
        by: &str,
    ) -> Result<SecretString, AdminError> {
        let row = accounts::find(self.db, account_id).await?.ok_or(AdminError::NotFound)?;
        let url = row.notify_url.ok_or(AdminError::field("notify_url", Reason::Required))?;
        let secret = notify::new_secret(&self.config.vault, account_id)?;
        let changes = Changes { notify: Some(Some((&url, &secret.sealed))), ..Changes::default() };
        accounts::change(self.db, account_id, &changes, self.clock.now()).await?;
        tracing::info!(account.id = account_id, by, "secret of announcements renewed");
        Ok(secret.plain)
    }

    /// Makes an account.
    pub async fn add_account(&self, name: &str) -> Result<AccountSettings, AdminError> {
        let name = fields::line(name, MOST_NAME_CHARS);
        let name = name.map_err(|reason| AdminError::field("name", reason))?;
        let row = accounts::add(self.db, &name, self.clock.now()).await?;
        Ok(self.shown(row))
    }

    /// Every account, by id; for who runs the installation.
    pub async fn accounts(&self) -> Result<Vec<AccountSettings>, AdminError> {
        let rows = accounts::list(self.db).await?;
        Ok(rows.into_iter().map(|row| self.shown(row)).collect())
    }

    fn shown(&self, row: account::Model) -> AccountSettings {
        AccountSettings {
            id: row.id,
            name: row.name,
            assistant_name: row.assistant_name,
            locale: row.locale,
            timezone: row.timezone,
            persona: row.persona,
            facts: row.facts,
            helps_with: row.helps_with,
            scope_profile: row.scope_profile,
            human_support: row.human_support,
            handoff_minutes: row.handoff_minutes,
            handoff_resumes: row.handoff_resumes,
            debounce_ms: row.debounce_ms,
            default_debounce_ms: self.config.answering.debounce.num_milliseconds(),
            monthly_ceiling_brl: row.monthly_ceiling_brl,
            notify_url: row.notify_url,
            bot_paused: row.bot_paused,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }

    fn read(&self, change: &SettingsChange) -> Result<Read, Invalid> {
        let mut invalid = Invalid::default();
        let out = &mut invalid;
        let line = |text: &Option<String>, max| text.as_ref().map(|text| fields::line(text, max));
        let read = Read {
            name: take(out, "name", line(&change.name, MOST_NAME_CHARS)),
            assistant_name: take(
                out,
                "assistant_name",
                line(&change.assistant_name, MOST_ASSISTANT_CHARS),
            ),
            locale: take(out, "locale", change.locale.as_deref().map(locale)),
            timezone: take(out, "timezone", change.timezone.as_deref().map(timezone)),
            persona: take(out, "persona", change.persona.as_ref().map(prompt_text)),
            facts: take(out, "facts", change.facts.as_ref().map(prompt_text)),
            helps_with: take(out, "helps_with", change.helps_with.as_ref().map(helps_with)),
            scope_profile: take(out, "scope_profile", change.scope_profile.as_deref().map(profile)),
            human_support: take(out, "human_support", change.human_support.as_deref().map(support)),
            handoff_minutes: take(
                out,
                "handoff_minutes",
                change.handoff_minutes.map(|minutes| within(minutes, 1, MOST_HANDOFF_MINUTES)),
            ),
            debounce_ms: take(
                out,
                "debounce_ms",
                change
                    .debounce_ms
                    .map(|ms| ms.map(|ms| within(ms, 0, MOST_DEBOUNCE_MS)).transpose()),
            ),
            monthly_ceiling_brl: take(
                out,
                "monthly_ceiling_brl",
                change.monthly_ceiling_brl.map(|brl| brl.map(|brl| self.ceiling(brl)).transpose()),
            ),
            notify_url: take(out, "notify_url", change.notify_url.as_ref().map(notify_url)),
            handoff_resumes: change.handoff_resumes,
            bot_paused: change.bot_paused,
        };
        invalid.check().map(|()| read)
    }

    /// A ceiling that nothing counts towards would never be reached.
    fn ceiling(&self, brl: f64) -> Result<f64, Reason> {
        let llm = &self.config.llm;
        let priced = self.config.memory.prices.brl(&llm.model, 1_000_000, 1_000_000) > 0.0;
        if llm.base_url.is_some() && !priced {
            return Err(Reason::Unpriced);
        }
        fields::amount(brl)
    }
}

/// A change whose fields are read.
struct Read {
    name: Option<String>,
    assistant_name: Option<String>,
    locale: Option<Locale>,
    timezone: Option<Tz>,
    persona: Option<String>,
    facts: Option<String>,
    helps_with: Option<String>,
    scope_profile: Option<Profile>,
    human_support: Option<HumanSupport>,
    handoff_minutes: Option<i32>,
    handoff_resumes: Option<bool>,
    debounce_ms: Option<Option<i32>>,
    monthly_ceiling_brl: Option<Option<f64>>,
    notify_url: Option<Option<String>>,
    bot_paused: Option<bool>,
}

impl Read {
    /// All but the announcements.
    fn changes(&self) -> Changes<'_> {
        Changes {
            name: self.name.as_deref(),
            timezone: self.timezone.map(Tz::name),
            bot_paused: self.bot_paused,
            debounce_ms: self.debounce_ms,
            scope_profile: self.scope_profile,
            human_support: self.human_support,
            locale: self.locale,
            assistant_name: self.assistant_name.as_deref(),
            helps_with: self.helps_with.as_deref(),
            persona: self.persona.as_deref(),
            facts: self.facts.as_deref(),
            monthly_ceiling_brl: self.monthly_ceiling_brl,
            handoff_minutes: self.handoff_minutes,
            handoff_resumes: self.handoff_resumes,
            notify: None,
        }
    }
}

fn take<T>(
    invalid: &mut Invalid,
    field: &'static str,
    read: Option<Result<T, Reason>>,
) -> Option<T> {
    read.and_then(|read| invalid.take(field, read))
}

fn within(number: i64, min: i64, max: i64) -> Result<i32, Reason> {
    let fits = (min..=max).contains(&number);
    i32::try_from(number).ok().filter(|_| fits).ok_or(Reason::OutOfRange { min, max })
}

fn locale(tag: &str) -> Result<Locale, Reason> {
    let known = || Locale::ALL.map(Locale::as_str).join(", ");
    Locale::parse(tag.trim()).ok_or_else(|| Reason::NotOneOf(known()))
}

fn timezone(name: &str) -> Result<Tz, Reason> {
    name.trim().parse().map_err(|_| Reason::NoTimezone)
}

fn profile(name: &str) -> Result<Profile, Reason> {
    let known = || Profile::ALL.map(Profile::as_str).join(", ");
    name.parse().map_err(|_| Reason::NotOneOf(known()))
}

fn support(name: &str) -> Result<HumanSupport, Reason> {
    HumanSupport::parse(name).ok_or_else(|| Reason::NotOneOf("none, available".to_owned()))
}

/// An empty text takes it away, as null does.
fn prompt_text(text: &Option<String>) -> Result<String, Reason> {
    fields::text(text.as_deref().unwrap_or_default(), MOST_PROMPT_CHARS)
}

/// It stands in a sentence to customers: nothing of it is said, or something.
fn helps_with(words: &Option<String>) -> Result<String, Reason> {
    words.as_ref().map_or(Ok(String::new()), |words| fields::line(words, MOST_HELPS_WITH_CHARS))
}

fn notify_url(url: &Option<String>) -> Result<Option<String>, Reason> {
    let Some(url) = url else { return Ok(None) };
    let url = url.trim();
    notify::check_url(url).map_err(|_| Reason::NoAddress)?;
    Ok(Some(url.to_owned()))
}
