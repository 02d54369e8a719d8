//! What an answer's figures may come from (DESIGN §6.4): everything the turn knows, and nothing
//! that the bot said before.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use lembra_entities::{account, contact, tool_call};

use super::{earlier, prompt};
use crate::domain::chat::{ChatMessage, Role};
use crate::domain::grounding;
use crate::domain::triage::locale::Locale;
use crate::services::agent_chat::{Done, Grounds, MoreSources};
use crate::services::texts::Text;
use crate::services::tools::forget;
use crate::store::accounts;

/// What a turn was made from.
pub struct Material<'a> {
    pub account: &'a account::Model,
    pub contact: Option<&'a contact::Model>,
    pub conversation: &'a [ChatMessage],
    /// Memory and knowledge, as the prompt holds them.
    pub layers: &'a [&'a str],
    /// What tools gave before in this conversation.
    pub earlier: &'a [tool_call::Model],
    pub locale: Locale,
    pub more: Arc<dyn MoreSources>,
}

impl Material<'_> {
    pub fn collect(&self, now: DateTime<Utc>) -> Grounds {
        let local = now.with_timezone(&accounts::zone(self.account));
        let done: Vec<Done> = self
            .earlier
            .iter()
            .filter(|call| earlier::stands(call) || call.tool == forget::NAME)
            .map(|call| Done {
                tool: call.tool.clone(),
                has_effect: call.has_effect,
                result: call.result.clone().unwrap_or_default(),
            })
            .collect();
        let mut sources: Vec<String> = done.iter().map(|done| done.result.clone()).collect();
        sources.extend(self.layers.iter().map(|layer| (*layer).to_owned()));
        sources.extend(
            prompt::attributes(self.contact)
                .into_iter()
                .map(|(key, value)| format!("{key}: {value}")),
        );
        let account = self.account;
        let texts = [&account.facts, &account.persona, &account.helps_with];
        let facts: Vec<String> = texts.into_iter().flatten().cloned().collect();
        let house = self.layers.iter().map(|layer| (*layer).to_owned()).chain(facts.clone());
        let house: Vec<String> = house.collect();
        sources.extend(facts);
        sources.push(account.name.clone());
        sources.push(local.format("%d/%m/%Y %H:%M").to_string());
        let theirs = self.conversation.iter().filter(|said| said.role == Role::User);
        sources.extend(theirs.map(|said| said.content.clone()));
        Grounds {
            sources,
            done,
            house,
            more: Some(self.more.clone()),
            context: grounding::Context { today: local.date_naive() },
            instead: Text::NotGrounded.of(self.locale).to_owned(),
            after_failure: Text::ToolFailure.of(self.locale).to_owned(),
        }
    }
}
