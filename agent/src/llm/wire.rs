//! The wire format of chat completions: what is asked, and a lenient reading of what comes back.
//! Servers other than OpenAI's leave out `id`, `created`, `usage` or a call's `type`, give a call's
//! arguments as an object, or name a `finish_reason` of their own.

use serde_json::{Value, json};

use super::{ChatCompletion, ChatRequest, LlmError};
use crate::domain::chat::{ChatMessage, Role};
use crate::domain::tool::ToolCall;

/// Calls of one message that are read.
const MOST_CALLS: usize = 16;

/// The messages as the wire has them.
pub fn messages(request: &ChatRequest) -> Vec<Value> {
    request.messages.iter().map(message).collect()
}

fn message(message: &ChatMessage) -> Value {
    let mut wire = json!({ "role": message.role, "content": message.content });
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter().map(|call| {
            json!({
                "id": call.id,
                "type": "function",
                "function": { "name": call.name, "arguments": call.arguments },
            })
        });
        wire["tool_calls"] = calls.collect();
        if message.content.is_empty() {
            wire["content"] = Value::Null;
        }
    }
    if message.role == Role::Tool {
        wire["tool_call_id"] = json!(message.tool_call_id);
    }
    wire
}

/// The tools as the wire has them.
pub fn tools(request: &ChatRequest) -> Vec<Value> {
    let described = request.tools.iter().map(|tool| {
        json!({
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            },
        })
    });
    described.collect()
}

/// Reads a completion; `asked` is the model's name where the answer leaves it out.
pub fn completion(text: &str, asked: &str) -> Result<ChatCompletion, LlmError> {
    let answer: Value =
        serde_json::from_str(text).map_err(|error| LlmError::Unusable(error.to_string()))?;
    let choice = answer.pointer("/choices/0");
    let message = choice.and_then(|choice| choice.get("message"));
    let finish = choice.and_then(|choice| choice.get("finish_reason")).and_then(Value::as_str);
    match finish {
        // Half an answer may hold half a condition.
        Some("length") => return Err(LlmError::Unusable("cut off at its longest".to_owned())),
        Some("content_filter") => return Err(LlmError::Refused("content filter".to_owned())),
        _ => {}
    }
    let refusal = message.and_then(|message| message.get("refusal")).and_then(Value::as_str);
    if refusal.is_some_and(|refusal| !refusal.trim().is_empty()) {
        return Err(LlmError::Refused("it declined to answer".to_owned()));
    }
    let content = message.and_then(|message| message.get("content"));
    let content = without_thinking(&words(content)).to_owned();
    let tool_calls = calls(message.and_then(|message| message.get("tool_calls")));
    if content.is_empty() && tool_calls.is_empty() {
        return Err(LlmError::Unusable("no text in it".to_owned()));
    }
    let tokens = |name: &str| answer.get("usage")?.get(name)?.as_i64();
    Ok(ChatCompletion {
        content,
        tool_calls,
        model: answer.get("model").and_then(Value::as_str).unwrap_or(asked).to_owned(),
        prompt_tokens: tokens("prompt_tokens"),
        completion_tokens: tokens("completion_tokens"),
    })
}

/// Text, or the texts of a list of parts.
fn words(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("")
        }
        _ => String::new(),
    }
}

fn calls(list: Option<&Value>) -> Vec<ToolCall> {
    let list = list.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let read = list.iter().take(MOST_CALLS).enumerate().filter_map(|(index, call)| {
        let function = call.get("function")?;
        let name = function.get("name")?.as_str()?.trim();
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => text.clone(),
            None | Some(Value::Null) => String::new(),
            Some(object) => object.to_string(),
        };
        let id = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        let id = id.map_or_else(|| format!("call_{index}"), str::to_owned);
        (!name.is_empty()).then(|| ToolCall { id, name: name.to_owned(), arguments })
    });
    read.collect()
}

/// What follows a leading `<think>…</think>`: customers do not read a model's notes to itself. An
/// unfinished one leaves nothing.
fn without_thinking(content: &str) -> &str {
    let content = content.trim();
    match content.strip_prefix("<think>") {
        Some(rest) => {
            rest.split_once("</think>").map(|(_, answer)| answer.trim()).unwrap_or_default()
        }
        None => content,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_servers_that_are_not_openai_are_read() {
        for (body, content) in [
            (r#"{"choices":[{"message":{"content":"Oi!"}}]}"#, "Oi!"),
            (
                r#"{"choices":[{"message":{"content":"  Oi!\n"},"finish_reason":"eos"}],"usage":null}"#,
                "Oi!",
            ),
            (r#"{"choices":[{"message":{"content":"<think>hm</think>\nOi!"}}]}"#, "Oi!"),
            (r#"{"choices":[{"message":{"content":[{"type":"text","text":"Oi!"}]}}]}"#, "Oi!"),
        ] {
            assert_eq!(completion(body, "m").unwrap().content, content, "{body}");
        }
    }

    #[test]
    fn calls_are_read_however_a_server_writes_them() {
        let body = r#"{"choices":[{"finish_reason":"tool_calls","message":{"content":null,
            "tool_calls":[
                {"id":"a","type":"function","function":{"name":"ver","arguments":"{\"x\":1}"}},
                {"function":{"name":"ver","arguments":{"x":2}}},
                {"id":"","function":{"name":" ver "}},
                {"id":"c","function":{"name":""}},
                {"id":"d"}
            ]}}]}"#;
        let calls = completion(body, "m").unwrap().tool_calls;
        let read = calls.iter().map(|call| (call.id.as_str(), call.arguments.as_str()));
        let read: Vec<_> = read.collect();
        assert_eq!(read, [("a", r#"{"x":1}"#), ("call_1", r#"{"x":2}"#), ("call_2", "")]);
    }

    #[test]
    fn an_answer_without_words_or_calls_is_no_answer() {
        for body in [
            "",
            "<html>",
            "{}",
            r#"{"choices":[]}"#,
            r#"{"choices":[{"message":{"content":null}}]}"#,
            r#"{"choices":[{"message":{"content":" "}}]}"#,
            r#"{"choices":[{"message":{"content":"<think>sem fim"}}]}"#,
            r#"{"choices":[{"message":{"content":"A diária é R$ 2"},"finish_reason":"length"}]}"#,
        ] {
            assert!(matches!(completion(body, "m"), Err(LlmError::Unusable(_))), "{body}");
        }
    }

    #[test]
    fn a_model_that_declines_would_decline_again() {
        for body in [
            r#"{"choices":[{"message":{"content":null,"refusal":"I can't help with that."}}]}"#,
            r#"{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}"#,
        ] {
            assert!(matches!(completion(body, "m"), Err(LlmError::Refused(_))), "{body}");
        }
    }

    #[test]
    fn a_call_and_its_result_are_told_in_the_wires_words() {
        let call = ToolCall { id: "a".into(), name: "ver".into(), arguments: "{}".into() };
        let request = ChatRequest {
            messages: vec![
                ChatMessage::calling("", vec![call]),
                ChatMessage::tool_result("a", "sol"),
            ],
            ..ChatRequest::default()
        };
        let wire = json!([
            {
                "role": "assistant",
                "content": null,
                "tool_calls": [
                    { "id": "a", "type": "function", "function": { "name": "ver", "arguments": "{}" } },
                ],
            },
            { "role": "tool", "content": "sol", "tool_call_id": "a" },
        ]);
        assert_eq!(Value::Array(messages(&request)), wire);
    }
}
