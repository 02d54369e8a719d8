//! Questions at the end of a sentence that leave what stands before them a statement.

use super::clause::Clause;

impl Clause<'_> {
    /// "ok?", "tudo bem?", "pode ser?" ask for consent to what was done.
    pub(super) fn is_tag(&self) -> bool {
        let tag = [
            "ok",
            "certo",
            "tudo",
            "bem",
            "ta",
            "bom",
            "combinado",
            "beleza",
            "blz",
            "pode",
            "ser",
            "viu",
            "sim",
            "joia",
            "esta",
            "de",
            "acuerdo",
            "right",
            "vale",
            "fechado",
            "e",
            "posso",
            "ajudar",
        ];
        self.len() <= 3 && (0..self.len()).all(|at| tag.contains(&self.word(at)))
    }

    /// "quer que eu marque?", "posso confirmar?": asks about what was said before it.
    pub(super) fn is_offer(&self) -> bool {
        let asks = [
            "quer",
            "posso",
            "podemos",
            "pode",
            "prefere",
            "gostaria",
            "confirmo",
            "confirma",
            "marco",
            "marcamos",
            "agendo",
            "reservo",
            "serve",
            "qual",
            "quais",
            "fica",
            "deseja",
            "vamos",
            "topa",
            "fechamos",
            "aceita",
            "consegue",
            "want",
            "shall",
            "would",
            "funciona",
            "vc",
            "voce",
            "me",
            "interessa",
            "te",
            "ficaria",
            "pra",
            "dá",
        ];
        (0..3).any(|at| asks.contains(&self.word(at)))
    }
}
