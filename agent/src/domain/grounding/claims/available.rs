//! Whether a time is said to be free: "temos vaga amanhã às 14h", "esse horário está livre".

use super::Claim;
use super::clause::Clause;
use super::moment::{general, named, within};

const HAVE: &[&str] = &[
    "tem",
    "temos",
    "tenho",
    "ha",
    "existe",
    "existem",
    "sobrou",
    "sobraram",
    "resta",
    "restam",
    "encontrei",
    "achei",
    "abriu",
    "abriram",
    "surgiu",
    "hay",
    "tenemos",
    "consegui",
    "conseguimos",
    "encontramos",
    "localizei",
    "apareceu",
    "liberou",
];

const SLOTS: &[&str] = &[
    "vaga",
    "vagas",
    "vaguinha",
    "horario",
    "horarios",
    "horariozinho",
    "agenda",
    "disponibilidade",
    "encaixe",
    "encaixes",
    "mesa",
    "mesas",
    "brecha",
    "janela",
    "slot",
    "slots",
    "cupo",
    "turnos",
];

/// Places that are free for a moment only.
const PLACES: &[&str] = &[
    "salao",
    "quarto",
    "quartos",
    "suite",
    "suites",
    "chale",
    "chales",
    "apartamento",
    "espaco",
    "data",
    "datas",
    "dra",
    "dr",
    "doutora",
    "doutor",
    "medica",
    "medico",
    "profissional",
    "sala",
    "quadra",
    "dia",
    "joana",
    "paulo",
    "acomodacao",
    "acomodacoes",
    "apartamentos",
];

const FREE: &[&str] = &[
    "livre",
    "livres",
    "disponivel",
    "disponiveis",
    "vago",
    "vagos",
    "vaga",
    "aberto",
    "aberta",
    "abertos",
    "abertas",
    "libre",
    "libres",
    "available",
    "free",
    "liberado",
    "liberada",
];

/// Words before that make it a search, an offer or a question.
const SEARCH: &[&str] = &[
    "ver",
    "verificar",
    "conferir",
    "consultar",
    "checar",
    "olhar",
    "saber",
    "buscar",
    "procurar",
    "posso",
    "poderia",
    "vou",
    "quais",
    "qual",
    "quando",
    "se",
    "caso",
    "confira",
    "veja",
    "consulte",
    "acesse",
    "avise",
    "aviso",
    "quantas",
    "quantos",
    "sem",
    "prefere",
    "quer",
    "gostaria",
    "precisa",
    "preciso",
    "informe",
    "escolha",
    "diga",
    "whether",
    "if",
    "sujeito",
    "sujeita",
    "conforme",
    "verificando",
    "consultando",
    "enquanto",
    "preferir",
    "deseja",
];

/// What a house has in general: "vaga de garagem", "horário de funcionamento".
const GENERAL: &[&str] = &[
    "garagem",
    "estacionamento",
    "carro",
    "carros",
    "emprego",
    "funcionamento",
    "atendimento",
    "especial",
    "flexivel",
    "flexiveis",
    "diferenciado",
    "estendido",
    "limite",
    "trabalho",
    "moto",
    "fixo",
    "sinuca",
    "bilhar",
    "massagem",
    "visitas",
    "silencio",
    "fixos",
    "fila",
];

/// A time or a place for it that is said to be free.
pub(super) fn available(clause: &Clause<'_>) -> Option<Claim> {
    let said = (0..clause.len()).any(|at| {
        let tells =
            had(clause, at) || is_free(clause, at) || is_yours(clause, at) || may_come(clause, at);
        tells && !clause.has_before(at, SEARCH) && !clause.denied(at) && !clause.denied(at + 1)
    });
    let whole = clause.asked || clause.conditional || clause.quoted();
    (said && !whole).then_some(Claim::Available)
}

fn any(clause: &Clause<'_>, from: usize, to: usize, words: &[&str]) -> bool {
    (from..to.min(clause.len())).any(|at| words.contains(&clause.word(at)))
}

