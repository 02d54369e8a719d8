//! The offline model at a clinic's agenda: it looks times up, books the one that was asked for, and
//! keeps the contract of failures, by rules.

use std::sync::LazyLock;

use chrono::{Days, NaiveDate};
use regex::Regex;
use serde_json::{Map, Value, json};

use crate::domain::chat::{ChatMessage, Role};
use crate::domain::scheduling::{BOOK, CONSULT, REGISTER};
use crate::domain::tool_failure::PREFIX;
use crate::domain::triage::fold::fold;
use crate::llm::ChatRequest;

/// What the model does next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Say(String),
    Call(&'static str, Value),
}

/// Beginnings of words that speak of times at a clinic.
const TIMES: &[&str] = &["horario", "agend", "marc", "remarc", "consult", "vaga", "disponiv"];
/// Beginnings of words that ask for a price, also where they name a consultation.
const PRICES: &[&str] = &["quanto", "preco", "valor", "custa"];
/// Beginnings of words that take a time.
const TAKES: &[&str] =
    &["quero", "pode", "marc", "agend", "reserv", "esse", "fech", "prefiro", "fico", "serve"];
const SORRY: &str = "Não consegui resolver isso na agenda agora. Vou te encaminhar para um \
                     atendente, que consegue verificar e te responder por aqui.";

static CLOCK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b([01]?\d|2[0-3])(?:\s?h|:)([0-5]\d)?\b").ok());
static DOCTOR: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(?:dra?|doutora?)\.?\s+([a-z]+)").ok());
static TODAY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"Agora são (\d{2}/\d{2}/\d{4})").ok());

/// The next step, where the customer speaks of times and there is an agenda.
pub fn step(request: &ChatRequest) -> Option<Step> {
    let offered = |name: &str| request.tools.iter().any(|tool| tool.name == name);
    let results = results(&request.messages);
    let last = results.last();
    if let Some((_, failure)) = results.iter().find(|(_, text)| text.starts_with(PREFIX)) {
        let transferred = last.is_some_and(|(tool, _)| tool == "transferir_atendimento");
        return Some(match transferred || !offered("transferir_atendimento") {
            true => Step::Say(sorry(failure)),
            false => Step::Call("transferir_atendimento", json!({ "motivo": failure })),
        });
    }
    let said = said(&request.messages);
    let Some((tool, text)) = last else {
        let asks = speaks_of_times(&said) && offered(CONSULT);
        return asks.then(|| Step::Call(CONSULT, wish(request, &said)));
    };
    let result: Value = serde_json::from_str(text).unwrap_or_default();
    if let Some(question) = result["pergunta"].as_str() {
        return Some(Step::Say(question.to_owned()));
    }
    match tool.as_str() {
        CONSULT => Some(match taken(&said, &result) {
            Some(_) if offered(REGISTER) => Step::Call(REGISTER, json!({ "nome": name(request) })),
            _ => Step::Say(listed(&result)),
        }),
        REGISTER => {
            let (_, slots) = results.iter().rev().find(|(tool, _)| tool == CONSULT)?;
            let slots: Value = serde_json::from_str(slots).unwrap_or_default();
            let wish = json!({
                "horario_id": taken(&said, &slots)?["horario_id"],
                "paciente_id": result["paciente_id"],
            });
            Some(Step::Call(BOOK, wish))
        }
        BOOK => {
            let text = |name: &str| result[name].as_str().unwrap_or_default().to_owned();
            Some(Step::Say(format!("Pronto! Marquei {} com {}.", text("quando"), text("medico"))))
        }
        _ => None,
    }
}

/// What the customer said since the last answer, folded.
fn said(messages: &[ChatMessage]) -> String {
    let until = messages.iter().rposition(|message| message.role == Role::User);
    let before = &messages[..until.map_or(0, |place| place + 1)];
    let theirs = before.iter().rev().take_while(|message| message.role == Role::User);
    let texts: Vec<&str> = theirs.map(|message| message.content.as_str()).collect();
    fold(&texts.into_iter().rev().collect::<Vec<_>>().join("\n"))
}

