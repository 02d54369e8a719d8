//! The channels that customers write on. A channel reads webhooks into
//! [`crate::domain::message::InboundEvent`]s and sends text; everything else is the same for all.

mod announced;
mod download;
pub mod evolution;
#[cfg(test)]
mod fixtures;
pub mod meta;
mod payload;
pub mod reading;

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::future::BoxFuture;

use crate::domain::identity::IdentityKind;
use crate::domain::message::Media;

/// Where an answer goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub kind: IdentityKind,
    pub value: String,
}

/// One text to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboundText {
    pub to: Address,
    /// In the channel's own marks, within the channel's length.
    pub text: String,
    /// Our id of it, which the provider gives back with statuses where it can.
    pub callback_data: String,
}

/// Records that a text is about to go out. A channel awaits it when the connection stands and
/// nothing but the writing is left: a process that dies before that has surely not sent, and one
/// that dies after it has almost surely sent. An error says that the text must not go out.
pub type Announcement = BoxFuture<'static, Result<(), NotAnnounced>>;

/// The announcement could not be recorded, or is not wanted any more.
#[derive(Debug, Clone, thiserror::Error)]
#[error("not announced: {0}")]
pub struct NotAnnounced(pub String);

/// Why a text was not sent, or may not have been.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// It surely was not sent and may be tried again, after the given time where the provider or
    /// its rules say one.
    #[error("not sent, may be tried again (code {code:?})")]
    Retry { code: Option<i64>, after: Option<Duration> },
    /// It was not announced, so nothing was written to the provider.
    #[error(transparent)]
    NotAnnounced(#[from] NotAnnounced),
    /// The provider refuses the line itself: its token, its account, its connection. Nothing was
    /// sent, and nothing will be until a person acts.
    #[error("the line is refused (code {code:?}): {detail}")]
    LineRefused { code: Option<i64>, detail: String },
    /// The line is not connected to WhatsApp at the moment. Nothing was sent.
    #[error("the line is down: {0}")]
    LineDown(String),
    /// It was refused, and would be refused again.
    #[error("refused (code {code:?}): {detail}")]
    Refused { code: Option<i64>, detail: String },
    /// The call ended without an answer: it may have been sent.
    #[error("no answer to a send: {detail}")]
    Unclear { detail: String },
}

/// The message that an answer is being made to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub from: Address,
    /// The provider's id of it.
    pub message_id: String,
}

/// A file as the provider gave it.
#[derive(Debug, Clone)]
pub struct FetchedMedia {
    pub bytes: Bytes,
    pub mime: Option<String>,
}

/// Why a file was not fetched.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// It may work later.
    #[error("not fetched: {0}")]
    Retry(String),
    /// It will not: gone, too large, or never named.
    #[error("cannot be fetched: {0}")]
    Refused(String),
}

/// A way to send. One value per inbox; it holds its credentials.
#[async_trait]
pub trait Channel: Send + Sync {
    /// Sends, once announced, and answers the provider's id of the message.
    async fn send_text(
        &self,
        message: &OutboundText,
        announcement: Announcement,
    ) -> Result<String, SendError>;

    /// Marks the message as read and shows that an answer is being written. Best effort: the text
    /// of the error is for the log.
    async fn show_typing(&self, asked: &Asked) -> Result<(), String>;

    /// Fetches the file of a message, of at most `limit` bytes.
    async fn fetch_media(
        &self,
        media: &Media,
        message_id: &str,
        limit: u64,
    ) -> Result<FetchedMedia, MediaError>;

    /// Whether statuses give back our own id of a message, so that their absence says something.
    fn statuses_carry_our_id(&self) -> bool;

    /// Asks the provider for the id of a text that may have been sent since then; `None` where it
    /// cannot be asked, or knows of none, which proves nothing.
    async fn find_sent(
        &self,
        to: &Address,
        text: &str,
        since: DateTime<Utc>,
    ) -> Result<Option<String>, String>;

    /// Asks the provider whether the credentials still hold.
    async fn check(&self) -> Result<(), String>;
}
