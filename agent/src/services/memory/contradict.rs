//! Finding facts that a fact contradicts: the newer one stands (seed 002 §7.2).

use futures::future::try_join_all;
use lembra_entities::contact_memory as memory;
use serde_json::json;

use super::metering::{self, Payer};
use super::{Memories, MemoryError, outcome, prompts};
use crate::domain::memory::contradiction::{Lexical, MOST_CANDIDATES, MOST_DISTANCE, lexical};
use crate::domain::memory::{MemoryKind, Scope};
use crate::domain::triage::fold::fold;
use crate::jobs::JobOutcome;
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::memory_kinds::CheckContradiction;
use crate::llm::{LlmError, Purpose};
use crate::store::nearest::{self, Asked, Near};
use crate::store::usage::NewUsage;
use crate::store::{db, memories, usage};

/// A candidate, what was found of it, and what asking cost.
struct Judged {
    candidate: Near,
    /// How it was found to contradict; `None` when it does not.
    reason: Option<&'static str>,
    call: Option<NewUsage>,
}

impl Memories {
    /// Compares the fact with those most like it.
    pub async fn check_contradiction(
        &self,
        job: &ClaimedJob,
        payload: CheckContradiction,
    ) -> JobOutcome {
        outcome(self.try_check(job, payload.memory_id).await)
    }

    async fn try_check(&self, job: &ClaimedJob, id: i64) -> Result<JobOutcome, MemoryError> {
        if let Some(waits) = self.waits_for_money(job).await? {
            return Ok(waits);
        }
        let Some(row) = self.standing(id).await? else {
            return Ok(JobOutcome::Done);
        };
        let Some(kind) = MemoryKind::parse(&row.memory_type) else {
            return Ok(JobOutcome::Done);
        };
        let candidates = self.candidates(&row, kind).await?;
        if candidates.is_empty() {
            return Ok(JobOutcome::Done);
        }
        let judged = candidates.into_iter().map(|candidate| self.judge(&row, kind, candidate));
        let judged = try_join_all(judged).await?;
        let calls: Vec<NewUsage> = judged.iter().filter_map(|one| one.call.clone()).collect();
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        hold(&tx, job, now).await?;
        usage::record(&tx, &calls, now).await?;
        let mut superseded = Vec::new();
        for Judged { candidate, reason, .. } in &judged {
            let Some(reason) = reason else {
                continue;
            };
            let row_is_newer =
                (row.last_verified_at, id) > (candidate.last_verified_at, candidate.id);
            let (old, new) = if row_is_newer { (candidate.id, id) } else { (id, candidate.id) };
            let note = json!({ "superseded_why": reason });
            if memories::supersede(&tx, old, new, &note, now).await? {
                superseded.push((old, new, *reason));
            }
        }
        tx.commit().await?;
        for (old, new, reason) in superseded {
            metering::superseded(kind.as_str());
            tracing::info!(old_id = old, new_id = new, reason, "memory superseded");
        }
        Ok(JobOutcome::Done)
    }

    /// The facts most like it, of the same kind and place.
    async fn candidates(
        &self,
        row: &memory::Model,
        kind: MemoryKind,
    ) -> Result<Vec<Near>, MemoryError> {
        let Some((model, vector)) = nearest::embedding_of(&self.db, row.id).await? else {
            return Ok(Vec::new());
        };
        let asked = Asked {
            account_id: row.account_id,
            contact_id: row.contact_id,
            unit_id: row.source_unit_id,
            model: &model,
            vector: &vector,
            now: self.clock.now(),
        };
        let mut near = nearest::of_contact(&self.db, &asked).await?;
        near.retain(|near| {
            let here = near.scope == Scope::Global || near.source_unit_id == row.source_unit_id;
            let alike = 1.0 - near.similarity < MOST_DISTANCE;
            near.id != row.id
                && near.kind == kind
                && near.scope.as_str() == row.scope
                && here
                && alike
        });
        near.sort_by(|left, right| right.similarity.total_cmp(&left.similarity));
        near.truncate(MOST_CANDIDATES);
        Ok(near)
    }

    async fn judge(
        &self,
        row: &memory::Model,
        kind: MemoryKind,
        candidate: Near,
    ) -> Result<Judged, LlmError> {
        match lexical(kind, &candidate.content, &row.content) {
            Lexical::Contradicts => Ok(Judged { candidate, reason: Some("lexical"), call: None }),
            Lexical::Agrees => Ok(Judged { candidate, reason: None, call: None }),
            Lexical::Unclear => {
                let question =
                    prompts::contradiction(kind.as_str(), &candidate.content, &row.content);
                let completion = self.model.complete(&question).await?;
                let payer = Payer {
                    account_id: row.account_id,
                    conversation_id: row.source_conversation_id,
                };
                let prices = &self.config.prices;
                let call = metering::of_chat(prices, payer, Purpose::Contradiction, &completion);
                let reason = says_yes(&completion.content).then_some("model");
                Ok(Judged { candidate, reason, call: Some(call) })
            }
        }
    }
}

/// Whether the answer begins with yes; everything else leaves both facts.
fn says_yes(answer: &str) -> bool {
    let answer = answer.rsplit_once("</think>").map_or(answer, |(_, rest)| rest);
    let folded = fold(answer);
    folded.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()) == Some("sim")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_yes_counts() {
        for yes in ["sim", "Sim.", "**SIM**", "<think>hm</think> sim, pois", "\"sim\""] {
            assert!(says_yes(yes), "{yes}");
        }
        for no in ["não", "nao", "", "talvez sim", "simples", "Não, sim seria errado"] {
            assert!(!says_yes(no), "{no}");
        }
    }
}
