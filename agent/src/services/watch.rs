//! What no event announces: lines that fell silent, messages that nobody answered, statuses that
//! came too early.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::DatabaseConnection;

use super::alerts::{self, Kind, Place};
use super::{handoff, spending, statuses};
use crate::store::alerts::open_subjects;
use crate::store::{StoreResult, inboxes, watch};

/// Looks once, and raises or settles alerts. `silence` as configured; `None` watches no line.
pub async fn look(
    db: &DatabaseConnection,
    silence: Option<TimeDelta>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    unanswered(db, now).await?;
    if let Some(silence) = silence {
        silent_lines(db, silence, now).await?;
    }
    statuses::sweep(db, now).await?;
    handoff::waiting::look(db, now).await?;
    spending::watch(db, now).await?;
    Ok(())
}

async fn unanswered(db: &DatabaseConnection, now: DateTime<Utc>) -> StoreResult<()> {
    let minutes = watch::LONGEST_WITHOUT_OUTCOME.num_minutes();
    let waiting = watch::unanswered_by_account(db, now).await?;
    let subject = |account_id: i64| format!("account {account_id}");
    let still: Vec<String> = waiting.iter().map(|(account_id, _)| subject(*account_id)).collect();
    let all = waiting.iter().map(|(_, count)| count).sum::<i64>() < watch::MOST_COUNTED;
    for open in open_subjects(db, Kind::Unanswered.as_str()).await? {
        if all && !still.contains(&open) {
            alerts::settle(db, Kind::Unanswered, &open, now).await?;
        }
    }
    for (account_id, count) in waiting {
        let place = Place { account_id: Some(account_id), ..Place::default() };
        let detail = format!("{count} messages without an outcome for over {minutes} minutes");
        alerts::raise(db, Kind::Unanswered, place, subject(account_id), detail, now).await?;
    }
    Ok(())
}

/// A webhook that points elsewhere looks, from here, like customers who have nothing to say.
async fn silent_lines(
    db: &DatabaseConnection,
    silence: TimeDelta,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    for inbox in inboxes::list(db).await? {
        if inbox.simulated {
            continue;
        }
        let subject = format!("inbox {}", inbox.id);
        let last = inbox.last_event_at.unwrap_or(inbox.created_at);
        if now - last < silence {
            alerts::settle(db, Kind::InboxSilent, &subject, now).await?;
            continue;
        }
        let place = Place {
            account_id: Some(inbox.account_id),
            inbox_id: Some(inbox.id),
            conversation_id: None,
        };
        let hours = (now - last).num_hours();
        let detail = format!("nothing heard for {hours} hours: check its webhook");
        alerts::raise(db, Kind::InboxSilent, place, subject, detail, now).await?;
    }
    Ok(())
}
