//! What people type into fields, read into values: each field that cannot be read says why, in a
//! word that pages and the API translate.

use std::collections::BTreeMap;
use std::fmt;

/// Why a field is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("is needed")]
    Required,
    #[error("has more than {0} characters")]
    TooLong(usize),
    #[error("has fewer than {0} characters")]
    TooShort(usize),
    #[error("is none of: {0}")]
    NotOneOf(String),
    #[error("is not a whole number from {min} to {max}")]
    OutOfRange { min: i64, max: i64 },
    #[error("is no time zone, such as America/Sao_Paulo")]
    NoTimezone,
    #[error("is no amount in BRL, such as 150 or 150.50")]
    NoAmount,
    #[error("may mean two amounts: write 1000 or 1000,00")]
    AmbiguousAmount,
    #[error("cannot be reached: LLM_PRICES_BRL has no price for the model")]
    Unpriced,
    #[error("is no address that begins with https:// or http://")]
    NoAddress,
    #[error("holds a name, a password, ? or #, which an address here may not")]
    UntidyAddress,
    #[error("leads into a private network, which only who runs the installation may choose")]
    PrivateAddress,
    #[error("is needed again, for the address leads elsewhere now")]
    NeededAgain,
    #[error("is no e-mail address")]
    NoEmail,
    #[error("holds something else than digits")]
    NotDigits,
    #[error("is taken already")]
    Taken,
    #[error("does not exist here")]
    Unknown,
    #[error("is more than you may give")]
    BeyondYou,
    #[error("would leave the account without an administrator")]
    LastAdmin,
    #[error("is wrong")]
    Wrong,
    #[error("is the same as before")]
    Same,
    #[error("is not the same as the new password")]
    Mismatch,
    #[error("belongs to another kind of line")]
    OtherChannel,
}

impl Reason {
    /// A stable word for programs and for the words of pages.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Required => "required",
            Reason::TooLong(_) => "too_long",
            Reason::TooShort(_) => "too_short",
            Reason::NotOneOf(_) => "not_one_of",
            Reason::OutOfRange { .. } => "out_of_range",
            Reason::NoTimezone => "no_timezone",
            Reason::NoAmount => "no_amount",
            Reason::AmbiguousAmount => "ambiguous_amount",
            Reason::Unpriced => "unpriced",
            Reason::NoAddress => "no_address",
            Reason::UntidyAddress => "untidy_address",
            Reason::PrivateAddress => "private_address",
            Reason::NeededAgain => "needed_again",
            Reason::NoEmail => "no_email",
            Reason::NotDigits => "not_digits",
            Reason::Taken => "taken",
            Reason::Unknown => "unknown",
            Reason::BeyondYou => "beyond_you",
            Reason::LastAdmin => "last_admin",
            Reason::Wrong => "wrong",
            Reason::Same => "same",
            Reason::Mismatch => "mismatch",
            Reason::OtherChannel => "other_channel",
        }
    }

    /// What stands in the place of `{min}`, `{max}` and `{known}` in a sentence about it, by name.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        match self {
            Reason::TooLong(max) => vec![("max", max.to_string())],
            Reason::TooShort(min) => vec![("min", min.to_string())],
            Reason::OutOfRange { min, max } => {
                vec![("min", min.to_string()), ("max", max.to_string())]
            }
            Reason::NotOneOf(known) => vec![("known", known.clone())],
            _ => Vec::new(),
        }
    }
}

/// The fields that are refused, with the first reason of each; never empty where it is an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invalid(pub BTreeMap<&'static str, Reason>);

impl Invalid {
    /// One field.
    pub fn one(field: &'static str, reason: Reason) -> Self {
        Self(BTreeMap::from([(field, reason)]))
    }

    /// Notes why a field is refused, unless it is already.
    pub fn note(&mut self, field: &'static str, reason: Reason) {
        self.0.entry(field).or_insert(reason);
    }

    /// The value of a field that was read, or nothing with its reason noted.
    pub fn take<T>(&mut self, field: &'static str, read: Result<T, Reason>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(reason) => {
                self.note(field, reason);
                None
            }
        }
    }

    /// Fails when anything was noted.
    pub fn check(self) -> Result<(), Invalid> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed: Vec<_> =
            self.0.iter().map(|(field, reason)| format!("{field} {reason}")).collect();
        f.write_str(&listed.join("; "))
    }
}

impl std::error::Error for Invalid {}

/// One line of 1 to `max` characters, its spaces made single.
pub fn line(text: &str, max: usize) -> Result<String, Reason> {
    let shown: String = text.chars().filter(|c| !c.is_control() || c.is_whitespace()).collect();
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return Err(Reason::Required);
    }
    if line.chars().count() > max { Err(Reason::TooLong(max)) } else { Ok(line) }
}

/// A text of at most `max` characters with its lines; may be empty.
pub fn text(text: &str, max: usize) -> Result<String, Reason> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let shown: String = text.chars().filter(|c| !c.is_control() || "\n\t".contains(*c)).collect();
    let text = shown.trim().to_owned();
    if text.chars().count() > max { Err(Reason::TooLong(max)) } else { Ok(text) }
}

