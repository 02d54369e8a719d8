//! What stands around a number and tells an hour of the day from a duration or a count.

use super::lex::{Kind, Text};
use super::number::Words;
use super::units;

/// How much the words before a number say that it is an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cue {
    None,
    /// A day stands before it: "sexta 14h".
    Day,
    /// "as 9", "até 9": an article as well.
    Weak,
    /// "às 9", "a partir das 9", "a las 9".
    Strong,
}

pub(super) const DAYS: &[&str] = &[
    "hoje",
    "amanha",
    "feira",
    "segunda",
    "terca",
    "quarta",
    "quinta",
    "sexta",
    "sabado",
    "domingo",
    "hoy",
    "manana",
    "lunes",
    "martes",
    "miercoles",
    "jueves",
    "viernes",
    "today",
    "tomorrow",
    "tonight",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "seg",
    "ter",
    "qua",
    "qui",
    "sex",
    "sab",
    "dom",
    "segundas",
    "sextas",
    "sabados",
    "domingos",
    "amnh",
    "amn",
    "hj",
    "feiras",
    "tercas",
    "quartas",
    "quintas",
];

const EDGES: &[&str] =
    &["partir", "depois", "antes", "desde", "ate", "para", "pra", "apos", "volta"];

/// What comes before the number at `place`.
pub(super) fn cue(text: &Text<'_>, place: usize) -> Cue {
    let Some(previous) = place.checked_sub(1) else { return Cue::None };
    let further = text.before(previous, 1);
    match text.word(previous) {
        "as" => {
            let accented = !text.written(previous).is_ascii();
            if accented || EDGES.contains(&further) { Cue::Strong } else { Cue::Weak }
        }
        "das" | "pelas" | "pras" | "nas" if EDGES.contains(&further) => Cue::Strong,
        "das" => {
            let joined = text.is(place + 1, &["as", "ate", "a", "ao"])
                || text.is(place + 2, &["as", "ate", "a", "ao"])
                || text.sign(place + 1, '-');
            if joined { Cue::Strong } else { Cue::Weak }
        }
        "las" | "la" if matches!(further, "a" | "de" | "desde" | "hasta" | "sobre" | "para") => {
            Cue::Strong
        }
        "de" if further == "partir" => Cue::Strong,
        "ate" | "hasta" | "until" | "till" if !matches!(further, "em" | "en" | "por") => Cue::Weak,
        "pelas" | "pras" | "at" => Cue::Weak,
        _ => day_before(text, previous),
    }
}

/// Whether a day or a date stands before, perhaps with a comma or a bracket between.
fn day_before(text: &Text<'_>, previous: usize) -> Cue {
    let mut at = previous;
    for _ in 0..2 {
        if matches!(text.any_sign(at), Some(',' | '(' | '-' | ':' | '@')) {
            let Some(next) = at.checked_sub(1) else { return Cue::None };
            at = next;
        }
    }
    let date = text.number(at).is_some()
        && (text.sign(at.wrapping_sub(1), '/') || text.before(at, 1) == "dia");
    if DAYS.contains(&text.word(at)) || date { Cue::Day } else { Cue::None }
}

/// Words that may follow an hour without a unit after a weak cue.
pub(super) const FOLLOWERS: &[&str] = &[
    "de",
    "do",
    "com",
    "na",
    "no",
    "nas",
    "nos",
    "em",
    "e",
    "ou",
    "ate",
    "a",
    "as",
    "para",
    "pra",
    "pro",
    "por",
    "que",
    "mas",
    "ja",
    "se",
    "ta",
    "ok",
    "certo",
    "combinado",
    "y",
    "o",
    "con",
    "del",
    "and",
    "or",
    "on",
    "for",
    "with",
    "to",
    "sharp",
    "pode",
    "podemos",
    "esta",
    "fica",
    "tem",
    "temos",
    "voce",
    "nao",
    "sao",
    "in",
    "en",
    "el",
    "quer",
    "serve",
    "tudo",
    "entao",
];

/// Whether a bare number can be an hour, judging by what follows at `after`.
pub(super) fn closes(text: &Text<'_>, after: usize, cue: Cue) -> bool {
    let Some(token) = text.tokens.get(after) else { return true };
    if token.line {
        return true;
    }
    match &token.kind {
        Kind::Sign(sign) => match sign {
            '%' | '$' | '/' | 'º' | '°' | ':' => false,
            '-' => !(token.glued && text.glued(after + 1)),
            _ => true,
        },
        Kind::Word(_) if token.glued => false,
        Kind::Word(word) if cue == Cue::Strong => !units::is_counted(word) && word != "mil",
        Kind::Word(word) => FOLLOWERS.contains(&word.as_str()) || DAYS.contains(&word.as_str()),
        Kind::Number(_) => false,
        Kind::Link(_) | Kind::Email(_) | Kind::Phone(_) => true,
    }
}

/// Words before "2h" that make a length of time of it.
const LASTING: &[&str] = &[
    "em",
    "in",
    "en",
    "within",
    "por",
    "durante",
    "dura",
    "duram",
    "leva",
    "levam",
    "demora",
    "demoram",
    "ha",
    "hace",
    "cada",
    "duracao",
    "prazo",
    "minimo",
    "maximo",
    "for",
    "every",
    "uns",
    "menos",
    "com",
    "aproximadamente",
    "tempo",
    "intervalo",
    "antecedencia",
    "duracion",
    "jejum",
    "mapa",
    "holter",
    "dormi",
    "trabalha",
    "cerca",
    "espera",
    "carga",
];

