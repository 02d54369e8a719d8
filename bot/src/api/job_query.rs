//! How jobs are asked for, in addresses of the API and of pages, and whose jobs somebody sees.

use lembra_agent::domain::access::Permission;
use lembra_agent::jobs::Queue;
use lembra_agent::jobs::board::listing::{Cursor, JobFilter, PAGE};
use lembra_agent::jobs::board::{JobStatus, Scope};
use serde::Deserialize;
use utoipa::IntoParams;

use super::memory_query::Unread;
use crate::access::Principal;

/// Most jobs of one answer.
const MOST: usize = 200;

/// Which jobs are wanted. An empty text is as good as none.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
pub struct JobQuery {
    /// `replies`, `outbound`, `media`, `captain_heavy`, `captain_embeddings` or `maintenance`.
    pub queue: Option<String>,
    /// Such as `respond`.
    pub kind: Option<String>,
    /// `due`, `waiting`, `queued`, `running`, `done`, `dead` or `cancelled`.
    pub status: Option<String>,
    /// Jobs of this account only, for those who see every account's.
    pub account_id: Option<String>,
    /// An id, or its first eight digits or more; otherwise part of a key or of the last error.
    pub q: Option<String>,
    /// Where to go on: `next` of the answer before.
    pub before: Option<String>,
    /// At most 200; 50 when absent.
    pub limit: Option<usize>,
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

impl JobQuery {
    /// The filter, or the parameter that cannot be read.
    pub fn filter(&self) -> Result<JobFilter, Unread> {
        let queue = given(&self.queue).map(Queue::named);
        let status = given(&self.status).map(JobStatus::named);
        let account_id = given(&self.account_id).map(str::parse);
        Ok(JobFilter {
            queue: queue
                .map(|queue| queue.ok_or(("queue", "is none of the queues")))
                .transpose()?,
            kind: given(&self.kind).map(str::to_owned),
            status: status
                .map(|status| status.ok_or(("status", "is none of the statuses")))
                .transpose()?,
            account_id: account_id.transpose().map_err(|_| ("account_id", "must be an id"))?,
            text: given(&self.q).map(str::to_owned),
        })
    }

    pub fn cursor(&self) -> Result<Option<Cursor>, Unread> {
        let cursor = given(&self.before).map(str::parse).transpose();
        cursor.map_err(|_| ("before", "must be what an answer had as next"))
    }

    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(PAGE).clamp(1, MOST)
    }

    /// What was given, but for the place in the list.
    pub fn pairs(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("queue", &self.queue),
            ("kind", &self.kind),
            ("status", &self.status),
            ("account_id", &self.account_id),
            ("q", &self.q),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, given(value)?))).collect()
    }
}

/// Whose jobs these eyes and hands reach.
pub fn scope(principal: &Principal) -> Scope {
    if principal.may(Permission::InstanceRun) {
        Scope::Instance
    } else {
        Scope::Account(principal.account_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(queue: &str, status: &str) -> JobQuery {
        let (queue, status) = (Some(queue.to_owned()), Some(status.to_owned()));
        JobQuery { queue, status, q: Some("  ".to_owned()), ..JobQuery::default() }
    }

    #[test]
    fn names_that_are_none_are_told_by_their_parameter() {
        let filter = asked("media", "dead").filter().unwrap();
        assert_eq!((filter.queue, filter.status), (Some(Queue::Media), Some(JobStatus::Dead)));
        assert_eq!(filter.text, None);
        assert_eq!(asked("", "").filter().unwrap(), JobFilter::default());
        assert_eq!(asked("mail", "").filter().unwrap_err().0, "queue");
        assert_eq!(asked("", "lost").filter().unwrap_err().0, "status");
        assert_eq!(asked("media", " ").pairs(), [("queue", "media")]);
    }
}
