//! A call of a tool in a turn; calls with effects are written before they are made.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "tool_calls")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub conversation_id: i64,
    /// Absent until the turn is written, and where it never was.
    pub turn_id: Option<i64>,
    /// What the other side recognises a repetition by.
    pub call_key: String,
    pub tool: String,
    /// As called while the turn is unfinished, masked afterwards.
    #[sea_orm(column_type = "JsonBinary")]
    pub arguments: Json,
    pub has_effect: bool,
    /// `begun`, `done`, `failed` or `uncontrolled`.
    pub state: String,
    /// The failure's stable name.
    pub code: Option<String>,
    /// What the model was told.
    #[sea_orm(column_type = "Text", nullable)]
    pub result: Option<String>,
    pub begun_at: DateTimeUtc,
    pub finished_at: Option<DateTimeUtc>,
    /// When its turn was written, or given up; absent while the turn may be made again.
    pub settled_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
