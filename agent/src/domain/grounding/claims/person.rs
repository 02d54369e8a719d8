//! Whether this conversation went to a person.

use super::Claim;
use super::clause::Clause;

const PEOPLE: &[&str] = &[
    "atendente",
    "atendentes",
    "humano",
    "humana",
    "equipe",
    "recepcao",
    "recepcionista",
    "suporte",
    "pessoa",
    "alguem",
    "responsavel",
    "gerente",
    "gerencia",
    "colega",
    "time",
    "setor",
    "especialista",
    "consultor",
    "consultora",
    "secretaria",
    "proprietario",
    "dono",
    "agent",
    "team",
    "human",
    "colleague",
    "agente",
    "persona",
    "asesor",
    "staff",
    "someone",
];

/// Teams that do something else than talk.
const OTHER_TEAMS: &[&str] = &[
    "manutencao",
    "limpeza",
    "governanca",
    "cozinha",
    "obras",
    "marketing",
    "entrega",
    "cobranca",
];

/// What is sent on and is not the conversation.
const THINGS: &[&str] = &[
    "comprovante",
    "resultado",
    "resultados",
    "exame",
    "exames",
    "pix",
    "valor",
    "dinheiro",
    "link",
    "recibo",
    "nota",
    "boleto",
    "laudo",
    "receita",
    "r",
    "reais",
    "email",
    "mail",
    "fatura",
    "documento",
    "documentos",
    "arquivo",
    "cardapio",
    "orcamento",
    "voucher",
    "saldo",
    "pagamento",
    "curriculo",
    "foto",
    "contrato",
];

/// The customer and the conversation.
const OWN: &[&str] = &[
    "voce",
    "vc",
    "voces",
    "vcs",
    "te",
    "conversa",
    "atendimento",
    "caso",
    "chamado",
    "contato",
    "solicitacao",
    "duvida",
    "mensagem",
    "chat",
    "conversacion",
    "conversation",
    "chamada",
    "reclamacao",
    "lo",
    "you",
    "questao",
    "assunto",
    "pergunta",
];

pub(super) fn is_staff(word: &str) -> bool {
    PEOPLE.contains(&word)
}

fn any(clause: &Clause<'_>, from: usize, to: usize, words: &[&str]) -> bool {
    (from..to.min(clause.len())).any(|at| words.contains(&clause.word(at)))
}

/// Whether a person is named between two places.
fn person(clause: &Clause<'_>, from: usize, to: usize) -> bool {
    any(clause, from, to, PEOPLE) && !any(clause, from, to + 3, OTHER_TEAMS)
}

/// Whether what is said of the verb at `at` is that a person was given the conversation.
pub(super) fn given(clause: &Clause<'_>, at: usize) -> bool {
    let before = any(clause, at.saturating_sub(2), at, &["te", "lo", "la", "o", "a"]);
    let end = at + 10;
    if any(clause, at + 1, at + 6, THINGS) {
        return false;
    }
    let amount =
        (at + 1..at + 5).any(|index| clause.word(index).starts_with(|c: char| c.is_ascii_digit()));
    let alone = at + 1 >= clause.len();
    !amount && (before || alone || person(clause, at + 1, end) || any(clause, at + 1, at + 5, OWN))
}

/// "chamei um atendente", "passei sua conversa para a equipe", "um atendente já foi chamado".
pub(super) fn called(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let done = match clause.word(at) {
        "chamei" | "passei" | "avisei" | "notifiquei" | "contatei" | "solicitei" | "pedi" => {
            let verb = clause.word(at);
            let asks = matches!(verb, "solicitei" | "pedi" | "avisei" | "notifiquei" | "contatei");
            let close = person(clause, at + 1, at + if asks { 6 } else { 9 });
            close && given(clause, at) && !(asks && clause.has_before(at, &["que"]))
        }
        "acabei" => {
            matches!(clause.word(at + 2), "chamar" | "avisar" | "passar" | "notificar")
                && person(clause, at + 3, at + 11)
                && given(clause, at + 2)
        }
        "chamamos" | "avisamos" | "passamos" => {
            clause.has_before(at, &["ja"]) && person(clause, at + 1, at + 9) && !clause.question
        }
        // "seu caso já está com a equipe"
        "esta" | "ta" => {
            clause.word(at + 1) == "com"
                && person(clause, at + 2, at + 4)
                && any(clause, 0, at, OWN)
                && !clause.question
        }
        _ => false,
    };
    (done && !clause.denied(at)).then_some(Claim::Transferred)
}

/// "um atendente já foi acionado", "sua conversa foi encaminhada": for the copula at `at` and the
/// participle at `place`.
pub(super) fn passive(clause: &Clause<'_>, at: usize, place: usize) -> bool {
    let word = clause.word(place);
    let calls =
        ["acionad", "chamad", "avisad", "notificad"].iter().any(|stem| word.starts_with(stem));
    let from = at.saturating_sub(8);
    if calls {
        return person(clause, from, at) || person(clause, place + 1, place + 4);
    }
    if any(clause, from, at, THINGS) {
        return false;
    }
    let own = any(clause, from, at, OWN);
    let to = person(clause, place + 1, place + 7);
    let none = (0..at).all(|index| super::words::is_opening(clause.word(index)));
    own || to || none && place + 1 >= clause.len()
}
