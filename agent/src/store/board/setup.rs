//! What a new account has and lacks, and what waits for people at this moment.

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;
use serde::Serialize;

use crate::store::error::{StoreError, StoreResult};
use crate::store::rowset::query;

/// What of the first steps is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = AccountSetup)]
pub struct Setup {
    /// A WhatsApp number that is no simulation.
    pub has_line: bool,
    /// Somebody wrote, be it in the simulator.
    pub has_conversation: bool,
    pub has_knowledge: bool,
    pub learns: bool,
    pub recalls: bool,
    /// More than one operator.
    pub has_team: bool,
}

impl Setup {
    /// Whether nothing of it is left to do.
    pub fn is_complete(&self) -> bool {
        self.has_line && self.has_conversation && self.has_knowledge && self.learns && self.recalls
    }
}

/// Looks at the account. `learns` and `recalls` are the names of the two switches.
pub async fn of_account(
    db: &impl ConnectionTrait,
    account_id: i64,
    learns: &str,
    recalls: &str,
) -> StoreResult<Setup> {
    let sql = "SELECT \
         CASE WHEN EXISTS (SELECT 1 FROM inboxes WHERE account_id = $1 AND NOT simulated) \
           THEN 1 ELSE 0 END AS line, \
         CASE WHEN EXISTS (SELECT 1 FROM conversations WHERE account_id = $1) \
           THEN 1 ELSE 0 END AS conversation, \
         CASE WHEN EXISTS (SELECT 1 FROM captain_assistant_responses WHERE account_id = $1) \
           THEN 1 ELSE 0 END AS knowledge, \
         CASE WHEN EXISTS (SELECT 1 FROM account_features \
             WHERE account_id = $1 AND name = $2 AND enabled) THEN 1 ELSE 0 END AS learns, \
         CASE WHEN EXISTS (SELECT 1 FROM account_features \
             WHERE account_id = $1 AND name = $3 AND enabled) THEN 1 ELSE 0 END AS recalls, \
         CASE WHEN (SELECT count(*) FROM operators WHERE account_id = $1) > 1 \
           THEN 1 ELSE 0 END AS team";
    let rows = query(db, sql.to_owned(), vec![account_id.into(), learns.into(), recalls.into()]);
    let rows = rows.await?;
    let row = rows.first().ok_or_else(|| StoreError::Inconsistent("no answer".to_owned()))?;
    let is = |name: &str| Ok::<_, StoreError>(row.try_get::<i32>("", name)? == 1);
    Ok(Setup {
        has_line: is("line")?,
        has_conversation: is("conversation")?,
        has_knowledge: is("knowledge")?,
        learns: is("learns")?,
        recalls: is("recalls")?,
        has_team: is("team")?,
    })
}

/// Conversations that wait for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = WaitingForPeople)]
pub struct Waiting {
    pub waiting: i64,
    /// Conversations that a person has taken.
    pub taken: i64,
    /// Since when the one that waits longest does.
    pub waiting_since: Option<DateTime<Utc>>,
}

/// What of the account waits for people now, as their queue shows it; open ones are an index of their own.
pub async fn waiting(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Waiting> {
    let sql = "SELECT state, count(*) AS n, min(created_at) AS since FROM handoffs \
               WHERE account_id = $1 AND closed_at IS NULL AND reason <> 'bot_loop' GROUP BY state";
    let mut found = Waiting { waiting: 0, taken: 0, waiting_since: None };
    for row in query(db, sql.to_owned(), vec![account_id.into()]).await? {
        let state: String = row.try_get("", "state")?;
        let count: i64 = row.try_get("", "n")?;
        match state.as_str() {
            "waiting" => {
                found.waiting = count;
                found.waiting_since = row.try_get("", "since")?;
            }
            _ => found.taken += count,
        }
    }
    Ok(found)
}
