//! A message, in either direction; outbound rows are the outbox.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "messages")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub inbox_id: i64,
    pub conversation_id: i64,
    pub contact_id: i64,
    /// `in` or `out`.
    pub direction: String,
    /// `customer`, `bot` or `human`.
    pub author: String,
    /// Unique within the inbox; absent until an outbound message is accepted.
    pub provider_message_id: Option<String>,
    /// See `agent::domain::message::Content::kind`.
    pub kind: String,
    #[sea_orm(column_type = "Text")]
    pub text: String,
    /// All of the content, where it is more than text.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub content: Option<Json>,
    pub reply_to: Option<String>,
    /// The provider's time; for outbound ours.
    pub written_at: DateTimeUtc,
    /// What triage said.
    pub verdict: Option<String>,
    /// The triage rule that fired.
    pub rule: Option<String>,
    /// How an inbound message ended; absent while it waits for an answer.
    pub outcome: Option<String>,
    pub outcome_detail: Option<String>,
    pub outcome_at: Option<DateTimeUtc>,
    pub turn_id: Option<i64>,
    /// The reading for facts that read it first.
    pub extraction_id: Option<i64>,
    /// Outbound: `pending`, `sending`, `sent`, `delivered`, `read`, `failed`, `unknown`, `cancelled`.
    pub delivery: Option<String>,
    pub error_code: Option<i64>,
    /// Outbound: what the provider charges for it, in its own shape.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub pricing: Option<Json>,
    pub error_detail: Option<String>,
    pub sending_at: Option<DateTimeUtc>,
    /// Outbound: which announcement it is, in the journal of the process that sends.
    pub send_ticket: Option<String>,
    pub sent_at: Option<DateTimeUtc>,
    pub delivered_at: Option<DateTimeUtc>,
    pub read_at: Option<DateTimeUtc>,
    /// Outbound: which operator wrote it, such as `operator:3`.
    pub said_by: Option<String>,
    /// What an operator made of it when it failed or stayed unclear: `resent`, `not_sent` or `seen`.
    pub attended_as: Option<String>,
    pub attended_by: Option<String>,
    pub attended_at: Option<DateTimeUtc>,
    /// The customer changed its text; `text` is the new one.
    pub edited_at: Option<DateTimeUtc>,
    /// The customer withdrew it.
    pub revoked_at: Option<DateTimeUtc>,
    /// When it reached us, or was written to the outbox.
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
