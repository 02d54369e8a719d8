//! The rounds of a turn: the model is asked, its calls are made, it is asked again, until it has
//! said its answer and the answer may go out.

use tokio::time::Instant;
use tracing::Instrument;

use super::calling;
use super::contract::{Incident, IncidentKind, Standing, Transfer, TransferWhy};
use super::record::{Ended, Round};
use super::replay::{self, Earlier};
use super::{AnsweredBy, Ask, AskError, Cause, Grounds, Reply};
use crate::domain::chat::ChatMessage;
use crate::domain::tool::{ToolCall, ToolSpec};
use crate::domain::tool_failure::ToolFailure;
use crate::domain::triage::locale::Locale;
use crate::llm::{ChatCompletion, ChatModel, ChatRequest, LlmError};
use crate::services::texts::{TECHNICAL_PROBLEM, Text};
use crate::services::tools::{Session, transfer};

/// Most rounds of one turn; in the last one nothing may be called any more.
pub const MOST_ROUNDS: usize = 5;

/// One turn.
struct Talk<'a> {
    model: &'a dyn ChatModel,
    session: Option<Session>,
    messages: Vec<ChatMessage>,
    standing: Standing,
    earlier: Earlier,
    rounds: Vec<Round>,
    calls: Vec<ToolCall>,
    /// What the model said beside calling for a person.
    parting: Option<String>,
    /// From then on nothing is called any more.
    until: Option<Instant>,
}

/// Asks the model until there is an answer.
pub async fn run(model: &dyn ChatModel, ask: Ask) -> Result<Reply, AskError> {
    let mut talk = Talk {
        model,
        session: ask.tools,
        messages: ask.messages,
        standing: Standing::default(),
        earlier: Earlier::default(),
        rounds: Vec::new(),
        calls: Vec::new(),
        parting: None,
        until: ask.until,
    };
    match talk.answer(ask.grounds.as_ref()).await {
        Ok(text) => Ok(talk.reply(text)),
        Err(cause) => Err(AskError { cause, rounds: talk.rounds }),
    }
}

