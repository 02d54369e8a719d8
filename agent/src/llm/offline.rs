//! The model of a fresh machine: an honest demonstration that answers by rules. Every page says
//! that it is on.

mod agenda;
mod embedding;
mod extraction;
mod knowledge;
mod memory;
mod patterns;

use async_trait::async_trait;

use super::{ChatCompletion, ChatModel, ChatRequest, LlmError, Purpose};
use crate::domain::chat::Role;
use crate::domain::tool::ToolCall;
use crate::domain::triage::fold;

use agenda::Step;

pub use embedding::{OfflineEmbedder, embed};

/// Answers without any model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Offline;

/// What a message is about, by the beginnings of its words; the first rule that fits answers.
const RULES: &[(&[&str], &str)] = &[
    (
        &["saldo", "extrato", "orcamento", "gast", "fatura"],
        "Aqui na demonstração eu ainda não tenho acesso às suas contas, então não vou inventar um valor. Com um modelo e ferramentas configurados, eu consultaria isso para você.",
    ),
    (
        &["horario", "agend", "marcar", "remarcar", "consulta", "vaga", "disponiv"],
        "Para falar de horários eu preciso consultar a agenda, e não há uma ligada a esta conta. Não vou chutar um horário: quer me dizer o dia que prefere?",
    ),
    (
        &["preco", "valor", "custa", "quanto", "desconto", "diaria"],
        "Não tenho a tabela de preços nesta demonstração, e prefiro não dizer um valor errado. Posso anotar o que você procura?",
    ),
    (
        &["endereco", "onde", "local", "entreg", "chega"],
        "Ainda não me contaram o endereço desta conta de demonstração. Assim que houver uma base de conhecimento, eu respondo por ela.",
    ),
    (
        &["obrigad", "valeu", "brigad", "agradec"],
        "Por nada! Se precisar de mais alguma coisa, é só chamar. 😊",
    ),
    (&["tchau", "ate", "adeus"], "Até mais! Quando quiser, estou por aqui."),
];

/// What may stand beside a greeting without asking for anything.
const SMALL_TALK: &[&str] = &[
    "oi", "ola", "bom", "boa", "dia", "tarde", "noite", "opa", "tudo", "bem", "eai", "e", "ai",
    "hey", "hello", "hola",
];

const GREETINGS: &[&str] = &["oi", "ola", "bom", "boa", "opa", "eai", "hey", "hello", "hola"];

#[async_trait]
impl ChatModel for Offline {
    async fn complete(&self, request: &ChatRequest) -> Result<ChatCompletion, LlmError> {
        let (content, tool_calls) = match request.purpose {
            Purpose::Extraction => (extraction::facts(request), Vec::new()),
            Purpose::Contradiction => (memory::contradicts(request), Vec::new()),
            _ => answer_or_call(request),
        };
        Ok(ChatCompletion {
            content,
            tool_calls,
            model: "offline".to_owned(),
            prompt_tokens: None,
            completion_tokens: None,
        })
    }

    async fn check(&self) -> Result<(), String> {
        Ok(())
    }

    fn is_offline(&self) -> bool {
        true
    }
}

fn answer_or_call(request: &ChatRequest) -> (String, Vec<ToolCall>) {
    if request.words_only {
        // A draft was objected to, and rules have no other.
        let text = "Prefiro não afirmar isso sem confirmar. Posso ajudar com outra coisa?";
        return (text.to_owned(), Vec::new());
    }
    if let Some(known) = memory::known(request) {
        return (known, Vec::new());
    }
    match agenda::step(request) {
        Some(Step::Say(text)) => (text, Vec::new()),
        Some(Step::Call(name, arguments)) if !request.words_only => {
            // One call per message, so its place names it.
            let id = format!("offline_{}", request.messages.len());
            let arguments = arguments.to_string();
            (String::new(), vec![ToolCall { id, name: name.to_owned(), arguments }])
        }
        Some(Step::Call(..)) | None => {
            (knowledge::known(request).unwrap_or_else(|| reply(request)), Vec::new())
        }
    }
}

/// The answer to the messages that the customer wrote last.
fn reply(request: &ChatRequest) -> String {
    let asked: Vec<&str> = request
        .messages
        .iter()
        .rev()
        .take_while(|message| message.role == Role::User)
        .map(|message| message.content.as_str())
        .collect();
    let asked: Vec<&str> = asked.into_iter().rev().collect();
    answer(&asked)
}

/// The answer to what the customer said since the last answer.
fn answer(asked: &[&str]) -> String {
    let words: Vec<String> = asked
        .iter()
        .flat_map(|text| fold::tokenize(text).words().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let rule = RULES.iter().find(|(beginnings, _)| {
        words.iter().any(|word| beginnings.iter().any(|beginning| word.starts_with(beginning)))
    });
    let greeted = words.first().is_some_and(|word| GREETINGS.contains(&word.as_str()));
    match (rule, greeted) {
        (Some((_, answer)), true) => format!("Oi! {answer}"),
        (Some((_, answer)), false) => (*answer).to_owned(),
        (None, true) if words.iter().all(|word| SMALL_TALK.contains(&word.as_str())) => {
            "Oi! Eu sou a assistente virtual desta conta. Como posso ajudar?".to_owned()
        }
        _ => {
            let last = asked.last().copied().unwrap_or_default();
            let quote: String = last.split_whitespace().collect::<Vec<_>>().join(" ");
            let short: String = quote.chars().take(80).collect();
            let dots = if short.len() < quote.len() { "…" } else { "" };
            format!(
                "Recebi: “{short}{dots}”. Sou o modelo offline de demonstração e respondo por \
                 regras simples; com um modelo de verdade eu conversaria sobre isso com você."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_answers_by_topic_and_never_with_a_figure() {
        for (asked, part) in [
            (vec!["qual o saldo?"], "não vou inventar um valor"),
            (vec!["Oi, tem vaga amanhã às 14h?"], "Não vou chutar um horário"),
            (vec!["quanto custa a diária?"], "prefiro não dizer um valor errado"),
            (vec!["oi"], "Como posso ajudar?"),
            (vec!["obrigada!"], "Por nada"),
            (vec!["oi", "quero pix"], "quero pix"),
        ] {
            let answer = answer(&asked);
            assert!(answer.contains(part), "{asked:?}: {answer}");
        }
        assert!(RULES.iter().all(|(_, answer)| !answer.contains(char::is_numeric)));
    }
}
