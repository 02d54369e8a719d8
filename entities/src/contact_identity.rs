//! One of the names by which channels call a contact.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "contact_identities")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: i64,
    pub contact_id: i64,
    /// `phone`, `bsuid` or `lid`.
    pub kind: String,
    /// The form to compare by.
    pub value: String,
    /// The form to answer at, as received.
    pub address: String,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
