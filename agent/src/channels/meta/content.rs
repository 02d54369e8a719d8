//! What a message of the Cloud API holds, by its `type`.

use serde_json::Value;

use super::super::payload::{list, number, text, words};
use crate::domain::message::{ChoiceKind, Content, Media, MediaKind};

/// The content, or `None` when the object that its type names is missing or of another shape. A
/// type that is not known is [`Content::Unsupported`].
pub fn read(message: &Value) -> Option<Content> {
    let kind = text(message, "type").unwrap_or_default();
    Some(match kind.as_str() {
        "text" => Content::Text { text: words(message.get("text")?, "body")? },
        "button" => {
            let button = message.get("button")?;
            let label = words(button, "text").unwrap_or_default();
            let id = text(button, "payload").unwrap_or_else(|| label.clone());
            Content::Choice { choice: ChoiceKind::TemplateButton, id, text: label }
        }
        "interactive" => read_interactive(message).unwrap_or_else(|| unsupported(message, &kind)),
        "image" => media(MediaKind::Image, message.get("image")?),
        "audio" => media(MediaKind::Audio, message.get("audio")?),
        "voice" => media(MediaKind::Audio, message.get("voice")?),
        "video" => media(MediaKind::Video, message.get("video")?),
        "document" => media(MediaKind::Document, message.get("document")?),
        "sticker" => media(MediaKind::Sticker, message.get("sticker")?),
        "location" => {
            let location = message.get("location")?;
            Content::Location {
                latitude: location.get("latitude")?.as_f64()?,
                longitude: location.get("longitude")?.as_f64()?,
                name: text(location, "name"),
                address: text(location, "address"),
            }
        }
        "contacts" => Content::Contacts { count: list(message, "contacts").len() },
        "reaction" => {
            let reaction = message.get("reaction")?;
            Content::Reaction {
                target_id: text(reaction, "message_id")?,
                emoji: text(reaction, "emoji"),
            }
        }
        "order" => {
            let order = message.get("order")?;
            Content::Order {
                items: list(order, "product_items").len(),
                text: words(order, "text").unwrap_or_default(),
            }
        }
        "edit" => {
            let edit = message.get("edit")?;
            let changed = edit.get("message").and_then(read);
            Content::Edit {
                target_id: text(edit, "original_message_id")?,
                text: changed.map(|content| content.text().to_owned()).unwrap_or_default(),
            }
        }
        "revoke" => {
            let target_id = text(message.get("revoke")?, "original_message_id")?;
            Content::Revoke { target_id }
        }
        _ => unsupported(message, &kind),
    })
}

/// An answer to a request to be called: nothing for the bot.
pub fn is_call_permission(message: &Value) -> bool {
    let kind = message.pointer("/interactive/type").and_then(Value::as_str);
    kind == Some("call_permission_reply")
}

fn read_interactive(message: &Value) -> Option<Content> {
    let interactive = message.get("interactive")?;
    let replies = [
        ("button_reply", ChoiceKind::Button, "title"),
        ("list_reply", ChoiceKind::List, "title"),
        ("nfm_reply", ChoiceKind::Flow, "body"),
    ];
    let found = replies
        .into_iter()
        .find_map(|(key, choice, label)| Some((interactive.get(key)?, choice, label)));
    let (reply, choice, label) = found?;
    let id = text(reply, "id").unwrap_or_default();
    Some(Content::Choice { choice, id, text: words(reply, label).unwrap_or_default() })
}

fn media(kind: MediaKind, media: &Value) -> Content {
    Content::Media(Media {
        kind,
        id: text(media, "id"),
        url: text(media, "url"),
        mime: text(media, "mime_type"),
        caption: text(media, "caption"),
        file_name: text(media, "filename"),
        voice: media.get("voice").and_then(Value::as_bool).unwrap_or(false),
        transcript: None,
    })
}

fn unsupported(message: &Value, kind: &str) -> Content {
    let named = message.get("unsupported").and_then(|unsupported| text(unsupported, "type"));
    let code = list(message, "errors").first().and_then(|error| number(error, "code"));
    let what = named.unwrap_or_else(|| kind.to_owned());
    Content::Unsupported { what, code, text: String::new() }
}
