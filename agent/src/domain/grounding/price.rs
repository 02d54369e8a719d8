//! Prices without a currency: "a diária sai por 350", "120 por adulto", "mil e duzentos", `89,90`.

use super::found::Found;
use super::lex::Text;
use super::money::{found, is_amount};
use super::number::{SCALE, Words, Writing};
use super::units;

/// Words that speak of a price.
const CUES: &[&str] = &[
    "custa",
    "custam",
    "custando",
    "custava",
    "custou",
    "preco",
    "precos",
    "valor",
    "valores",
    "cobramos",
    "cobra",
    "cobrado",
    "pagar",
    "paga",
    "pago",
    "diaria",
    "tarifa",
    "total",
    "subtotal",
    "orcamento",
    "entrada",
    "sinal",
    "caucao",
    "taxa",
    "investimento",
    "mensalidade",
    "cuesta",
    "cuestan",
    "precio",
    "vale",
    "costs",
    "cost",
    "price",
    "fee",
    "saldo",
    "gasto",
    "gastos",
    "gastaram",
    "gastou",
    "custo",
    "frete",
    "sai",
    "saem",
    "rodizio",
    "preço",
    "promo",
    "promocao",
    "pix",
    "dinheiro",
    "debito",
    "vista",
    "credito",
    "apenas",
    "so",
    "tarifas",
];

/// Words that may stand between such a word and its number.
const FILLERS: &[&str] = &[
    "e",
    "partir",
    "entrega",
    "de",
    "do",
    "da",
    "em",
    "por",
    "a",
    "o",
    "no",
    "na",
    "so",
    "apenas",
    "fica",
    "ficou",
    "ficam",
    "sai",
    "saem",
    "foi",
    "uns",
    "umas",
    "cerca",
    "aproximadamente",
    "hoje",
    "atual",
    "voce",
    "cada",
    "deu",
    "esta",
    "ta",
    "sao",
    "es",
    "is",
    "the",
    "of",
    "un",
    "pra",
    "para",
    "consulta",
    "individual",
    "casal",
    "simples",
    "dupla",
    "pessoa",
    "noite",
    "normal",
    "reserva",
];

/// Words that are a price only right before the number.
const CLOSE_CUES: &[&str] =
    &["fica", "ficou", "ficam", "sai", "saem", "saiu", "deu", "apenas", "so"];

/// How many tokens lie between a price word and its number at most.
const REACH: usize = 5;

fn is_cued(text: &Text<'_>, at: usize) -> bool {
    // "pacotes a partir de 1.990"
    let fifty = text.number(at).is_some_and(|number| number.value >= 50 * SCALE);
    if fifty && text.before(at, 1) == "de" && text.before(at, 2) == "partir" {
        return spoken_ends(text, at + 1);
    }
    let mut place = at;
    for step in 0..REACH {
        let Some(previous) = place.checked_sub(1) else { return false };
        if text.line(place) && step > 0
            || text.line(place) && previous + 1 == at && !text.sign(previous, ':')
        {
            return false;
        }
        let word = text.word(previous);
        // "sai por 350", "fica em 350"; "fica a 200 m" is a distance, "sai às" an hour.
        if CLOSE_CUES.contains(&word) {
            let next = previous + 1;
            let close = step == 0
                || step == 1 && text.is(next, &["por", "em"])
                || text.is(next, &["a"]) && text.is(next + 1, &["partir"]);
            let only = matches!(word, "so" | "apenas");
            if close && (!only || text.is(previous.wrapping_sub(1), &["por"])) {
                return true;
            }
        } else if CUES.contains(&word) {
            return true;
        }
        let filler =
            FILLERS.contains(&word) || matches!(text.any_sign(previous), Some(':' | '=' | '('));
        if !filler {
            return false;
        }
        place = previous;
    }
    false
}

/// "80 por pessoa", "350 a diária", "120 cada", "90/noite".
fn is_rate(text: &Text<'_>, at: usize) -> bool {
    const PER: &[&str] = &[
        "pessoa", "noite", "diaria", "casal", "mes", "sessao", "consulta", "kg", "unidade", "pax",
        "person", "night", "persona", "noche", "hora", "adulto", "crianca",
    ];
    let joins = text.is(at + 1, &["por", "a", "per", "pela", "pelo"]) || text.sign(at + 1, '/');
    joins && text.is(at + 2, PER) || text.is(at + 1, &["cada"])
}

