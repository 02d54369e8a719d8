//! A message of a known inbox on its way to a row, from a customer or from a person of the business.

use chrono::{DateTime, Utc};

use super::decide::{PROCEED, unanswerable};
use crate::domain::identity::Sender;
use crate::domain::message::{Content, Echo, InboundMessage, PastMessage, Referral};
use crate::services::inboxes::Inbox;
use crate::store::conversations::{Head, Place};
use crate::store::messages::{Direction, NewMessage};
use crate::store::people::Caller;

/// A message of a known inbox on its way to a row.
pub struct Incoming<'a> {
    pub inbox: &'a Inbox,
    pub direction: Direction,
    pub message_id: &'a str,
    pub sender: &'a Sender,
    pub name: Option<&'a String>,
    pub content: &'a Content,
    pub reply_to: Option<&'a String>,
    pub written_at: DateTime<Utc>,
    pub referral: Option<&'a Referral>,
    /// Of the past: stored, and nothing follows.
    pub silent: bool,
}

impl<'a> Incoming<'a> {
    pub fn from_customer(inbox: &'a Inbox, message: &'a InboundMessage) -> Self {
        Self {
            inbox,
            direction: Direction::FromCustomer,
            message_id: &message.message_id,
            sender: &message.sender,
            name: message.profile_name.as_ref(),
            content: &message.content,
            reply_to: message.reply_to.as_ref(),
            written_at: message.timestamp,
            referral: message.referral.as_ref(),
            silent: false,
        }
    }

    pub fn from_the_past(inbox: &'a Inbox, past: &'a PastMessage) -> Self {
        let direction = match past.from_business {
            true => Direction::FromHuman,
            false => Direction::FromCustomer,
        };
        Self { direction, silent: true, ..Self::from_customer(inbox, &past.message) }
    }

    pub fn from_human(inbox: &'a Inbox, echo: &'a Echo, now: DateTime<Utc>) -> Self {
        Self {
            inbox,
            direction: Direction::FromHuman,
            message_id: &echo.message_id,
            sender: &echo.recipient,
            name: None,
            content: &echo.content,
            reply_to: None,
            written_at: echo.timestamp.unwrap_or(now),
            referral: None,
            silent: false,
        }
    }

    /// Who wrote it, as the event names them.
    pub fn caller(&self) -> Caller {
        Caller {
            account_id: self.inbox.account.id,
            sender: self.sender.clone(),
            name: self.name.cloned(),
        }
    }

    /// Where it belongs, once it is known who wrote it.
    pub fn place(&self, contact_id: i64) -> Place {
        Place { account_id: self.inbox.account.id, inbox_id: self.inbox.id, contact_id }
    }

    pub fn row(&self, head: &Head) -> NewMessage {
        let from_human = self.direction == Direction::FromHuman;
        let unread = from_human || self.silent || unanswerable(self.content).is_some();
        let plain = matches!(self.content, Content::Text { .. });
        NewMessage {
            conversation_id: head.id,
            place: head.place,
            direction: self.direction,
            provider_message_id: self.message_id.to_owned(),
            kind: self.content.kind(),
            text: self.content.text().to_owned(),
            content: (!plain).then(|| serde_json::to_value(self.content).unwrap_or_default()),
            reply_to: self.reply_to.cloned(),
            written_at: self.written_at,
            verdict: (!unread).then_some(PROCEED),
        }
    }
}

/// A message that was not there before, with its row's id and its conversation.
pub struct Fresh<'a> {
    pub id: i64,
    pub next: &'a Incoming<'a>,
    pub head: &'a Head,
    /// Of the webhook that brought it.
    pub trace: Option<&'a String>,
}
