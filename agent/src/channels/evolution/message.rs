//! One message, from its key to its content.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::super::payload::text;
use super::content::{self, Found, unwrap};
use super::names::{Partner, partner};
use super::payload::{Envelope, moment, truth};
use super::protocol;
use crate::domain::identity::Sender;
use crate::domain::message::{
    Content, Echo, EchoOrigin, Ignored, IgnoredWhy, InboundEvent, InboundMessage, PastMessage,
    Referral,
};

/// How a message arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Live,
    /// Sent through the API.
    Api,
    /// From before.
    Past,
}

/// Reads an element of `messages.upsert`, `send.message` or `messages.set`.
pub fn read(
    envelope: &Envelope<'_>,
    item: &Value,
    way: Way,
    received_at: DateTime<Utc>,
) -> InboundEvent {
    let Some(key) = item.get("key").filter(|key| key.is_object()) else {
        return refusal(envelope, IgnoredWhy::Malformed, "a message without a key");
    };
    let message = item.get("message").unwrap_or(&Value::Null);
    let found = match message {
        Value::Object(_) => content::read(message),
        Value::Null => Found::Nothing(IgnoredWhy::Empty, "no content".to_owned()),
        _ => Found::Nothing(IgnoredWhy::Malformed, "a message that is no object".to_owned()),
    };
    let written_at = ["messageTimestamp", "message_timestamp", "timestamp"]
        .iter()
        .find_map(|name| moment(item.get(name)?));
    let head = Head {
        envelope,
        key,
        item,
        from_me: way == Way::Api || truth(key, "fromMe"),
        id: text(key, "id"),
        at: written_at.unwrap_or(received_at),
    };
    let (sender, content) = match head.admit(found) {
        Ok(admitted) => admitted,
        Err(ignored) => return InboundEvent::Ignored(ignored),
    };
    let message_id = head.id.unwrap_or_default();
    let (channel, timestamp) = (envelope.channel.clone(), head.at);
    if head.from_me && way != Way::Past {
        let origin = if way == Way::Api { EchoOrigin::Api } else { EchoOrigin::Line };
        let (recipient, timestamp) = (sender, Some(timestamp));
        return InboundEvent::Echo(Echo {
            channel,
            message_id,
            recipient,
            timestamp,
            content,
            origin,
        });
    }
    let context = Context::of(item, message);
    let message = InboundMessage {
        channel,
        message_id,
        sender,
        // In our own messages it is our own name.
        profile_name: text(item, "pushName").filter(|_| !head.from_me),
        timestamp,
        content,
        reply_to: context.quoted(),
        referral: context.referral(),
        group_id: None,
    };
    match way {
        Way::Past => InboundEvent::History(PastMessage { from_business: head.from_me, message }),
        Way::Live | Way::Api => InboundEvent::Message(message),
    }
}

/// Reads a change that names an earlier message and no author: `messages.edited`, whose `data` is
/// the note itself and whose `fromMe` is as the editing phone sees it (WhatsApp facts 50), or a key
/// of `messages.delete`.
pub fn read_change(
    envelope: &Envelope<'_>,
    key: &Value,
    item: &Value,
    found: Found,
    received_at: DateTime<Utc>,
) -> InboundEvent {
    let at = ["timestampMs", "messageTimestamp"].iter().find_map(|name| moment(item.get(name)?));
    let id = match &found {
        Found::Content(content) => protocol::id_of(content, at.map(|at| at.timestamp_millis())),
        Found::Nothing(..) => text(key, "id"),
    };
    let from_me = truth(key, "fromMe");
    let at = at.unwrap_or(received_at);
    let head = Head { envelope, key, item, from_me, id, at };
    match head.admit(found) {
        Ok((sender, content)) => InboundEvent::Message(InboundMessage {
            channel: envelope.channel.clone(),
            message_id: head.id.unwrap_or_default(),
            sender,
            profile_name: None,
            timestamp: at,
            content,
            reply_to: None,
            referral: None,
            group_id: None,
        }),
        Err(ignored) => InboundEvent::Ignored(ignored),
    }
}

