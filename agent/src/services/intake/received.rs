//! What follows from a customer's message once its row is there, by what it holds.

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;

use super::Settings;
use super::context::Context;
use super::decide::unanswerable;
use super::incoming::Fresh;
use super::settle::{Effects, Subject, settle};
use crate::domain::conversation::Outcome;
use crate::domain::message::{Content, Media, MediaKind};
use crate::jobs::NewJob;
use crate::jobs::kinds::FetchMedia;
use crate::store::media::MediaState;
use crate::store::{StoreResult, changes, conversations, media, messages};

/// Applies what the message says of earlier ones, has its file fetched, and settles it, unless its
/// words are still to be heard.
pub async fn received(
    tx: &impl ConnectionTrait,
    settings: &Settings,
    fresh: &Fresh<'_>,
    context: &Context,
    now: DateTime<Utc>,
    effects: &mut Effects,
) -> StoreResult<()> {
    let place = fresh.head.place;
    if let Some(referral) = fresh.next.referral {
        conversations::set_referral(tx, fresh.head.id, referral).await?;
    }
    match fresh.next.content {
        Content::Edit { target_id, text } => {
            changes::edit(tx, place, target_id, text, now).await?;
        }
        Content::Revoke { target_id } => changes::revoke(tx, place, target_id, now).await?,
        Content::Media(file) if fetch(tx, settings, fresh, file, now, effects).await? => {
            return Ok(());
        }
        _ => {}
    }
    if let Some(why) = unanswerable(fresh.next.content) {
        messages::end(tx, &[fresh.id], &Outcome::Ignored { why }, None, now).await?;
        return Ok(());
    }
    settle(tx, settings, &Subject::from(fresh), context, now, effects).await
}

/// Has the file fetched, where it has a name; true when its words are heard first.
async fn fetch(
    tx: &impl ConnectionTrait,
    settings: &Settings,
    fresh: &Fresh<'_>,
    file: &Media,
    now: DateTime<Utc>,
    effects: &mut Effects,
) -> StoreResult<bool> {
    if !fresh.next.inbox.can_fetch(file) {
        return Ok(false);
    }
    let unheard = settings.hears && file.kind == MediaKind::Audio && file.transcript.is_none();
    let state = if unheard { MediaState::Unheard } else { MediaState::Waiting };
    let account_id = fresh.head.place.account_id;
    media::add(tx, account_id, fresh.id, state, file.mime.clone(), now).await?;
    let job = NewJob::of(&FetchMedia { message_id: fresh.id }, Some(account_id), now);
    effects.jobs.push(job);
    Ok(unheard)
}
