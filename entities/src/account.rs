//! A company that uses Lembra: the tenant that every other row belongs to.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "accounts")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub name: String,
    /// Language of templates and prompts, such as `pt-BR`.
    pub locale: String,
    /// IANA name, such as `America/Sao_Paulo`.
    pub timezone: String,
    /// What the assistant calls itself.
    pub assistant_name: String,
    /// No answer goes out while it is set.
    pub bot_paused: bool,
    /// Milliseconds to wait for further messages; the process's default when absent.
    pub debounce_ms: Option<i32>,
    /// Rules of scope, see `agent::domain::triage::scope::Profile`.
    pub scope_profile: String,
    /// `none` or `available`.
    pub human_support: String,
    /// What the assistant can help with, as it stands in a sentence; the template's when absent.
    pub helps_with: Option<String>,
    /// Who the assistant is and how it speaks, for the prompt.
    pub persona: Option<String>,
    /// What may be told of the business: address, hours, rules. For the prompt.
    pub facts: Option<String>,
    /// What model calls may cost in a month; no limit when absent.
    pub monthly_ceiling_brl: Option<f64>,
    /// Minutes that a conversation may wait for a person before it alerts again.
    pub handoff_minutes: i32,
    /// The bot goes on when nobody took the conversation in time.
    pub handoff_resumes: bool,
    /// Where waiting conversations are announced.
    pub notify_url: Option<String>,
    /// What announcements are signed with, encrypted.
    pub notify_secret: Option<String>,
    /// Names of the domains of scope about which the account has knowledge entries.
    #[sea_orm(column_type = "JsonBinary")]
    pub covered_domains: Json,
    /// Grows with every change of the account's knowledge entries.
    pub knowledge_revision: i64,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
