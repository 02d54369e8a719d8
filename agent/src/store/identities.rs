//! One customer under several names: looking them up, renaming, and making two contacts one when
//! an event shows that they are.

use chrono::{DateTime, Utc};
use lembra_entities::{
    contact, contact_identity, contact_memory, conversation, memory_extraction, message,
};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter,
    QueryOrder, Value,
};

use super::error::StoreResult;
use super::handoffs;
use crate::domain::identity::{Identity, Sender};

/// The contact that has one of these names, by the order in which names are preferred.
pub async fn find(
    db: &impl ConnectionTrait,
    account_id: i64,
    sender: &Sender,
) -> StoreResult<Option<i64>> {
    for identity in sender.identities() {
        if let Some(row) = row_of(db, account_id, &identity).await? {
            return Ok(Some(row.contact_id));
        }
    }
    Ok(None)
}

async fn row_of(
    db: &impl ConnectionTrait,
    account_id: i64,
    identity: &Identity,
) -> StoreResult<Option<contact_identity::Model>> {
    Ok(contact_identity::Entity::find()
        .filter(contact_identity::Column::Value.eq(identity.value.as_str()))
        .filter(contact_identity::Column::AccountId.eq(account_id))
        .filter(contact_identity::Column::Kind.eq(identity.kind.as_str()))
        .one(db)
        .await?)
}

/// The customer has other names from now on. A name of the same kind is replaced: a telephone
/// number that was given up may be another person's tomorrow.
pub async fn rename(
    tx: &impl ConnectionTrait,
    account_id: i64,
    old: &Sender,
    new: &Sender,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let Some(contact_id) = find(tx, account_id, old).await? else {
        return Ok(());
    };
    for identity in new.identities() {
        match row_of(tx, account_id, &identity).await? {
            Some(row) if row.contact_id == contact_id => {}
            Some(row) => merge(tx, row.contact_id, contact_id, now).await?,
            None => {
                let row = contact_identity::ActiveModel {
                    account_id: Set(account_id),
                    contact_id: Set(contact_id),
                    kind: Set(identity.kind.as_str().to_owned()),
                    value: Set(identity.value.clone()),
                    address: Set(identity.address.clone()),
                    created_at: Set(now),
                    ..Default::default()
                };
                contact_identity::Entity::insert(row).exec_without_returning(tx).await?;
            }
        }
        for gone in old.identities() {
            if gone.kind == identity.kind && gone.value != identity.value {
                contact_identity::Entity::delete_many()
                    .filter(contact_identity::Column::ContactId.eq(contact_id))
                    .filter(contact_identity::Column::Kind.eq(gone.kind.as_str()))
                    .filter(contact_identity::Column::Value.eq(gone.value))
                    .exec(tx)
                    .await?;
            }
        }
    }
    Ok(())
}

/// Makes two contacts one: everything of `from` is `into`'s. Where both have an open conversation
/// on a line, the one of `from` ends; what waits in it is still answered, and whoever kept the bot
/// silent in it keeps it silent in the other.
pub async fn merge(
    tx: &impl ConnectionTrait,
    from: i64,
    into: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if from == into {
        return Ok(());
    }
    close_doubles(tx, from, into, now).await?;
    conversation::Entity::update_many()
        .col_expr(conversation::Column::ContactId, Expr::value(into))
        .filter(conversation::Column::ContactId.eq(from))
        .exec(tx)
        .await?;
    message::Entity::update_many()
        .col_expr(message::Column::ContactId, Expr::value(into))
        .filter(message::Column::ContactId.eq(from))
        .exec(tx)
        .await?;
    contact_identity::Entity::update_many()
        .col_expr(contact_identity::Column::ContactId, Expr::value(into))
        .filter(contact_identity::Column::ContactId.eq(from))
        .exec(tx)
        .await?;
    contact_memory::Entity::update_many()
        .col_expr(contact_memory::Column::ContactId, Expr::value(into))
        .filter(contact_memory::Column::ContactId.eq(from))
        .exec(tx)
        .await?;
    memory_extraction::Entity::update_many()
        .col_expr(memory_extraction::Column::ContactId, Expr::value(into))
        .filter(memory_extraction::Column::ContactId.eq(from))
        .exec(tx)
        .await?;
    join_profiles(tx, from, into, now).await?;
    contact::Entity::delete_by_id(from).exec(tx).await?;
    metrics::counter!("lembra_contacts_merged_total").increment(1);
    tracing::info!(contact.from = from, contact.into = into, "contacts merged");
    Ok(())
}

