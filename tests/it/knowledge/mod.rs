//! Knowledge of accounts: what their people write, and what of it is found.

mod api;
mod cli;
mod coverage;
mod import;
mod retrieval;
mod tool;

use lembra_entities::assistant_response as entry;
use sea_orm::{EntityTrait, QueryOrder};

use crate::support::app::TestApp;

/// An entry of the account under test, embedded.
pub async fn add(app: &TestApp, question: &str, answer: &str, category: Option<&str>) -> i64 {
    let account = app.account().await;
    let added = app.runtime.knowledge.add(account, question, answer, category, "test").await;
    app.settle().await;
    added.expect("is written").id
}

/// Every entry of every account, oldest first.
pub async fn entries(app: &TestApp) -> Vec<entry::Model> {
    let rows = entry::Entity::find().order_by_asc(entry::Column::Id);
    rows.all(app.db()).await.expect("answers")
}

/// The ids of what is told for a text.
pub async fn told(app: &TestApp, text: &str) -> Vec<i64> {
    let account = app.account().await;
    let hits = app.runtime.knowledge.retrieve(account, text, 3).await;
    hits.into_iter().map(|hit| hit.id).collect()
}
