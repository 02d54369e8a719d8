//! What the committers are given: an event of a known inbox, or one to be kept with its reason.

use std::sync::Arc;

use crate::domain::identity::Sender;
use crate::domain::live::Presence;
use crate::domain::message::{
    DeliveryUpdate, Echo, IgnoredWhy, InboundEvent, InboundMessage, PastMessage, SystemNotice,
};
use crate::services::inboxes::Inbox;
use crate::store::events::{NewEvent, readable};

/// One event, routed.
#[derive(Debug, Clone)]
pub enum Item {
    Message(Arc<Inbox>, InboundMessage),
    Status(Arc<Inbox>, DeliveryUpdate),
    Echo(Arc<Inbox>, Echo),
    /// Stored in silence.
    History(Arc<Inbox>, PastMessage),
    /// Of the line or of a customer's names; kept, with the body where there is one, and acted
    /// upon.
    System(Arc<Inbox>, SystemNotice, Option<String>),
    Presence(Arc<Inbox>, Presence),
    /// Led to nothing.
    Kept(NewEvent),
}

impl Item {
    /// Routes an event to its inbox; `addressed` is the inbox whose address it came to. Without an
    /// inbox the event was for a line that nobody connected.
    pub fn of(event: InboundEvent, inbox: Option<Arc<Inbox>>, addressed: &Arc<Inbox>) -> Self {
        let keep = |external_id: Option<String>, message_id, why: &str, detail: String| {
            Item::Kept(NewEvent {
                inbox_id: Some(inbox.as_ref().map_or(addressed.id, |inbox| inbox.id)),
                channel: addressed.channel(),
                external_id,
                provider_message_id: message_id,
                why: why.to_owned(),
                detail,
                body: None,
            })
        };
        let unknown = |channel: String, message_id| {
            keep(Some(channel), message_id, IgnoredWhy::UnknownChannel.as_str(), String::new())
        };
        match event {
            InboundEvent::Message(message) if message.group_id.is_some() => {
                let why = IgnoredWhy::Group.as_str();
                keep(Some(message.channel), Some(message.message_id), why, String::new())
            }
            InboundEvent::Message(message) => match inbox {
                Some(inbox) => Item::Message(inbox, message),
                None => unknown(message.channel, Some(message.message_id)),
            },
            InboundEvent::Status(status) => match inbox {
                Some(inbox) => Item::Status(inbox, status),
                None => unknown(status.channel, Some(status.message_id)),
            },
            InboundEvent::Echo(echo) => match inbox {
                Some(inbox) => Item::Echo(inbox, echo),
                None => unknown(echo.channel, Some(echo.message_id)),
            },
            InboundEvent::History(past) => match inbox {
                Some(inbox) => Item::History(inbox, past),
                None => unknown(past.message.channel, Some(past.message.message_id)),
            },
            InboundEvent::Presence(presence) => match inbox {
                Some(inbox) => Item::Presence(inbox, presence),
                None => unknown(presence.channel, None),
            },
            // One about the whole account names no number: whoever it was sent to is told.
            InboundEvent::System(notice) => {
                Item::System(inbox.unwrap_or_else(|| addressed.clone()), notice, None)
            }
            InboundEvent::Ignored(ignored) => {
                let why = ignored.why.as_str();
                keep(ignored.channel, ignored.message_id, why, ignored.detail)
            }
        }
    }

    /// The number or instance that an event is addressed to.
    pub fn channel_of(event: &InboundEvent) -> Option<&str> {
        match event {
            InboundEvent::Message(message) => Some(&message.channel),
            InboundEvent::Status(status) => Some(&status.channel),
            InboundEvent::Echo(echo) => Some(&echo.channel),
            InboundEvent::System(notice) => Some(&notice.channel),
            InboundEvent::Presence(presence) => Some(&presence.channel),
            InboundEvent::History(past) => Some(&past.message.channel),
            InboundEvent::Ignored(ignored) => ignored.channel.as_deref(),
        }
    }

    /// The provider's id of a customer's message.
    pub(super) fn message_id(&self) -> Option<&str> {
        match self {
            Item::Message(_, message) => Some(&message.message_id),
            _ => None,
        }
    }

    /// Events with one key are written in the order in which they came.
    pub(super) fn shard_key(&self) -> String {
        let person = |inbox: &Inbox, sender: &Sender| {
            let first = sender.identities().into_iter().next();
            let value = first.map(|identity| identity.value).unwrap_or_default();
            format!("{}:{value}", inbox.account.id)
        };
        match self {
            Item::Message(inbox, message) => person(inbox, &message.sender),
            Item::Echo(inbox, echo) => person(inbox, &echo.recipient),
            Item::History(inbox, past) => person(inbox, &past.message.sender),
            Item::Presence(inbox, presence) => person(inbox, &presence.sender),
            Item::Status(_, status) => status.message_id.clone(),
            Item::System(inbox, notice, _) => match &notice.sender {
                Some(sender) => person(inbox, sender),
                None => notice.kind.clone(),
            },
            Item::Kept(event) => event.why.clone(),
        }
    }

    /// Where the raw body goes, for an event that somebody may have to look into.
    pub fn body_mut(&mut self) -> Option<&mut Option<String>> {
        match self {
            Item::Kept(event) => Some(&mut event.body),
            Item::System(_, _, body) => Some(body),
            _ => None,
        }
    }

    /// The row that a notice leaves.
    pub(super) fn noted(inbox: &Inbox, notice: &SystemNotice, body: Option<&String>) -> NewEvent {
        NewEvent {
            inbox_id: Some(inbox.id),
            channel: inbox.channel(),
            external_id: (!notice.channel.is_empty()).then(|| notice.channel.clone()),
            provider_message_id: notice.message_id.clone(),
            why: "system".to_owned(),
            detail: notice.kind.clone(),
            body: body.cloned(),
        }
    }

    /// The row that stands for an item which cannot be stored as what it is.
    pub(super) fn refused(&self, why: IgnoredWhy, detail: &str) -> NewEvent {
        let text = match self {
            Item::Message(_, message) => Some(message.text()),
            Item::Echo(_, echo) => Some(echo.content.text()),
            Item::History(_, past) => Some(past.message.text()),
            Item::Status(..) | Item::System(..) | Item::Presence(..) | Item::Kept(_) => None,
        };
        let none = String::new();
        let (inbox, message_id) = match self {
            Item::Message(inbox, message) => (inbox, &message.message_id),
            Item::Status(inbox, status) => (inbox, &status.message_id),
            Item::Echo(inbox, echo) => (inbox, &echo.message_id),
            Item::History(inbox, past) => (inbox, &past.message.message_id),
            Item::System(inbox, notice, _) => (inbox, notice.message_id.as_ref().unwrap_or(&none)),
            Item::Presence(inbox, _) => (inbox, &none),
            Item::Kept(event) => {
                let (why, detail) = (why.as_str().to_owned(), detail.to_owned());
                return NewEvent { why, detail, body: None, ..event.clone() };
            }
        };
        NewEvent {
            inbox_id: Some(inbox.id),
            channel: inbox.channel(),
            external_id: None,
            provider_message_id: Some(message_id.chars().take(500).collect()),
            why: why.as_str().to_owned(),
            detail: detail.to_owned(),
            body: text.map(|text| readable(text.as_bytes())),
        }
    }
}