async fn close_doubles(
    tx: &impl ConnectionTrait,
    from: i64,
    into: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let open = conversation::Entity::find()
        .filter(conversation::Column::State.eq("open"))
        .filter(
            Condition::any()
                .add(conversation::Column::ContactId.eq(from))
                .add(conversation::Column::ContactId.eq(into)),
        )
        .order_by_asc(conversation::Column::Id)
        .all(tx)
        .await?;
    for double in open.iter().filter(|row| row.contact_id == from) {
        let kept =
            open.iter().find(|row| row.contact_id == into && row.inbox_id == double.inbox_id);
        let Some(kept) = kept else { continue };
        let human = [double, kept].into_iter().find(|row| row.handler == "human");
        let leader = human.unwrap_or(kept);
        let paused_until = double.paused_until.max(kept.paused_until);
        conversation::Entity::update_many()
            .col_expr(conversation::Column::Handler, Expr::value(leader.handler.as_str()))
            .col_expr(
                conversation::Column::HandlerReason,
                Expr::value(Value::from(leader.handler_reason.clone())),
            )
            .col_expr(conversation::Column::HandlerSince, Expr::value(leader.handler_since))
            .col_expr(conversation::Column::PausedUntil, Expr::value(paused_until))
            .filter(conversation::Column::Id.is_in([kept.id, double.id]))
            .exec(tx)
            .await?;
        handoffs::merge(tx, double.id, kept.id, now).await?;
        conversation::Entity::update_many()
            .col_expr(conversation::Column::State, Expr::value("resolved"))
            .col_expr(conversation::Column::ResolvedAt, Expr::value(now))
            .filter(conversation::Column::Id.eq(double.id))
            .exec(tx)
            .await?;
    }
    Ok(())
}

/// Name and attributes that only `from` has are kept.
async fn join_profiles(
    tx: &impl ConnectionTrait,
    from: i64,
    into: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let from = contact::Entity::find_by_id(from).one(tx).await?;
    let into = contact::Entity::find_by_id(into).one(tx).await?;
    let (Some(from), Some(into)) = (from, into) else {
        return Ok(());
    };
    let mut attributes = from.custom_attributes.as_object().cloned().unwrap_or_default();
    attributes.extend(into.custom_attributes.as_object().cloned().unwrap_or_default());
    // Whoever asked to be forgotten asked for both names.
    let forgotten_at = into.forgotten_at.max(from.forgotten_at);
    let opted_out = into.marketing_opt_out_at.or(from.marketing_opt_out_at);
    contact::Entity::update_many()
        .col_expr(contact::Column::Name, Expr::value(into.name.or(from.name)))
        .col_expr(
            contact::Column::CustomAttributes,
            Expr::value(serde_json::Value::Object(attributes)),
        )
        .col_expr(contact::Column::MarketingOptOutAt, Expr::value(opted_out))
        .col_expr(contact::Column::ForgottenAt, Expr::value(forgotten_at))
        .col_expr(contact::Column::UpdatedAt, Expr::value(now))
        .filter(contact::Column::Id.eq(into.id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Whether the customer wants marketing; `None` for one who is not known.
pub async fn set_marketing_opt_out(
    tx: &impl ConnectionTrait,
    account_id: i64,
    sender: &Sender,
    since: Option<DateTime<Utc>>,
) -> StoreResult<()> {
    let Some(contact_id) = find(tx, account_id, sender).await? else {
        return Ok(());
    };
    contact::Entity::update_many()
        .col_expr(contact::Column::MarketingOptOutAt, Expr::value(since))
        .filter(contact::Column::Id.eq(contact_id))
        .exec(tx)
        .await?;
    Ok(())
}
