//! Days and hours that are named without being offered: what is taken, what was not found, what
//! a greeting wishes, when a person will answer.

use super::FigureKind;
use super::found::Found;
use super::lex::Text;
use super::number::Words;

/// How many tokens of a clause are read each way.
const REACH: usize = 24;

/// Whether the clause of a day or an hour denies that it can be had, greets, or promises a person.
pub(super) fn offers_nothing(text: &Text<'_>, found: &Found) -> bool {
    if !matches!(found.value.kind(), FigureKind::Clock | FigureKind::Date | FigureKind::Day) {
        return false;
    }
    let at = text.tokens.partition_point(|token| token.end <= found.start);
    let (from, to) = clause(text, at);
    denies(text, from, to) || greets(text, from, at) || promises(text, from, to)
}

/// The tokens of the clause around `at`.
fn clause(text: &Text<'_>, at: usize) -> (usize, usize) {
    let mut from = at;
    while from > at.saturating_sub(REACH) && from > 0 && !text.line(from) && !opens(text, from) {
        let sign = text.any_sign(from - 1);
        if matches!(sign, Some('.' | '!' | '?' | ';' | '…')) && !title(text, from - 1) {
            break;
        }
        // "não temos 14h, 15h ou 16h" is one clause, "não temos 14h, só 15h" two.
        if matches!(sign, Some(',' | '(' | ')' | ':' | '-')) && !listed(text, from) {
            break;
        }
        from -= 1;
    }
    let mut to = at + 1;
    while to < text.len().min(at + REACH) && !text.line(to) && !opens(text, to) {
        let sign = text.any_sign(to);
        let ends = matches!(sign, Some('.' | '!' | '?' | ';' | '…')) && !title(text, to);
        if ends || matches!(sign, Some(',' | '(' | ')')) && !listed(text, to + 1) {
            break;
        }
        to += 1;
    }
    (from, to)
}

/// Words that turn to what can be had.
fn opens(text: &Text<'_>, at: usize) -> bool {
    text.is(
        at,
        &[
            "mas",
            "porem",
            "pero",
            "but",
            "entretanto",
            "contudo",
            "apenas",
            "so",
            "somente",
            "exceto",
            "senao",
        ],
    ) || text.is(at, &["e"]) && text.is(at + 1, &["tem", "temos", "tenho", "sim", "posso"])
}

/// "Dra.", and the dot of "14.30".
fn title(text: &Text<'_>, at: usize) -> bool {
    text.sign(at, '.') && text.is(at.wrapping_sub(1), &["dr", "dra", "sr", "sra"])
}

/// Whether a number or a day alone follows a comma: "14h, 15h".
fn listed(text: &Text<'_>, at: usize) -> bool {
    let hour = text.number(at).is_some() || text.is(at, &["as"]) && text.number(at + 1).is_some();
    let verb = (at..at + 5).any(|index| text.is(index, HAVING));
    hour && !verb
}

const HAVING: &[&str] = &[
    "tem",
    "temos",
    "tenho",
    "ha",
    "livre",
    "livres",
    "disponivel",
    "disponiveis",
    "pode",
    "posso",
    "serve",
    "consigo",
    "vaga",
    "vagas",
    "hay",
    "sim",
    "ok",
    "marcado",
    "marquei",
];

fn any(text: &Text<'_>, from: usize, to: usize, words: &[&str]) -> bool {
    (from..to.min(text.len())).any(|at| text.is(at, words))
}

