//! Joy, which excuses an exclamatory swear word.

use super::group::{Group, Table};
use super::reading::Reading;
use super::words::Class;

/// Joyful phrases beyond single words of [`Class::Positive`].
pub const TABLES: &[Table] = &[
    Table {
        group: Group::Cheer,
        rule: "cheer",
        phrases: &[
            // "vamos porra!" cheers, "vamos resolver isso porra" does not
            "bora|vamo|vamos|simbora|dale|aeee|ae|eita|uhul|opa , porra|caralho|krl|carai|caraio",
            "que|q jogo|jogao|gol|golaco|show|festa|delicia|noticia|dia|mulher|homem|gata|gato|filme|\
             musica|time|orgulho|alegria|emocao|sonho $",
            "bora|vamo|vamos|vai|dale flamengo|corinthians|palmeiras|brasil|mengao|timao|galo|gremio|\
             vasco|santos|bahia|inter|time|curintia|verdao|selecao",
            "hoje|hj|amanha ..1 tem|e jogo|festa|show|role|churrasco|dia|sexta",
            "jogo|show|musica|filme|serie|dia|festa|cara|mina foda",
            "tamo|estamos|to|tamos junto|dentro|vivo|feliz",
            "deu|dando|da certo",
            "e|eh top|show",
            "foda|fodas $",
            "foda demais|pra",
            "foda|fodas essa|esse|este|esta|o|a <calm>|lugar|show|ideia|hotel|foto|video",
            "que foda",
            "muito foda",
            "mt foda",
            "so alegria",
            "e nois|noix",
        ],
    },
    Table {
        group: Group::Harmless,
        rule: "not-joy",
        phrases: &[
            // greetings and turns of phrase that hold a good word without joy
            "bom|boa|buenos|buenas|good dia|tarde|noite|tardes|noches|dias|madrugada|morning|evening",
            "melhor <you>|resolv*|cancelar|ir",
            "e|eh|seria|era melhor",
            "de boa",
            "por bem",
            "uma boa",
            "ta|tao|esta bom $",
            "muito bom hein",
            "bom , <curse>",
            "na boa",
            "a boa vontade",
            "ao certo",
            "certo $",
            "numa boa",
            "so obrigad*",
        ],
    },
];

/// Pictographs of joy and laughter.
const JOYFUL: &str = "😂🤣😍🥰😄😁😊🎉🥳👏😀😆😃🤩😎💪🙌❤💚💙🔥😅🤪";

/// How far back a negation still turns a good word around.
const NEGATION_REACH: usize = 3;

/// Whether the message is joyful rather than angry.
pub fn is_cheerful(reading: &Reading) -> bool {
    if reading.any(Class::Negative) {
        return false;
    }
    let laughs = reading.text.words().any(|w| w == "kkk")
        || reading.text.emoji.iter().any(|e| JOYFUL.contains(*e));
    laughs || reading.hits(Group::Cheer).any(|h| affirmed(reading, h.start)) || praises(reading)
}

/// Whether a good word stands without negation.
fn praises(reading: &Reading) -> bool {
    (0..reading.senses.len())
        .any(|i| reading.is(i, Class::Positive) && !reading.harmless(i) && affirmed(reading, i))
}

fn affirmed(reading: &Reading, index: usize) -> bool {
    !reading
        .before(index, NEGATION_REACH)
        .any(|i| reading.is(i, Class::Not) || reading.is(i, Class::Without))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn praise_laughter_and_luck_are_joy() {
        for text in ["que vitória linda", "kkkkkkk", "bora caralho", "passei no exame 🎉"] {
            assert!(is_cheerful(&Reading::of(text)), "{text}");
        }
    }

    #[test]
    fn greetings_and_denied_praise_are_no_joy() {
        for text in ["bom dia", "isso não ficou bom", "melhor vocês resolverem", "nada deu certo"]
        {
            assert!(!is_cheerful(&Reading::of(text)), "{text}");
        }
    }
}
