//! What a turn may call, and who it is called for.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::tool_call;

use super::Turns;
use crate::jobs::ClaimedJob;
use crate::services::tools::forget::{self, ForgetCustomer};
use crate::services::tools::journal::DatabaseJournal;
use crate::services::tools::knowledge::SearchKnowledge;
use crate::services::tools::memories::ListMemories;
use crate::services::tools::scheduling;
use crate::services::tools::transfer::Transfer;
use crate::services::tools::{Caller, Session, Tool};
use crate::store::conversations::Head;
use crate::store::{StoreError, StoreResult};

/// How long a customer's yes may wait after they were asked.
const CONSENT_WITHIN: TimeDelta = TimeDelta::minutes(30);

/// The tools of a turn. `earlier` is what tools gave in this conversation before, latest first.
pub async fn session(
    turns: &Turns,
    job: &ClaimedJob,
    head: &Head,
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
    let (agenda, declared) = tokio::join!(
        turns.agendas.of_account(caller.account_id),
        turns.http_tools.of_account(caller.account_id)
    );
    let agenda = match agenda {
        // A setting that does not open must not keep the customer from an answer.
        Err(StoreError::Inconsistent(why)) => {
            tracing::error!(account.id = caller.account_id, why, "agenda left out");
            None
        }
        agenda => agenda?,
    };
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
    let known = scheduling::appointments_in(earlier);
    tools.extend(scheduling::tools_for(agenda, Some(known)));
    tools.extend(declared?);
    let journal = DatabaseJournal {
        db: turns.db.clone(),
        clock: turns.clock.clone(),
        caller: caller.clone(),
        job: job.clone(),
    };
    Ok(Session { tools, caller, journal: Arc::new(journal), clock: turns.clock.clone() })
}

/// Whether the last thing of this kind was to ask the customer whether to forget them.
fn was_asked(earlier: &[tool_call::Model], now: DateTime<Utc>) -> bool {
    let last = earlier.iter().find(|call| call.tool == forget::NAME && call.settled_at.is_some());
    last.is_some_and(|call| {
        let asked = call.result.as_deref().is_some_and(|result| result.contains(forget::ASKED));
        asked && now - call.begun_at <= CONSENT_WITHIN
    })
}
