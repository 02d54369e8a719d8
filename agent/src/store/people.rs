//! Contacts and the names that channels call them by.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use lembra_entities::{contact, contact_identity};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use serde_json::{Value as Json, json};

use super::error::StoreResult;
use super::identities;
use super::ids::{Ids, Table};
use super::rowset::{Columns, Inserts, Kind, any_number, any_text, parameter, query, time};
use crate::domain::identity::{Identity, IdentityKind, Phone, Sender};

/// A customer as an event names them.
#[derive(Debug, Clone)]
pub struct Caller {
    pub account_id: i64,
    pub sender: Sender,
    pub name: Option<String>,
}

type Name = (i64, &'static str, String);

/// Where a name leads: a contact that exists, or one of those about to be made.
#[derive(Debug, Clone, Copy)]
enum Owner {
    Known(i64),
    New(usize),
}

struct Known {
    owner: Owner,
    identity_id: Option<i64>,
    address: String,
    /// Their contact has no name yet.
    nameless: bool,
}

/// A contact found or made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Person {
    pub contact_id: i64,
    /// Made just now, so it has no conversation.
    pub is_new: bool,
}

/// What is known of the contacts of a batch changes with it, beside what is new.
#[derive(Default)]
struct Changes {
    /// Contacts that turned out to be one: the first becomes the second.
    merged: Vec<(i64, i64)>,
    /// Contacts that had no name so far.
    named: Vec<(i64, String)>,
    /// Names whose address is another now.
    moved: Vec<(i64, String)>,
}

impl Changes {
    fn is_none(&self) -> bool {
        self.merged.is_empty() && self.named.is_empty() && self.moved.is_empty()
    }

    async fn apply(self, tx: &impl ConnectionTrait, now: DateTime<Utc>) -> StoreResult<()> {
        for (from, into) in self.merged {
            identities::merge(tx, from, into, now).await?;
        }
        for (contact_id, name) in self.named {
            contact::Entity::update_many()
                .col_expr(contact::Column::Name, Expr::value(name))
                .filter(contact::Column::Id.eq(contact_id))
                .exec(tx)
                .await?;
        }
        for (identity_id, address) in self.moved {
            contact_identity::Entity::update_many()
                .col_expr(contact_identity::Column::Address, Expr::value(address))
                .filter(contact_identity::Column::Id.eq(identity_id))
                .exec(tx)
                .await?;
        }
        Ok(())
    }
}

/// Who the callers are: each one's owner, and what is new or changes.
struct Resolved<'a> {
    owners: Vec<Owner>,
    new_contacts: Vec<&'a Caller>,
    new_names: Vec<(Owner, i64, Identity)>,
    changes: Changes,
}

/// The contact of each caller, in the order given. Contacts that nobody knew are made; a name
/// that is new for a known contact becomes one more of its names. What is new is added to
/// `inserts`, whose run answers [`super::StoreError::Conflict`] when another writer made one of
/// them at the same moment.
pub async fn resolve(
    tx: &impl ConnectionTrait,
    callers: &[Caller],
    ids: &mut Ids,
    inserts: &mut Inserts,
    now: DateTime<Utc>,
) -> StoreResult<Vec<Person>> {
    let mut resolved = compare(load_names(tx, callers).await?, callers);
    std::mem::take(&mut resolved.changes).apply(tx, now).await?;
    resolved.add(tx, ids, inserts, now).await
}

/// The same where nothing changes for the contacts that are known, without writing anything;
/// `None` where something does.
pub async fn resolve_unchanged(
    db: &impl ConnectionTrait,
    callers: &[Caller],
    ids: &mut Ids,
    inserts: &mut Inserts,
    now: DateTime<Utc>,
) -> StoreResult<Option<Vec<Person>>> {
    let resolved = compare(load_names(db, callers).await?, callers);
    match resolved.changes.is_none() {
        true => Ok(Some(resolved.add(db, ids, inserts, now).await?)),
        false => Ok(None),
    }
}

fn compare(mut names: HashMap<Name, Known>, callers: &[Caller]) -> Resolved<'_> {
    let mut new_contacts: Vec<&Caller> = Vec::new();
    let mut new_names: Vec<(Owner, i64, Identity)> = Vec::new();
    let Changes { mut merged, mut named, mut moved } = Changes::default();
    let mut owners = Vec::with_capacity(callers.len());
    for caller in callers {
        let identities = caller.sender.identities();
        let key = |identity: &Identity| {
            (caller.account_id, identity.kind.as_str(), identity.value.clone())
        };
        let found = identities.iter().find_map(|identity| names.get(&key(identity)));
        if let (Some(Known { owner: Owner::Known(id), nameless: true, .. }), Some(name)) =
            (found, &caller.name)
        {
            named.push((*id, name.clone()));
        }
        let owner = found.map(|known| known.owner);
        // Names of two contacts in one event: they are one.
        if let Some(Owner::Known(into)) = owner {
            for identity in &identities {
                match names.get(&key(identity)).map(|known| known.owner) {
                    Some(Owner::Known(from)) if from != into => merged.push((from, into)),
                    _ => {}
                }
            }
            for known in names.values_mut() {
                if let Owner::Known(id) = &mut known.owner
                    && merged.iter().any(|(from, to)| from == id && *to == into)
                {
                    *id = into;
                }
            }
        }
        let owner = owner.unwrap_or_else(|| {
            new_contacts.push(caller);
            Owner::New(new_contacts.len() - 1)
        });
        for identity in identities {
            match names.get_mut(&key(&identity)) {
                None => {
                    let address = identity.address.clone();
                    let known = Known { owner, identity_id: None, address, nameless: false };
                    names.insert(key(&identity), known);
                    new_names.push((owner, caller.account_id, identity));
                }
                Some(known) if known.address != identity.address => {
                    if let Some(id) = known.identity_id {
                        moved.push((id, identity.address.clone()));
                        known.address = identity.address;
                    }
                }
                Some(_) => {}
            }
        }
        owners.push(owner);
    }

    Resolved { owners, new_contacts, new_names, changes: Changes { merged, named, moved } }
}

