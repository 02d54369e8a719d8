//! A message as operators read it, with its file, its reactions and what it answers.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use lembra_entities::{conversation, media_file, message};
use sea_orm::DatabaseConnection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::conversation::Delivery;
use crate::domain::message::Content;
use crate::store::StoreResult;
use crate::store::board::actors::Actors;
use crate::store::board::conversation_rows::first_line;
use crate::store::board::thread::{self, Page};

/// Characters shown of a message that is answered.
const QUOTED_CHARS: usize = 120;

/// A message of a thread.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ThreadMessage {
    pub id: i64,
    /// `in` or `out`.
    pub direction: String,
    /// `customer`, `bot`, `operator` or `human` (a person outside of Lembra, on the phone).
    pub author: String,
    /// Which operator, such as `operator:3`, and what they are called.
    pub said_by: Option<String>,
    pub said_by_name: Option<String>,
    /// `text`, `image`, `audio`, `video`, `document`, `sticker`, `location`, `contacts`, `choice`,
    /// `order` or `unsupported`.
    pub kind: String,
    /// Its words; of a file the caption, of a voice what was heard.
    pub text: String,
    pub file: Option<File>,
    pub place: Option<SentPlace>,
    /// Contact cards, or items of an order.
    pub count: Option<u64>,
    /// What the platform did not show.
    pub unsupported: Option<String>,
    pub reply_to: Option<Quoted>,
    pub reactions: Vec<Reaction>,
    /// The provider's time; for outbound ours.
    pub written_at: DateTime<Utc>,
    /// When it reached us, or was written to the outbox.
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    /// Inbound: what triage said, and the rule that fired.
    pub verdict: Option<String>,
    pub rule: Option<String>,
    /// Inbound: `answered`, `coalesced`, `preempted`, `human`, `too_old`, `window_closed`,
    /// `rate_limited`, `ignored` or `failed`; absent while it waits.
    pub outcome: Option<String>,
    pub outcome_detail: Option<String>,
    pub outcome_at: Option<DateTime<Utc>>,
    /// The turn that read it, or that wrote it.
    pub turn_id: Option<i64>,
    /// Outbound: `pending`, `sending`, `sent`, `delivered`, `read`, `failed`, `unknown` or
    /// `cancelled`.
    pub delivery: Option<String>,
    pub sent_at: Option<DateTime<Utc>>,
    pub delivered_at: Option<DateTime<Utc>>,
    pub read_at: Option<DateTime<Utc>>,
    /// The provider's code, and a word or sentence beside it.
    pub error_code: Option<i64>,
    pub error_detail: Option<String>,
    /// What an operator made of one that failed or stayed unclear: `resent`, `not_sent` or `seen`.
    pub attended_as: Option<String>,
    pub attended_by_name: Option<String>,
    pub attended_at: Option<DateTime<Utc>>,
    /// It failed or stayed unclear, and nobody has dealt with it: it may be sent again.
    pub needs_attention: bool,
}

/// The file of a message.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct File {
    /// `image`, `audio`, `video`, `document` or `sticker`.
    pub kind: String,
    /// `waiting`, `unheard`, `kept`, `failed`, `removed`, or `absent` where it was never fetched.
    pub state: String,
    pub mime: Option<String>,
    pub bytes: Option<i64>,
    pub name: Option<String>,
    /// A voice note, as opposed to an audio file.
    pub is_voice: bool,
}

/// A place that was sent.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SentPlace {
    pub latitude: f64,
    pub longitude: f64,
    pub name: Option<String>,
    pub address: Option<String>,
}

/// The message that another one answers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Quoted {
    pub message_id: i64,
    pub conversation_id: i64,
    pub author: String,
    pub kind: String,
    pub text: String,
}

/// A reaction to a message.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Reaction {
    pub emoji: String,
    /// `customer` or `human`.
    pub author: String,
    pub at: DateTime<Utc>,
}

