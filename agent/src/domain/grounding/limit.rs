//! Numbers after "até" that say how many, and not how late.

use super::hour::{DAYS, FOLLOWERS};
use super::lex::Text;
use super::number::Words;

/// Words that hold people or things: "cabem até 5".
const HOLDING: &[&str] = &[
    "cabem",
    "cabe",
    "comporta",
    "comportam",
    "acomoda",
    "acomodam",
    "pessoas",
    "criancas",
    "hospedes",
    "adultos",
    "capacidade",
    "maximo",
    "recebe",
    "recebemos",
    "limite",
    "pets",
    "ate",
    "grupo",
    "grupos",
    "grupos",
    "parcela",
    "parcelamos",
    "parcelado",
    "divide",
    "dividimos",
    "serve",
    "servem",
    "quarto",
    "quartos",
    "suite",
    "mesa",
    "mesas",
    "pet",
    "convidados",
    "bebes",
];

/// "até 2 por quarto", "cabem até 5 com cama extra": a number of people, and no hour.
pub(super) fn is_limit(text: &Text<'_>, place: usize, after: usize) -> bool {
    if !matches!(text.before(place, 1), "ate" | "hasta" | "until") {
        return false;
    }
    let from = place.saturating_sub(7);
    let holds = (from..place - 1).rev().take_while(|index| {
        !text.line(index + 1) && !matches!(text.any_sign(*index), Some('.' | '!' | '?' | ';'))
    });
    let held = holds.into_iter().any(|index| HOLDING.contains(&text.word(index)));
    let day = DAYS.contains(&text.word(after)) || DAYS.contains(&text.word(after + 1));
    held || !text.line(after) && !day && FOLLOWERS.contains(&text.word(after))
}
