//! With whom a message was exchanged, by all the names that its key gives.

use serde_json::Value;

use super::super::payload::text;
use super::jid::Jid;
use crate::domain::identity::{Phone, Sender};
use crate::domain::message::IgnoredWhy;

/// The other side of a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Partner {
    Person(Sender),
    /// The instance's own number.
    Own(Sender),
    /// Not a person: its address and why nothing is answered.
    Nobody(IgnoredWhy, String),
    /// The key names nobody.
    Unnamed,
}

/// Names of the chat, whoever wrote (WhatsApp facts 57).
const OF_THE_CHAT: [&str; 3] = ["remoteJidAlt", "previousRemoteJid", "remoteLid"];
/// Names of the author: the chat's partner only in what we received. In what we sent, `senderPn`
/// may be our own number (WhatsApp facts 58).
const OF_THE_AUTHOR: [&str; 5] =
    ["senderPn", "senderLid", "participantAlt", "participantPn", "participantLid"];

/// The partner in the chat of `key`; some versions lay the names beside it, in `item`.
pub fn partner(key: &Value, item: &Value, from_me: bool, owner: Option<&Phone>) -> Partner {
    let Some(remote) = text(key, "remoteJid").as_deref().and_then(Jid::parse) else {
        return Partner::Unnamed;
    };
    let author: &[&str] = if from_me { &[] } else { &OF_THE_AUTHOR };
    let others =
        OF_THE_CHAT.iter().chain(author).flat_map(|name| [text(key, name), text(item, name)]);
    let is_own = |phone: &Phone| owner.is_some_and(|own| own.canonical() == phone.canonical());
    let (mut phone, mut lid) = match remote {
        Jid::Phone(phone) => (Some(phone), None),
        Jid::Lid(lid) => (None, Some(lid)),
        Jid::NotAPerson(why, jid) => return Partner::Nobody(why, jid),
    };
    let mut own = phone.as_ref().is_some_and(is_own);
    for name in others.flatten() {
        match Jid::parse(&name) {
            Some(Jid::Phone(other)) if phone.is_none() => {
                own |= is_own(&other) && from_me;
                // An author who is the owner is not whom we received it from.
                if from_me || !is_own(&other) {
                    phone = Some(other);
                }
            }
            Some(Jid::Lid(other)) if lid.is_none() => lid = Some(other),
            _ => {}
        }
    }
    match Sender::new(phone, None, lid) {
        Some(sender) if own => Partner::Own(sender),
        Some(sender) => Partner::Person(sender),
        None => Partner::Unnamed,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named(key: &Value, item: &Value) -> (Option<String>, Option<String>) {
        let owner = Phone::parse("5511940010001");
        let from_me = super::super::payload::truth(key, "fromMe");
        match partner(key, item, from_me, owner.as_ref()) {
            Partner::Person(sender) => {
                (sender.phone.map(|phone| phone.as_str().to_owned()), sender.lid)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_phone_behind_a_lid_is_found_in_the_forms_of_all_versions() {
        let ana = Some("5511987650001".to_owned());
        let lid = Some("100000000000001@lid".to_owned());
        let nothing = json!({});
        for (key, item) in [
            (
                json!({ "remoteJid": "100000000000001@lid", "senderPn": "5511987650001@s.whatsapp.net" }),
                nothing.clone(),
            ),
            (
                json!({ "remoteJid": "100000000000001@lid", "remoteJidAlt": "5511987650001@s.whatsapp.net" }),
                nothing.clone(),
            ),
            (json!({ "remoteJid": "100000000000001@lid" }), json!({ "senderPn": "5511987650001" })),
            (
                json!({ "remoteJid": "5511987650001@s.whatsapp.net", "senderLid": "100000000000001:2@lid" }),
                nothing.clone(),
            ),
            (
                json!({ "remoteJid": "5511987650001@s.whatsapp.net", "previousRemoteJid": "100000000000001@lid", "fromMe": true }),
                nothing.clone(),
            ),
            (
                json!({ "remoteJid": "100000000000001@lid", "remoteJidAlt": "5511987650001@s.whatsapp.net", "senderPn": "5511940010001@s.whatsapp.net", "fromMe": true }),
                nothing.clone(),
            ),
        ] {
            assert_eq!(named(&key, &item), (ana.clone(), lid.clone()), "{key} {item}");
        }
    }

    #[test]
    fn our_own_number_is_never_taken_for_the_customer() {
        let key = json!({ "remoteJid": "100000000000001@lid", "senderPn": "5511940010001@s.whatsapp.net", "fromMe": true });
        assert_eq!(named(&key, &json!({})), (None, Some("100000000000001@lid".to_owned())));
        let owner = Phone::parse("5511940010001");
        let key = json!({ "remoteJid": "5511940010001@s.whatsapp.net" });
        assert!(matches!(partner(&key, &json!({}), true, owner.as_ref()), Partner::Own(_)));
    }
}
