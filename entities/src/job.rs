//! The ledger: what is to be done, by whom, and what became of it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "jobs")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Option<i64>,
    pub queue: String,
    pub kind: String,
    /// Ids only.
    #[sea_orm(column_type = "JsonBinary")]
    pub payload: Json,
    /// At most one waiting and one running row have it.
    pub dedup_key: Option<String>,
    /// Unique for ever.
    pub once_key: Option<String>,
    /// `pending`, `queued`, `running`, `done`, `dead` or `cancelled`.
    pub state: String,
    pub run_at: DateTimeUtc,
    /// Never postponed past this instant by later requests of the same key.
    pub run_by: Option<DateTimeUtc>,
    pub attempts: i32,
    pub max_attempts: i32,
    pub last_error: Option<String>,
    /// W3C traceparent of what asked for it.
    pub trace_context: Option<String>,
    pub queued_at: Option<DateTimeUtc>,
    pub started_at: Option<DateTimeUtc>,
    pub lease_until: Option<DateTimeUtc>,
    pub finished_at: Option<DateTimeUtc>,
    pub worker: Option<String>,
    pub created_at: DateTimeUtc,
    /// The last ten failures and acts of people, oldest first; absent where there were none.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub attempts_log: Option<Json>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
