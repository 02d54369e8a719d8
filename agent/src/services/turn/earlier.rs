//! What tools gave before in this conversation, for the prompt: ids of patients and times, which
//! the working memory, being words, does not hold.

use std::fmt::Write;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::tool_call;

use crate::services::tools::{fence, forget, memories, transfer};

/// Results that are told, latest first.
const MOST: usize = 8;
/// Older ones of tools that only look are not told: what was free then may not be now.
const LONGEST: TimeDelta = TimeDelta::hours(24);
/// Characters of all of them together.
const CHARS: usize = 8_000;

/// Whether a result of before may be told, and leant on, again: what is known of the customer is
/// looked up anew, since it may have been forgotten.
pub fn stands(call: &tool_call::Model) -> bool {
    ![transfer::NAME, forget::NAME, memories::NAME].contains(&call.tool.as_str())
}

/// The results as a layer of the prompt; empty without any.
pub fn layer(earlier: &[tool_call::Model], now: DateTime<Utc>) -> String {
    let told = earlier
        .iter()
        .filter(|call| stands(call) && (call.has_effect || now - call.begun_at <= LONGEST))
        .filter_map(|call| Some((call, call.result.as_deref()?)));
    // What was done comes first: a patient's id must not be pushed out by what was only looked at.
    let (done, looked): (Vec<_>, Vec<_>) = told.partition(|(call, _)| call.has_effect);
    let mut layer = String::new();
    for (call, result) in done.into_iter().chain(looked).take(MOST) {
        let minutes = (now - call.begun_at).num_minutes();
        let ago =
            if minutes < 120 { format!("{minutes} min") } else { format!("{} h", minutes / 60) };
        let fenced = fence::result(&call.tool, result);
        if layer.len() + fenced.len() > CHARS {
            continue;
        }
        // Writing into a string does not fail.
        let _ = write!(layer, "\nHá {ago}:\n{fenced}");
    }
    match layer.is_empty() {
        true => layer,
        false => format!(
            "O que as ferramentas devolveram antes a este cliente (o que foi feito vem primeiro; \
             horários livres podem ter mudado):{layer}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(tool: &str, result: &str, hours: i64) -> tool_call::Model {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        tool_call::Model {
            id: 1,
            account_id: 1,
            conversation_id: 1,
            turn_id: Some(1),
            call_key: "k".into(),
            tool: tool.into(),
            arguments: json!({}),
            has_effect: false,
            state: "done".into(),
            code: None,
            result: Some(result.into()),
            begun_at: now - TimeDelta::hours(hours),
            finished_at: Some(now),
            settled_at: Some(now),
        }
    }

    #[test]
    fn recent_results_are_told_and_old_ones_are_not() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let earlier = [
            call(transfer::NAME, "OK", 0),
            call("cadastrar_paciente", r#"{"paciente_id":"pt7"}"#, 1),
            call("consultar_horarios", r#"{"horario_id":"antigo"}"#, 25),
        ];
        let layer = layer(&earlier, now);
        assert!(layer.contains("pt7") && layer.contains("Há 60 min"), "{layer}");
        assert!(!layer.contains("antigo") && !layer.contains("OK"), "{layer}");
    }

    #[test]
    fn without_results_there_is_no_layer() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        assert_eq!(layer(&[], now), "");
    }
}
