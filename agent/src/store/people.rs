//! Contacts and the names that channels call them by.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use lembra_entities::{contact, contact_identity};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::error::StoreResult;
use super::ids::{Table, allocate};
use super::padded;
use crate::domain::identity::{Identity, IdentityKind, Sender};

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
}

/// The contact of each caller, in the order given. Contacts that nobody knew are made; a name
/// that is new for a known contact becomes one more of its names. Answers
/// [`super::StoreError::Conflict`] when another writer made one of them at the same moment.
pub async fn resolve(
    tx: &impl ConnectionTrait,
    callers: &[Caller],
    now: DateTime<Utc>,
) -> StoreResult<Vec<i64>> {
    let mut names = load_names(tx, callers).await?;
    let mut new_contacts: Vec<&Caller> = Vec::new();
    let mut new_names: Vec<(Owner, i64, Identity)> = Vec::new();
    let mut moved: Vec<(i64, String)> = Vec::new();
    let mut owners = Vec::with_capacity(callers.len());
    for caller in callers {
        let identities = caller.sender.identities();
        let key = |identity: &Identity| {
            (
                caller.account_id,
                identity.kind.as_str(),
                identity.value.clone(),
            )
        };
        let owner = identities
            .iter()
            .find_map(|identity| Some(names.get(&key(identity))?.owner));
        let owner = owner.unwrap_or_else(|| {
            new_contacts.push(caller);
            Owner::New(new_contacts.len() - 1)
        });
        for identity in identities {
            match names.get_mut(&key(&identity)) {
                None => {
                    let address = identity.address.clone();
                    names.insert(
                        key(&identity),
                        Known {
                            owner,
                            identity_id: None,
                            address,
                        },
                    );
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

    let ids = allocate(tx, Table::Contacts, new_contacts.len()).await?;
    let id_of = |owner: Owner| match owner {
        Owner::Known(id) => id,
        Owner::New(index) => ids.get(index).copied().unwrap_or_default(),
    };
    insert_contacts(tx, &ids, &new_contacts, now).await?;
    insert_names(
        tx,
        new_names
            .into_iter()
            .map(|(owner, account, name)| (id_of(owner), account, name)),
        now,
    )
    .await?;
    for (identity_id, address) in moved {
        contact_identity::Entity::update_many()
            .col_expr(contact_identity::Column::Address, Expr::value(address))
            .filter(contact_identity::Column::Id.eq(identity_id))
            .exec(tx)
            .await?;
    }
    Ok(owners.into_iter().map(id_of).collect())
}

async fn load_names(
    tx: &impl ConnectionTrait,
    callers: &[Caller],
) -> StoreResult<HashMap<Name, Known>> {
    let mut accounts: Vec<i64> = callers.iter().map(|caller| caller.account_id).collect();
    accounts.sort_unstable();
    accounts.dedup();
    let values = callers.iter().flat_map(|caller| caller.sender.identities());
    let mut values: Vec<String> = values.map(|identity| identity.value).collect();
    values.sort_unstable();
    values.dedup();
    let rows = contact_identity::Entity::find()
        .filter(contact_identity::Column::AccountId.is_in(padded(accounts)))
        .filter(contact_identity::Column::Value.is_in(padded(values)))
        .all(tx)
        .await?;
    let entry = |row: contact_identity::Model| {
        let kind = IdentityKind::parse(&row.kind)?;
        let known = Known {
            owner: Owner::Known(row.contact_id),
            identity_id: Some(row.id),
            address: row.address,
        };
        Some(((row.account_id, kind.as_str(), row.value), known))
    };
    Ok(rows.into_iter().filter_map(entry).collect())
}

async fn insert_contacts(
    tx: &impl ConnectionTrait,
    ids: &[i64],
    callers: &[&Caller],
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let rows = ids
        .iter()
        .zip(callers)
        .map(|(id, caller)| contact::ActiveModel {
            id: Set(*id),
            account_id: Set(caller.account_id),
            name: Set(caller.name.clone()),
            custom_attributes: Set(serde_json::json!({})),
            created_at: Set(now),
            updated_at: Set(now),
        });
    contact::Entity::insert_many(rows)
        .exec_without_returning(tx)
        .await?;
    Ok(())
}

async fn insert_names(
    tx: &impl ConnectionTrait,
    names: impl Iterator<Item = (i64, i64, Identity)>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut rows: Vec<_> = names.collect();
    if rows.is_empty() {
        return Ok(());
    }
    // Every writer takes the locks of the unique index in one order.
    rows.sort_by(|left, right| (left.1, &left.2.value).cmp(&(right.1, &right.2.value)));
    let rows =
        rows.into_iter().map(
            |(contact_id, account_id, identity)| contact_identity::ActiveModel {
                account_id: Set(account_id),
                contact_id: Set(contact_id),
                kind: Set(identity.kind.as_str().to_owned()),
                value: Set(identity.value),
                address: Set(identity.address),
                created_at: Set(now),
                ..Default::default()
            },
        );
    contact_identity::Entity::insert_many(rows)
        .exec_without_returning(tx)
        .await?;
    Ok(())
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
    let known = rows
        .into_iter()
        .filter_map(|row| Some((IdentityKind::parse(&row.kind)?, row)));
    Ok(known
        .min_by_key(|(kind, row)| (*kind, -row.id))
        .map(|(kind, row)| (kind, row.address)))
}
