//! The guard and the scope classifier judge any conversation, alike each time, and never take
//! silence for anything.

#![no_main]

use lembra_agent::domain::chat::ChatMessage;
use lembra_agent::domain::triage::guard::{ConversationGuard, GuardInput, GuardVerdict};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, Vec<(bool, &str)>)| {
    let (turns, said) = input;
    let messages: Vec<ChatMessage> = said
        .iter()
        .map(|(user, text)| match user {
            true => ChatMessage::user(*text),
            false => ChatMessage::assistant(*text),
        })
        .collect();
    let input = GuardInput {
        messages: &messages,
        past_turns_without_tool_call: Some(u32::from(turns)),
    };
    let verdict = ConversationGuard::evaluate(&input);
    assert_eq!(verdict, ConversationGuard::evaluate(&input));
    let last = said.iter().rev().find(|(user, _)| *user);
    if last.is_none_or(|(_, text)| text.trim().is_empty()) {
        assert_eq!(verdict, GuardVerdict::Proceed);
    }
});
