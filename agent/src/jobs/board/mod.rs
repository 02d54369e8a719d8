//! What operators see of the ledger. Every question is answered from an index, and looks at no
//! more rows than its file says, however long the ledger is.

pub mod detail;
pub mod figures;
pub mod listing;
pub mod minutes;
mod walk;

use chrono::{DateTime, Utc};
use sea_orm::Value;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board_kinds::RollUpStats;
use super::kinds::{Deliver, FetchMedia, JobKind, NotifyHandoff, Respond, Retention, Watch};
use super::knowledge_kinds::UpdateKnowledgeEmbedding;
use super::memory_kinds::{
    Aging, AutoResolve, CheckContradiction, ExtractFromConversation, HardDeleteExpired, Reembed,
    SilenceDetector, UpdateEmbedding,
};
use super::queue::Queue;
use super::state;

/// Whose jobs somebody may see and touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Every account's, and those of none.
    Instance,
    Account(i64),
}

impl Scope {
    /// The one account, if it is one.
    pub fn account(self) -> Option<i64> {
        match self {
            Scope::Instance => None,
            Scope::Account(id) => Some(id),
        }
    }

    /// Whether a job of this account, or of none, is within.
    pub fn holds(self, account_id: Option<i64>) -> bool {
        self.account().is_none_or(|own| account_id == Some(own))
    }
}

/// How a job stands, as people think of it: a waiting row is due or it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    /// It may run, and has no ticket yet.
    Due,
    /// Its time has not come.
    Waiting,
    /// A worker is about to take it.
    Queued,
    Running,
    Done,
    /// It was given up.
    Dead,
    /// Laid aside by a person, or done by another job of its key.
    Cancelled,
}

impl JobStatus {
    pub const ALL: [JobStatus; 7] = [
        JobStatus::Due,
        JobStatus::Waiting,
        JobStatus::Queued,
        JobStatus::Running,
        JobStatus::Done,
        JobStatus::Dead,
        JobStatus::Cancelled,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            JobStatus::Due => "due",
            JobStatus::Waiting => "waiting",
            JobStatus::Queued => "queued",
            JobStatus::Running => "running",
            JobStatus::Done => "done",
            JobStatus::Dead => "dead",
            JobStatus::Cancelled => "cancelled",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// Of a row in `state`.
    pub fn of(state: &str, run_at: DateTime<Utc>, now: DateTime<Utc>) -> Self {
        match state {
            state::PENDING if run_at <= now => JobStatus::Due,
            state::PENDING => JobStatus::Waiting,
            state::QUEUED => JobStatus::Queued,
            state::RUNNING => JobStatus::Running,
            state::DONE => JobStatus::Done,
            state::DEAD => JobStatus::Dead,
            _ => JobStatus::Cancelled,
        }
    }

    /// Somebody is still to run it, or runs it.
    pub fn is_open(self) -> bool {
        !matches!(self, JobStatus::Done | JobStatus::Dead | JobStatus::Cancelled)
    }
}

/// All kinds of job with their queues, for filters.
pub const KINDS: [(&str, Queue); 16] = [
    of::<Respond>(),
    of::<Deliver>(),
    of::<NotifyHandoff>(),
    of::<FetchMedia>(),
    of::<ExtractFromConversation>(),
    of::<CheckContradiction>(),
    of::<UpdateEmbedding>(),
    of::<UpdateKnowledgeEmbedding>(),
    of::<Watch>(),
    of::<SilenceDetector>(),
    of::<AutoResolve>(),
    of::<Aging>(),
    of::<HardDeleteExpired>(),
    of::<Reembed>(),
    of::<Retention>(),
    of::<RollUpStats>(),
];

const fn of<K: JobKind>() -> (&'static str, Queue) {
    (K::NAME, K::QUEUE)
}

/// The queue of a kind; `None` for one that this build does not know.
pub fn queue_of(kind: &str) -> Option<Queue> {
    KINDS.into_iter().find(|(name, _)| *name == kind).map(|(_, queue)| queue)
}

/// Parameters of a statement, numbered as they come.
#[derive(Default)]
struct Values(Vec<Value>);

impl Values {
    /// Takes a value and answers the place that stands for it in the text.
    fn bind(&mut self, value: impl Into<Value>) -> String {
        self.0.push(value.into());
        format!("${}", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_row_is_due_from_its_instant_on() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let second = chrono::TimeDelta::seconds(1);
        assert_eq!(JobStatus::of("pending", now, now), JobStatus::Due);
        assert_eq!(JobStatus::of("pending", now + second, now), JobStatus::Waiting);
        assert_eq!(JobStatus::of("queued", now, now), JobStatus::Queued);
        for status in JobStatus::ALL {
            assert_eq!(JobStatus::named(status.as_str()), Some(status));
        }
    }

    #[test]
    fn an_account_holds_its_own_jobs_and_those_of_nobody_are_the_instances() {
        assert!(Scope::Account(1).holds(Some(1)));
        assert!(!Scope::Account(1).holds(Some(2)) && !Scope::Account(1).holds(None));
        assert!(Scope::Instance.holds(None) && Scope::Instance.holds(Some(2)));
    }
}
