//! What a message of Evolution holds. It is asked for by name, in a fixed order: metadata may come
//! first among its keys (WhatsApp facts 47).

use serde_json::Value;

use super::super::payload::{list, text, words};
use super::payload::{truth, whole};
use super::protocol;
use crate::domain::message::{ChoiceKind, Content, IgnoredWhy, Media, MediaKind};

/// What was found in a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    Content(Content),
    /// Nothing for the bot: why, and the kind of thing it is.
    Nothing(IgnoredWhy, String),
}

/// Keys of a message that say nothing of its content.
const METADATA: [&str; 8] = [
    "messageContextInfo",
    "senderKeyDistributionMessage",
    "fastRatchetKeySenderKeyDistributionMessage",
    "contextInfo",
    "base64",
    "mediaUrl",
    "speechToText",
    "messageSecret",
];

/// Messages that hold a message whose files may be opened once, and which linked devices do not get.
const VIEW_ONCE: [&str; 3] = ["viewOnceMessage", "viewOnceMessageV2", "viewOnceMessageV2Extension"];

/// Deepest nesting of wrappers that is followed.
const DEEPEST: usize = 12;

/// A message without its wrappers.
pub struct Unwrapped<'a> {
    pub inner: &'a Value,
    pub view_once: bool,
}

/// Takes off ephemeral, view-once, caption, edited and device-sent wrappers, and any other key that
/// holds nothing but a message, as deep as they go.
pub fn unwrap(message: &Value) -> Unwrapped<'_> {
    let (mut inner, mut view_once) = (message, false);
    for _ in 0..DEEPEST {
        let Some(fields) = inner.as_object() else { break };
        if fields.iter().any(|(key, value)| KNOWN.contains(&key.as_str()) && is_filled(value)) {
            break;
        }
        let wrapped = fields.iter().find_map(|(key, value)| {
            let held = value.get("message").filter(|held| held.is_object())?;
            Some((key.as_str(), held))
        });
        let Some((key, held)) = wrapped else { break };
        view_once |= VIEW_ONCE.contains(&key);
        inner = held;
    }
    Unwrapped { inner, view_once }
}

/// Keys that are content and no wrapper, in the order in which they are looked for.
const KNOWN: [&str; 38] = [
    "conversation",
    "extendedTextMessage",
    "imageMessage",
    "audioMessage",
    "videoMessage",
    "ptvMessage",
    "documentMessage",
    "stickerMessage",
    "locationMessage",
    "liveLocationMessage",
    "contactMessage",
    "contactsArrayMessage",
    "buttonsResponseMessage",
    "templateButtonReplyMessage",
    "listResponseMessage",
    "interactiveResponseMessage",
    "reactionMessage",
    "protocolMessage",
    "secretEncryptedMessage",
    "encReactionMessage",
    "encCommentMessage",
    "encEventResponseMessage",
    "pollUpdateMessage",
    "orderMessage",
    "pollCreationMessage",
    "pollCreationMessageV2",
    "pollCreationMessageV3",
    "pollCreationMessageV5",
    "eventMessage",
    "productMessage",
    "templateMessage",
    "buttonsMessage",
    "listMessage",
    "interactiveMessage",
    "placeholderMessage",
    "albumMessage",
    "keepInChatMessage",
    "pinInChatMessage",
];

