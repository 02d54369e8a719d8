//! WhatsApp's own addresses, `user@server`.

use crate::domain::identity::Phone;
use crate::domain::message::IgnoredWhy;

/// An address, by what stands behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Jid {
    Phone(Phone),
    /// `…@lid`, whole: its digits are no telephone number.
    Lid(String),
    /// A group, a list, a channel, WhatsApp itself: nobody to answer, with the reason.
    NotAPerson(IgnoredWhy, String),
}

impl Jid {
    /// Reads an address; a device (`:12`) or agent (`_1`) behind the user is dropped. Bare digits
    /// are a phone, or a group where they are too many. `None` when it is empty or nothing known.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let Some((user, server)) = text.rsplit_once('@') else {
            return bare(text);
        };
        let person = user.split([':', '_']).next().unwrap_or_default();
        let nobody = |why| Some(Jid::NotAPerson(why, text.to_owned()));
        match server.to_ascii_lowercase().as_str() {
            _ if user.is_empty() => None,
            "s.whatsapp.net" | "c.us" | "hosted" => match Phone::parse(person) {
                Some(phone) => Some(Jid::Phone(phone)),
                // `0@s.whatsapp.net` is WhatsApp itself.
                None => nobody(IgnoredWhy::NoSender),
            },
            "lid" | "hosted.lid" => Some(Jid::Lid(format!("{person}@lid"))),
            "g.us" => nobody(IgnoredWhy::Group),
            "broadcast" if user == "status" => nobody(IgnoredWhy::StatusBroadcast),
            "broadcast" => nobody(IgnoredWhy::Broadcast),
            "newsletter" => nobody(IgnoredWhy::Newsletter),
            _ => nobody(IgnoredWhy::NoSender),
        }
    }
}

fn bare(text: &str) -> Option<Jid> {
    if let Some(phone) = Phone::parse(text) {
        return Some(Jid::Phone(phone));
    }
    let group = text.len() >= 18 && text.chars().all(|c| c.is_ascii_digit() || c == '-');
    group.then(|| Jid::NotAPerson(IgnoredWhy::Group, format!("{text}@g.us")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart_by_their_server() {
        let phone = Jid::Phone(Phone::parse("5511987650001").unwrap());
        let group = |jid: &str| Jid::NotAPerson(IgnoredWhy::Group, jid.to_owned());
        for (text, expected) in [
            ("5511987650001@s.whatsapp.net", Some(phone.clone())),
            ("5511987650001:12@s.whatsapp.net", Some(phone.clone())),
            ("5511987650001_1:12@s.whatsapp.net", Some(phone.clone())),
            ("5511987650001@c.us", Some(phone.clone())),
            ("5511987650001", Some(phone)),
            ("100000000000001@lid", Some(Jid::Lid("100000000000001@lid".to_owned()))),
            ("100000000000001:3@lid", Some(Jid::Lid("100000000000001@lid".to_owned()))),
            ("120363000000000001@g.us", Some(group("120363000000000001@g.us"))),
            ("5511987650001-1617218121@g.us", Some(group("5511987650001-1617218121@g.us"))),
            ("120363000000000001", Some(group("120363000000000001@g.us"))),
            (
                "status@broadcast",
                Some(Jid::NotAPerson(IgnoredWhy::StatusBroadcast, "status@broadcast".to_owned())),
            ),
            (
                "0@s.whatsapp.net",
                Some(Jid::NotAPerson(IgnoredWhy::NoSender, "0@s.whatsapp.net".to_owned())),
            ),
            ("", None),
            ("@lid", None),
            ("Evolution API", None),
        ] {
            assert_eq!(Jid::parse(text), expected, "{text}");
        }
    }
}
