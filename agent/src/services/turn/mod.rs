//! One answer: what waits in a conversation is read, the model is asked, and in one transaction
//! the turn, its outbound messages and the outcome of exactly the messages it read are written.

pub mod aftermath;
mod commit;
mod earlier;
mod grounds;
mod prompt;
mod toolbox;
mod wordless;

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection};

use tokio::time::Instant;

use self::commit::Written;
use crate::channels::{Address, Asked};
use crate::clock::SharedClock;
use crate::config::AnsweringConfig;
use crate::domain::conversation::Outcome;
use crate::domain::gate::{self, Gate, GateInput};
use crate::domain::whatsapp_text;
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::finish::JobOutcome;
use crate::jobs::kinds::Respond;
use crate::jobs::relay::Relay;
use crate::llm::{LlmError, Purpose};
use crate::services::agenda::Agendas;
use crate::services::agent_chat::{AgentChat, Ask, AskError, Cause, Reply, Round};
use crate::services::handoff::Reason;
use crate::services::inboxes::InboxDirectory;
use crate::services::knowledge::Knowledge;
use crate::services::knowledge::retrieve::prompt_block;
use crate::services::memory::Memories;
use crate::services::memory::metering::Payer;
use crate::services::memory::recall::Query;
use crate::services::query_embedding::QueryEmbedding;
use crate::services::spending;
use crate::services::tools::http::HttpTools;
use crate::store::conversations::Head;
use crate::store::messages::Waiting;
use crate::store::usage::NewUsage;
use crate::store::{
    StoreError, StoreResult, accounts, conversations, db, media, messages, people, tool_calls,
    usage,
};
use lembra_entities::account;

/// How long an answer that is ready waits for its receipt.
const RECEIPT_WAIT: Duration = Duration::from_millis(300);
/// How often a turn looks whether a person has taken the conversation.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a turn goes on calling; what is left of its deadline is for the answer.
const CALLING: Duration = Duration::from_secs(90);
/// Knowledge entries in the prompt (DESIGN §6).
const KNOWLEDGE: usize = 3;
/// Longest wait, from the first message, for a customer who goes on typing.
const LONGEST_TYPING: TimeDelta = TimeDelta::seconds(20);