/// Reads what is in `message`.
pub fn read(message: &Value) -> Found {
    let Unwrapped { inner, view_once } = unwrap(message);
    let found =
        KNOWN.iter().find_map(|key| Some((*key, inner.get(key).filter(|value| is_filled(value))?)));
    // A text that is empty stands back behind anything else.
    let found = found.or_else(|| Some(("conversation", inner.get("conversation")?)));
    let Some((key, value)) = found else {
        return unknown(inner);
    };
    let content = match key {
        "conversation" => value.as_str().map(said),
        "extendedTextMessage" => words(value, "text").map(|text| said(&text)),
        "imageMessage" => Some(media(MediaKind::Image, value, message)),
        "audioMessage" => Some(media(MediaKind::Audio, value, message)),
        "videoMessage" | "ptvMessage" => Some(media(MediaKind::Video, value, message)),
        "documentMessage" => Some(media(MediaKind::Document, value, message)),
        "stickerMessage" => Some(media(MediaKind::Sticker, value, message)),
        "locationMessage" | "liveLocationMessage" => location(value),
        "contactMessage" => Some(Content::Contacts { count: 1 }),
        "contactsArrayMessage" => Some(Content::Contacts { count: list(value, "contacts").len() }),
        "buttonsResponseMessage" => Some(button(value)),
        "templateButtonReplyMessage" => {
            Some(choice(ChoiceKind::TemplateButton, value, "selectedId", "selectedDisplayText"))
        }
        "listResponseMessage" => Some(row(value)),
        "interactiveResponseMessage" => Some(interactive(value)),
        "reactionMessage" => reaction(value),
        "protocolMessage" => return protocol::read(value),
        "secretEncryptedMessage"
        | "encReactionMessage"
        | "encCommentMessage"
        | "encEventResponseMessage"
        | "pollUpdateMessage" => {
            return Found::Nothing(IgnoredWhy::Encrypted, key.to_owned());
        }
        // The pictures of an album come each as a message of its own.
        "albumMessage" | "keepInChatMessage" | "pinInChatMessage" => {
            return Found::Nothing(IgnoredWhy::Protocol, key.to_owned());
        }
        "orderMessage" => Some(order(value)),
        _ => Some(unsupported(key, value)),
    };
    match content {
        Some(Content::Media(media)) if view_once => {
            let what = format!("view once {}", media.kind.as_str());
            let text = media.caption.unwrap_or_default();
            Found::Content(Content::Unsupported { what, code: None, text })
        }
        Some(Content::Text { text }) if text.trim().is_empty() => {
            Found::Nothing(IgnoredWhy::Empty, "empty text".to_owned())
        }
        Some(content) => Found::Content(content),
        None => Found::Nothing(IgnoredWhy::Malformed, key.to_owned()),
    }
}

/// Neither absent nor an empty text, which some serialisers write for every absent field.
fn is_filled(value: &Value) -> bool {
    !value.is_null() && value.as_str() != Some("")
}

fn said(text: &str) -> Content {
    Content::Text { text: text.replace('\0', "") }
}

/// A message without any content that is known by name.
fn unknown(inner: &Value) -> Found {
    let fields = inner.as_object().into_iter().flatten();
    let mut named =
        fields.filter(|(key, value)| !METADATA.contains(&key.as_str()) && !value.is_null());
    match named.next() {
        None => Found::Nothing(IgnoredWhy::Empty, "no content".to_owned()),
        Some((key, value)) => Found::Content(unsupported(key, value)),
    }
}

/// A kind that is understood as such, with the words it has.
fn unsupported(key: &str, value: &Value) -> Content {
    let what = match key {
        _ if key.starts_with("pollCreationMessage") => "poll",
        "eventMessage" => "event",
        "productMessage" => "product",
        "templateMessage" | "buttonsMessage" | "listMessage" | "interactiveMessage" => "template",
        "placeholderMessage" => "placeholder",
        _ => key,
    };
    let places = [
        "/name",
        "/title",
        "/text",
        "/caption",
        "/contentText",
        "/description",
        "/body/text",
        "/hydratedTemplate/hydratedContentText",
        "/hydratedFourRowTemplate/hydratedContentText",
        "/product/title",
    ];
    let words = places.iter().find_map(|place| value.pointer(place)?.as_str());
    let text = words.unwrap_or_default().replace('\0', "");
    Content::Unsupported { what: what.chars().take(80).collect(), code: None, text }
}