impl Talk<'_> {
    async fn answer(&mut self, grounds: Option<&Grounds>) -> Result<String, Cause> {
        if let Some(session) = &self.session {
            let (earlier, told) = replay::replay(session, &mut self.standing).await?;
            self.earlier = earlier;
            self.messages.extend(told);
        }
        let answer = self.talk_and_check(grounds).await?;
        self.standing.keep_promise(&answer);
        Ok(answer)
    }

    async fn talk_and_check(&mut self, grounds: Option<&Grounds>) -> Result<String, Cause> {
        let draft = self.talk().await?;
        if self.standing.uncontrolled.is_some() {
            return Ok(TECHNICAL_PROBLEM.to_owned());
        }
        match grounds {
            Some(grounds) => self.checked(draft, grounds).await,
            None => {
                let sorry = || Text::ToolFailure.of(Locale::PtBr).to_owned();
                Ok(draft.unwrap_or_else(sorry))
            }
        }
    }

    /// The model's answer; `None` where it has none and a failure explains that.
    async fn talk(&mut self) -> Result<Option<String>, Cause> {
        for number in 1..=MOST_ROUNDS {
            if self.standing.uncontrolled.is_some() {
                return Ok(None);
            }
            let late = self.until.is_some_and(|until| Instant::now() >= until);
            let last = number == MOST_ROUNDS || late;
            let completion = match self.complete(last, false).await {
                Ok(completion) => completion,
                // Whoever said goodbye beside calling for a person need not say it again.
                Err(LlmError::Unusable(_)) if self.parting.is_some() => {
                    return Ok(self.parting.take());
                }
                // The failure is known, and waits for nobody: a person takes over now.
                Err(_) if self.standing.failure.is_some() => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            if completion.tool_calls.is_empty() {
                return Ok(Some(completion.content));
            }
            let Some(session) = self.session.clone().filter(|_| !last) else {
                break;
            };
            self.call(&session, completion).await?;
        }
        // A model that does nothing but call comes to no answer: a person does.
        if self.standing.failure.is_none() {
            let failure = ToolFailure::internal("limite de rodadas");
            self.standing.fail("", failure);
        }
        Ok(self.parting.take())
    }

    /// One model call.
    async fn complete(
        &mut self,
        words_only: bool,
        rewriting: bool,
    ) -> Result<ChatCompletion, LlmError> {
        let request = ChatRequest {
            messages: self.messages.clone(),
            tools: self.offered(),
            words_only,
            ..ChatRequest::default()
        };
        let began = Instant::now();
        let completion = self
            .model
            .complete(&request)
            .instrument(tracing::info_span!("model", otel.kind = "client"))
            .await?;
        self.rounds.push(Round {
            model: completion.model.clone(),
            prompt_tokens: completion.prompt_tokens.unwrap_or_default(),
            completion_tokens: completion.completion_tokens.unwrap_or_default(),
            duration_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            text: None,
            calls: Vec::new(),
            rewriting,
            objections: Vec::new(),
        });
        Ok(completion)
    }

    /// After a failure nothing but a transfer is on offer.
    fn offered(&self) -> Vec<ToolSpec> {
        let Some(session) = &self.session else { return Vec::new() };
        let allowed = session.tools.iter().map(|tool| tool.spec());
        allowed.filter(|spec| self.standing.allows(&spec.name)).cloned().collect()
    }

    async fn call(&mut self, session: &Session, asked: ChatCompletion) -> Result<(), Cause> {
        let said = (!asked.content.is_empty()).then(|| asked.content.clone());
        if asked.tool_calls.iter().any(|call| call.name == transfer::NAME) {
            self.parting.clone_from(&said);
        }
        self.messages.push(ChatMessage::calling(&asked.content, asked.tool_calls.clone()));
        let answered =
            calling::all(session, asked.tool_calls, &mut self.standing, &mut self.earlier).await?;
        for done in answered {
            self.messages.push(ChatMessage::tool_result(&done.call.id, done.told));
            let made = matches!(done.record.ended, Ended::Done | Ended::Replayed | Ended::Failed);
            if made {
                self.calls.push(done.call);
            }
            if let Some(round) = self.rounds.last_mut() {
                round.calls.push(done.record);
            }
        }
        if let Some(round) = self.rounds.last_mut() {
            round.text = said;
        }
        Ok(())
    }

    /// The draft, or what goes out in its place: it is written anew once, without what nothing
    /// holds, and then a fixed sentence stands for it.
    async fn checked(&mut self, draft: Option<String>, grounds: &Grounds) -> Result<String, Cause> {
        let instead = |failed: bool| match failed {
            true => grounds.after_failure.clone(),
            false => grounds.instead.clone(),
        };
        let failed = self.standing.failure.is_some();
        let Some(draft) = draft else {
            return Ok(instead(failed));
        };
        let mut objections = self.standing.objections(&draft, grounds);
        let mut whole;
        let mut grounds = grounds;
        if let Some(more) = grounds.more.as_ref().filter(|_| !objections.is_empty() && !failed) {
            // A price of the message before may stand in an entry that this one did not call up.
            whole = grounds.clone();
            whole.sources.extend(more.texts().await);
            grounds = &whole;
            objections = self.standing.objections(&draft, grounds);
        }
        if objections.is_empty() {
            return Ok(draft);
        }
        if let Some(round) = self.rounds.last_mut() {
            round.text = Some(draft.clone());
            round.objections.clone_from(&objections);
        }
        self.messages.push(ChatMessage::assistant(&draft));
        self.messages.push(ChatMessage::user(rewrite(&objections)));
        let again = match self.complete(true, true).await {
            Ok(completion) if completion.tool_calls.is_empty() => Some(completion.content),
            Ok(_) | Err(LlmError::Unusable(_) | LlmError::Refused(_)) => None,
            Err(_) if failed => None,
            // Another try of the turn writes it anew.
            Err(error) => return Err(error.into()),
        };
        if let Some(text) = again {
            let left = self.standing.objections(&text, grounds);
            if left.is_empty() {
                return Ok(text);
            }
            if let Some(round) = self.rounds.last_mut() {
                round.text = Some(text);
                round.objections = left;
            }
        }
        self.standing.incidents.push(Incident {
            kind: IncidentKind::Ungrounded,
            tool: None,
            code: "ungrounded".to_owned(),
            detail: format!("{} figures or claims without a source", objections.len()),
        });
        Ok(instead(failed))
    }

    fn reply(self, text: String) -> Reply {
        let transfer = match &self.standing.uncontrolled {
            Some((tool, detail)) => Some(Transfer {
                why: TransferWhy::Uncontrolled,
                detail: format!("{tool}: {detail}"),
            }),
            None => self.standing.transfer(),
        };
        let model = self.rounds.last().map(|round| round.model.clone()).unwrap_or_default();
        Reply {
            reply: ChatMessage::assistant(text),
            tool_calls: self.calls,
            by: AnsweredBy::Model { model },
            transfer,
            incidents: self.standing.incidents,
            resolved: self.standing.resolved,
            rounds: self.rounds,
        }
    }
}

/// Asks for the answer again, naming what has no source. It stands where a customer's message does,
/// since not every server takes instructions in the middle, and says that it is none.
fn rewrite(objections: &[String]) -> String {
    let named: Vec<String> = objections.iter().take(8).map(|text| format!("“{text}”")).collect();
    format!(
        "[Aviso do sistema, não do cliente] Sua resposta ainda não foi enviada. Nada do que você \
         recebeu sustenta: {}. Escreva a resposta de novo sem isso e sem outros dados que não \
         recebeu; se for preciso, diga que vai verificar. Responda só com o texto para o cliente.",
        named.join(", ")
    )
}