/// What tools gave in this turn, in order: tool and text, without its fence.
fn results(messages: &[ChatMessage]) -> Vec<(String, String)> {
    let from = messages.iter().rposition(|message| message.role == Role::User);
    let turn = &messages[from.map_or(0, |place| place + 1)..];
    let name = |id: &str| {
        let calls = turn.iter().flat_map(|message| &message.tool_calls);
        calls.rev().find(|call| call.id == id).map(|call| call.name.clone())
    };
    let results = turn.iter().filter_map(|message| {
        let tool = name(message.tool_call_id.as_deref()?)?;
        let inside = message.content.split_once(">\n").map_or(message.content.as_str(), |(_, t)| t);
        Some((tool, inside.trim_end_matches("</resultado>").trim().to_owned()))
    });
    results.collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn begins(text: &str, beginnings: &[&str]) -> bool {
    words(text).any(|word| beginnings.iter().any(|beginning| word.starts_with(beginning)))
}

/// The first doctor that a folded text names.
fn doctor(said: &str) -> Option<String> {
    Some(DOCTOR.as_ref()?.captures(said)?[1].to_owned())
}

/// Whether the customer takes a time that was offered.
fn takes(said: &str) -> bool {
    clock(said).is_some() && begins(said, TAKES)
}

fn speaks_of_times(said: &str) -> bool {
    if begins(said, PRICES) {
        return false;
    }
    let doctor = doctor(said).is_some();
    doctor || begins(said, TIMES) || takes(said)
}

/// `HH:MM` of the hour that was said.
fn clock(said: &str) -> Option<String> {
    let found = CLOCK.as_ref()?.captures(said)?;
    let minutes = found.get(2).map_or("00", |minutes| minutes.as_str());
    Some(format!("{:0>2}:{minutes}", &found[1]))
}

/// Arguments of `consultar_horarios`.
fn wish(request: &ChatRequest, said: &str) -> Value {
    let mut wish = Map::new();
    let theirs = request.messages.iter().rev().filter(|message| message.role == Role::User);
    // Whoever takes "o das 9h" means the doctor that they asked for before.
    let before = theirs.map(|message| fold(&message.content)).take(if takes(said) { 5 } else { 0 });
    let doctor = [said.to_owned()].into_iter().chain(before).find_map(|text| doctor(&text));
    if let Some(doctor) = doctor {
        wish.insert("medico".to_owned(), json!(doctor));
    }
    if let Some(clock) = clock(said) {
        wish.insert("hora".to_owned(), json!(clock));
    }
    let ahead = match () {
        () if words(said).any(|word| word == "amanha") => Some(1),
        () if words(said).any(|word| word == "hoje") => Some(0),
        () => None,
    };
    let day = ahead.and_then(|days| today(request)?.checked_add_days(Days::new(days)));
    for name in ["de", "ate"] {
        if let Some(day) = day {
            wish.insert(name.to_owned(), json!(day.to_string()));
        }
    }
    Value::Object(wish)
}

fn system(request: &ChatRequest) -> &str {
    let system = request.messages.iter().find(|message| message.role == Role::System);
    system.map_or("", |message| message.content.as_str())
}

/// The date that the instructions name.
fn today(request: &ChatRequest) -> Option<NaiveDate> {
    let found = TODAY.as_ref()?.captures(system(request))?;
    NaiveDate::parse_from_str(&found[1], "%d/%m/%Y").ok()
}

/// The name that the customer goes by.
fn name(request: &ChatRequest) -> String {
    let mut lines = system(request).lines();
    let name = lines.find_map(|line| line.strip_prefix("apresenta-se como: "));
    name.map(str::trim).filter(|name| name.chars().count() > 1).unwrap_or("Cliente").to_owned()
}

/// The free time that the customer takes: the one at the hour that they say.
fn taken<'a>(said: &str, slots: &'a Value) -> Option<&'a Value> {
    let clock = clock(said).filter(|_| begins(said, TAKES))?;
    let mut slots = slots["horarios"].as_array()?.iter();
    slots.find(|slot| {
        slot["inicio"].as_str().is_some_and(|start| start.contains(&format!("T{clock}")))
    })
}

fn listed(result: &Value) -> String {
    let slots = result["horarios"].as_array().map(Vec::as_slice).unwrap_or_default();
    let line = |slot: &Value| {
        let text = |name: &str| slot[name].as_str();
        let price = text("preco").map(|price| format!(" ({price})")).unwrap_or_default();
        let (when, doctor) = (text("quando").unwrap_or("?"), text("medico").unwrap_or("?"));
        format!("- {when}, {doctor}{price}")
    };
    let lines: Vec<String> = slots.iter().map(line).collect();
    let note = result["observacao"].as_str().map(|note| format!("{note}\n")).unwrap_or_default();
    format!(
        "{note}Tenho estes horários:\n{}\nQual você prefere? É só dizer “quero o das …”.",
        lines.join("\n")
    )
}

