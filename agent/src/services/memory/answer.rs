//! Reading what a model answered to an extraction: JSON, or what can be mended into it.

use serde_json::Value;

use crate::domain::memory::Candidate;
use crate::llm::mended;

/// Longer answers are not read.
const MOST_BYTES: usize = 64 * 1024;
/// Entries looked at.
const MOST_ENTRIES: usize = 50;

/// The facts of an answer, each as claimed or `None` when it is no fact at all; an error when
/// nothing in the answer can be read.
pub fn read(answer: &str) -> Result<Vec<Option<Candidate>>, Unreadable> {
    let text = without_thinking(answer);
    if text.len() > MOST_BYTES {
        return Err(Unreadable("too long"));
    }
    let begin = text.find(['{', '[']).ok_or(Unreadable("no JSON in it"))?;
    let text = &text[begin..];
    // What stands behind the last bracket is no JSON; without one the answer was cut off.
    let whole = text.rfind(['}', ']']).and_then(|end| text.get(..=end)).unwrap_or(text);
    let value = [whole, text].into_iter().find_map(mended::parse).ok_or(Unreadable("no JSON"))?;
    let facts = list(&value).ok_or(Unreadable("no list of facts"))?;
    Ok(facts.into_iter().take(MOST_ENTRIES).map(candidate).collect())
}

/// Why an answer cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable(pub &'static str);

/// What follows the last of a model's notes to itself.
fn without_thinking(answer: &str) -> &str {
    answer.rsplit_once("</think>").map_or(answer, |(_, rest)| rest)
}

/// The list of facts, however it is wrapped: bare, under some name, or one fact alone.
fn list(value: &Value) -> Option<Vec<&Value>> {
    match value {
        Value::Array(items) => Some(items.iter().collect()),
        Value::Object(fields) => {
            if field(value, &["content", "conteudo", "fato"]).is_some_and(Value::is_string) {
                return Some(vec![value]);
            }
            let lists = fields.values().filter_map(Value::as_array);
            lists.max_by_key(|list| list.len()).map(|list| list.iter().collect())
        }
        _ => None,
    }
}

fn field<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| value.get(*name))
}

fn candidate(value: &Value) -> Option<Candidate> {
    let text = |names: &[&str]| {
        let text = field(value, names).and_then(Value::as_str);
        text.map(str::to_owned)
    };
    let confidence = field(value, &["confidence", "confianca", "confiança"]);
    let confidence = confidence.and_then(|value| match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().replace(',', ".").parse().ok(),
        _ => None,
    });
    value.is_object().then(|| Candidate {
        memory_type: text(&["memory_type", "type", "tipo", "kind"]).unwrap_or_default(),
        content: text(&["content", "conteudo", "conteúdo", "fato", "fact"]).unwrap_or_default(),
        evidence: text(&["evidence", "evidencia", "evidência"]).unwrap_or_default(),
        confidence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACT: &str = r#"{"memory_type":"restricao","content":"Alérgico a amendoim","evidence":"sou alérgico","confidence":0.9}"#;

    #[test]
    fn answers_in_many_wrappings_are_read() {
        let cut = &FACT[..FACT.len() - 1];
        for answer in [
            format!(r#"{{"facts":[{FACT}]}}"#),
            format!("[{FACT}]"),
            FACT.to_owned(),
            format!("<think>hm, {{\"facts\":[]}}?</think>\n{{\"facts\":[{FACT}]}}"),
            format!("```json\n{{\"facts\":[{FACT}]}}\n```"),
            format!("Aqui está:\n{{\"facts\":[{FACT}]}}\nEspero ter ajudado!"),
            format!(r#"{{"facts":[{FACT},]}}"#),
            format!(r#"{{"facts":[{cut}"#),
            format!("{{'facts':[{}]}}", FACT.replace('"', "'")),
            format!(r#"{{facts:[{FACT}]}}"#),
        ] {
            let facts = read(&answer).unwrap_or_else(|why| panic!("{why:?}: {answer}"));
            let fact = facts[0].clone().unwrap_or_else(|| panic!("{answer}"));
            assert_eq!(fact.memory_type, "restricao", "{answer}");
            assert_eq!(fact.content, "Alérgico a amendoim", "{answer}");
            assert_eq!(fact.confidence, Some(0.9), "{answer}");
        }
    }

    #[test]
    fn no_facts_are_no_failure_and_nonsense_is() {
        assert_eq!(read(r#"{"facts":[]}"#), Ok(Vec::new()));
        for answer in ["", "Não há fatos.", &"[".repeat(5_000), &"a".repeat(70_000), "{}"] {
            assert!(read(answer).is_err(), "{}", answer.len());
        }
    }

    #[test]
    fn entries_that_are_no_facts_are_told_apart() {
        let facts = read(r#"{"facts":["alérgico",{"content":3,"confidence":"0,8"}]}"#).unwrap();
        assert_eq!(facts[0], None);
        assert_eq!(facts[1].as_ref().unwrap().confidence, Some(0.8));
        assert_eq!(facts[1].as_ref().unwrap().content, "");
    }
}
