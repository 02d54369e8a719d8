//! The tools of one turn: which there are, for whom they are called, and where calls are written
//! down.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Caller, Tool, ToolError};
use crate::clock::SharedClock;
use crate::services::agent_chat::replay::Made;
use crate::store::StoreResult;

/// The tools of one turn. Clones share them.
#[derive(Clone)]
pub struct Session {
    pub tools: Vec<Arc<dyn Tool>>,
    pub caller: Caller,
    pub journal: Arc<dyn Journal>,
    pub clock: SharedClock,
}

impl Session {
    pub fn find(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.tools.iter().find(|tool| tool.spec().name == name).cloned()
    }

    pub fn names(&self) -> Vec<&str> {
        self.tools.iter().map(|tool| tool.spec().name.as_str()).collect()
    }
}

/// A call that is written down before it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journaled {
    pub id: i64,
    /// What the other side recognises a repetition by.
    pub key: String,
}

/// Where calls with effects are written before and after they are made.
#[async_trait]
pub trait Journal: Send + Sync {
    /// What earlier attempts at this turn called, in order.
    async fn earlier(&self) -> StoreResult<Vec<Made>>;

    async fn begin(&self, tool: &str, arguments: &Map<String, Value>) -> StoreResult<Journaled>;

    async fn finish(&self, call: &Journaled, result: &Result<String, ToolError>)
    -> StoreResult<()>;
}

/// Of callers that have no turn which could be repeated.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoJournal;

#[async_trait]
impl Journal for NoJournal {
    async fn earlier(&self) -> StoreResult<Vec<Made>> {
        Ok(Vec::new())
    }

    async fn begin(&self, _: &str, _: &Map<String, Value>) -> StoreResult<Journaled> {
        Ok(Journaled { id: 0, key: Uuid::now_v7().to_string() })
    }

    async fn finish(&self, _: &Journaled, _: &Result<String, ToolError>) -> StoreResult<()> {
        Ok(())
    }
}
