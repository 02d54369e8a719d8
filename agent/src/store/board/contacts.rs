//! The list of an account's contacts, newest first, and finding one by name or telephone.
//!
//! Names are compared as operators type them, without accents, which neither database does by
//! itself: pages of ids and names are read and compared here. Numbers are compared in an index that
//! holds them all. Both walk backwards from where the last answer ended, and one answer looks at a
//! bounded number of contacts; `next` goes on from there.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use lembra_entities::contact_identity;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Value};
use serde::Serialize;
use serde_json::Value as Json;
use utoipa::ToSchema;

use crate::domain::contact_search::Wanted;
use crate::domain::identity::IdentityKind;
use crate::domain::phone_text;
use crate::store::error::StoreResult;
use crate::store::rowset::{any_number, parameter, query};

/// Names compared per statement, and numbers.
const NAMES: i64 = 5_000;
const NUMBERS: i64 = 50_000;
/// Statements of one answer.
const MOST_PAGES: usize = 8;

/// A contact in a list.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ContactRow {
    pub id: i64,
    /// As their own profile says, or as an operator wrote it.
    pub name: Option<String>,
    /// The telephone, with country code and digits only, where one is known.
    pub phone: Option<String>,
    /// Facts that stand, among them those whose time is over and that no job has deleted yet.
    pub memories: i64,
    /// When something was last said in a conversation of theirs.
    pub last_message_at: Option<DateTime<Utc>>,
    pub open_conversation_id: Option<i64>,
    /// Since when they want no marketing.
    pub marketing_opt_out_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// A page of contacts.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ContactPage {
    pub contacts: Vec<ContactRow>,
    /// For `before` of the next page; absent at the end. A page of a search may hold few or none
    /// and still have a next one.
    pub next: Option<i64>,
}

/// The account's contacts that are wanted, with a smaller id than `before`, at most `limit`.
pub async fn list(
    db: &impl ConnectionTrait,
    account_id: i64,
    wanted: &Wanted,
    before: Option<i64>,
    limit: usize,
) -> StoreResult<ContactPage> {
    let mut found = Vec::new();
    let mut at = before.unwrap_or(i64::MAX);
    if let (Wanted::Name { exact, .. }, None) = (wanted, before) {
        found.extend(named_by_a_channel(db, account_id, exact).await?);
    }
    let mut next = None;
    for page in 1..=MOST_PAGES {
        let (ids, end) = walk(db, account_id, wanted, at, limit).await?;
        for id in ids {
            if !found.contains(&id) {
                found.push(id);
            }
        }
        let Some(end) = end else { break };
        at = end;
        if found.len() > limit || page == MOST_PAGES {
            next = Some(end);
            break;
        }
    }
    if found.len() > limit {
        found.truncate(limit);
        next = found.last().copied();
    }
    let contacts = rows(db, account_id, &found).await?;
    Ok(ContactPage { contacts, next })
}

/// The contacts that a channel calls by exactly that id.
async fn named_by_a_channel(
    db: &impl ConnectionTrait,
    account_id: i64,
    exact: &str,
) -> StoreResult<Vec<i64>> {
    let rows = contact_identity::Entity::find()
        .filter(contact_identity::Column::Value.eq(exact))
        .filter(contact_identity::Column::AccountId.eq(account_id))
        .all(db)
        .await?;
    Ok(rows.into_iter().map(|row| row.contact_id).collect())
}

/// Those of the next contacts that are wanted, and where the walk stands; `None` at its end.
async fn walk(
    db: &impl ConnectionTrait,
    account_id: i64,
    wanted: &Wanted,
    at: i64,
    limit: usize,
) -> StoreResult<(Vec<i64>, Option<i64>)> {
    match wanted {
        Wanted::Phone(forms) => by_phone(db, account_id, forms, at, limit).await,
        Wanted::Everybody => {
            let most = i64::try_from(limit).unwrap_or(NAMES).saturating_add(1);
            by_name(db, account_id, wanted, at, most).await
        }
        Wanted::Name { .. } => by_name(db, account_id, wanted, at, NAMES).await,
    }
}

