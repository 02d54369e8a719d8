//! What a patient tells of themselves, in the forms that agendas take.

/// The eleven digits of a CPF whose check digits are right.
pub fn cpf(text: &str) -> Option<String> {
    let digits: Vec<u32> = text.chars().filter_map(|sign| sign.to_digit(10)).collect();
    if digits.len() != 11 || digits.iter().all(|digit| *digit == digits[0]) {
        return None;
    }
    let check = |count: usize| {
        let weights = (2..=count + 1).rev();
        let sum: usize =
            digits.iter().zip(weights).map(|(digit, weight)| *digit as usize * weight).sum();
        (sum * 10 % 11 % 10) as u32
    };
    let is_right = check(9) == digits[9] && check(10) == digits[10];
    is_right.then(|| digits.iter().map(ToString::to_string).collect())
}

/// The digits of a telephone number with area code; `None` when they are too few or too many.
pub fn phone(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    (10..=15).contains(&digits.len()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpf_is_known_by_its_check_digits() {
        for text in ["529.982.247-25", "52998224725", " 529 982 247 25 ", "111.444.777-35"] {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            assert_eq!(cpf(text), Some(digits), "{text}");
        }
        for text in ["529.982.247-26", "111.111.111-11", "5299822472", "", "cpf"] {
            assert_eq!(cpf(text), None, "{text}");
        }
    }

    #[test]
    fn a_telephone_number_is_kept_as_digits() {
        assert_eq!(phone("(11) 98765-0001").as_deref(), Some("11987650001"));
        assert_eq!(phone("98765-0001"), None);
    }
}
