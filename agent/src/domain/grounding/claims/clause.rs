//! A clause, and what in it takes a claim back: negations, conditions, questions, rules.

use crate::domain::triage::fold::{Break, Folded};

/// The tokens of one sentence between two commas.
pub(super) struct Clause<'f> {
    folded: &'f Folded,
    start: usize,
    end: usize,
    /// It is asked, and not only its tag ("…, tudo bem?").
    pub question: bool,
    /// It is the clause that is asked, and not a statement before the question: "temos vaga às
    /// 14h, quer que eu marque?"
    pub asked: bool,
    /// A condition stands before it in the sentence: "se o sinal cair, …".
    pub conditional: bool,
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
        clauses.push(Clause {
            folded,
            start,
            end: at,
            question: false,
            asked: false,
            conditional: false,
        });
        start = at;
    }
    let mut conditional = false;
    for clause in &mut clauses {
        clause.conditional = conditional;
        conditional |= clause.is_condition();
    }
    let asked = folded.tokens.last().is_some_and(|token| token.question);
    let tagged = asked && clauses.len() > 1 && clauses.last().is_some_and(Clause::is_tag);
    if asked && !tagged {
        let last = clauses.len() - 1;
        let offer = last > 0 && clauses[last].is_offer();
        for (index, clause) in clauses.iter_mut().enumerate() {
            clause.question = true;
            clause.asked = index == last || !offer;
        }
    }
    clauses
}

/// Verbs of rules: "consultas canceladas são cobradas".
const VERBS: &[&str] = &[
    "sao",
    "sera",
    "serao",
    "gera",
    "geram",
    "tem",
    "deve",
    "devem",
    "precisa",
    "precisam",
    "pode",
    "podem",
    "paga",
    "pagam",
    "cobra",
    "perde",
    "perdem",
    "exige",
    "exigem",
    "requer",
    "costuma",
    "is",
    "are",
    "must",
    "will",
    "implica",
    "dao",
    "evita",
    "garante",
    "nao",
    "recebe",
    "recebem",
    "es",
    "son",
    "can",
    "somam",
    "soma",
    "totalizam",
    "totaliza",
    "chegam",
    "aparecem",
    "custa",
    "custam",
    "vale",
    "valem",
    "inclui",
    "incluem",
    "estao",
    "ficam",
    "vao",
    "podera",
    "representam",
    "costumam",
    "deveram",
    "deverao",
    "comecam",
    "acontece",
    "acontecem",
    "equivale",
    "equivalem",
];