async fn by_name(
    db: &impl ConnectionTrait,
    account_id: i64,
    wanted: &Wanted,
    at: i64,
    most: i64,
) -> StoreResult<(Vec<i64>, Option<i64>)> {
    let sql = "SELECT id, name FROM contacts WHERE account_id = $1 AND id < $2 \
               ORDER BY id DESC LIMIT $3";
    let rows = query(db, sql.to_owned(), vec![account_id.into(), at.into(), most.into()]).await?;
    let (mut ids, mut last) = (Vec::new(), None);
    for row in &rows {
        let id: i64 = row.try_get("", "id")?;
        let name: Option<String> = row.try_get("", "name")?;
        if wanted.fits_name(name.as_deref().unwrap_or_default()) {
            ids.push(id);
        }
        last = Some(id);
    }
    let full = i64::try_from(rows.len()).is_ok_and(|count| count == most);
    Ok((ids, last.filter(|_| full)))
}

async fn by_phone(
    db: &impl ConnectionTrait,
    account_id: i64,
    forms: &[String],
    at: i64,
    limit: usize,
) -> StoreResult<(Vec<i64>, Option<i64>)> {
    let seen = "SELECT contact_id, value FROM contact_identities \
                WHERE account_id = $1 AND contact_id < $2 AND kind = 'phone' \
                ORDER BY contact_id DESC LIMIT $3";
    let most = i64::try_from(limit).unwrap_or(NAMES).saturating_add(1);
    let mut values: Vec<Value> = vec![account_id.into(), at.into(), NUMBERS.into(), most.into()];
    let mut fits = Vec::new();
    for form in forms {
        // Digits only: nothing to escape.
        values.push(format!("%{form}%").into());
        fits.push(format!("value LIKE ${}", values.len()));
    }
    let sql = format!(
        "SELECT contact_id FROM ({seen}) AS seen WHERE {} GROUP BY contact_id \
         ORDER BY contact_id DESC LIMIT $4",
        fits.join(" OR ")
    );
    let rows = query(db, sql, values).await?;
    let ids: Vec<i64> =
        rows.iter().map(|row| row.try_get("", "contact_id")).collect::<Result<_, _>>()?;
    if ids.len() > limit {
        return Ok((ids.clone(), ids.last().copied()));
    }
    let sql = format!("SELECT min(contact_id) AS last, count(*) AS n FROM ({seen}) AS seen");
    let rows = query(db, sql, vec![account_id.into(), at.into(), NUMBERS.into()]).await?;
    let Some(row) = rows.first() else { return Ok((ids, None)) };
    let (last, count): (Option<i64>, i64) = (row.try_get("", "last")?, row.try_get("", "n")?);
    Ok((ids, last.filter(|_| count == NUMBERS)))
}

/// The contacts with these ids, in that order, with what a list shows of them.
pub async fn rows(
    db: &impl ConnectionTrait,
    account_id: i64,
    ids: &[i64],
) -> StoreResult<Vec<ContactRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let backend = db.get_database_backend();
    let keys = || -> Vec<Value> {
        vec![account_id.into(), parameter(ids.iter().copied().map(Json::from))]
    };
    let sql = format!(
        "SELECT id, name, marketing_opt_out_at, created_at FROM contacts \
         WHERE account_id = $1 AND {}",
        any_number(backend, "id", 2)
    );
    let mut known: HashMap<i64, ContactRow> = HashMap::new();
    for row in query(db, sql, keys()).await? {
        let id = row.try_get("", "id")?;
        let contact = ContactRow {
            id,
            name: row.try_get("", "name")?,
            phone: None,
            memories: 0,
            last_message_at: None,
            open_conversation_id: None,
            marketing_opt_out_at: row.try_get("", "marketing_opt_out_at")?,
            created_at: row.try_get("", "created_at")?,
        };
        known.insert(id, contact);
    }
    for (id, phone) in phones(db, ids).await? {
        if let Some(contact) = known.get_mut(&id) {
            contact.phone = Some(phone);
        }
    }
    let any = any_number(backend, "contact_id", 2);
    let sql = format!(
        "SELECT contact_id, max(last_message_at) AS last, \
         max(CASE WHEN state = 'open' THEN id END) AS open_id FROM conversations \
         WHERE account_id = $1 AND {any} GROUP BY contact_id"
    );
    for row in query(db, sql, keys()).await? {
        if let Some(contact) = known.get_mut(&row.try_get("", "contact_id")?) {
            contact.last_message_at = row.try_get("", "last")?;
            contact.open_conversation_id = row.try_get("", "open_id")?;
        }
    }
    let sql = format!(
        "SELECT contact_id, count(*) AS n FROM captain_contact_memories \
         WHERE account_id = $1 AND deleted_at IS NULL AND superseded_at IS NULL AND {any} \
         GROUP BY contact_id"
    );
    for row in query(db, sql, keys()).await? {
        if let Some(contact) = known.get_mut(&row.try_get("", "contact_id")?) {
            contact.memories = row.try_get("", "n")?;
        }
    }
    Ok(ids.iter().filter_map(|id| known.remove(id)).collect())
}

