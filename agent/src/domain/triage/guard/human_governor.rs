//! What the words around a request for a person make of it.
//!
//! A verb of contact is read together with what governs it, to its left in its clause: denied
//! wanting is a refusal, a past ability is a story, a plan is the customer's own business.

use super::group::Hit;
use super::reading::Reading;
use super::words::Class;
use crate::domain::triage::fold::Break;

/// How many words to the left of a request decide what it is.
const REACH: usize = 8;

/// What governs a request, read from right to left in its clause.
#[derive(Default)]
struct Governor {
    negated: bool,
    wants: bool,
    able: bool,
    told: bool,
}

/// Whether `hit` asks for a person rather than refusing, telling or wondering.
pub fn is_request(reading: &Reading, hit: &Hit) -> bool {
    let word = |i: usize| reading.text.word(i);
    let wants = |i: usize| reading.is(i, Class::Want);
    let mut found = Governor { wants: wants(hit.start), ..Governor::default() };
    let mut in_chain = true;
    for i in reading.before(hit.start, REACH) {
        let negates = reading.is(i, Class::Not) || reading.is(i, Class::Without);
        if in_chain && negates {
            found.negated = true;
            found.wants |= reading.is(i, Class::Without);
        }
        if in_chain {
            found.wants |= wants(i) || is_needed(word(i));
            found.able |= reading.is(i, Class::Can) && !wants(i);
        }
        let links = reading.is(i, Class::Chain)
            || wants(i)
            || reading.is(i, Class::Can)
            || reading.is(i, Class::Det)
            || reading.is(i, Class::Talk);
        in_chain &= (links || negates) && !starts_request(reading, i);
        let planned = reading.is(i, Class::Story) && !found.wants;
        found.told |= planned || reading.is(i, Class::Done) && !found.wants;
    }
    let tried = reading.before(hit.start, 3).any(|i| word(i) == "tentei");
    found.told |= tried && !reading.any(Class::Not);
    if reading.text.word(hit.start) == "sino" {
        return true;
    }
    if is_noted(reading, hit)
        || is_statement(reading, hit)
        || is_thing(reading, hit)
        || is_identity(reading, hit)
        || is_past(reading, hit)
        || is_hired(reading, hit)
    {
        return false;
    }
    if found.negated {
        // "não tem gente de verdade do outro lado?"
        let exists = reading
            .before(hit.start, 1)
            .any(|i| matches!(word(i), "tem" | "ha" | "hay" | "existe"));
        return !found.wants
            && (found.able || reading.text.tokens[hit.start].question)
            && (hit.rule != "human-role-noun" || exists);
    }
    !found.told
}

/// Words that make a request of what follows even when it is denied: "não precisa", "no hace falta".
fn is_needed(word: &str) -> bool {
    matches!(
        word,
        "precisa"
            | "precise"
            | "precisam"
            | "necessario"
            | "necessaria"
            | "necesario"
            | "falta"
            | "necesita"
            | "necesitas"
            | "tengo"
            | "tenho"
            | "need"
            | "vale"
            | "quer"
            | "carece"
            | "adianta"
    )
}

/// A verb of wanting with no negation of its own ends the chain: "não, obrigado, quero falar".
fn starts_request(reading: &Reading, index: usize) -> bool {
    let previous = index.checked_sub(1);
    reading.is(index, Class::Want)
        && !previous.is_some_and(|p| {
            reading.is(p, Class::Not)
                || reading.is(p, Class::Chain)
                || reading.is(p, Class::Want)
                || reading.is(p, Class::Can)
                || reading.is(p, Class::Without)
        })
}

/// "você é uma pessoa de verdade?", "estou falando com um humano?": who is there, not a request.
fn is_identity(reading: &Reading, hit: &Hit) -> bool {
    let mut before = reading.before(hit.start, 3);
    let governed = before.any(|i| {
        matches!(
            reading.text.word(i),
            "e" | "eh"
                | "es"
                | "eres"
                | "sos"
                | "are"
                | "am"
                | "sou"
                | "soy"
                | "falando"
                | "conversando"
                | "hablando"
                | "is"
                | "youre"
                | "im"
                | "parece"
                | "ser"
                | "como"
        )
    });
    let spoken = matches!(reading.text.word(hit.start), "talking" | "speaking" | "chatting");
    (governed && (hit.rule == "human-role-noun" || spoken))
        && !reading.before(hit.start, REACH).any(|i| reading.is(i, Class::Want))
}

