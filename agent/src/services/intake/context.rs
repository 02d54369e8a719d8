//! What was said before, where anything was: what triage and the answer rate look at.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;

use super::incoming::Fresh;
use super::settle::Subject;
use crate::domain::chat::ChatMessage;
use crate::domain::gate::RATE_WINDOW;
use crate::store::StoreResult;
use crate::store::messages::{self, Said};

/// Messages of the past that triage looks at.
const HISTORY: u64 = 12;

/// The past of the conversations of one batch.
pub struct Context {
    histories: HashMap<i64, Vec<Said>>,
    pub answers: HashMap<i64, u64>,
}

impl Context {
    pub async fn load(
        tx: &impl ConnectionTrait,
        fresh: &[Fresh<'_>],
        now: DateTime<Utc>,
    ) -> StoreResult<Self> {
        let mut messages_of: HashMap<i64, usize> = HashMap::new();
        for fresh in fresh {
            *messages_of.entry(fresh.head.id).or_default() += 1;
        }
        // The earliest of many that came at once is judged by what was said before it, too.
        let most_at_once = messages_of.values().max().map_or(0, |most| *most as u64);
        let known = |fresh: &&Fresh<'_>| {
            !fresh.head.is_new || messages_of.get(&fresh.head.id).is_some_and(|count| *count > 1)
        };
        let ids: BTreeSet<i64> = fresh.iter().filter(known).map(|fresh| fresh.head.id).collect();
        Self::read(tx, &ids, HISTORY + most_at_once, now).await
    }

    /// The past of conversations before any message of a batch is written.
    pub async fn of_conversations(
        db: &impl ConnectionTrait,
        ids: &BTreeSet<i64>,
        now: DateTime<Utc>,
    ) -> StoreResult<Self> {
        Self::read(db, ids, HISTORY, now).await
    }

    async fn read(
        tx: &impl ConnectionTrait,
        ids: &BTreeSet<i64>,
        most: u64,
        now: DateTime<Utc>,
    ) -> StoreResult<Self> {
        Ok(Self {
            histories: messages::histories(tx, ids, most).await?,
            answers: messages::answers_since(tx, ids, now - RATE_WINDOW).await?,
        })
    }

    /// The past of one conversation.
    pub async fn of_conversation(
        tx: &impl ConnectionTrait,
        id: i64,
        now: DateTime<Utc>,
    ) -> StoreResult<Self> {
        Self::of_conversations(tx, &BTreeSet::from([id]), now).await
    }

    /// What was said in a conversation, oldest first.
    pub fn said_in(&self, conversation_id: i64) -> Vec<ChatMessage> {
        let said = self.histories.get(&conversation_id).into_iter().flatten();
        said.map(|said| said.message.clone()).collect()
    }

    /// The conversation up to and with this message.
    pub fn history(&self, subject: &Subject<'_>) -> Vec<ChatMessage> {
        match self.histories.get(&subject.head.id) {
            Some(said) => {
                let until = said.iter().filter(|said| said.id <= subject.id);
                until.map(|said| said.message.clone()).collect()
            }
            None => vec![ChatMessage::user(subject.text)],
        }
    }
}