/// A number without a currency that can only be a price: by two decimals, by its words, or by
/// what is said around it.
pub(super) fn read(text: &Text<'_>, at: usize) -> Option<(Vec<Found>, usize)> {
    let number = text.number(at)?;
    if !is_free(text, at) {
        return None;
    }
    let words = number.writing != Writing::Digits;
    let measured = ["nota", "versao", "altura", "media", "peso"];
    let two_decimals = number.decimals == 2 && !text.is(at.wrapping_sub(1), &measured);
    let spoken = words
        && number.value >= 100 * SCALE
        && number.value != 1000 * SCALE
        && !feminine(text, at)
        && !text.written(at).ends_with(['k', 'K'])
        && spoken_ends(text, at + 1);
    let cued = is_large(text, at) && (is_cued(text, at) || is_rate(text, at) || is_told(text, at));
    let price = two_decimals || spoken || cued;
    price.then(|| (vec![found(text, number.value, None, at, at + 1)], at + 1))
}

/// A number after a price in the same sentence: "a diária é R$ 350, com café 390".
pub(super) fn read_after_price(text: &Text<'_>, at: usize) -> Option<Found> {
    let number = text.number(at)?;
    let before = text.written(at.wrapping_sub(1));
    let thing = before.chars().count() >= 3 && before.chars().all(char::is_lowercase);
    let listed = thing && !text.glued(at) && !FOREIGN.contains(&text.before(at, 1));
    let price = listed && is_free(text, at) && is_large(text, at) && spoken_ends(text, at + 1);
    price.then(|| found(text, number.value, None, at, at + 1))
}

/// Words before a number in a sentence about prices that make something else of it.
const FOREIGN: &[&str] = &[
    "ate",
    "acima",
    "abaixo",
    "maximo",
    "minimo",
    "cerca",
    "mais",
    "menos",
    "das",
    "dia",
    "dias",
    "anos",
    "idade",
    "canal",
    "linha",
    "plano",
    "top",
    "nivel",
    "grau",
    "wifi",
    "senha",
    "limite",
    "temperatura",
    "nota",
    "aos",
    "faz",
    "desde",
    "atende",
    "comporta",
];

/// Whether a number stands for itself: no unit, no name, no part of a code.
fn is_free(text: &Text<'_>, at: usize) -> bool {
    let after = text.glued(at + 1) && !text.word(at + 1).is_empty();
    let before = text.glued(at) && !text.before(at, 1).is_empty();
    let named = units::is_name(text.before(at, 1)) || text.is_item_number(at);
    is_amount(text, at) && !named && !after && !before
}

/// At least ten, and no year.
fn is_large(text: &Text<'_>, at: usize) -> bool {
    let Some(number) = text.number(at) else { return false };
    let year = number.whole().is_some_and(|value| (1990..=2100).contains(&value));
    number.value >= 10 * SCALE && !(year && number.digits == 4)
}

/// "A consulta é 380.", where nothing but a price has been asked for.
fn is_told(text: &Text<'_>, at: usize) -> bool {
    if text.written(at.wrapping_sub(1)) != "é" || !spoken_ends(text, at + 1) {
        return false;
    }
    let from = at.saturating_sub(8);
    let mut subject = (from..at - 1).rev().take_while(|index| {
        !text.line(index + 1) && !matches!(text.any_sign(*index), Some('.' | '!' | '?' | ','))
    });
    !subject.any(|index| {
        let word = text.word(index);
        FOREIGN.contains(&word) || units::is_name(word)
    })
}

/// "duzentas" are no reais.
fn feminine(text: &Text<'_>, at: usize) -> bool {
    let written = text.written(at).to_lowercase();
    written.contains("entas") || written.ends_with("uma") || written.ends_with("duas")
}

/// Whether nothing is counted by the number that ends before `at`.
fn spoken_ends(text: &Text<'_>, at: usize) -> bool {
    let follows = [
        "por",
        "no",
        "na",
        "a",
        "ao",
        "em",
        "para",
        "pra",
        "com",
        "cada",
        "total",
        "mas",
        "e",
        "ou",
        "a",
        "parcelado",
        "mensais",
        "sem",
        "hoje",
        "so",
        "pro",
        "fica",
    ];
    text.line(at) || text.word(at).is_empty() && text.number(at).is_none() || text.is(at, &follows)
}