/// What a turn needs.
#[derive(Clone)]
pub struct Turns {
    pub db: DatabaseConnection,
    pub clock: SharedClock,
    pub chat: AgentChat,
    pub inboxes: InboxDirectory,
    pub memories: Memories,
    pub agendas: Agendas,
    pub http_tools: HttpTools,
    pub knowledge: Knowledge,
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
        commit::technical_problem(self, job, &head, why, Reason::TechnicalProblem).await
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
        if let Some(until) = still_typing(&head, &waiting, started_at) {
            return Ok(JobOutcome::Snooze { until });
        }
        let Some(account) = accounts::find(&self.db, head.place.account_id).await? else {
            return Ok(JobOutcome::dead("no such account"));
        };
        let unheard = self.is_unheard_for_money(&account, &waiting, started_at).await?;
        if let Some(polite) = wordless::polite_answer(&waiting).filter(|_| !unheard) {
            let turn = commit::Finished::of_template(head, waiting, polite, started_at);
            return self.write(job, turn).await;
        }
        if self.is_over_ceiling(&account, started_at).await? {
            let why = "monthly spend ceiling";
            commit::technical_problem(self, job, &head, why, Reason::SpendCeiling).await?;
            return Ok(JobOutcome::Done);
        }
        let limit = self.answering.working_memory;
        let texts: Vec<&str> = waiting.iter().map(|message| message.text.as_str()).collect();
        let text = texts.join("\n");
        let query = Query {
            account_id: head.place.account_id,
            contact_id: head.place.contact_id,
            conversation_id: id,
            text: &text,
        };
        let embedding = QueryEmbedding::of(&self.memories.embedder, &text);
        // Recall and knowledge take what they take while the rest is loaded; they never fail.
        let (said, contact, recalled, hits, earlier) = tokio::join!(
            messages::working_memory(&self.db, head.place, limit),
            prompt::load_contact(&self.db, head.place.contact_id),
            self.memories.recall_with(&query, &embedding),
            self.knowledge.retrieve_with(account.id, &embedding, KNOWLEDGE),
            tool_calls::results_of(&self.db, id, head.place.contact_id)
        );
        let payer = Payer { account_id: account.id, conversation_id: Some(id) };
        let prices = &self.memories.config.prices;
        let embedded = embedding.usage(prices, payer, Purpose::RecallEmbedding);
        let known = prompt_block(&hits);
        let (said, contact, earlier) = (said?, contact?, earlier?);
        let conversation = prompt::conversation(&said, &waiting);
        let locale = prompt::locale(&account, &text);
        let system = prompt::system(&account, contact.as_ref(), locale, started_at);
        let system = prompt::with_layer(system, &earlier::layer(&earlier, started_at));
        let system = prompt::with_layer(system, &known);
        let mut prompt = vec![prompt::with_layer(system, &recalled.prompt)];
        let grounds = grounds::Material {
            account: &account,
            contact: contact.as_ref(),
            conversation: &conversation,
            layers: &[&recalled.prompt, &known],
            earlier: &earlier,
            locale,
            more: Arc::new(self.knowledge.all_entries(account.id)),
        };
        let grounds = grounds.collect(started_at);
        prompt.extend(conversation);
        let tools = toolbox::session(self, job, &head, &text, &earlier, started_at).await?;
        let ask = Ask {
            messages: prompt.clone(),
            tools: Some(tools),
            until: Some(Instant::now() + CALLING),
            grounds: Some(grounds),
            past_turns_without_tool_call: Some(head.past_turns_without_tool_call),
            resource_id: Some(format!("contact:{}", head.place.contact_id)),
            thread_id: Some(format!("conversation:{id}")),
        };
        let asked = tokio::select! {
            asked = self.ask_showing_typing(ask, &head, &waiting) => asked,
            () = self.until_taken_over(&head) => return self.leave_to_person(job, &head, &waiting).await,
        };
        let mut reply = match asked {
            Ok(reply) => reply,
            Err(error) => {
                let calls = self.calls(&head, &error.rounds, embedded);
                usage::record(&self.db, &calls, self.clock.now()).await?;
                return Ok(failed(error.cause));
            }
        };
        // What the account knows of the matter resolves it, too (DESIGN §5).
        reply.resolved |= !hits.is_empty();
        let calls = self.calls(&head, &reply.rounds, embedded);
        let text = whatsapp_text::from_markdown(&reply.reply.content);
        let parts = whatsapp_text::split(&text, whatsapp_text::MAX_BODY);
        if parts.is_empty() {
            usage::record(&self.db, &calls, self.clock.now()).await?;
            return Ok(JobOutcome::retry("the model's answer shows nothing"));
        }
        let recall = recalled.measured;
        let turn =
            commit::Finished { head, waiting, prompt, reply, parts, calls, recall, started_at };
        self.write(job, turn).await
    }

    /// Writes the turn. One that was overtaken is made again, of what still waits.
    async fn write(&self, job: &ClaimedJob, turn: commit::Finished) -> StoreResult<JobOutcome> {
        Ok(match commit::answer(self, job, turn).await? {
            Written::Yes => JobOutcome::Done,
            Written::Overtaken => JobOutcome::Snooze { until: self.clock.now() },
        })
    }

    /// Asks the model. Meanwhile the customer sees that the message was read and an answer is being
    /// written, as far as the channel does that in time.
    async fn ask_showing_typing(
        &self,
        ask: Ask,
        head: &Head,
        waiting: &[Waiting],
    ) -> Result<Reply, AskError> {
        let typing = self.show_typing(head, waiting);
        let answer = self.chat.ask(ask);
        tokio::pin!(typing, answer);
        let answered = tokio::select! {
            answered = &mut answer => Some(answered),
            () = &mut typing => None,
        };
        match answered {
            None => answer.await,
            Some(answered) => {
                // A receipt that is on its way is let through; the answer does not wait long.
                let _ = tokio::time::timeout(RECEIPT_WAIT, typing).await;
                answered
            }
        }
    }

    async fn show_typing(&self, head: &Head, waiting: &[Waiting]) {
        let Some(message_id) = waiting.iter().rev().find_map(|m| m.provider_message_id.clone())
        else {
            return;
        };
        let inbox = self.inboxes.by_id(head.place.inbox_id).await.ok().flatten();
        let address = people::address_of(&self.db, head.place.contact_id).await.ok().flatten();
        let (Some(inbox), Some((kind, value))) = (inbox, address) else {
            return;
        };
        let asked = Asked { from: Address { kind, value }, message_id };
        if let Err(error) = self.inboxes.channel(&inbox).show_typing(&asked).await {
            tracing::debug!(conversation.id = head.id, error, "typing not shown");
        }
    }

    /// Returns when a person has taken the conversation: an answer that nobody may send is not
    /// worth waiting for.
    async fn until_taken_over(&self, head: &Head) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            match commit::taken_over(&self.db, head, self.clock.now()).await {
                Ok(None) => {}
                Ok(Some(_)) => return,
                // The commit finds out.
                Err(error) => tracing::debug!(%error, "conversation not looked at"),
            }
        }
    }

    async fn leave_to_person(
        &self,
        job: &ClaimedJob,
        head: &Head,
        waiting: &[Waiting],
    ) -> StoreResult<JobOutcome> {
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        hold(&tx, job, now).await?;
        let ids: Vec<i64> = waiting.iter().map(|message| message.id).collect();
        aftermath::abandon(&tx, head, now).await?;
        let outcome = Outcome::Human { detail: "taken_over" };
        messages::end(&tx, &ids, &outcome, None, now).await?;
        tx.commit().await?;
        Ok(JobOutcome::Done)
    }

    /// What the turn's model calls cost.
    fn calls(&self, head: &Head, rounds: &[Round], recall: Option<NewUsage>) -> Vec<NewUsage> {
        let prices = &self.memories.config.prices;
        let paid = rounds.iter().map(|round| NewUsage {
            account_id: head.place.account_id,
            conversation_id: Some(head.id),
            purpose: Purpose::Reply.as_str(),
            model: round.model.clone(),
            prompt_tokens: round.prompt_tokens,
            completion_tokens: round.completion_tokens,
            brl: prices.brl(&round.model, round.prompt_tokens, round.completion_tokens),
        });
        recall.into_iter().chain(paid).collect()
    }

    /// Whether a voice that could have been heard waits, and may not be: it is for a person, as
    /// words are.
    async fn is_unheard_for_money(
        &self,
        account: &account::Model,
        waiting: &[Waiting],
        now: DateTime<Utc>,
    ) -> StoreResult<bool> {
        let voices = waiting.iter().filter(|message| message.kind == "audio");
        let voices: Vec<i64> = voices.map(|message| message.id).collect();
        Ok(!voices.is_empty()
            && media::any_not_paid(&self.db, &voices).await?
            && self.is_over_ceiling(account, now).await?)
    }

    /// Whether the account has spent what its month may cost; a model that costs nothing has no
    /// ceiling.
    async fn is_over_ceiling(
        &self,
        account: &account::Model,
        now: DateTime<Utc>,
    ) -> StoreResult<bool> {
        if self.chat.is_offline() {
            return Ok(false);
        }
        Ok(spending::of_account(&self.db, account, now).await?.is_over())
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

/// Until when to wait for a customer who, the channel says, goes on typing.
fn still_typing(head: &Head, waiting: &[Waiting], now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let first = waiting.iter().map(|message| message.created_at).min()?;
    let until = head.typing_until?.min(first + LONGEST_TYPING);
    (now < until).then_some(until)
}

fn failed(cause: Cause) -> JobOutcome {
    let error = cause.to_string();
    match cause {
        Cause::Model(LlmError::Refused(_)) => JobOutcome::Dead { error },
        Cause::Model(cause) => JobOutcome::Retry { after: cause.retry_after(), error },
        Cause::Store(StoreError::LeaseLost) => JobOutcome::Done,
        Cause::Store(_) => JobOutcome::retry(error),
    }
}
