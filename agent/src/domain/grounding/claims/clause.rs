//! A clause, and what in it takes a claim back: negations, conditions, questions, rules.

use crate::domain::triage::fold::{Break, Folded};

/// The tokens of one sentence between two commas.
pub(super) struct Clause<'f> {
    folded: &'f Folded,
    start: usize,
    end: usize,
    /// It is asked, and not only its tag ("…, tudo bem?").
    pub question: bool,
}

/// The clauses of a sentence.
pub(super) fn split(folded: &Folded) -> Vec<Clause<'_>> {
    let mut clauses = Vec::new();
    let count = folded.tokens.len();
    let mut start = 0;
    for at in 1..=count {
        if at < count && folded.tokens[at].break_before == Break::None {
            continue;
        }
        clauses.push(Clause { folded, start, end: at, question: false });
        start = at;
    }
    let asked = folded.tokens.last().is_some_and(|token| token.question);
    let tagged = asked && clauses.len() > 1 && clauses.last().is_some_and(Clause::is_tag);
    if asked && !tagged {
        for clause in &mut clauses {
            clause.question = true;
        }
    }
    clauses
}

impl Clause<'_> {
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// The folded word at a place of the clause; empty outside.
    pub fn word(&self, at: usize) -> &str {
        if at < self.len() { self.folded.word(self.start + at) } else { "" }
    }

    /// "ok?", "tudo bem?", "pode ser?" ask for consent to what was done.
    fn is_tag(&self) -> bool {
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

    pub fn has_before(&self, at: usize, words: &[&str]) -> bool {
        (0..at).any(|index| words.contains(&self.word(index)))
    }

    /// Whether a negation or a condition governs the word at `at`.
    pub fn denied(&self, at: usize) -> bool {
        (0..at).any(|index| {
            let next = self.word(index + 1);
            match self.word(index) {
                "nao" | "n" | "nunca" | "jamais" | "nem" | "not" | "cant" | "couldnt" | "wasnt"
                | "hasnt" | "havent" | "isnt" | "didnt" | "never" | "unable" | "nenhum"
                | "nenhuma" => true,
                "no" => matches!(
                    next,
                    "he" | "hemos"
                        | "pude"
                        | "se"
                        | "ha"
                        | "fue"
                        | "esta"
                        | "quedo"
                        | "pudimos"
                        | "logre"
                ),
                "caso" | "quando" | "enquanto" | "apos" | "sempre" | "quem" | "qualquer" | "if"
                | "once" | "when" | "until" | "cuando" | "after" | "conforme" | "talvez"
                | "whether" | "toda" | "todo" | "todas" | "todos" | "every" | "any" | "unless"
                | "before" => true,
                "assim" | "depois" | "antes" | "desde" | "ate" | "logo" | "para" | "pra"
                | "una" => matches!(next, "que" | "vez"),
                "se" | "si" => {
                    index <= 1
                        || matches!(
                            self.word(index - 1),
                            "que" | "saber" | "ver" | "verificar" | "conferir"
                        )
                }
                _ => false,
            }
        })
    }

    /// Whether the word at `at` holds only under a condition that follows it.
    pub fn conditional_after(&self, at: usize) -> bool {
        (at + 1..self.len()).any(|index| {
            let next = self.word(index + 1);
            match self.word(index) {
                "mediante" | "apos" | "somente" | "quando" | "caso" | "se" | "once" | "after"
                | "when" | "if" | "sujeito" | "sujeita" | "until" | "cuando" | "si" | "upon" => {
                    true
                }
                "assim" | "depois" | "desde" | "ate" | "so" => {
                    matches!(next, "que" | "do" | "da" | "de" | "apos" | "com")
                }
                "apenas" => matches!(next, "apos" | "com" | "mediante"),
                _ => false,
            }
        })
    }

    /// A finite verb between two places makes a rule of a noun and its participle.
    pub fn has_verb(&self, from: usize, to: usize) -> bool {
        (from..to.min(self.len())).any(|at| {
            matches!(
                self.word(at),
                "e" | "sao"
                    | "sera"
                    | "serao"
                    | "gera"
                    | "geram"
                    | "tem"
                    | "deve"
                    | "devem"
                    | "precisa"
                    | "precisam"
                    | "pode"
                    | "podem"
                    | "paga"
                    | "pagam"
                    | "cobra"
                    | "perde"
                    | "perdem"
                    | "exige"
                    | "requer"
                    | "costuma"
                    | "is"
                    | "are"
                    | "must"
                    | "will"
                    | "implica"
                    | "dao"
                    | "da"
                    | "evita"
                    | "garante"
                    | "nao"
                    | "recebe"
                    | "recebem"
                    | "es"
                    | "son"
                    | "can"
            ) && !(matches!(self.word(at), "da" | "e") && !self.is_verb(at))
        })
    }

    /// "e" and "da" are verbs ("é", "dá") only before an adjective or a past; folded, they are
    /// taken for the conjunction and the preposition unless the clause says otherwise.
    fn is_verb(&self, at: usize) -> bool {
        self.word(at) == "e"
            && matches!(
                self.word(at + 1),
                "obrigatorio"
                    | "obrigatoria"
                    | "necessario"
                    | "necessaria"
                    | "cobrada"
                    | "cobrado"
                    | "essencial"
                    | "importante"
                    | "gratuito"
                    | "gratuita"
                    | "gratis"
            )
    }

    /// The slot or room was somebody else's: no claim of having booked it.
    pub fn somebody_else(&self) -> bool {
        self.folded.words().any(|word| {
            matches!(
                word,
                "infelizmente"
                    | "outra"
                    | "outro"
                    | "outras"
                    | "outros"
                    | "ocupado"
                    | "ocupada"
                    | "lotado"
                    | "lotada"
                    | "indisponivel"
                    | "esgotado"
                    | "esgotada"
                    | "else"
                    | "unfortunately"
                    | "lamentablemente"
                    | "someone"
                    | "alguem"
                    | "terceiros"
                    | "exclusivamente"
                    | "anteriormente"
                    | "nesse"
                    | "esgotaram"
                    | "otra"
                    | "otro"
                    | "another"
            )
        })
    }

    /// "responda confirmado", "digite CANCELADO": a word to be typed.
    pub fn quoted(&self) -> bool {
        let typed = |word: &str| {
            matches!(
                word,
                "digite" | "responda" | "escreva" | "envie" | "mande" | "reply" | "clique"
            )
        };
        self.folded.words().any(typed)
    }

    /// "Esperamos você de segunda a sábado" tells opening hours.
    pub fn hours(&self) -> bool {
        (0..self.len()).any(|at| {
            let range = self.word(at) == "a"
                && matches!(
                    self.word(at + 1),
                    "sabado" | "sexta" | "domingo" | "quinta" | "sex" | "sab" | "dom"
                );
            range || matches!(self.word(at), "todos" | "todo" | "sempre" | "diariamente")
        })
    }
}
