//! What a turn may call, and who it is called for.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::tool_call;

use super::Turns;
use crate::services::tools::forget::{self, ForgetCustomer};
use crate::services::tools::journal::{DatabaseJournal, turn_key};
use crate::services::tools::knowledge::SearchKnowledge;
use crate::services::tools::memories::ListMemories;
use crate::services::tools::scheduling;
use crate::services::tools::transfer::Transfer;
use crate::services::tools::{Caller, Session, Tool};
use crate::store::StoreResult;
use crate::store::conversations::Head;
use crate::store::messages::Waiting;

/// How long a customer's yes may wait after they were asked.
const CONSENT_WITHIN: TimeDelta = TimeDelta::minutes(30);

/// The key of the turn that answers these messages.
pub fn key(head: &Head, waiting: &[Waiting]) -> String {
    let oldest = waiting.iter().map(|message| message.id).min().unwrap_or_default();
    turn_key(head.id, oldest)
}

/// The tools of a turn. `earlier` is what tools gave in this conversation before, latest first.
pub async fn session(
    turns: &Turns,
    head: &Head,
    waiting: &[Waiting],
    said: &str,
    earlier: &[tool_call::Model],
    now: DateTime<Utc>,
) -> StoreResult<Session> {
    let caller = Caller {
        account_id: head.place.account_id,
        inbox_id: head.place.inbox_id,
        contact_id: head.place.contact_id,
        conversation_id: head.id,
    };
    let memories = turns.memories.clone();
    let (agenda, declared) = tokio::try_join!(
        turns.agendas.of_account(caller.account_id),
        turns.http_tools.of_account(caller.account_id)
    )?;
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(Transfer),
        Arc::new(ListMemories { memories: memories.clone() }),
        Arc::new(ForgetCustomer {
            memories,
            said: said.to_owned(),
            asked: was_asked(earlier, now),
        }),
    ];
    tools.push(Arc::new(SearchKnowledge::new(turns.knowledge.clone())));
    tools.extend(scheduling::tools(agenda));
    tools.extend(declared);
    let journal = DatabaseJournal {
        db: turns.db.clone(),
        clock: turns.clock.clone(),
        caller: caller.clone(),
        turn_key: key(head, waiting),
    };
    Ok(Session { tools, caller, journal: Arc::new(journal), clock: turns.clock.clone() })
}

/// Whether the last thing of this kind was to ask the customer whether to forget them.
fn was_asked(earlier: &[tool_call::Model], now: DateTime<Utc>) -> bool {
    let last = earlier.iter().find(|call| call.tool == forget::NAME && call.turn_id.is_some());
    last.is_some_and(|call| {
        let asked = call.result.as_deref().is_some_and(|result| result.contains(forget::ASKED));
        asked && now - call.begun_at <= CONSENT_WITHIN
    })
}