/// What a contact is called in a line: their name, else their telephone, else their number here.
fn label(name: Option<&str>, phone: Option<&str>, id: i64) -> String {
    match (name, phone) {
        (Some(name), _) => name.to_owned(),
        (None, Some(phone)) => phone_text::shown(phone),
        (None, None) => format!("#{id}"),
    }
}

impl ContactRow {
    /// What they are called in a line.
    pub fn label(&self) -> String {
        label(self.name.as_deref(), self.phone.as_deref(), self.id)
    }

    /// The telephone as Brazilians write it.
    pub fn phone_shown(&self) -> Option<String> {
        self.phone.as_deref().map(phone_text::shown)
    }
}

impl ContactName {
    /// What they are called in a line.
    pub fn label(&self) -> String {
        label(self.name.as_deref(), self.phone.as_deref(), self.id)
    }
}

/// The telephones of these contacts, as received; of several, the one that came last.
async fn phones(db: &impl ConnectionTrait, ids: &[i64]) -> StoreResult<HashMap<i64, String>> {
    let any = any_number(db.get_database_backend(), "contact_id", 1);
    let sql = format!(
        "SELECT contact_id, address FROM contact_identities WHERE {any} AND kind = $2 ORDER BY id"
    );
    let keys = parameter(ids.iter().copied().map(Json::from));
    let rows = query(db, sql, vec![keys, IdentityKind::Phone.as_str().into()]).await?;
    let read =
        rows.iter().map(|row| Ok((row.try_get("", "contact_id")?, row.try_get("", "address")?)));
    read.collect()
}

/// What a contact is called where only that is shown: their name, else their telephone.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ContactName {
    pub id: i64,
    pub name: Option<String>,
    pub phone: Option<String>,
}

/// What the account's contacts with these ids are called.
pub async fn names(
    db: &impl ConnectionTrait,
    account_id: i64,
    ids: &BTreeSet<i64>,
) -> StoreResult<HashMap<i64, ContactName>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let any = any_number(db.get_database_backend(), "id", 2);
    let sql = format!("SELECT id, name FROM contacts WHERE account_id = $1 AND {any}");
    let keys = parameter(ids.iter().copied().map(Json::from));
    let mut names = HashMap::new();
    for row in query(db, sql, vec![account_id.into(), keys]).await? {
        let id = row.try_get("", "id")?;
        names.insert(id, ContactName { id, name: row.try_get("", "name")?, phone: None });
    }
    let known: Vec<i64> = names.keys().copied().collect();
    for (id, phone) in phones(db, &known).await? {
        if let Some(contact) = names.get_mut(&id) {
            contact.phone = Some(phone);
        }
    }
    Ok(names)
}

/// The names by which channels call a contact, oldest first.
pub async fn identities(
    db: &impl ConnectionTrait,
    contact_id: i64,
) -> StoreResult<Vec<contact_identity::Model>> {
    Ok(contact_identity::Entity::find()
        .filter(contact_identity::Column::ContactId.eq(contact_id))
        .order_by_asc(contact_identity::Column::Id)
        .all(db)
        .await?)
}
