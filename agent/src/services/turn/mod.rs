//! One answer: what waits in a conversation is read, the model is asked, and in one transaction
//! the turn, its outbound messages and the outcome of exactly the messages it read are written.

mod commit;
mod prompt;

use sea_orm::{ConnectionTrait, DatabaseConnection};

use crate::clock::SharedClock;
use crate::config::AnsweringConfig;
use crate::domain::gate::{self, Gate, GateInput};
use crate::domain::whatsapp_text;
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::finish::JobOutcome;
use crate::jobs::kinds::Respond;
use crate::jobs::relay::Relay;
use crate::llm::{LlmError, Purpose};
use crate::services::agent_chat::{AgentChat, AnsweredBy, Ask, Reply};
use crate::services::memory::Memories;
use crate::services::memory::recall::Query;
use crate::store::conversations::Head;
use crate::store::messages::Waiting;
use crate::store::usage::NewUsage;
use crate::store::{StoreError, StoreResult, accounts, conversations, db, messages};

/// What a turn needs.
#[derive(Clone)]
pub struct Turns {
    pub db: DatabaseConnection,
    pub clock: SharedClock,
    pub chat: AgentChat,
    pub memories: Memories,
    pub relay: Relay,
    pub answering: AnsweringConfig,
}

impl Turns {
    /// Answers what waits in the conversation.
    pub async fn respond(&self, job: &ClaimedJob, payload: Respond) -> JobOutcome {
        match self.try_respond(job, payload.conversation_id).await {
            Ok(outcome) => outcome,
            Err(StoreError::LeaseLost) => JobOutcome::Done,
            Err(error) => JobOutcome::retry(error),
        }
    }

    /// Says that no answer could be made, and leaves the conversation to a person.
    pub async fn give_up(&self, job: &ClaimedJob, payload: Respond, why: &str) -> StoreResult<()> {
        let Some(head) = conversations::head(&self.db, payload.conversation_id).await? else {
            return Ok(());
        };
        commit::technical_problem(self, job, &head, why).await
    }

    async fn try_respond(&self, job: &ClaimedJob, id: i64) -> StoreResult<JobOutcome> {
        let started_at = self.clock.now();
        let Some(head) = conversations::head(&self.db, id).await? else {
            return Ok(JobOutcome::dead("no such conversation"));
        };
        let waiting = messages::waiting_of(&self.db, id).await?;
        let Some(waiting) = self.open_ones(job, &head, waiting).await? else {
            return Ok(JobOutcome::Done);
        };
        let Some(account) = accounts::find(&self.db, head.place.account_id).await? else {
            return Ok(JobOutcome::dead("no such account"));
        };
        let limit = self.answering.working_memory;
        let texts: Vec<&str> = waiting.iter().map(|message| message.text.as_str()).collect();
        let text = texts.join("\n");
        let query = Query {
            account_id: head.place.account_id,
            contact_id: head.place.contact_id,
            conversation_id: id,
            text: &text,
        };
        // Recall takes what it takes while the rest is loaded; it never fails.
        let (said, contact, recalled) = tokio::join!(
            messages::working_memory(&self.db, head.place, limit),
            prompt::load_contact(&self.db, head.place.contact_id),
            self.memories.recall(&query)
        );
        let (said, contact) = (said?, contact?);
        let conversation = prompt::conversation(&said, &waiting);
        let system = prompt::system(&account, contact.as_ref(), started_at);
        let mut prompt = vec![prompt::with_memory(system, &recalled.prompt)];
        prompt.extend(conversation);
        let ask = Ask {
            messages: prompt.clone(),
            past_turns_without_tool_call: Some(head.past_turns_without_tool_call),
            resource_id: Some(format!("contact:{}", head.place.contact_id)),
            thread_id: Some(format!("conversation:{id}")),
        };
        let reply = match self.chat.ask(ask).await {
            Ok(reply) => reply,
            Err(error) => return Ok(failed(&error)),
        };
        let text = whatsapp_text::from_markdown(&reply.reply.content);
        let parts = whatsapp_text::split(&text, whatsapp_text::MAX_BODY);
        if parts.is_empty() {
            return Ok(JobOutcome::retry("the model's answer shows nothing"));
        }
        let calls = self.calls(&head, &reply, recalled.call);
        let turn = commit::Finished { head, waiting, prompt, reply, parts, calls, started_at };
        commit::answer(self, job, turn).await?;
        Ok(JobOutcome::Done)
    }

    /// What the turn's model calls cost.
    fn calls(&self, head: &Head, reply: &Reply, recall: Option<NewUsage>) -> Vec<NewUsage> {
        let AnsweredBy::Model { model, prompt_tokens, completion_tokens } = &reply.by else {
            return recall.into_iter().collect();
        };
        let (input, output) =
            (prompt_tokens.unwrap_or_default(), completion_tokens.unwrap_or_default());
        let answer = NewUsage {
            account_id: head.place.account_id,
            conversation_id: Some(head.id),
            purpose: Purpose::Reply.as_str(),
            model: model.clone(),
            prompt_tokens: input,
            completion_tokens: output,
            brl: self.memories.config.prices.brl(model, input, output),
        };
        recall.into_iter().chain([answer]).collect()
    }

    /// The waiting messages that may be answered; the others are ended as their gates say. `None`
    /// when there are none.
    async fn open_ones(
        &self,
        job: &ClaimedJob,
        head: &Head,
        waiting: Vec<Waiting>,
    ) -> StoreResult<Option<Vec<Waiting>>> {
        let now = self.clock.now();
        let account_paused = is_account_paused(&self.db, head).await?;
        let mut open = Vec::new();
        let mut closed: Vec<(i64, Gate)> = Vec::new();
        for message in waiting {
            let gate = gate::check(&GateInput {
                now,
                written_at: message.written_at,
                max_answer_age: self.answering.max_answer_age,
                account_paused,
                handler: head.handler,
                paused_until: head.paused_until,
                // Both were counted when the message came.
                recent_answers: 0,
                repeats: 1,
            });
            match gate {
                Some(gate) => closed.push((message.id, gate)),
                None => open.push(message),
            }
        }
        if !closed.is_empty() {
            let tx = db::begin(&self.db).await?;
            hold(&tx, job, now).await?;
            for (id, gate) in closed {
                messages::end(&tx, &[id], &gate.outcome(), None, now).await?;
            }
            tx.commit().await?;
        }
        Ok((!open.is_empty()).then_some(open))
    }
}

/// Whether the account wants no answers. Takes the caller's connection: a transaction that waits
/// for a second one starves the pool when many do.
async fn is_account_paused(db: &impl ConnectionTrait, head: &Head) -> StoreResult<bool> {
    let account = accounts::find(db, head.place.account_id).await?;
    Ok(account.is_none_or(|account| account.bot_paused))
}

fn failed(error: &LlmError) -> JobOutcome {
    let text = error.to_string();
    match error {
        LlmError::Refused(_) => JobOutcome::Dead { error: text },
        LlmError::Unavailable { .. } | LlmError::Unusable(_) => {
            JobOutcome::Retry { after: error.retry_after(), error: text }
        }
    }
}
