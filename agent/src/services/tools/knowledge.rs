//! `buscar_conhecimento`: what the account's people wrote about what the customer asks.

use async_trait::async_trait;
use serde_json::json;

use super::{Invocation, Tool, ToolError};
use crate::domain::tool::ToolSpec;
use crate::domain::tool_failure::ToolFailure;
use crate::services::knowledge::Knowledge;
use crate::services::knowledge::retrieve::Hit;
use crate::services::memory::metering::Payer;

pub const NAME: &str = "buscar_conhecimento";
/// Entries of one answer.
const TOP: usize = 5;

/// The answer when nothing fits: a success, since the knowledge was read.
pub const NOTHING_FOUND: &str =
    include_str!("../../../../templates/prompts/knowledge-nothing-found.txt");

/// The tool.
#[derive(Clone)]
pub struct SearchKnowledge {
    knowledge: Knowledge,
    spec: ToolSpec,
}

impl SearchKnowledge {
    pub fn new(knowledge: Knowledge) -> Self {
        Self { knowledge, spec: spec() }
    }
}

fn spec() -> ToolSpec {
    ToolSpec {
        name: NAME.to_owned(),
        description: "Busca na base de conhecimento da empresa (preços, horários, regras, \
                      convênios, serviços) as respostas cadastradas que tratam da pergunta. Use \
                      antes de responder qualquer pergunta sobre a empresa cuja resposta não \
                      esteja na conversa."
            .to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {
                "pergunta": {
                    "type": "string",
                    "minLength": 2,
                    "maxLength": 1000,
                    "description": "A dúvida do cliente, completa, em português: \"qual o horário \
                                    do check-in\", e não só \"horário\".",
                },
            },
            "required": ["pergunta"],
            "additionalProperties": false,
        }),
    }
}

#[async_trait]
impl Tool for SearchKnowledge {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, call: &Invocation<'_>) -> Result<String, ToolError> {
        let question = call.arguments.get("pergunta").and_then(|value| value.as_str());
        let question = question.unwrap_or_default();
        let payer = Payer {
            account_id: call.caller.account_id,
            conversation_id: Some(call.caller.conversation_id),
        };
        let hits = self.knowledge.search(payer, question, TOP).await.map_err(|error| {
            tracing::error!(account.id = payer.account_id, %error, "knowledge not searched");
            ToolFailure::internal("base de conhecimento indisponivel")
        })?;
        Ok(text(&hits))
    }
}

/// What the model is told: JSON, in which nothing of an entry can pass for anything else.
fn text(hits: &[Hit]) -> String {
    if hits.is_empty() {
        return NOTHING_FOUND.trim_end().to_owned();
    }
    let entry = |hit: &Hit| {
        let mut entry = json!({ "pergunta": hit.question, "resposta": hit.answer });
        if let (Some(entry), Some(category)) = (entry.as_object_mut(), &hit.category) {
            entry.insert("categoria".to_owned(), json!(category));
        }
        entry
    };
    json!({ "conhecimento": hits.iter().map(entry).collect::<Vec<_>>() }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::tools::arguments;

    #[test]
    fn the_schema_takes_a_question_and_nothing_else() {
        let schema = spec().parameters;
        assert!(arguments::read(r#"{"pergunta":"aceitam pix?"}"#, &schema).is_ok());
        for bad in [r"{}", r#"{"pergunta":""}"#, r#"{"pergunta":"pix?","x":1}"#] {
            assert!(arguments::read(bad, &schema).is_err(), "{bad}");
        }
    }

    #[test]
    fn entries_are_told_as_json_and_none_in_words() {
        let hit = Hit {
            id: 7,
            question: "Aceitam pix?".into(),
            answer: "Sim.\n\"À vista\".".into(),
            category: None,
            score: 0.9,
        };
        assert_eq!(
            text(&[hit]),
            r#"{"conhecimento":[{"pergunta":"Aceitam pix?","resposta":"Sim.\n\"À vista\"."}]}"#
        );
        assert!(text(&[]).starts_with("Nada encontrado"));
    }
}
