//! What a channel's webhook says, told apart: the one vocabulary that normalisers speak.
//!
//! A provider's payload becomes a list of [`InboundEvent`]. What a normaliser does not know is a
//! variant ([`Content::Unsupported`], [`InboundEvent::Ignored`]), never an error.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::identity::Sender;
use super::live::{Connection, Presence};

/// One thing that happened on a channel.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum InboundEvent {
    /// A customer wrote.
    Message(InboundMessage),
    /// What became of a message that we sent.
    Status(DeliveryUpdate),
    /// A message of the business itself, seen from outside: a human at the phone, or our own send.
    Echo(Echo),
    /// The account, the number or the connection changed; no customer wrote.
    System(SystemNotice),
    /// A customer is typing, recording, or stopped.
    Presence(Presence),
    /// A message of the past, sent along when a phone was connected or came back: stored in
    /// silence.
    History(PastMessage),
    /// Read, understood as nothing for the bot, or not understood; kept with its reason.
    Ignored(Ignored),
}

/// A customer's message.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InboundMessage {
    /// The provider's id of the receiving line: Meta `phone_number_id`, Evolution instance.
    pub channel: String,
    /// The provider's id of the message, unique within the channel.
    pub message_id: String,
    pub sender: Sender,
    /// The name that the customer gave in their profile.
    pub profile_name: Option<String>,
    /// When the provider says that it was written.
    pub timestamp: DateTime<Utc>,
    pub content: Content,
    /// The provider's id of the message that this one quotes.
    pub reply_to: Option<String>,
    /// The ad or post that the customer came from.
    pub referral: Option<Referral>,
    /// Set when it was written in a group and not to the business alone.
    pub group_id: Option<String>,
}

impl InboundMessage {
    /// What the customer said in words: text, caption, label of a choice, transcript. Empty when
    /// there are none.
    pub fn text(&self) -> &str {
        self.content.text()
    }
}

/// What a message holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Content {
    Text {
        text: String,
    },
    /// A button, list row, flow or template button was chosen.
    Choice {
        choice: ChoiceKind,
        id: String,
        text: String,
    },
    Media(Media),
    Location {
        latitude: f64,
        longitude: f64,
        name: Option<String>,
        address: Option<String>,
    },
    /// Contact cards: how many.
    Contacts {
        count: usize,
    },
    /// `emoji` is `None` when the reaction was taken back.
    Reaction {
        target_id: String,
        emoji: Option<String>,
    },
    Order {
        items: usize,
        text: String,
    },
    /// The text of an earlier message changed.
    Edit {
        target_id: String,
        text: String,
    },
    /// An earlier message was withdrawn.
    Revoke {
        target_id: String,
    },
    /// The platform told us that there is a message and not what it says.
    Unsupported {
        what: String,
        code: Option<i64>,
        /// Words that came with it all the same, such as the question of a poll.
        #[serde(default)]
        text: String,
    },
}

impl Content {
    /// The words in it, empty when there are none.
    pub fn text(&self) -> &str {
        match self {
            Content::Text { text }
            | Content::Choice { text, .. }
            | Content::Order { text, .. }
            | Content::Edit { text, .. }
            | Content::Unsupported { text, .. } => text,
            Content::Media(media) => media.text(),
            Content::Location { .. }
            | Content::Contacts { .. }
            | Content::Reaction { .. }
            | Content::Revoke { .. } => "",
        }
    }

    /// A short stable name, for the database and for labels.
    pub fn kind(&self) -> &'static str {
        match self {
            Content::Text { .. } => "text",
            Content::Choice { .. } => "choice",
            Content::Media(media) => media.kind.as_str(),
            Content::Location { .. } => "location",
            Content::Contacts { .. } => "contacts",
            Content::Reaction { .. } => "reaction",
            Content::Order { .. } => "order",
            Content::Edit { .. } => "edit",
            Content::Revoke { .. } => "revoke",
            Content::Unsupported { .. } => "unsupported",
        }
    }
}

/// What kind of choice was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceKind {
    Button,
    List,
    Flow,
    TemplateButton,
}

/// A file that the customer sent. Its bytes are fetched later, by the worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    #[serde(rename = "media")]
    pub kind: MediaKind,
    /// The provider's id of the file, where it has one.
    pub id: Option<String>,
    /// A short-lived address, where the provider gives one.
    pub url: Option<String>,
    pub mime: Option<String>,
    pub caption: Option<String>,
    pub file_name: Option<String>,
    /// A voice note, as opposed to an audio file.
    pub voice: bool,
    /// Words that the provider itself heard in the audio.
    pub transcript: Option<String>,
}

impl Media {
    fn text(&self) -> &str {
        self.transcript.as_deref().or(self.caption.as_deref()).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaKind {
    Image,
    Audio,
    Video,
    Document,
    Sticker,
}

impl MediaKind {
    pub fn as_str(self) -> &'static str {
        match self {
            MediaKind::Image => "image",
            MediaKind::Audio => "audio",
            MediaKind::Video => "video",
            MediaKind::Document => "document",
            MediaKind::Sticker => "sticker",
        }
    }
}

/// A click-to-WhatsApp ad or post.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Referral {
    pub source_id: Option<String>,
    pub source_type: Option<String>,
    pub source_url: Option<String>,
    pub headline: Option<String>,
}