/// A file. Evolution's own id of it is the message's id; the `.enc` addresses of WhatsApp are
/// encrypted and of no use, an address in `mediaUrl` is Evolution's own store. `root` is the whole
/// message: address and transcript lie beside the wrappers.
fn media(kind: MediaKind, media: &Value, root: &Value) -> Content {
    let name = |keys: [&str; 3]| keys.iter().find_map(|key| text(media, key));
    let url = text(root, "mediaUrl").or_else(|| text(media, "mediaUrl"));
    let transcript = text(root, "speechToText").filter(|_| kind == MediaKind::Audio);
    let transcript = transcript.map(|heard| {
        let heard = heard.trim();
        heard.strip_prefix("[audio]").unwrap_or(heard).trim().to_owned()
    });
    Content::Media(Media {
        kind,
        // Only Evolution's Meta channel has one.
        id: text(media, "id"),
        url,
        mime: name(["mimetype", "mime_type", "mimeType"]),
        caption: text(media, "caption"),
        file_name: name(["fileName", "filename", "title"]),
        voice: truth(media, "ptt") || truth(media, "voice"),
        transcript: transcript.filter(|heard| !heard.is_empty()),
    })
}

fn location(value: &Value) -> Option<Content> {
    let degrees = |key: &str, other: &str| {
        let value = value.get(key).or_else(|| value.get(other))?;
        value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
    };
    Some(Content::Location {
        latitude: degrees("degreesLatitude", "latitude")?,
        longitude: degrees("degreesLongitude", "longitude")?,
        name: text(value, "name"),
        address: text(value, "address"),
    })
}

fn choice(choice: ChoiceKind, value: &Value, id: &str, label: &str) -> Content {
    let label = words(value, label).unwrap_or_default();
    let id = text(value, id).unwrap_or_else(|| label.clone());
    Content::Choice { choice, id, text: label }
}

fn button(value: &Value) -> Content {
    let nested = ["Response", "response"].iter().find_map(|key| value.get(key));
    let label = words(value, "selectedDisplayText").or_else(|| {
        words(nested?, "selectedDisplayText").or_else(|| words(nested?, "SelectedDisplayText"))
    });
    let label = label.unwrap_or_default();
    let id = text(value, "selectedButtonId").unwrap_or_else(|| label.clone());
    Content::Choice { choice: ChoiceKind::Button, id, text: label }
}

fn row(value: &Value) -> Content {
    let label = text(value, "title").or_else(|| text(value, "description"));
    let label = label.unwrap_or_default();
    let id = value.get("singleSelectReply").and_then(|reply| text(reply, "selectedRowId"));
    let id = id.unwrap_or_else(|| label.clone());
    Content::Choice { choice: ChoiceKind::List, id, text: label }
}

/// An answer to native buttons, lists and flows, whose values are JSON within a text.
fn interactive(value: &Value) -> Content {
    let flow = value.get("nativeFlowResponseMessage").unwrap_or(&Value::Null);
    let given: Value = text(flow, "paramsJson")
        .and_then(|json| serde_json::from_str(&json).ok())
        .unwrap_or_default();
    let kind = match text(flow, "name").as_deref() {
        Some("quick_reply" | "cta_reply") => ChoiceKind::Button,
        Some("single_select" | "menu_options") => ChoiceKind::List,
        _ => ChoiceKind::Flow,
    };
    let label = value.get("body").and_then(|body| text(body, "text"));
    let label = label.or_else(|| text(&given, "display_text")).or_else(|| text(&given, "title"));
    let id = ["id", "selectedId", "flow_token"].iter().find_map(|key| text(&given, key));
    Content::Choice { choice: kind, id: id.unwrap_or_default(), text: label.unwrap_or_default() }
}

fn reaction(value: &Value) -> Option<Content> {
    let target_id = text(value.get("key")?, "id")?;
    Some(Content::Reaction { target_id, emoji: text(value, "text") })
}

fn order(value: &Value) -> Content {
    let items = value.get("itemCount").and_then(whole).unwrap_or_default();
    let text = text(value, "message").or_else(|| text(value, "orderTitle"));
    Content::Order {
        items: usize::try_from(items).unwrap_or_default(),
        text: text.unwrap_or_default(),
    }
}
