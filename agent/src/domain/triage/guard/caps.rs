//! Shouting: capitals plus a second sign.
//!
//! More than half capitals in a text of more than five characters is necessary, not enough: many
//! customers never leave capitals, and plates, addresses and acronyms are written so. A pressure
//! word, a complaint or a row of `!` or `?` makes it shouting. Greetings and thanks, however loud,
//! are not, nor is a customer whose earlier messages were in capitals too.

use super::group::Group;
use super::reading::{Reading, capital_ratio};
use super::words::Class;

/// Share of capitals above which a text is in capitals.
const RATIO: f64 = 0.5;
/// Characters a text needs for its capitals to mean anything.
const LENGTH: usize = 5;
/// Earlier messages looked at for the habit of writing in capitals.
const HABIT_WINDOW: usize = 6;
/// Earlier messages in capitals that make a habit.
const HABIT_COUNT: usize = 2;

/// The rule by which the message shouts. `earlier` are the customer's messages, newest first.
pub fn detect<'a>(
    reading: &Reading,
    earlier: impl Iterator<Item = &'a str>,
) -> Option<&'static str> {
    if !in_capitals((reading.capitals, reading.length)) || is_friendly(reading) {
        return None;
    }
    let sign = if reading.text.repeated_marks && says_something(reading) {
        "caps-marks"
    } else if presses(reading) {
        "caps-pressure"
    } else {
        return None;
    };
    (!writes_in_capitals(earlier)).then_some(sign)
}

fn in_capitals((ratio, length): (f64, usize)) -> bool {
    ratio > RATIO && length > LENGTH
}

/// Whether most words of the message are there to greet, thank or laugh.
fn is_friendly(reading: &Reading) -> bool {
    let words = reading.senses.len();
    let friendly = (0..words)
        .filter(|i| reading.is(*i, Class::Greeting) || reading.is(*i, Class::Positive))
        .count();
    let fillers = (0..words)
        .filter(|i| reading.is(*i, Class::Filler) && !reading.is(*i, Class::Greeting))
        .count();
    let denied = reading.any(Class::Not);
    friendly > 0 && !denied && 2 * friendly >= words.saturating_sub(fillers)
}

/// Whether there are at least two words that are neither codes nor acronyms.
fn says_something(reading: &Reading) -> bool {
    let is_word = |word: &&str| word.len() > 3 && !word.bytes().any(|b| b.is_ascii_digit());
    reading.text.words().filter(is_word).nth(1).is_some()
}

/// Whether the message presses or reproaches. A calm question and a plan of one's own do not.
fn presses(reading: &Reading) -> bool {
    reading.hits(Group::Pressure).any(|hit| {
        let asked = reading.text.tokens[hit.start].question;
        let planned = reading.before(hit.start, 6).any(|i| {
            matches!(
                reading.text.word(i),
                "vou"
                    | "posso"
                    | "estou"
                    | "to"
                    | "indo"
                    | "chegando"
                    | "paguei"
                    | "fiz"
                    | "mandei"
                    | "enviei"
                    | "comprei"
                    | "gastei"
                    | "recebi"
                    | "voy"
                    | "puedo"
                    | "preferia"
            )
        });
        let hurry = hit.end - hit.start == 1
            && matches!(
                reading.text.word(hit.start),
                "agora" | "ja" | "logo" | "rapido" | "now" | "ya" | "ahora" | "again"
            );
        !(hurry && (planned || asked))
    })
}

/// Whether the customer's earlier messages were nearly all in capitals.
fn writes_in_capitals<'a>(earlier: impl Iterator<Item = &'a str>) -> bool {
    let (mut capitals, mut others) = (0, 0);
    for text in earlier.take(HABIT_WINDOW) {
        match in_capitals(capital_ratio(text)) {
            true => capitals += 1,
            false if text.chars().filter(|c| c.is_alphabetic()).count() > LENGTH => others += 1,
            false => {}
        }
    }
    capitals >= HABIT_COUNT && others <= capitals / 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Option<&'static str> {
        detect(&Reading::of(text), std::iter::empty())
    }

    #[test]
    fn capitals_with_pressure_or_repeated_marks_are_shouting() {
        for text in [
            "EU PRECISO DISSO RESOLVIDO JÁ",
            "NINGUÉM ME RESPONDE",
            "CADÊ O MEU PEDIDO",
            "MEU CARTÃO SUMIU DO SISTEMA!!!",
            "FAZ TRÊS SEMANAS QUE ESPERO",
            "DEVOLVAM MEU DINHEIRO",
        ] {
            assert!(rule(text).is_some(), "{text}");
        }
    }

    #[test]
    fn greetings_codes_addresses_and_plain_statements_in_capitals_are_calm() {
        for text in [
            "BOA NOITE!!!",
            "MUITO OBRIGADA!!!",
            "FELIZ NATAL!!",
            "XYZ9K88",
            "CPF 000.000.000-00",
            "RUA DAS PALMEIRAS 90 BLOCO B",
            "JOAO CARLOS PEREIRA",
            "QUAL O VALOR DA PARCELA?",
            "PAGUEI 40 NA PADARIA",
            "QUERO VER O EXTRATO DE MARÇO",
        ] {
            assert_eq!(rule(text), None, "{text}");
        }
    }

    #[test]
    fn a_customer_who_always_writes_in_capitals_is_not_shouting() {
        let earlier = ["QUERO O BOLETO DE MAIO", "BOA TARDE TUDO BEM"];
        let reading = Reading::of("NÃO RECEBI O BOLETO AINDA");
        assert_eq!(detect(&reading, earlier.into_iter()), None);
        assert!(detect(&reading, std::iter::empty()).is_some());
    }
}
