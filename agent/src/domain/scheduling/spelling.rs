//! Words of a name made comparable.

use crate::domain::triage::fold::fold;

/// The folded words of a text: letters and digits only.
pub fn words(text: &str) -> Vec<String> {
    fold(text)
        .split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A name as it sounds: Thiago is Tiago, Luiz is Luis, Giovanna is Giovana.
pub fn sound(word: &str) -> String {
    let word = word.replace("ph", "f").replace("th", "t");
    let mut sound = String::with_capacity(word.len());
    for letter in word.chars() {
        let letter = match letter {
            'y' => 'i',
            'w' => 'v',
            'k' => 'c',
            'z' => 's',
            other => other,
        };
        if letter.is_ascii_digit() || !sound.ends_with(letter) {
            sound.push(letter);
        }
    }
    sound
}

/// Whether two words come from one stem: "dermatologista" and "dermatológica", "limpeza" and
/// "limpezas".
pub fn same_stem(one: &str, other: &str) -> bool {
    const SHORTEST_STEM: usize = 5;
    const LONGEST_ENDING: usize = 4;
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let longest = one.chars().count().max(other.chars().count());
    one == other || (common >= SHORTEST_STEM && longest - common <= LONGEST_ENDING)
}

/// Whether the words differ only in the ending that tells women from men: Paulo and Paula are two
/// people.
pub fn differ_in_gender(one: &str, other: &str) -> bool {
    let last = |word: &str| word.char_indices().next_back();
    let (Some((cut_one, last_one)), Some((cut_other, last_other))) = (last(one), last(other))
    else {
        return false;
    };
    let endings = [last_one, last_other];
    one[..cut_one] == other[..cut_other] && (endings == ['a', 'o'] || endings == ['o', 'a'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_is_spelt_in_several_ways() {
        for (one, other) in [
            ("thiago", "tiago"),
            ("luiz", "luis"),
            ("giovanna", "giovana"),
            ("raphael", "rafael"),
            ("karla", "carla"),
            ("walter", "valter"),
        ] {
            assert_eq!(sound(one), sound(other), "{one} {other}");
        }
        assert_ne!(sound("mariana"), sound("marina"));
        assert_ne!(sound("sala11"), sound("sala1"));
    }

    #[test]
    fn endings_do_not_hide_a_stem() {
        for (one, other, same) in [
            ("dermatologista", "dermatologica", true),
            ("cardiologista", "cardiologia", true),
            ("limpeza", "limpezas", true),
            ("consulta", "consultas", true),
            ("consulta", "consultoria", true),
            ("pele", "peles", false),
            ("cardiologia", "cardiograma", false),
            ("oftalmologia", "odontologia", false),
        ] {
            assert_eq!(same_stem(one, other), same, "{one} {other}");
        }
    }

    #[test]
    fn the_ending_tells_two_people_apart() {
        assert!(differ_in_gender("paulo", "paula"));
        assert!(!differ_in_gender("luis", "luiz"));
        assert!(!differ_in_gender("", "a"));
    }
}
