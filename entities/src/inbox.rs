//! A line of the business: one Meta number or one Evolution instance.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "inboxes")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    /// The unit that the line belongs to.
    pub unit_id: Option<i64>,
    /// `meta`
    pub channel: String,
    /// The secret part of the webhook path.
    pub inbox_key: String,
    /// Meta `phone_number_id`.
    pub external_id: String,
    /// Where the provider's API is, when not at its usual address.
    pub base_url: Option<String>,
    /// The account chose that address: nothing private is called unless the host allows it.
    pub public_only: bool,
    /// Encrypted JSON; see `agent::config::vault`.
    pub credentials: String,
    /// The other side is the simulator of standalone mode.
    pub simulated: bool,
    pub last_event_at: Option<DateTimeUtc>,
    /// Delivery statuses are known to arrive.
    pub last_status_at: Option<DateTimeUtc>,
    /// Nothing is sent any more: the provider refuses the line itself.
    pub stopped_at: Option<DateTimeUtc>,
    pub stopped_why: Option<String>,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