/// What is known of a message before its content.
struct Head<'a> {
    envelope: &'a Envelope<'a>,
    key: &'a Value,
    item: &'a Value,
    from_me: bool,
    id: Option<String>,
    at: DateTime<Utc>,
}

impl Head<'_> {
    /// The customer and the content, or why there is nothing in it for the bot.
    fn admit(&self, found: Found) -> Result<(Sender, Content), Ignored> {
        let owner = self.envelope.owner.as_ref();
        let (sender, content) = match (partner(self.key, self.item, self.from_me, owner), found) {
            (Partner::Nobody(why, jid), found) => {
                let words = matches!(why, IgnoredWhy::Group | IgnoredWhy::Broadcast);
                let (kind, text) = described(&found);
                return Err(self.ignored(why, kind, Some(jid), words.then_some(text)));
            }
            (Partner::Unnamed, found) => {
                let (kind, _) = described(&found);
                return Err(self.ignored(IgnoredWhy::NoSender, kind, None, None));
            }
            (Partner::Own(sender), found) => {
                let (kind, text) = described(&found);
                return Err(self.ignored(IgnoredWhy::SelfChat, kind, sender.shown(), Some(text)));
            }
            (Partner::Person(sender), Found::Nothing(why, what)) => {
                return Err(self.ignored(why, what, sender.shown(), None));
            }
            (Partner::Person(sender), Found::Content(content)) => (sender, content),
        };
        if self.id.is_none() {
            let kind = content.kind().to_owned();
            return Err(self.ignored(IgnoredWhy::NoMessageId, kind, sender.shown(), None));
        }
        Ok((sender, content))
    }

    fn ignored(
        &self,
        why: IgnoredWhy,
        detail: String,
        sender: Option<String>,
        text: Option<String>,
    ) -> Ignored {
        Ignored {
            channel: channel(self.envelope),
            message_id: self.id.clone(),
            why,
            detail,
            sender,
            timestamp: Some(self.at),
            text: Some(text.unwrap_or_default()),
        }
    }
}

/// The kind of thing that was found, and its words.
fn described(found: &Found) -> (String, String) {
    match found {
        Found::Content(content) => (content.kind().to_owned(), content.text().to_owned()),
        Found::Nothing(_, what) => (what.clone(), String::new()),
    }
}

/// The instance, where the webhook names it.
pub fn channel(envelope: &Envelope<'_>) -> Option<String> {
    Some(envelope.channel.clone()).filter(|channel| !channel.is_empty())
}

/// An event that led to nothing.
pub fn refusal(
    envelope: &Envelope<'_>,
    why: IgnoredWhy,
    detail: impl Into<String>,
) -> InboundEvent {
    InboundEvent::Ignored(Ignored {
        channel: channel(envelope),
        message_id: None,
        why,
        detail: detail.into(),
        sender: None,
        timestamp: None,
        text: None,
    })
}

/// The places in which a message's context may lie: version 2 lifts it beside the message, version
/// 1 and Evolution's Meta channel leave it inside.
struct Context<'a>(Vec<&'a Value>);

impl<'a> Context<'a> {
    fn of(item: &'a Value, message: &'a Value) -> Self {
        let inner = unwrap(message).inner;
        let within = inner.as_object().into_iter().flat_map(|fields| fields.values());
        let holders = [item, message, inner].into_iter().chain(within);
        Self(holders.filter_map(|holder| holder.get("contextInfo")).collect())
    }

    fn quoted(&self) -> Option<String> {
        self.0.iter().find_map(|context| text(context, "stanzaId"))
    }

    /// The ad that the customer came from.
    fn referral(&self) -> Option<Referral> {
        let ad = self.0.iter().find_map(|context| {
            context.get("externalAdReply").filter(|ad| text(ad, "sourceId").is_some())
        })?;
        Some(Referral {
            source_id: text(ad, "sourceId"),
            source_type: text(ad, "sourceType"),
            source_url: text(ad, "sourceUrl"),
            headline: text(ad, "title"),
        })
    }
}
