//! One contact as operators see them: names, attributes, conversations, and what was changed.

use chrono::{DateTime, Utc};
use lembra_entities::contact;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Value};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use utoipa::ToSchema;

use super::contacts;
use crate::domain::phone_text;
use crate::store::error::StoreResult;
use crate::store::rowset::query;

/// A name by which a channel calls a contact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Identity {
    pub id: i64,
    /// `phone`, `bsuid` or `lid`.
    pub kind: String,
    /// The form to compare by: a Brazilian mobile has its ninth digit.
    pub value: String,
    /// The form to answer at, as received.
    pub address: String,
    pub created_at: DateTime<Utc>,
}

/// A contact.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Contact {
    pub id: i64,
    /// As their own profile says, or as an operator wrote it.
    pub name: Option<String>,
    pub identities: Vec<Identity>,
    /// The first layer of what is known of them (seed 002 §4): pairs of key and value.
    #[schema(value_type = Object)]
    pub custom_attributes: Map<String, Json>,
    /// Since when they want no marketing.
    pub marketing_opt_out_at: Option<DateTime<Utc>>,
    /// They asked to be forgotten: nothing that was written before proves anything.
    pub forgotten_at: Option<DateTime<Utc>>,
    /// When they last wrote.
    pub last_seen_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl Identity {
    /// The address as people read it: a telephone as Brazilians write it.
    pub fn shown(&self) -> String {
        if self.kind == "phone" { phone_text::shown(&self.address) } else { self.address.clone() }
    }
}

impl Contact {
    /// The telephone that came last, as received.
    pub fn phone(&self) -> Option<&str> {
        let mut phones = self.identities.iter().filter(|identity| identity.kind == "phone");
        phones.next_back().map(|identity| identity.address.as_str())
    }

    /// The telephone as Brazilians write it.
    pub fn phone_shown(&self) -> Option<String> {
        self.phone().map(phone_text::shown)
    }

    /// What they are called in a line: their name, else their telephone, else their number here.
    pub fn label(&self) -> String {
        let name = contacts::ContactName {
            id: self.id,
            name: self.name.clone(),
            phone: self.phone().map(str::to_owned),
        };
        name.label()
    }
}

/// A contact's conversation in a list.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ContactConversation {
    pub id: i64,
    pub inbox_id: i64,
    /// `meta` or `evolution`; absent when the line is gone.
    pub channel: Option<String>,
    /// The unit it is about: its own, or that of its line.
    pub unit_id: Option<i64>,
    pub unit_name: Option<String>,
    /// `open` or `resolved`.
    pub state: String,
    /// `bot` or `human`.
    pub handler: String,
    pub last_message_at: DateTime<Utc>,
    pub resolved_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// The account's contact; `None` when it has no such one.
pub async fn find(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
) -> StoreResult<Option<Contact>> {
    let row = contact::Entity::find_by_id(contact_id)
        .filter(contact::Column::AccountId.eq(account_id))
        .one(db)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let identities = contacts::identities(db, contact_id).await?;
    let shown = identities.into_iter().map(|identity| Identity {
        id: identity.id,
        kind: identity.kind,
        value: identity.value,
        address: identity.address,
        created_at: identity.created_at,
    });
    Ok(Some(Contact {
        id: row.id,
        name: row.name,
        identities: shown.collect(),
        custom_attributes: row.custom_attributes.as_object().cloned().unwrap_or_default(),
        marketing_opt_out_at: row.marketing_opt_out_at,
        forgotten_at: row.forgotten_at,
        last_seen_at: last_seen(db, account_id, contact_id).await?,
        created_at: row.created_at,
        updated_at: row.updated_at,
    }))
}