/// "temos vaga", "tem horário na sexta", "tenho às 14h", "tem 15h livre".
fn had(clause: &Clause<'_>, at: usize) -> bool {
    let verb = clause.word(at);
    if !HAVE.contains(&verb) {
        let manage = verb == "da"
            && matches!(clause.word(at + 1), "pra" | "para")
            && any(clause, at + 2, at + 4, &["atender", "encaixar", "receber"]);
        if manage {
            return within(clause, at + 1, clause.len()) && !general(clause);
        }
        return matches!(verb, "consigo" | "conseguimos" | "podemos" | "pode" | "consegue")
            && fits_in(clause, at);
    }
    let end = clause.len();
    let moment = within(clause, at + 1, end) && !general(clause);
    let Some(slot) = (at + 1..at + 5).find(|index| SLOTS.contains(&clause.word(*index))) else {
        let place = (at + 1..at + 4).find(|index| PLACES.contains(&clause.word(*index)));
        if let Some(place) = place {
            return moment && any(clause, place + 1, end, FREE);
        }
        let mut place = at + 1;
        while place < at + 5
            && matches!(
                clause.word(place),
                "so" | "sim"
                    | "tambem"
                    | "a"
                    | "o"
                    | "as"
                    | "dia"
                    | "para"
                    | "pra"
                    | "na"
                    | "no"
                    | "apenas"
                    | "ainda"
                    | "aqui"
            )
        {
            place += 1;
        }
        let looked = matches!(
            verb,
            "encontrei" | "achei" | "localizei" | "encontramos" | "consegui" | "conseguimos"
        );
        let free = named(clause, place) && !general(clause);
        // "encontrei sua consulta", "tem às quartas música ao vivo"
        return free && (!looked || any(clause, place, end, FREE));
    };
    if any(clause, slot + 1, slot + 4, GENERAL) || any(clause, at + 1, slot, GENERAL) {
        return false;
    }
    let free = any(clause, at + 1, end, FREE) && !clause.word(slot).starts_with("vag")
        || any(clause, slot + 1, end, FREE);
    match clause.word(slot) {
        word if word.starts_with("vag")
            || matches!(word, "disponibilidade" | "encaixe" | "brecha" | "cupo") =>
        {
            !general(clause) || free
        }
        word if word.starts_with("mesa") => moment,
        _ => (moment || free || verb == "tenho") && !general(clause),
    }
}

/// "consigo te encaixar às 14h", "a Dra. Joana pode te atender amanhã".
fn fits_in(clause: &Clause<'_>, at: usize) -> bool {
    let skip = usize::from(matches!(clause.word(at + 1), "te" | "lhe"));
    let verb = clause.word(at + 1 + skip);
    let own = skip == 1 || matches!(clause.word(at + 2), "voce" | "vc" | "voces");
    let fits = match clause.word(at) {
        "podemos" | "pode" => own && matches!(verb, "atender" | "receber"),
        _ => matches!(verb, "encaixar" | "atender" | "receber"),
    };
    let direct = clause.word(at) == "consigo" && (at + 1..at + 4).any(|index| named(clause, index));
    (fits || direct) && within(clause, at + 1, clause.len()) && !general(clause)
}

/// "esse horário está livre", "às 14h está disponível", "horários disponíveis".
fn is_free(clause: &Clause<'_>, at: usize) -> bool {
    let empty = clause.word(at) != "vaga" || clause.word(at.wrapping_sub(1)) == "esta";
    if !FREE.contains(&clause.word(at)) || !empty || general(clause) {
        return false;
    }
    let from = at.saturating_sub(10);
    let slot = any(clause, from, at, SLOTS)
        || (from..at).any(|index| {
            named(clause, index) && !matches!(clause.word(index), "manha" | "tarde" | "noite")
        });
    if any(clause, from, at, GENERAL) {
        return false;
    }
    let copula = (at.saturating_sub(3)..at).any(|index| {
        matches!(
            clause.word(index),
            "esta"
                | "ta"
                | "estao"
                | "tao"
                | "fica"
                | "segue"
                | "continua"
                | "ficou"
                | "is"
                | "are"
                | "ainda"
        )
    });
    let open = clause.word(at).starts_with("abert");
    if copula {
        let house = open && !any(clause, from, at, &["agenda", "horario", "vagas"]);
        let place = any(clause, from, at, PLACES)
            && within(clause, 0, clause.len())
            && !matches!(clause.word(at), "aberto" | "aberta");
        return slot && !house || place;
    }
    // "Horário disponível: 14h", "estes são os horários disponíveis"
    let near = any(clause, at.saturating_sub(2), at, SLOTS);
    let heads = (0..at).all(|index| {
        let word = clause.word(index);
        SLOTS.contains(&word)
            || super::words::is_opening(word)
            || matches!(
                word,
                "os" | "as"
                    | "estes"
                    | "esses"
                    | "sao"
                    | "seguem"
                    | "estao"
                    | "aqui"
                    | "nossos"
                    | "proximos"
                    | "proximas"
                    | "nossas"
                    | "ola"
                    | "seus"
            )
    });
    let alone = at == 0
        && clause.len() > 1
        && within(clause, 1, clause.len())
        && !open
        && !matches!(clause.word(0), "vaga" | "vago" | "free");
    near && heads && !open || alone
}

/// "o horário das 14h é seu!"
fn is_yours(clause: &Clause<'_>, at: usize) -> bool {
    let yours = matches!(clause.word(at + 1), "seu" | "sua" | "teu" | "tua" | "seus" | "suas");
    clause.word(at) == "e"
        && yours
        && at + 2 >= clause.len()
        && (any(clause, 0, at, SLOTS) || within(clause, 0, at))
}

/// "pode vir às 14h".
fn may_come(clause: &Clause<'_>, at: usize) -> bool {
    let come = matches!(clause.word(at), "vir" | "aparecer" | "passar" | "comparecer")
        && matches!(clause.word(at.wrapping_sub(1)), "pode" | "podem" | "so");
    let told = within(clause, at + 1, at + 6) && !general(clause);
    come && told && !any(clause, at, clause.len(), &["ate", "depois", "apos", "antes", "entre"])
}
