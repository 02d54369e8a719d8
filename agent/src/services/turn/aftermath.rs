//! What a turn leaves beside its answer: calls in the journal, failures for operators, and the
//! conversation in a person's hands.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::commit::Finished;
use crate::services::agent_chat::record::{CallRecord, Ended};
use crate::services::agent_chat::{Incident, IncidentKind, Transfer, TransferWhy};
use crate::services::alerts::{self, Kind, Place};
use crate::services::board::failures::default_per_hour;
use crate::services::handoff::{self, Reason};
use crate::services::tools::{forget, masking, transfer};
use crate::store::StoreResult;
use crate::store::board::failures;
use crate::store::conversations::Head;
use crate::store::dashboard_errors::{self, NewError};
use crate::store::tool_calls::{self, NewCall, State};

/// Writes what follows from a turn, in its transaction.
pub async fn write(
    tx: &impl ConnectionTrait,
    turn: &Finished,
    turn_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let head = &turn.head;
    for row in tool_calls::unsettled(tx, head.id).await? {
        let arguments = masking::masked(&row.arguments);
        tool_calls::settle(tx, row.id, Some(turn_id), arguments, now).await?;
    }
    for call in turn.reply.rounds.iter().flat_map(|round| &round.calls) {
        if let Some(call) = looked(head, turn_id, call, now) {
            tool_calls::insert(tx, call).await?;
        }
    }
    for incident in &turn.reply.incidents {
        note(tx, head, turn_id, incident, now).await?;
    }
    if let Some(transfer) = &turn.reply.transfer {
        hand_over(tx, head, transfer, now).await?;
    }
    Ok(())
}

/// The turn will never be written: what it did with an effect is told to operators, since nobody
/// told the customer.
pub async fn abandon(
    tx: &impl ConnectionTrait,
    head: &Head,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    for row in tool_calls::unsettled(tx, head.id).await? {
        tool_calls::settle(tx, row.id, None, masking::masked(&row.arguments), now).await?;
        let silent = [transfer::NAME, forget::NAME].contains(&row.tool.as_str());
        if silent || !["begun", "done"].contains(&row.state.as_str()) {
            continue;
        }
        let place = Place {
            account_id: Some(head.place.account_id),
            inbox_id: Some(head.place.inbox_id),
            conversation_id: Some(head.id),
        };
        let subject = format!("conversation {} call {}", head.id, row.id);
        let detail = format!("{} {}: the customer was not told", row.tool, row.state);
        alerts::raise(tx, Kind::UntoldEffect, place, subject, detail, now).await?;
    }
    Ok(())
}

/// The row of a call that only looked; those with effects are in the journal already.
fn looked(head: &Head, turn_id: i64, call: &CallRecord, now: DateTime<Utc>) -> Option<NewCall> {
    let state = match call.ended {
        Ended::Done => State::Done,
        Ended::Failed => State::Failed,
        Ended::Uncontrolled => State::Uncontrolled,
        Ended::Replayed | Ended::Corrected | Ended::Withheld | Ended::Unknown => return None,
    };
    if call.has_effect {
        return None;
    }
    let took = TimeDelta::milliseconds(i64::try_from(call.duration_ms).unwrap_or_default());
    Some(NewCall {
        account_id: head.place.account_id,
        conversation_id: head.id,
        turn_id: Some(turn_id),
        call_key: Uuid::now_v7().to_string(),
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        has_effect: false,
        state,
        code: call.code.clone(),
        result: Some(call.result.clone()),
        begun_at: now - took,
        finished_at: Some(now),
        settled_at: Some(now),
    })
}

/// A row for operators and a log line, which holds no words of customers (seed 004).
async fn note(
    tx: &impl ConnectionTrait,
    head: &Head,
    turn_id: i64,
    incident: &Incident,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let account_id = head.place.account_id;
    let error = NewError {
        account_id,
        conversation_id: Some(head.id),
        turn_id: Some(turn_id),
        error_type: incident.kind.as_str(),
        tool: incident.tool.clone(),
        code: incident.code.clone(),
        detail: incident.detail.clone(),
    };
    dashboard_errors::insert(tx, error, now).await?;
    let code = incident.code.clone();
    metrics::counter!("lembra_tool_failures_total", "code" => code.clone()).increment(1);
    tracing::error!(
        error_type = incident.kind.as_str(),
        code,
        tool = incident.tool,
        account.id = account_id,
        conversation.id = head.id,
        turn.id = turn_id,
        "FALHA"
    );
    let since = now - TimeDelta::hours(1);
    let count = dashboard_errors::count_since(tx, account_id, &incident.code, since).await?;
    let own = failures::threshold(tx, account_id, &incident.code).await?;
    let per_hour = own.unwrap_or_else(|| default_per_hour(incident.kind.as_str()));
    if per_hour > 0 && count >= u64::from(per_hour.unsigned_abs()) {
        let place = Place { account_id: Some(account_id), ..Place::default() };
        let subject = format!("account {account_id} {}", incident.code);
        let detail = format!("{count} times within an hour");
        alerts::raise(tx, Kind::ToolFailures, place, subject, detail, now).await?;
    }
    Ok(())
}

/// The row of a turn that came to no answer.
pub async fn uncontrolled(
    tx: &impl ConnectionTrait,
    head: &Head,
    turn_id: i64,
    why: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let incident = Incident {
        kind: IncidentKind::Uncontrolled,
        tool: None,
        code: "no_answer".to_owned(),
        detail: why.to_owned(),
    };
    note(tx, head, turn_id, &incident, now).await
}

async fn hand_over(
    tx: &impl ConnectionTrait,
    head: &Head,
    transfer: &Transfer,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let reason = match transfer.why {
        TransferWhy::Asked => Reason::Asked,
        TransferWhy::ToolFailure => Reason::ToolFailure,
        TransferWhy::Uncontrolled => Reason::TechnicalProblem,
    };
    handoff::hand_over(tx, head, reason, Some(transfer.detail.clone()), now).await
}