/// When the contact last wrote: the last message of theirs on each line is found in the index, by
/// the conversations that they had.
async fn last_seen(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
) -> StoreResult<Option<DateTime<Utc>>> {
    let sql = "SELECT max((SELECT written_at FROM messages \
                WHERE messages.contact_id = lines.contact_id \
                AND messages.inbox_id = lines.inbox_id AND direction = 'in' \
                ORDER BY messages.id DESC LIMIT 1)) AS seen \
               FROM (SELECT DISTINCT contact_id, inbox_id FROM conversations \
                     WHERE account_id = $1 AND contact_id = $2) AS lines";
    let rows = query(db, sql.to_owned(), vec![account_id.into(), contact_id.into()]).await?;
    match rows.first() {
        Some(row) => Ok(row.try_get("", "seen")?),
        None => Ok(None),
    }
}

/// The contact's conversations, latest first, with a smaller id than `before`.
pub async fn conversations(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
    before: Option<i64>,
    limit: u64,
) -> StoreResult<Vec<ContactConversation>> {
    let sql = "SELECT conversations.id, conversations.inbox_id, inboxes.channel, units.id AS unit_id, \
               units.name AS unit_name, state, handler, last_message_at, resolved_at, \
               conversations.created_at \
               FROM conversations LEFT JOIN inboxes ON inboxes.id = conversations.inbox_id \
               LEFT JOIN units ON units.id = COALESCE(captain_unit_id, inboxes.unit_id) \
               AND units.account_id = conversations.account_id \
               WHERE conversations.account_id = $1 AND contact_id = $2 AND conversations.id < $3 \
               ORDER BY conversations.id DESC LIMIT $4";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let values: Vec<Value> =
        vec![account_id.into(), contact_id.into(), before.unwrap_or(i64::MAX).into(), limit.into()];
    let mut conversations = Vec::new();
    for row in query(db, sql.to_owned(), values).await? {
        conversations.push(ContactConversation {
            id: row.try_get("", "id")?,
            inbox_id: row.try_get("", "inbox_id")?,
            channel: row.try_get("", "channel")?,
            unit_id: row.try_get("", "unit_id")?,
            unit_name: row.try_get("", "unit_name")?,
            state: row.try_get("", "state")?,
            handler: row.try_get("", "handler")?,
            last_message_at: row.try_get("", "last_message_at")?,
            resolved_at: row.try_get("", "resolved_at")?,
            created_at: row.try_get("", "created_at")?,
        });
    }
    Ok(conversations)
}

/// What a contact is to be; what is absent stays.
#[derive(Debug, Clone, Default)]
pub struct Written {
    pub name: Option<Option<String>>,
    pub custom_attributes: Option<Map<String, Json>>,
    pub marketing_opt_out_at: Option<Option<DateTime<Utc>>>,
}

/// Takes the contact's row for this transaction and answers it; `None` when the account has no such
/// one.
pub async fn lock(
    tx: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
) -> StoreResult<Option<contact::Model>> {
    let taken = contact::Entity::update_many()
        .col_expr(contact::Column::ForgottenAt, Expr::col(contact::Column::ForgottenAt))
        .filter(contact::Column::Id.eq(contact_id))
        .filter(contact::Column::AccountId.eq(account_id))
        .exec(tx)
        .await?;
    if taken.rows_affected == 0 {
        return Ok(None);
    }
    Ok(contact::Entity::find_by_id(contact_id).one(tx).await?)
}

/// Writes it.
pub async fn write(
    tx: &impl ConnectionTrait,
    contact_id: i64,
    written: Written,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut change = contact::Entity::update_many()
        .col_expr(contact::Column::UpdatedAt, Expr::value(now))
        .filter(contact::Column::Id.eq(contact_id));
    if let Some(name) = written.name {
        change = change.col_expr(contact::Column::Name, Expr::value(name));
    }
    if let Some(attributes) = written.custom_attributes {
        let attributes = Json::Object(attributes);
        change = change.col_expr(contact::Column::CustomAttributes, Expr::value(attributes));
    }
    if let Some(at) = written.marketing_opt_out_at {
        change = change.col_expr(contact::Column::MarketingOptOutAt, Expr::value(at));
    }
    change.exec(tx).await?;
    Ok(())
}