/// The same where the number is small.
const LASTING_SMALL: &[&str] =
    &["umas", "tem", "sao", "apos", "mais", "sessao", "aula", "consulta"];

/// Nouns of "prazo de 24h".
const SPANS: &[&str] = &[
    "duracao",
    "prazo",
    "antecedencia",
    "intervalo",
    "sessao",
    "jejum",
    "plantao",
    "aula",
    "tempo",
    "minimo",
    "maximo",
    "menos",
    "mais",
    "cerca",
    "viagem",
    "voo",
    "reuniao",
    "curso",
    "pacote",
    "periodo",
    "turno",
    "jornada",
    "carencia",
    "ciclo",
    "mapa",
    "holter",
    "tolerancia",
    "atraso",
    "espera",
    "sono",
    "repouso",
    "descanso",
    "massagem",
    "passeio",
    "trilha",
    "estadia",
    "uso",
    "carga",
    "duracion",
    "anticipacion",
    "funcionamento",
    "media",
    "total",
    "dentro",
];

/// Whether the number at `place`, whose hour ends before `after`, measures time.
pub(super) fn is_duration(text: &Text<'_>, place: usize, after: usize, small: bool) -> bool {
    let mut at = place;
    if at > 0 && matches!(text.any_sign(at - 1), Some(':' | '(' | '+' | '~')) {
        at -= 1;
    }
    let (first, second) = (text.before(at, 1), text.before(at, 2));
    let before = match first {
        "de" | "ate" | "a" | "of" => SPANS.contains(&second) || first == "ate" && second == "em",
        "in" if at > 1 && text.sign(at - 2, '-') || second == "check" => false,
        _ => LASTING.contains(&first) || small && LASTING_SMALL.contains(&first),
    };
    // "6/6h"; "8h/9h" are two hours.
    let slash = text.sign(place.wrapping_sub(1), '/')
        && text.glued(place)
        && text.number(place.wrapping_sub(2)).is_some();
    before || slash || lasts_after(text, after)
}

fn lasts_after(text: &Text<'_>, after: usize) -> bool {
    let next = text.word(after + 1);
    match text.word(after) {
        "de" | "of" => SPANS.contains(&next),
        "por" | "per" | "ao" | "a" => matches!(next, "dia" | "semana" | "noite" | "mes" | "day"),
        "antes" | "apos" | "uteis" | "corridas" | "diarias" | "semanais" | "seguidas" | "atras"
        | "before" | "later" | "ago" | "ininterruptas" | "inteiras" | "completas" | "depois" => {
            true
        }
        _ => {
            text.sign(after, '/')
                && text.glued(after)
                && (text.is(after + 1, &["dia", "dias", "d", "day", "semana"])
                    || text.whole(after + 1, 7) == Some(7) && text.word(after + 2) != "h")
        }
    }
}

/// A part of the day as people say it after an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    /// "da manhã", "da madrugada", "am".
    Before,
    Afternoon,
    Night,
    Pm,
}

impl Half {
    /// The hour of the day that `hour` of this half is.
    pub fn hour(self, hour: u64) -> u64 {
        match (self, hour) {
            (Half::Before | Half::Night, 12) => 0,
            (Half::Afternoon | Half::Pm, 1..=11) | (Half::Night, 5..=11) => hour + 12,
            _ => hour,
        }
    }
}

/// The half of the day that a word names.
pub(super) fn half(word: &str) -> Option<Half> {
    Some(match word {
        "manha" | "madrugada" | "manana" | "morning" => Half::Before,
        "tarde" | "tardinha" | "tardezinha" | "afternoon" => Half::Afternoon,
        "noite" | "noitinha" | "noche" | "evening" | "night" => Half::Night,
        _ => return None,
    })
}

/// The half of the day named right after an hour, and the token after it.
pub(super) fn half_after(text: &Text<'_>, at: usize) -> Option<(Half, usize)> {
    let dotted = |letter: &str| {
        text.word(at) == letter
            && text.sign(at + 1, '.')
            && text.word(at + 2) == "m"
            && text.glued(at + 2)
    };
    match text.word(at) {
        "am" => return Some((Half::Before, at + 1)),
        "pm" => return Some((Half::Pm, at + 1)),
        _ if dotted("a") => return Some((Half::Before, at + 3)),
        _ if dotted("p") => return Some((Half::Pm, at + 3)),
        _ => {}
    }
    let named = match (text.word(at), text.word(at + 1)) {
        ("de" | "por", "la") | ("in", "the") => at + 2,
        ("da" | "de" | "a" | "pela" | "at" | "na", _) => at + 1,
        _ => return None,
    };
    half(text.word(named)).map(|half| (half, named + 1))
}

/// How far a sentence is read for the half of the day that it is about.
const REACH: usize = 14;

/// Whether the sentence around a token speaks of the afternoon or the evening.
pub(super) fn is_late(text: &Text<'_>, at: usize) -> bool {
    let ends = |index: usize| {
        matches!(text.any_sign(index), Some('.' | '!' | '?' | ';')) || text.line(index)
    };
    let late = |index: usize| {
        let greeting = matches!(text.before(index, 1), "boa" | "boas" | "buenas" | "good");
        !greeting && matches!(half(text.word(index)), Some(Half::Afternoon | Half::Night))
    };
    let back = (at.saturating_sub(REACH)..at).rev().take_while(|index| !ends(index + 1));
    let ahead = (at + 1..text.len().min(at + REACH)).take_while(|index| !ends(*index));
    back.chain(ahead).any(late)
}
