//! Conversations that nobody takes: operators hear of them again, and the customer is told
//! (DESIGN §5).

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::{account, handoff};
use sea_orm::DatabaseConnection;

use super::{close, subject};
use crate::domain::triage::locale::Locale;
use crate::jobs::NewJob;
use crate::jobs::enqueue::enqueue;
use crate::jobs::kinds::{Deliver, NotifyHandoff};
use crate::services::alerts::{self, Kind, Place};
use crate::services::texts::Text;
use crate::store::{StoreResult, accounts, conversations, db, handoffs, outbox, turns};

/// Looks once for conversations that have waited for too long.
pub async fn look(db: &DatabaseConnection, now: DateTime<Utc>) -> StoreResult<()> {
    for waiting in handoffs::waiting_unalerted(db).await? {
        let Some(account) = accounts::find(db, waiting.account_id).await? else { continue };
        let patience = TimeDelta::minutes(account.handoff_minutes.into());
        if now - waiting.created_at >= patience {
            overdue(db, &account, &waiting, now).await?;
        }
    }
    Ok(())
}

async fn overdue(
    db: &DatabaseConnection,
    account: &account::Model,
    waiting: &handoff::Model,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let tx = db::begin(db).await?;
    if !handoffs::mark_overdue(&tx, waiting.id, now).await? {
        return Ok(());
    }
    let Some(head) = conversations::head(&tx, waiting.conversation_id).await? else {
        return Ok(());
    };
    if head.paused_until.is_some_and(|until| until > now) {
        // A person writes from the phone.
        return Ok(());
    }
    let place = Place {
        account_id: Some(account.id),
        inbox_id: Some(head.place.inbox_id),
        conversation_id: Some(head.id),
    };
    let minutes = (now - waiting.created_at).num_minutes();
    let detail = format!("nobody took it for {minutes} minutes: {}", waiting.reason);
    alerts::raise(&tx, Kind::HandoffWaiting, place, subject(head.id), detail, now).await?;
    let locale = Locale::parse(&account.locale).unwrap_or_default();
    let text = match account.handoff_resumes {
        true => Text::HandoffResumed,
        false => Text::HandoffWaiting,
    };
    let text = text.of(locale);
    let turn = turns::NewTurn::of_template(&head, text, now);
    let turn_id = turns::insert(&tx, turn).await?;
    outbox::write(&tx, head.place, head.id, turn_id, vec![text.to_owned()], now).await?;
    let deliver = NewJob::of(&Deliver { conversation_id: head.id }, Some(account.id), now);
    let notify = NotifyHandoff { handoff_id: waiting.id, overdue: true };
    let notify = NewJob::of(&notify, Some(account.id), now);
    enqueue(&tx, vec![deliver, notify], now).await?;
    if account.handoff_resumes {
        conversations::hand_back(&tx, head.id, now).await?;
        close(&tx, head.id, "expired", now).await?;
    }
    tx.commit().await?;
    Ok(())
}