/// What the provider reports of a message of ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryUpdate {
    pub channel: String,
    pub message_id: String,
    pub status: DeliveryStatus,
    pub recipient: Option<String>,
    pub timestamp: Option<DateTime<Utc>>,
    /// The provider's error code, with `Failed`.
    pub error_code: Option<i64>,
    /// Our own id of the message, where the provider gives it back
    /// (Meta `biz_opaque_callback_data`).
    pub callback_data: Option<String>,
    /// What the provider charges for the message, in its own shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pricing: Option<serde_json::Value>,
}

/// Steps of a delivery. `Deleted` is what Evolution says of edits and poll votes too, so nothing
/// is concluded from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// The provider has it, WhatsApp not yet.
    Pending,
    Sent,
    Delivered,
    Read,
    Played,
    Failed,
    Deleted,
    Unknown,
}

/// A message that went out of the business's number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Echo {
    pub channel: String,
    pub message_id: String,
    /// The customer it went to.
    pub recipient: Sender,
    pub timestamp: Option<DateTime<Utc>>,
    pub content: Content,
    pub origin: EchoOrigin,
}

/// Which way a message of the business went out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EchoOrigin {
    /// Seen on the line: a person at a phone or browser, unless its id is one of ours.
    Line,
    /// Sent through the provider's API: by us, or by another program (WhatsApp facts 67).
    Api,
}

/// A message of the past.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PastMessage {
    /// The business wrote it; `sender` is then the customer it went to.
    pub from_business: bool,
    #[serde(flatten)]
    pub message: InboundMessage,
}

/// Something about the account, the number or a customer's identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SystemNotice {
    pub channel: String,
    /// The provider's word for it, such as `user_changed_number` or `account_update`.
    pub kind: String,
    pub message_id: Option<String>,
    /// Whom it is about, where it is about a customer.
    pub sender: Option<Sender>,
    /// The identity that replaces the old one.
    pub new_identity: Option<Sender>,
    pub timestamp: Option<DateTime<Utc>>,
    /// How the line is connected, where it is about that.
    pub connection: Option<Connection>,
}

/// What was read and led to nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ignored {
    pub channel: Option<String>,
    pub message_id: Option<String>,
    pub why: IgnoredWhy,
    /// Details for a person who looks into it: a field name, a type. Never message text.
    pub detail: String,
    /// Who wrote it, or the group, list or channel it was written to, as far as it says so. Not
    /// stored.
    pub sender: Option<String>,
    pub timestamp: Option<DateTime<Utc>>,
    /// Its words, where they were read. Not stored.
    pub text: Option<String>,
}

/// Why an event led to nothing. The stable names are stored in `webhook_events.why`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IgnoredWhy {
    /// Not JSON, or nested too deep to read.
    NotJson,
    /// JSON, and not of the provider's shape.
    Malformed,
    /// A message that does not say who wrote it.
    NoSender,
    /// A message without an id cannot be told from its redelivery.
    NoMessageId,
    /// No event in it.
    Empty,
    /// A field or event name that is not for the bot.
    OtherField,
    /// Addressed to a number or instance that no inbox here has.
    UnknownChannel,
    Group,
    StatusBroadcast,
    Newsletter,
    /// A message to a list of recipients.
    Broadcast,
    SelfChat,
    /// Encrypted for others: an edit, a reaction or a vote whose content nobody here can read.
    Encrypted,
    /// A note between phones and servers, such as the timer of disappearing messages.
    Protocol,
    /// Old messages, sent along when a phone was connected.
    History,
    /// Errors that the provider reports beside messages.
    ProviderError,
    /// A delivery status of a message that is not ours.
    OrphanStatus,
}

impl IgnoredWhy {
    /// Whether it happens all day and nobody will look into it: no body is kept of these.
    pub fn is_routine(self) -> bool {
        matches!(
            self,
            IgnoredWhy::OtherField
                | IgnoredWhy::Group
                | IgnoredWhy::StatusBroadcast
                | IgnoredWhy::Newsletter
                | IgnoredWhy::Broadcast
                | IgnoredWhy::SelfChat
                | IgnoredWhy::Encrypted
                | IgnoredWhy::Protocol
                | IgnoredWhy::History
        )
    }

    pub fn as_str(self) -> &'static str {
        match self {
            IgnoredWhy::NotJson => "not_json",
            IgnoredWhy::Malformed => "malformed",
            IgnoredWhy::NoSender => "no_sender",
            IgnoredWhy::NoMessageId => "no_message_id",
            IgnoredWhy::Empty => "empty",
            IgnoredWhy::OtherField => "other_field",
            IgnoredWhy::UnknownChannel => "unknown_channel",
            IgnoredWhy::Group => "group",
            IgnoredWhy::StatusBroadcast => "status_broadcast",
            IgnoredWhy::Newsletter => "newsletter",
            IgnoredWhy::Broadcast => "broadcast",
            IgnoredWhy::SelfChat => "self_chat",
            IgnoredWhy::Encrypted => "encrypted",
            IgnoredWhy::Protocol => "protocol",
            IgnoredWhy::History => "history",
            IgnoredWhy::ProviderError => "provider_error",
            IgnoredWhy::OrphanStatus => "orphan_status",
        }
    }
}
