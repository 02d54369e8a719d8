//! What came of it: read from the ledger and from what the provider accepted.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::atomic::Ordering;

use sqlx::{Connection, PgConnection, query_as, query_scalar};

use super::customers::Platform;
use crate::support::fake_meta::FakeMeta;
use crate::support::until;

/// Rows that still have to come to something.
const OPEN: &str = "SELECT \
    (SELECT count(*) FROM messages WHERE direction = 'in' AND outcome IS NULL) \
  + (SELECT count(*) FROM messages WHERE direction = 'out' AND delivery IN ('pending', 'sending')) \
  + (SELECT count(*) FROM jobs WHERE state IN ('pending', 'queued', 'running') \
       AND queue IN ('replies', 'outbound'))";
/// Messages that neither an answer that went out nor a person has.
const NOBODYS: &str = "SELECT count(*) FROM messages AS said WHERE direction = 'in' \
    AND NOT EXISTS (SELECT 1 FROM messages AS sent WHERE sent.direction = 'out' \
        AND sent.turn_id = said.turn_id AND sent.delivery IN ('sent', 'delivered', 'read')) \
    AND NOT EXISTS (SELECT 1 FROM handoffs WHERE conversation_id = said.conversation_id)";
/// Turns whose outbound messages answer nothing, or that end more than one message as its answer.
const ODD_TURNS: &str = "SELECT count(*) FROM turns WHERE \
    (SELECT count(*) FROM messages WHERE direction = 'in' AND messages.turn_id = turns.id \
       AND outcome IN ('answered', 'preempted')) > 1 \
    OR (EXISTS (SELECT 1 FROM messages WHERE direction = 'out' AND messages.turn_id = turns.id) \
       AND NOT EXISTS (SELECT 1 FROM messages WHERE direction = 'in' AND messages.turn_id = turns.id) \
       AND NOT EXISTS (SELECT 1 FROM handoffs \
           WHERE handoffs.conversation_id = turns.conversation_id))";
const TWO_OPEN: &str = "SELECT count(*) FROM (SELECT contact_id FROM conversations \
    WHERE state = 'open' GROUP BY contact_id HAVING count(*) > 1) AS doubled";
/// How long it may take until nothing is open: a send whose outcome nobody told is looked up after
/// a minute.
const PATIENCE: u64 = 240;

async fn connect(database: &str) -> PgConnection {
    PgConnection::connect(database).await.expect("the database answers")
}

async fn count(db: &mut PgConnection, sql: &'static str) -> i64 {
    query_scalar(sql).fetch_one(db).await.expect("counts")
}

pub async fn wait_until_settled(database: &str) {
    until(PATIENCE, "nothing is open", || async {
        let mut db = connect(database).await;
        let open = count(&mut db, OPEN).await;
        db.close().await.expect("closes");
        open == 0
    })
    .await;
}

/// What was found; [`Verdict::judge`] says whether it is well.
#[derive(Debug)]
pub struct Verdict {
    deliveries: usize,
    refused: usize,
    outcomes: BTreeMap<String, i64>,
    sends: BTreeMap<String, i64>,
    jobs: BTreeMap<String, i64>,
    accepted: usize,
    /// Seconds from the first answer to the last.
    answering_s: f64,
    nobodys: i64,
    odd_turns: i64,
    two_open: i64,
    /// Outbound messages that the provider accepted more than once, or not although we say so.
    doubled: usize,
    unsent: usize,
    /// Accepted although we do not say so.
    unknown_sends: usize,
    out_of_order: usize,
}