/// A whole number in these bounds.
pub fn number(text: &str, min: i64, max: i64) -> Result<i64, Reason> {
    let out = Reason::OutOfRange { min, max };
    let number: i64 = text.trim().parse().map_err(|_| out.clone())?;
    if (min..=max).contains(&number) { Ok(number) } else { Err(out) }
}

/// An amount in BRL as people here write it: `150`, `150,50`, `150.50`, `R$ 1.234,56`. `1.000` is a
/// thousand here and one elsewhere, so it is neither.
pub fn brl(text: &str) -> Result<f64, Reason> {
    let text = text.trim().trim_start_matches("R$").trim();
    let plain = match text.split_once(',') {
        Some((whole, cents)) => {
            let mut groups = whole.split('.');
            let first = groups.next().unwrap_or_default();
            let mut grouped = groups.clone().peekable();
            let fits = grouped.peek().is_none() || (1..=3).contains(&first.len());
            if !fits || groups.any(|group| group.len() != 3) {
                return Err(Reason::NoAmount);
            }
            format!("{}.{cents}", whole.replace('.', ""))
        }
        None => match text.rsplit_once('.') {
            Some((whole, end)) if end.len() == 3 && !whole.contains('.') => {
                return Err(Reason::AmbiguousAmount);
            }
            _ => text.to_owned(),
        },
    };
    if plain.is_empty() || !plain.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return Err(Reason::NoAmount);
    }
    amount(plain.parse().map_err(|_| Reason::NoAmount)?)
}

/// An amount that can be a limit.
pub fn amount(amount: f64) -> Result<f64, Reason> {
    let fits = amount.is_finite() && (0.0..=1e9).contains(&amount);
    if fits { Ok(amount) } else { Err(Reason::NoAmount) }
}

/// An e-mail address, in lower case: enough of its form that a slip of the hand is seen.
pub fn email(text: &str) -> Result<String, Reason> {
    let email = text.trim().to_lowercase();
    if email.is_empty() {
        return Err(Reason::Required);
    }
    let strange = |c: char| c.is_whitespace() || c.is_control() || "<>,;\"".contains(c);
    let (name, host) = email.split_once('@').ok_or(Reason::NoEmail)?;
    let is_host = host.split('.').all(|part| !part.is_empty()) && !host.contains('@');
    if name.is_empty() || !is_host || email.contains(strange) || email.len() > 254 {
        return Err(Reason::NoEmail);
    }
    Ok(email)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_they_are_written_here() {
        for (text, amount) in [
            ("150", Ok(150.0)),
            (" R$ 1.234,56 ", Ok(1234.56)),
            ("1234.5", Ok(1234.5)),
            ("1.000.000,00", Ok(1_000_000.0)),
            ("0", Ok(0.0)),
            ("1.000", Err(Reason::AmbiguousAmount)),
            ("12.34,5", Err(Reason::NoAmount)),
            ("1234.567,8", Err(Reason::NoAmount)),
            ("-1", Err(Reason::NoAmount)),
            ("", Err(Reason::NoAmount)),
            ("cem", Err(Reason::NoAmount)),
            ("1e9", Err(Reason::NoAmount)),
            ("1.2.3", Err(Reason::NoAmount)),
            ("99999999999", Err(Reason::NoAmount)),
        ] {
            assert_eq!(brl(text), amount, "{text}");
        }
    }

    #[test]
    fn lines_and_texts_are_tidied_and_measured() {
        assert_eq!(line("  Pousada\u{0} \n do  Sol ", 20), Ok("Pousada do Sol".into()));
        assert_eq!(line(" \t", 20), Err(Reason::Required));
        assert_eq!(line("ãããã", 3), Err(Reason::TooLong(3)));
        assert_eq!(text("\r\n- a\r\n- b\u{7}\r\n", 20), Ok("- a\n- b".into()));
        assert_eq!(text("  ", 20), Ok(String::new()));
        assert_eq!(number(" 15 ", 1, 20), Ok(15));
        assert_eq!(number("15,5", 1, 20), Err(Reason::OutOfRange { min: 1, max: 20 }));
    }

    #[test]
    fn an_address_of_mail_has_a_name_and_a_host() {
        assert_eq!(email(" Ana.Lima@Exemplo.COM.br "), Ok("ana.lima@exemplo.com.br".into()));
        assert_eq!(email("ana@localhost"), Ok("ana@localhost".into()));
        for text in ["ana", "ana@", "@b.br", "a b@c.br", "ana@b..br", "ana@b@c", "<ana@b.br>"] {
            assert_eq!(email(text), Err(Reason::NoEmail), "{text}");
        }
        assert_eq!(email(" "), Err(Reason::Required));
    }

    #[test]
    fn the_first_reason_of_a_field_stands() {
        let mut invalid = Invalid::default();
        assert_eq!(invalid.take("name", line("Sol", 3)), Some("Sol".into()));
        assert_eq!(invalid.clone().check(), Ok(()));
        assert_eq!(invalid.take("name", line("Solar", 3)), None);
        invalid.note("name", Reason::Required);
        let refused = invalid.check().unwrap_err();
        assert_eq!(refused.0["name"], Reason::TooLong(3));
        assert_eq!(refused.to_string(), "name has more than 3 characters");
    }
}