/// The messages of a page with what belongs to each.
pub(super) async fn assemble(
    db: &DatabaseConnection,
    conversation: &conversation::Model,
    page: &Page,
    actors: &Actors,
) -> StoreResult<Vec<ThreadMessage>> {
    let ids = page.messages.iter().map(|row| row.id).collect();
    let mut files = thread::files(db, ids).await?;
    let since = page.messages.first().map_or(0, |row| row.id);
    let mut reactions = reactions(thread::reactions(db, conversation.id, since).await?);
    let quoted: HashSet<&String> =
        page.messages.iter().filter_map(|row| row.reply_to.as_ref()).collect();
    let quoted = quoted.into_iter().cloned().collect();
    let quoted = thread::quoted(db, conversation.inbox_id, quoted).await?;
    // What another contact wrote on this line is not shown here.
    let quoted = quoted.into_iter().filter(|row| row.contact_id == conversation.contact_id);
    let quoted: HashMap<String, message::Model> =
        quoted.filter_map(|row| Some((row.provider_message_id.clone()?, row))).collect();
    let messages = page.messages.iter().map(|row| {
        let file = files.remove(&row.id);
        let reactions = row.provider_message_id.as_ref().and_then(|id| reactions.remove(id));
        let answered = row.reply_to.as_ref().and_then(|id| quoted.get(id));
        shown(row, file.as_ref(), reactions.unwrap_or_default(), answered, actors)
    });
    Ok(messages.collect())
}

/// The reactions that stand, by the message that they are to: each side has one, the last.
fn reactions(rows: Vec<message::Model>) -> HashMap<String, Vec<Reaction>> {
    let mut standing: HashMap<String, Vec<Reaction>> = HashMap::new();
    for row in rows {
        let content = row.content.map(serde_json::from_value::<Content>);
        let Some(Ok(Content::Reaction { target_id, emoji })) = content else { continue };
        let of_message = standing.entry(target_id).or_default();
        of_message.retain(|reaction| reaction.author != row.author);
        if let Some(emoji) = emoji {
            of_message.push(Reaction { emoji, author: row.author, at: row.written_at });
        }
    }
    standing
}

fn shown(
    row: &message::Model,
    file: Option<&media_file::Model>,
    reactions: Vec<Reaction>,
    answered: Option<&message::Model>,
    actors: &Actors,
) -> ThreadMessage {
    let name = |actor: &Option<String>| {
        actor.as_deref().and_then(|actor| actors.name(actor)).map(str::to_owned)
    };
    let mut message = ThreadMessage {
        id: row.id,
        direction: row.direction.clone(),
        author: row.author.clone(),
        said_by: row.said_by.clone(),
        said_by_name: name(&row.said_by),
        kind: row.kind.clone(),
        text: row.text.clone(),
        file: None,
        place: None,
        count: None,
        unsupported: None,
        reply_to: answered.map(quote),
        reactions,
        written_at: row.written_at,
        created_at: row.created_at,
        edited_at: row.edited_at,
        revoked_at: row.revoked_at,
        verdict: row.verdict.clone(),
        rule: row.rule.clone(),
        outcome: row.outcome.clone(),
        outcome_detail: row.outcome_detail.clone(),
        outcome_at: row.outcome_at,
        turn_id: row.turn_id,
        delivery: row.delivery.clone(),
        sent_at: row.sent_at,
        delivered_at: row.delivered_at,
        read_at: row.read_at,
        error_code: row.error_code,
        error_detail: row.error_detail.clone(),
        attended_as: row.attended_as.clone(),
        attended_by_name: name(&row.attended_by),
        attended_at: row.attended_at,
        needs_attention: needs_attention(row),
    };
    match row.content.clone().map(serde_json::from_value::<Content>) {
        Some(Ok(Content::Media(media))) => {
            message.file = Some(File {
                kind: media.kind.as_str().to_owned(),
                state: file.map_or("absent", |file| &file.state).to_owned(),
                mime: file.and_then(|file| file.mime.clone()).or(media.mime),
                bytes: file.and_then(|file| file.bytes),
                name: media.file_name,
                is_voice: media.voice,
            });
        }
        Some(Ok(Content::Location { latitude, longitude, name, address })) => {
            message.place = Some(SentPlace { latitude, longitude, name, address });
        }
        Some(Ok(Content::Contacts { count })) => message.count = Some(count as u64),
        Some(Ok(Content::Order { items, .. })) => message.count = Some(items as u64),
        Some(Ok(Content::Unsupported { what, .. })) => message.unsupported = Some(what),
        _ => {}
    }
    message
}

/// Whether an outbound message failed or stayed unclear, and nobody has dealt with it.
pub fn needs_attention(row: &message::Model) -> bool {
    let delivery = row.delivery.as_deref().and_then(Delivery::parse);
    row.attended_at.is_none() && matches!(delivery, Some(Delivery::Failed | Delivery::Unknown))
}

fn quote(row: &message::Model) -> Quoted {
    Quoted {
        message_id: row.id,
        conversation_id: row.conversation_id,
        author: row.author.clone(),
        kind: row.kind.clone(),
        text: first_line(&row.text, QUOTED_CHARS),
    }
}