/// Spanish writes the past of some verbs like their imperative once the accent is folded.
fn is_past(reading: &Reading, hit: &Hit) -> bool {
    let ambiguous = matches!(
        reading.text.word(hit.start),
        "comunique" | "hable" | "pase" | "conecte" | "contacte" | "llame" | "llamen"
    );
    let told = (hit.end..hit.end + 4).any(|i| {
        matches!(reading.text.word(i), "ayer" | "anoche" | "antier" | "anteayer" | "antes" | "hace")
    });
    ambiguous && told
        || ambiguous
            && reading.before(hit.start, 3).any(|i| matches!(reading.text.word(i), "ya" | "yo"))
            && !reading
                .before(hit.start, 4)
                .any(|i| matches!(reading.text.word(i), "que" | "quiero"))
}

/// "anota aí: falar com o gerente": something to remember, in this clause or the one before.
fn is_noted(reading: &Reading, hit: &Hit) -> bool {
    (hit.start.saturating_sub(REACH)..hit.start).any(|i| {
        matches!(
            reading.text.word(i),
            "anota"
                | "anote"
                | "anotar"
                | "lembra"
                | "lembre"
                | "lembrar"
                | "lembrete"
                | "agenda"
                | "agendar"
                | "recuerdame"
                | "remind"
                | "reminder"
                | "tarefa"
        )
    })
}

/// Frames whose words are those of a request and whose sense is another.
fn is_statement(reading: &Reading, hit: &Hit) -> bool {
    let word = |i: usize| reading.text.word(i);
    let previous = hit.start.checked_sub(1).map(word).unwrap_or_default();
    let inside = |w: &str| (hit.start..hit.end).any(|i| word(i) == w);
    let last = hit.end.saturating_sub(1);
    match hit.rule {
        // "deixa que eu falo com ele", "ya hablo con el gerente"
        "human-talk" => {
            matches!(word(hit.start), "falo" | "converso" | "hablo" | "falamos")
                && matches!(previous, "eu" | "yo" | "ya" | "ja")
        }
        // money and messages are also transferred to people
        "human-transfer" if reading.is(last, Class::Anyone) => {
            let carries = matches!(
                word(hit.start),
                "transferir"
                    | "transfere"
                    | "transfira"
                    | "mandar"
                    | "manda"
                    | "mande"
                    | "passar"
                    | "dar"
                    | "transfer"
                    | "put"
                    | "colocar"
                    | "enviar"
                    | "pasar"
            );
            let me = |w: &str| matches!(w, "me" | "nos" | "ser" | "us");
            carries && !inside("me") && !reading.before(hit.start, 3).any(|i| me(word(i)))
        }
        // "quero ser representante", "do I need an agent?"
        "human-wanted" => {
            matches!(word(hit.start + 1), "ser" | "virar" | "be")
                && !word(hit.start + 2).starts_with("atend")
                || previous == "i" && hit.start > 1 && word(hit.start - 2) == "do"
        }
        // "ser humano é complicado"
        "human-role-noun" => {
            matches!(word(hit.end), "e" | "eh" | "erra" | "es" | "is" | "faz")
                && word(last) != "carne"
                && reading.text.tokens.get(hit.end).is_some_and(|t| t.break_before == Break::None)
        }
        "human-summon" => matches!(word(last), "tecnico" | "tecnica"),
        _ => false,
    }
}

/// "suporte para TV", "atendimento de sábado": a thing or an opening hour, unless spoken with.
fn is_thing(reading: &Reading, hit: &Hit) -> bool {
    let noun = hit.end.checked_sub(1).map(|i| reading.text.word(i)).unwrap_or_default();
    let next = reading.text.word(hit.end);
    matches!(hit.rule, "human-wanted" | "human-summon")
        && matches!(
            noun,
            "suporte" | "atendimento" | "soporte" | "atencion" | "support" | "para" | "de" | "pra"
        )
        && (matches!(next, "para" | "pra" | "de" | "do" | "da" | "no" | "na" | "em" | "as" | "aos")
            || matches!(noun, "para" | "de" | "pra"))
}

/// "agente de viagens", "gerente do banco": a person of another house.
fn is_hired(reading: &Reading, hit: &Hit) -> bool {
    let next = |n: usize| reading.text.word(hit.end + n);
    let joined = matches!(next(0), "de" | "do" | "da" | "del" | "of");
    joined
        && matches!(
            next(1),
            "seguros"
                | "seguro"
                | "viagens"
                | "viagem"
                | "viajes"
                | "transito"
                | "caixa"
                | "saude"
                | "maquinas"
                | "celular"
                | "parede"
                | "tv"
                | "mesa"
                | "monitor"
                | "notebook"
                | "vendas"
                | "projeto"
                | "projetos"
        )
        && !reading.is(hit.start, Class::Talk)
        && !reading.is(hit.start, Class::Transfer)
}