/// What is said after a failure: nothing that nobody knows (seed 004).
fn sorry(failure: &str) -> String {
    match failure.trim_start_matches(PREFIX) {
        "agenda sem horarios disponiveis" | "nenhum medico tem horarios disponiveis" => {
            "Não encontrei horários disponíveis no momento. Vou te encaminhar para um atendente \
             que consegue verificar alternativas."
                .to_owned()
        }
        _ => SORRY.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::tool::{ToolCall, ToolSpec};

    fn request(said: &str, gone: &[(&str, &str)]) -> ChatRequest {
        let mut messages = vec![
            ChatMessage::system("Agora são 29/11/2026 09:00 de domingo\napresenta-se como: Ana"),
            ChatMessage::user(said),
        ];
        for (index, (tool, result)) in gone.iter().enumerate() {
            let id = index.to_string();
            let call =
                ToolCall { id: id.clone(), name: (*tool).to_owned(), arguments: "{}".to_owned() };
            messages.push(ChatMessage::calling("", vec![call]));
            messages.push(ChatMessage::tool_result(id, *result));
        }
        let names = [
            "consultar_horarios",
            "cadastrar_paciente",
            "agendar_horario",
            "transferir_atendimento",
        ];
        let tools = names.map(|name| ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters: json!({}),
        });
        ChatRequest { messages, tools: tools.to_vec(), ..ChatRequest::default() }
    }

    const FREE: &str = "<resultado ferramenta=\"consultar_horarios\">\n{\"situacao\":\"horarios\",\"horarios\":[{\"horario_id\":\"s2\",\"medico\":\"Dra. Joana\",\"inicio\":\"2026-11-30T14:00:00-03:00\",\"quando\":\"amanhã às 14h\"}]}\n</resultado>";

    #[test]
    fn times_are_looked_up_and_offered() {
        let asked = "Tem vaga amanhã com a Dra. Joana?";
        let wish = json!({ "medico": "joana", "de": "2026-11-30", "ate": "2026-11-30" });
        assert_eq!(step(&request(asked, &[])), Some(Step::Call("consultar_horarios", wish)));
        let Some(Step::Say(text)) = step(&request(asked, &[("consultar_horarios", FREE)])) else {
            panic!("nothing said");
        };
        assert!(text.contains("- amanhã às 14h, Dra. Joana"), "{text}");
        assert_eq!(step(&request("bom dia", &[])), None);
        assert_eq!(step(&request("quanto custa a consulta?", &[])), None);
    }

    #[test]
    fn the_time_that_was_asked_for_is_booked() {
        let said = "quero o das 14h";
        let consulted = ("consultar_horarios", FREE);
        let known = ("cadastrar_paciente", r#"{"paciente_id":"p1"}"#);
        let name = json!({ "nome": "Ana" });
        let registers = Step::Call("cadastrar_paciente", name);
        assert_eq!(step(&request(said, &[consulted])), Some(registers));
        let wish = json!({ "horario_id": "s2", "paciente_id": "p1" });
        let books = Step::Call("agendar_horario", wish);
        assert_eq!(step(&request(said, &[consulted, known])), Some(books));
        let done = ("agendar_horario", r#"{"quando":"amanhã às 14h","medico":"Dra. Joana"}"#);
        let says = Step::Say("Pronto! Marquei amanhã às 14h com Dra. Joana.".to_owned());
        assert_eq!(step(&request(said, &[consulted, known, done])), Some(says));
    }

    #[test]
    fn a_time_is_taken_with_the_doctor_that_was_asked_for() {
        let mut request = request("tem vaga com a Dra. Joana?", &[]);
        request.messages.push(ChatMessage::assistant("Tenho estes horários"));
        request.messages.push(ChatMessage::user("quero o das 9h"));
        let wish = json!({ "medico": "joana", "hora": "09:00" });
        assert_eq!(step(&request), Some(Step::Call("consultar_horarios", wish)));
    }

    #[test]
    fn after_a_failure_it_transfers_and_invents_nothing() {
        let failure = "FALHA_CONSULTA: agenda sem horarios disponiveis";
        let failed = ("consultar_horarios", failure);
        let said = "Pode marcar amanhã às 14h com a Dra Joana?";
        let transfers = Step::Call("transferir_atendimento", json!({ "motivo": failure }));
        assert_eq!(step(&request(said, &[failed])), Some(transfers));
        let Some(Step::Say(text)) =
            step(&request(said, &[failed, ("transferir_atendimento", "OK")]))
        else {
            panic!("nothing said");
        };
        assert!(text.starts_with("Não encontrei horários") && !text.contains("14"), "{text}");
    }
}
