//! What an operator types to find a contact: words of a name, or a telephone number in any of the
//! ways in which Brazilians write one.

use super::triage::fold::fold;

/// Fewer digits are found in too many numbers.
const FEWEST_DIGITS: usize = 3;
/// Words and forms of a number that are looked for at most.
const MOST_WORDS: usize = 8;

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Everybody,
    /// Folded words that all stand in the name, in any order. `exact` is what was typed, which may
    /// be an id that a channel gave.
    Name {
        words: Vec<String>,
        exact: String,
    },
    /// Runs of digits of which one stands in a canonical number (`Phone::canonical`).
    Phone(Vec<String>),
}

impl Wanted {
    /// Reads what was typed. Anything with letters is a name.
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Wanted::Everybody;
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let is_number = !text.chars().any(char::is_alphabetic) && digits.len() >= FEWEST_DIGITS;
        if is_number {
            return Wanted::Phone(forms(&digits));
        }
        let folded = fold(text);
        let words = folded.split_whitespace().take(MOST_WORDS).map(str::to_owned).collect();
        Wanted::Name { words, exact: text.to_owned() }
    }

    /// Whether a contact of this name is one that is looked for by name.
    pub fn fits_name(&self, name: &str) -> bool {
        match self {
            Wanted::Name { words, .. } => {
                let name = fold(name);
                words.iter().all(|word| name.contains(word.as_str()))
            }
            Wanted::Everybody => true,
            Wanted::Phone(_) => false,
        }
    }
}

/// The runs of digits that a canonical number may hold for what was typed, which may be a whole
/// number or a part of one. Kept numbers have a country code, and Brazilian mobiles their ninth
/// digit.
fn forms(typed: &str) -> Vec<String> {
    let mut forms = vec![typed.to_owned()];
    // "00" leads abroad; "0" stands before an area, perhaps with a carrier's two digits.
    let bare = typed.trim_start_matches('0');
    let mut national = vec![bare.to_owned()];
    if typed.starts_with('0') && matches!(bare.len(), 12 | 13) {
        national.extend(bare.get(2..).map(str::to_owned));
    }
    for number in national {
        let number = number.strip_prefix("55").filter(|rest| rest.len() >= 10).unwrap_or(&number);
        // "+55 (0) 85 …"
        let number = number.trim_start_matches('0');
        if number.len() >= FEWEST_DIGITS {
            forms.push(number.to_owned());
        }
        forms.extend(with_ninth_digit(number));
    }
    let mut seen = std::collections::HashSet::new();
    forms.retain(|form| seen.insert(form.clone()));
    forms
}

/// An area with a mobile subscriber that lacks its ninth digit, or the beginning of one.
fn with_ninth_digit(number: &str) -> Option<String> {
    let (area, subscriber) = number.split_at_checked(2)?;
    let fits = (3..=8).contains(&subscriber.len()) && subscriber.starts_with(['6', '7', '8', '9']);
    let is_area = !area.contains('0');
    (fits && is_area).then(|| format!("{area}9{subscriber}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::identity::Phone;

    fn finds(typed: &str, number: &str) -> bool {
        let number = Phone::parse(number).unwrap().canonical();
        match Wanted::read(typed) {
            Wanted::Phone(forms) => forms.iter().any(|form| number.contains(form)),
            _ => false,
        }
    }

    #[test]
    fn a_brazilian_number_is_found_however_it_is_written() {
        for typed in [
            "+55 85 98765-0002",
            "55 85 8765-0002",
            "(85) 98765-0002",
            "(85) 8765 0002",
            "85 9 8765.0002",
            "085987650002",
            "0 85 8765-0002",
            "0 41 85 98765-0002",
            "0055 85 98765 0002",
            "98765-0002",
            "8765-0002",
            "0002",
            "(85) 9876",
            "85 8765",
            "5585",
            "65000",
            "+55 (0) 85 98765-0002",
        ] {
            assert!(finds(typed, "558587650002"), "{typed}");
        }
        for typed in ["(85) 3456-0001", "85 3456", "3456-0001"] {
            assert!(finds(typed, "558534560001"), "{typed}");
        }
        assert!(finds("+1 415 555 0100", "14155550100"));
    }

    #[test]
    fn another_number_is_not_found() {
        for typed in ["(85) 98765-0003", "11 98765-0002", "8765-0003", "001"] {
            assert!(!finds(typed, "5585987650002"), "{typed}");
        }
    }

    #[test]
    fn names_are_found_by_parts_of_their_words_whatever_their_accents() {
        for (typed, fits) in [
            ("joao", true),
            ("JOÃO souza", true),
            ("souza jo", true),
            ("", true),
            ("maria", false),
            ("joao maria", false),
            ("85", false),
        ] {
            assert_eq!(Wanted::read(typed).fits_name("João de Souza"), fits, "{typed}");
        }
    }

    #[test]
    fn what_has_letters_is_a_name_and_what_has_few_digits_too() {
        assert!(matches!(Wanted::read("BR.15025763"), Wanted::Name { .. }));
        assert!(matches!(Wanted::read("12"), Wanted::Name { .. }));
        assert_eq!(Wanted::read("  "), Wanted::Everybody);
    }
}
