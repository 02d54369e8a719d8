//! What a contact and the business said to each other on one inbox until it was resolved.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "conversations")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub inbox_id: i64,
    pub contact_id: i64,
    /// The unit that it is about, when not that of its inbox.
    pub captain_unit_id: Option<i64>,
    /// `open` or `resolved`; one open row per inbox and contact.
    pub state: String,
    /// `bot` or `human`.
    pub handler: String,
    pub handler_reason: Option<String>,
    pub handler_since: Option<DateTimeUtc>,
    /// The bot is silent until then.
    pub paused_until: Option<DateTimeUtc>,
    /// Turns in a row that no tool resolved (seed 000).
    pub past_turns_without_tool_call: i32,
    /// The ad or post that the customer came from; see `agent::domain::message::Referral`.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub referral: Option<Json>,
    /// The channel says that the customer is typing, and that holds until then.
    pub typing_until: Option<DateTimeUtc>,
    pub last_message_at: DateTimeUtc,
    /// The last message that had come when it was last learnt from.
    pub learned_until: Option<DateTimeUtc>,
    pub resolved_at: Option<DateTimeUtc>,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