impl Clause<'_> {
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// The folded word at a place of the clause; empty outside.
    pub fn word(&self, at: usize) -> &str {
        if at < self.len() { self.folded.word(self.start + at) } else { "" }
    }

    /// Whether a word was written with a capital.
    pub fn capital(&self, at: usize) -> bool {
        at < self.len()
            && self.folded.tokens.get(self.start + at).is_some_and(|token| token.capital)
    }

    /// "se …", "assim que …", "once …".
    fn is_condition(&self) -> bool {
        let first = usize::from(matches!(self.word(0), "e" | "mas" | "but" | "and" | "pero"));
        match self.word(first) {
            "se" | "caso" | "quando" | "apos" | "mediante" | "once" | "if" | "when" | "after"
            | "cuando" | "si" | "upon" | "until" => true,
            "assim" | "depois" | "logo" | "una" => {
                matches!(self.word(first + 1), "que" | "de" | "do" | "da" | "vez")
            }
            _ => false,
        }
    }

    /// "reservado para eventos": put aside for a kind of guest.
    pub fn set_aside(&self, at: usize) -> bool {
        let next = (at + 2..at + 4).map(|index| self.word(index));
        let kinds = [
            "evento",
            "casamento",
            "festa",
            "grupo",
            "hospede",
            "convenio",
            "funcionario",
            "idoso",
            "membro",
            "aniversario",
            "cliente",
            "familia",
            "pcd",
            "crianca",
            "gestante",
        ];
        matches!(self.word(at + 1), "para" | "pra" | "a" | "for" | "aos")
            && next.into_iter().any(|word| kinds.iter().any(|kind| word.starts_with(kind)))
    }

    pub fn has_before(&self, at: usize, words: &[&str]) -> bool {
        (0..at).any(|index| words.contains(&self.word(index)))
    }

    /// Whether a negation or a condition governs the word at `at`.
    pub fn denied(&self, at: usize) -> bool {
        let turn = (0..at.min(self.len()))
            .rev()
            .find(|index| matches!(self.word(*index), "mas" | "porem" | "pero" | "but"));
        (turn.unwrap_or(0)..at).any(|index| {
            let next = self.word(index + 1);
            match self.word(index) {
                "todos" | "todas" if matches!(next, "os" | "as" | "seus" | "suas") => false,
                "nao" | "n" | "nunca" | "jamais" | "nem" | "not" | "cant" | "couldnt" | "wasnt"
                | "hasnt" | "havent" | "isnt" | "didnt" | "never" | "unable" | "nenhum"
                | "nenhuma" | "caso" | "quando" | "enquanto" | "apos" | "sempre" | "quem"
                | "qualquer" | "if" | "once" | "when" | "until" | "cuando" | "after"
                | "conforme" | "talvez" | "whether" | "toda" | "todo" | "todas" | "todos"
                | "every" | "any" | "unless" | "before" => true,
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
                "com" | "pelo" | "por" => self.payment(index + 1),
                _ => false,
            }
        })
    }

    /// "com o pagamento de 50%", "com 30% de sinal": what a booking waits for.
    fn payment(&self, at: usize) -> bool {
        let skip = usize::from(matches!(self.word(at), "o" | "a" | "um" | "uma"));
        let word = self.word(at + skip);
        let waits = |word: &str| {
            matches!(
                word,
                "pagamento"
                    | "sinal"
                    | "deposito"
                    | "entrada"
                    | "pix"
                    | "caucao"
                    | "comprovante"
                    | "adiantamento"
                    | "envio"
                    | "transferencia"
                    | "cartao"
                    | "antecipacao"
            )
        };
        let share = word.starts_with(|c: char| c.is_ascii_digit())
            && (at + skip + 1..at + skip + 5).any(|index| waits(self.word(index)));
        waits(word) || share
    }

    /// A finite verb between two places makes a rule of a noun and its participle.
    pub fn has_verb(&self, from: usize, to: usize) -> bool {
        (from..to.min(self.len())).any(|at| VERBS.contains(&self.word(at)) || self.is_being(at))
    }

    /// "é", which folds to the conjunction: before an adjective or a participle.
    fn is_being(&self, at: usize) -> bool {
        let next = self.word(at + 1);
        let adjective = ["obrigatori", "necessari", "essencial", "importante", "gratuit", "gratis"];
        let said =
            adjective.iter().any(|stem| next.starts_with(stem)) || next.starts_with("cobrad");
        let done = |word: &str| super::words::participle(word).is_some();
        // "marcada e confirmada" joins two.
        self.word(at) == "e" && (said || done(next) && !done(self.word(at.wrapping_sub(1))))
    }

    /// The slot or room was somebody else's: no claim of having booked it. "Essa data está
    /// reservada" without a word of the customer says that it cannot be had.
    pub fn somebody_else(&self) -> bool {
        let pointed = ["essa", "esse", "este", "essas", "esses", "nessa"];
        let own = ["voce", "vc", "voces", "vcs", "sua", "seu", "pra", "ti", "prontinho", "pronto"];
        let has = |words: &[&str]| self.folded.words().any(|word| words.contains(&word));
        if has(&pointed) && !has(&own) {
            return true;
        }
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
            let from =
                ["feira", "segunda", "terca", "quarta", "quinta", "sexta", "seg", "ter", "qua"];
            let range = self.word(at) == "a"
                && at > 0
                && from.contains(&self.word(at - 1))
                && matches!(
                    self.word(at + 1),
                    "sabado" | "sexta" | "domingo" | "quinta" | "sex" | "sab" | "dom"
                );
            range || matches!(self.word(at), "todos" | "todo" | "sempre" | "diariamente")
        })
    }
}
