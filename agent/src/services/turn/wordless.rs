//! Messages without words: what the model is told of them, and what is answered when there is
//! nothing else.

use crate::domain::message::Content;
use crate::services::texts::{AUDIO_NOT_HEARD, MEDIA_NOT_SEEN, MESSAGE_NOT_READABLE};
use crate::store::messages::Waiting;

/// What the model reads of a message.
pub fn shown(message: &Waiting) -> String {
    let content = message.content.clone().and_then(|json| serde_json::from_value(json).ok());
    let note = match content {
        Some(Content::Location { latitude, longitude, name, address }) => {
            let place = [name, address].into_iter().flatten().collect::<Vec<_>>().join(", ");
            let place = if place.is_empty() { place } else { format!("{place}, ") };
            format!("[localização: {place}{latitude}, {longitude}]")
        }
        Some(Content::Contacts { count: 1 }) => "[um contato]".to_owned(),
        Some(Content::Contacts { count }) => format!("[{count} contatos]"),
        Some(Content::Order { items, .. }) => format!("[pedido do catálogo com {items} itens]"),
        _ => match message.kind.as_str() {
            "image" => "[imagem que não pode ser vista]".to_owned(),
            "audio" => "[áudio que não pode ser ouvido]".to_owned(),
            "video" => "[vídeo que não pode ser visto]".to_owned(),
            "document" => "[documento que não pode ser aberto]".to_owned(),
            "sticker" => "[figurinha]".to_owned(),
            "unsupported" => "[mensagem que não pode ser lida]".to_owned(),
            _ => return message.text.clone(),
        },
    };
    // A voice that was heard is its words.
    let heard = message.kind == "audio" && !message.text.is_empty();
    match message.text.is_empty() {
        _ if heard => message.text.clone(),
        true => note,
        false => format!("{note} {}", message.text),
    }
}

/// The polite answer to messages of which none says anything to a model; `None` where one does.
pub fn polite_answer(waiting: &[Waiting]) -> Option<&'static str> {
    let nothing_said = |message: &Waiting| {
        let silent = ["image", "audio", "video", "document", "sticker", "unsupported"];
        // The words that come with what cannot be read are no question to a model.
        message.kind == "unsupported"
            || (message.text.trim().is_empty() && silent.contains(&message.kind.as_str()))
    };
    if !waiting.iter().all(nothing_said) {
        return None;
    }
    let kind = |kind: &str| waiting.iter().any(|message| message.kind == kind);
    Some(match () {
        () if kind("audio") => AUDIO_NOT_HEARD,
        () if ["image", "video", "document", "sticker"].iter().any(|each| kind(each)) => {
            MEDIA_NOT_SEEN
        }
        () => MESSAGE_NOT_READABLE,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;
    use serde_json::json;

    fn waiting(kind: &str, text: &str, content: Option<serde_json::Value>) -> Waiting {
        Waiting {
            id: 1,
            kind: kind.into(),
            text: text.into(),
            content,
            provider_message_id: None,
            written_at: DateTime::from_timestamp(1_800_000_000, 0).unwrap(),
            created_at: DateTime::from_timestamp(1_800_000_000, 0).unwrap(),
        }
    }

    #[test]
    fn a_place_or_a_caption_is_for_the_model_and_a_bare_picture_is_not() {
        let picture = waiting("image", "", None);
        let captioned = waiting("image", "esse quarto tem hidro?", None);
        let voice = waiting("audio", "", None);
        let poll = waiting("unsupported", "Qual horário?", None);
        let place = json!({
            "kind": "location", "latitude": -23.5, "longitude": -46.6,
            "name": "Praça da Sé", "address": null,
        });
        let place = waiting("location", "", Some(place));
        assert_eq!(polite_answer(&[picture.clone(), picture.clone()]), Some(MEDIA_NOT_SEEN));
        assert_eq!(polite_answer(&[picture.clone(), voice]), Some(AUDIO_NOT_HEARD));
        assert_eq!(polite_answer(&[poll]), Some(MESSAGE_NOT_READABLE));
        assert_eq!(polite_answer(&[picture.clone(), captioned.clone()]), None);
        assert_eq!(polite_answer(std::slice::from_ref(&place)), None);
        assert_eq!(shown(&place), "[localização: Praça da Sé, -23.5, -46.6]");
        assert_eq!(shown(&captioned), "[imagem que não pode ser vista] esse quarto tem hidro?");
        assert_eq!(shown(&waiting("audio", "tem vaga?", None)), "tem vaga?");
        assert_eq!(shown(&waiting("text", "oi", None)), "oi");
    }
}