/// "não encontrei horários", "acabou de ser ocupado", "sem vagas".
fn denies(text: &Text<'_>, from: usize, to: usize) -> bool {
    let gone = [
        "ocupado",
        "ocupada",
        "ocupados",
        "ocupadas",
        "lotado",
        "lotada",
        "lotados",
        "lotadas",
        "esgotado",
        "esgotada",
        "esgotados",
        "esgotadas",
        "indisponivel",
        "indisponiveis",
        "cheia",
        "cheio",
        "preenchido",
        "preenchida",
        "preenchidos",
        "unavailable",
        "taken",
        "reservado",
        "ocupou",
        "esgotaram",
        "acabaram",
        "lleno",
        "completo",
    ];
    let negations =
        ["nao", "n", "nem", "nenhum", "nenhuma", "not", "sem", "couldn", "ningun", "unable"];
    let had = [
        "tem",
        "temos",
        "tenho",
        "ha",
        "vaga",
        "vagas",
        "horario",
        "horarios",
        "agenda",
        "disponivel",
        "disponiveis",
        "disponibilidade",
        "encontrei",
        "encontramos",
        "achei",
        "localizei",
        "consegui",
        "conseguimos",
        "possivel",
        "pude",
        "livre",
        "livres",
        "deu",
        "existe",
        "existem",
        "confirmar",
        "marcar",
        "agendar",
        "reservar",
        "atendemos",
        "abrimos",
        "hay",
        "available",
        "find",
        "verificar",
        "consultar",
        "ver",
        "atende",
        "funciona",
        "funcionamos",
        "abre",
        "mesas",
        "mesa",
        "quartos",
        "esta",
        "consigo",
        "constam",
        "consta",
        "reserva",
        "reservas",
        "encontrada",
        "restam",
        "sobrou",
    ];
    // "reservado" of somebody else's slot: never "o seu horário está reservado".
    let own = any(text, from, to, &["seu", "sua", "voce", "vc", "te", "pra"]);
    let taken = (from..to).any(|at| {
        text.is(at, &gone)
            && (text.word(at) != "reservado"
                || any(text, from, at, &["ja", "outra", "outro"]) && !own)
    });
    let spanish = |at: usize| {
        text.is(at, &["no"]) && text.is(at + 1, &["hay", "tenemos", "encontre", "pude"])
    };
    let mut negated = (from..to).filter(|at| text.is(*at, &negations) || spanish(*at));
    // "não se preocupe, …", "não esqueça: amanhã às 14h" deny nothing.
    let denied = negated.any(|at| {
        let mild = text.is(
            at + 1,
            &["se", "esqueca", "esquece", "precisa", "deixe", "perca", "falte", "atrase"],
        );
        !mild && any(text, at + 1, to.min(at + 7), &had)
    });
    taken && !any(text, from, to, &["nao"]) || denied
}

/// "ótimo fim de semana!", "boa sexta".
fn greets(text: &Text<'_>, from: usize, at: usize) -> bool {
    let close = at.saturating_sub(3).max(from);
    any(
        text,
        close,
        at,
        &[
            "otimo",
            "otima",
            "bom",
            "boa",
            "boas",
            "excelente",
            "lindo",
            "linda",
            "feliz",
            "abencoado",
            "abencoada",
            "nice",
            "great",
            "maravilhoso",
            "maravilhosa",
            "buen",
            "aproveite",
            "curta",
            "tranquilo",
        ],
    ) && !any(text, close, at, &["as", "horario"])
}

/// "um atendente responde ainda hoje", "nossa equipe retorna amanhã".
fn promises(text: &Text<'_>, from: usize, to: usize) -> bool {
    let person = [
        "atendente",
        "atendentes",
        "equipe",
        "recepcao",
        "alguem",
        "pessoa",
        "humano",
        "responsavel",
        "time",
        "secretaria",
        "gerente",
    ];
    let answers = [
        "responde",
        "respondem",
        "responder",
        "retorna",
        "retornam",
        "retornar",
        "retornara",
        "contato",
        "fala",
        "falam",
        "falar",
        "chama",
        "liga",
        "ligar",
        "respondera",
        "entrara",
        "avisa",
        "avisar",
        "resolve",
        "continua",
        "segue",
        "ajuda",
        "verifica",
        "atendimento",
    ];
    any(text, from, to, &person) && any(text, from, to, &answers)
}
