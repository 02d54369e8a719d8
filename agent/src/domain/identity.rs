//! Who a customer is to a channel: phone, business-scoped user id, or lid.

use serde::{Deserialize, Serialize};

/// The kinds of name that a channel calls one customer by (DESIGN §9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IdentityKind {
    /// A telephone number, digits only, with country code.
    Phone,
    /// Meta's business-scoped user id: an opaque string.
    Bsuid,
    /// Evolution's linked id, `…@lid`: an opaque string.
    Lid,
}

impl IdentityKind {
    pub fn as_str(self) -> &'static str {
        match self {
            IdentityKind::Phone => "phone",
            IdentityKind::Bsuid => "bsuid",
            IdentityKind::Lid => "lid",
        }
    }

    /// `None` for a word that is no kind.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "phone" => Some(IdentityKind::Phone),
            "bsuid" => Some(IdentityKind::Bsuid),
            "lid" => Some(IdentityKind::Lid),
            _ => None,
        }
    }
}

/// A telephone number as a channel writes it: 8 to 15 digits with the country code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Phone(String);

impl Phone {
    /// Reads `5511987650001`, `+55 11 98765-0001`, `5511987650001@s.whatsapp.net` and
    /// `5511987650001:12@s.whatsapp.net`. `None` when what is left is not 8 to 15 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = text.strip_suffix("@s.whatsapp.net").or_else(|| text.strip_suffix("@c.us"));
        let number = number.unwrap_or(text);
        let number = number.split(':').next().unwrap_or_default();
        if number.chars().any(|c| !(c.is_ascii_digit() || "+-() .".contains(c))) {
            return None;
        }
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        (8..=15).contains(&digits.len()).then_some(Self(digits))
    }

    /// The digits as received: the address to answer at.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form to compare by. Brazilian mobiles are known with and without the ninth digit, so
    /// the canonical form has it; landlines (subscriber number from 2 to 5) never do
    /// (WhatsApp facts 35).
    pub fn canonical(&self) -> String {
        let digits = &self.0;
        if digits.len() == 12 && digits.starts_with("55") {
            let (prefix, subscriber) = digits.split_at(4);
            if subscriber.starts_with(['6', '7', '8', '9']) {
                return format!("{prefix}9{subscriber}");
            }
        }
        digits.clone()
    }
}

/// All the names by which an event calls its customer; at least one is set.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Sender {
    pub phone: Option<Phone>,
    pub bsuid: Option<String>,
    pub lid: Option<String>,
}

impl Sender {
    /// `None` when there is no name at all: such an event cannot be answered.
    pub fn new(phone: Option<Phone>, bsuid: Option<String>, lid: Option<String>) -> Option<Self> {
        let filled = |text: &String| !text.trim().is_empty();
        let sender = Self { phone, bsuid: bsuid.filter(filled), lid: lid.filter(filled) };
        (sender.phone.is_some() || sender.bsuid.is_some() || sender.lid.is_some()).then_some(sender)
    }

    /// The name to show to people: phone, else bsuid, else lid.
    pub fn shown(&self) -> Option<String> {
        let phone = self.phone.as_ref().map(|phone| phone.as_str().to_owned());
        phone.or_else(|| self.bsuid.clone()).or_else(|| self.lid.clone())
    }

    /// The names with the value to compare by and the address to answer at, in the order in which
    /// they are preferred for an answer (DESIGN §9: phone, bsuid, lid).
    pub fn identities(&self) -> Vec<Identity> {
        let opaque = |kind, value: &Option<String>| {
            value.as_ref().map(|value| Identity {
                kind,
                value: value.clone(),
                address: value.clone(),
            })
        };
        let phone = self.phone.as_ref().map(|phone| Identity {
            kind: IdentityKind::Phone,
            value: phone.canonical(),
            address: phone.as_str().to_owned(),
        });
        [phone, opaque(IdentityKind::Bsuid, &self.bsuid), opaque(IdentityKind::Lid, &self.lid)]
            .into_iter()
            .flatten()
            .collect()
    }
}

/// One name of a customer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity {
    pub kind: IdentityKind,
    /// The form to compare by.
    pub value: String,
    /// The form to answer at.
    pub address: String,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn brazilian_mobiles_compare_with_the_ninth_digit_and_landlines_without() {
        for (given, canonical) in [
            ("558587650002", "5585987650002"),
            ("5585987650002", "5585987650002"),
            ("+55 (85) 8765-0002", "5585987650002"),
            ("551134560001", "551134560001"),
            ("5491123456789", "5491123456789"),
            ("14155550100", "14155550100"),
        ] {
            let phone = Phone::parse(given).unwrap();
            assert_eq!(phone.canonical(), canonical, "{given}");
            assert_eq!(Phone::parse(canonical).unwrap().canonical(), canonical, "{given}, twice");
        }
    }

    proptest! {
        #[test]
        fn the_canonical_form_is_its_own_and_leaves_landlines_alone(digits in "[1-9][0-9]{7,14}") {
            let canonical = Phone::parse(&digits).unwrap().canonical();
            prop_assert_eq!(Phone::parse(&canonical).unwrap().canonical(), canonical);
        }

        #[test]
        fn a_landline_never_gets_a_ninth_digit(area in "[1-9][1-9]", subscriber in "[2-5][0-9]{7}") {
            let digits = format!("55{area}{subscriber}");
            prop_assert_eq!(Phone::parse(&digits).unwrap().canonical(), digits);
        }
    }

    #[test]
    fn what_is_no_number_is_no_phone() {
        for given in
            ["", "abc", "100000000000001@lid", "BR.1502576394655843", "123", "12345678901234567"]
        {
            assert_eq!(Phone::parse(given), None, "{given}");
        }
    }

    #[test]
    fn a_sender_without_any_name_is_none() {
        assert_eq!(Sender::new(None, Some("  ".into()), None), None);
        assert!(Sender::new(None, Some("BR.1".into()), None).is_some());
    }
}