pub async fn reach(database: &str, meta: &FakeMeta, platform: &Platform) -> Verdict {
    let mut db = connect(database).await;
    let grouped = |rows: Vec<(String, i64)>| rows.into_iter().collect::<BTreeMap<_, _>>();
    let sql = "SELECT outcome, count(*) FROM messages WHERE direction = 'in' GROUP BY outcome";
    let outcomes = grouped(query_as(sql).fetch_all(&mut db).await.expect("outcomes"));
    let sql = "SELECT delivery, count(*) FROM messages WHERE direction = 'out' GROUP BY delivery";
    let sends = grouped(query_as(sql).fetch_all(&mut db).await.expect("sends"));
    let sql = "SELECT state, count(*) FROM jobs WHERE queue IN ('replies', 'outbound') GROUP BY 1";
    let jobs = grouped(query_as(sql).fetch_all(&mut db).await.expect("jobs"));

    let sql = "SELECT id, delivery FROM messages WHERE direction = 'out'";
    let written: Vec<(i64, String)> = query_as(sql).fetch_all(&mut db).await.expect("messages");
    let sends_made = meta.sends();
    let ends = sends_made.first().zip(sends_made.last());
    let answering_s = ends.map_or(0.0, |(first, last)| (last.at - first.at).as_secs_f64());
    let accepted: Vec<(String, i64)> = sends_made
        .into_iter()
        .filter(|send| !send.id.is_empty())
        .filter_map(|send| {
            Some((send.to, send.callback_data.strip_prefix("lembra:")?.parse().ok()?))
        })
        .collect();
    let mut times: HashMap<i64, usize> = HashMap::new();
    let mut last: HashMap<&str, i64> = HashMap::new();
    let mut out_of_order = 0;
    for (to, id) in &accepted {
        *times.entry(*id).or_default() += 1;
        let before = last.insert(to, *id);
        out_of_order += usize::from(before.is_some_and(|before| before > *id));
    }
    let went = |delivery: &str| matches!(delivery, "sent" | "delivered" | "read");
    let of = |id: &i64| times.get(id).copied().unwrap_or_default();
    Verdict {
        deliveries: platform.deliveries.load(Ordering::Relaxed),
        refused: platform.refused.load(Ordering::Relaxed),
        outcomes,
        sends,
        jobs,
        accepted: accepted.len(),
        answering_s,
        nobodys: count(&mut db, NOBODYS).await,
        odd_turns: count(&mut db, ODD_TURNS).await,
        two_open: count(&mut db, TWO_OPEN).await,
        doubled: written.iter().filter(|(id, _)| of(id) > 1).count(),
        unsent: written.iter().filter(|(id, delivery)| went(delivery) && of(id) == 0).count(),
        unknown_sends: written.iter().filter(|(id, how)| !went(how) && of(id) > 0).count()
            + times.keys().filter(|id| written.iter().all(|(known, _)| known != *id)).count(),
        out_of_order,
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "deliveries {}, not taken at once {}", self.deliveries, self.refused)?;
        writeln!(f, "messages by outcome {:?}", self.outcomes)?;
        let (sends, accepted) = (&self.sends, self.accepted);
        writeln!(
            f,
            "answers by state {sends:?}, accepted {accepted} in {:.0} s",
            self.answering_s
        )?;
        writeln!(f, "jobs of replies and sends by state {:?}", self.jobs)?;
        writeln!(
            f,
            "with nobody {}, sent twice {}, said to be sent and not {}, sent and not said {}, \
             out of order {}, odd turns {}, two conversations {}",
            self.nobodys,
            self.doubled,
            self.unsent,
            self.unknown_sends,
            self.out_of_order,
            self.odd_turns,
            self.two_open
        )
    }
}

impl Verdict {
    /// Whether each of so many messages came to something, once and in order.
    pub fn judge(&self, messages: usize) -> Result<(), String> {
        let kept: i64 = self.outcomes.values().sum();
        if usize::try_from(kept) != Ok(messages) {
            return Err(format!("{kept} messages kept of {messages}"));
        }
        let allowed = ["answered", "coalesced", "preempted", "human", "failed"];
        if let Some(outcome) = self.outcomes.keys().find(|how| !allowed.contains(&how.as_str())) {
            return Err(format!("an outcome that nothing led to: {outcome}"));
        }
        let wrong = [
            ("messages that neither an answer nor a person has", self.nobodys),
            ("turns that answer more than once", self.odd_turns),
            ("contacts with two open conversations", self.two_open),
            ("jobs given up", self.jobs.get("dead").copied().unwrap_or_default()),
            ("sends whose outcome is unknown", self.sends.get("unknown").copied().unwrap_or(0)),
        ];
        let counted = [
            ("messages sent twice", self.doubled),
            ("messages said to be sent", self.unsent),
            ("messages sent in silence", self.unknown_sends),
            ("answers out of order", self.out_of_order),
        ];
        let wrong = wrong.map(|(what, count)| (what, count != 0, count.to_string()));
        let counted = counted.map(|(what, count)| (what, count != 0, count.to_string()));
        match wrong.into_iter().chain(counted).find(|(_, is_wrong, _)| *is_wrong) {
            Some((what, _, count)) => Err(format!("{what}: {count}")),
            None => Ok(()),
        }
    }
}