impl Resolved<'_> {
    /// Adds what is new to `inserts`.
    async fn add(
        self,
        tx: &impl ConnectionTrait,
        ids: &mut Ids,
        inserts: &mut Inserts,
        now: DateTime<Utc>,
    ) -> StoreResult<Vec<Person>> {
        let ids = ids.take(tx, Table::Contacts, self.new_contacts.len()).await?;
        let id_of = |owner: Owner| match owner {
            Owner::Known(id) => id,
            Owner::New(index) => ids.get(index).copied().unwrap_or_default(),
        };
        inserts.add("contacts", CONTACT, contact_rows(&ids, &self.new_contacts, now));
        let names =
            self.new_names.into_iter().map(|(owner, account, name)| (id_of(owner), account, name));
        inserts.add("contact_identities", NAME, name_rows(names, now));
        let person = |owner: Owner| Person {
            contact_id: id_of(owner),
            is_new: matches!(owner, Owner::New(_)),
        };
        Ok(self.owners.into_iter().map(person).collect())
    }
}

async fn load_names(
    tx: &impl ConnectionTrait,
    callers: &[Caller],
) -> StoreResult<HashMap<Name, Known>> {
    let accounts: BTreeSet<i64> = callers.iter().map(|caller| caller.account_id).collect();
    let identities = callers.iter().flat_map(|caller| caller.sender.identities());
    let values: BTreeSet<String> = identities.map(|identity| identity.value).collect();
    let backend = tx.get_database_backend();
    let sql = format!(
        "SELECT names.id, names.account_id, contact_id, kind, value, address, \
           contacts.name IS NULL AS nameless \
         FROM contact_identities AS names JOIN contacts ON contacts.id = contact_id \
         WHERE {} AND {}",
        any_text(backend, "value", 1),
        any_number(backend, "names.account_id", 2),
    );
    let parameters = vec![
        parameter(values.into_iter().map(Json::from)),
        parameter(accounts.into_iter().map(Json::from)),
    ];
    let mut names = HashMap::new();
    for row in query(tx, sql, parameters).await? {
        let Some(kind) = IdentityKind::parse(&row.try_get::<String>("", "kind")?) else {
            continue;
        };
        let key = (row.try_get("", "account_id")?, kind.as_str(), row.try_get("", "value")?);
        let known = Known {
            owner: Owner::Known(row.try_get("", "contact_id")?),
            identity_id: Some(row.try_get("", "id")?),
            address: row.try_get("", "address")?,
            nameless: row.try_get("", "nameless")?,
        };
        names.insert(key, known);
    }
    Ok(names)
}

const CONTACT: Columns = &[
    ("id", Kind::BigInt),
    ("account_id", Kind::BigInt),
    ("name", Kind::Text),
    ("custom_attributes", Kind::Json),
    ("created_at", Kind::Time),
    ("updated_at", Kind::Time),
];

fn contact_rows(ids: &[i64], callers: &[&Caller], now: DateTime<Utc>) -> Vec<Json> {
    let row = |(id, caller): (&i64, &&Caller)| {
        json!({
            "id": id,
            "account_id": caller.account_id,
            "name": caller.name,
            "custom_attributes": {},
            "created_at": time(now),
            "updated_at": time(now),
        })
    };
    ids.iter().zip(callers).map(row).collect()
}

const NAME: Columns = &[
    ("account_id", Kind::BigInt),
    ("contact_id", Kind::BigInt),
    ("kind", Kind::Text),
    ("value", Kind::Text),
    ("address", Kind::Text),
    ("created_at", Kind::Time),
];

fn name_rows(names: impl Iterator<Item = (i64, i64, Identity)>, now: DateTime<Utc>) -> Vec<Json> {
    let mut names: Vec<_> = names.collect();
    // Every writer takes the locks of the unique index in one order.
    names.sort_by(|left, right| (&left.2.value, left.1).cmp(&(&right.2.value, right.1)));
    let row = |(contact_id, account_id, identity): (i64, i64, Identity)| {
        json!({
            "account_id": account_id,
            "contact_id": contact_id,
            "kind": identity.kind.as_str(),
            "value": identity.value,
            "address": identity.address,
            "created_at": time(now),
        })
    };
    names.into_iter().map(row).collect()
}

/// The account's contact with this phone.
pub async fn by_phone(
    db: &impl ConnectionTrait,
    account_id: i64,
    phone: &Phone,
) -> StoreResult<Option<i64>> {
    let row = contact_identity::Entity::find()
        .filter(contact_identity::Column::Value.eq(phone.canonical()))
        .filter(contact_identity::Column::AccountId.eq(account_id))
        .filter(contact_identity::Column::Kind.eq(IdentityKind::Phone.as_str()))
        .one(db)
        .await?;
    Ok(row.map(|row| row.contact_id))
}

/// The address to answer a contact at, in the order phone, bsuid, lid (DESIGN §9).
pub async fn address_of(
    db: &impl ConnectionTrait,
    contact_id: i64,
) -> StoreResult<Option<(IdentityKind, String)>> {
    let rows = contact_identity::Entity::find()
        .filter(contact_identity::Column::ContactId.eq(contact_id))
        .all(db)
        .await?;
    let known = rows.into_iter().filter_map(|row| Some((IdentityKind::parse(&row.kind)?, row)));
    Ok(known.min_by_key(|(kind, row)| (*kind, -row.id)).map(|(kind, row)| (kind, row.address)))
}
