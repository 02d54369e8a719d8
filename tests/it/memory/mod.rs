//! Episodic memory: seed 002, through the product's own doors.

mod api;
mod cli;
mod learning;
mod loop_;
mod nearest;
mod recall;
mod recorded;
mod rights;
mod upkeep;

use chrono::{DateTime, Utc};
use lembra_agent::domain::memory::{Fact, MemoryKind};
use lembra_agent::jobs::memory_kinds::UpdateEmbedding;
use lembra_agent::store::memories::{self, Origin};

use crate::support::app::TestApp;
use crate::support::bodies::ANA;

/// A contact with a conversation: one message and its answer.
pub async fn acquainted(app: &TestApp) -> Origin {
    app.say(ANA, "oi, tudo bem?").await;
    app.settle().await;
    origin(app).await
}

/// Where a fact of the open conversation comes from.
pub async fn origin(app: &TestApp) -> Origin {
    let conversation = app.open_conversation().await;
    Origin {
        account_id: conversation.account_id,
        contact_id: conversation.contact_id,
        conversation_id: conversation.id,
        inbox_id: conversation.inbox_id,
        unit_id: None,
    }
}

/// A fact written into the table and embedded, verified at that time.
pub async fn plant(
    app: &TestApp,
    origin: Origin,
    kind: MemoryKind,
    content: &str,
    verified_at: DateTime<Utc>,
) -> i64 {
    let fact = Fact {
        kind,
        content: content.to_owned(),
        evidence: "disse isso".to_owned(),
        confidence: 0.92,
        message_id: 1,
    };
    let id = memories::insert(app.db(), origin, &fact, verified_at).await.expect("is written");
    app.run_now(&UpdateEmbedding { memory_id: id }).await;
    id
}
