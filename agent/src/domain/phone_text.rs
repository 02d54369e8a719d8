//! Telephone numbers as Brazilians write them.

/// The number for people: `(11) 98765-0001` for a Brazilian one, `+14155550100` for others.
/// `digits` is an address as a channel gives it, with the country code.
pub fn shown(digits: &str) -> String {
    let national = digits.strip_prefix("55").filter(|rest| [10, 11].contains(&rest.len()));
    let parts = national.and_then(|rest| {
        let (area, subscriber) = rest.split_at_checked(2)?;
        let (first, last) = subscriber.split_at_checked(subscriber.len().checked_sub(4)?)?;
        Some(format!("({area}) {first}-{last}"))
    });
    parts.unwrap_or_else(|| format!("+{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brazilian_numbers_are_shown_as_brazilians_write_them() {
        for (digits, expected) in [
            ("5511987650001", "(11) 98765-0001"),
            ("551134560001", "(11) 3456-0001"),
            ("14155550100", "+14155550100"),
            ("5511", "+5511"),
        ] {
            assert_eq!(shown(digits), expected);
        }
    }
}
