//! Entries, hits and reports as pages, API and command line show them.

use chrono::{DateTime, Utc};
use lembra_entities::assistant_response as entry;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::import::Report;
use super::retrieve::Hit;

/// An entry of an account's knowledge.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EntryView {
    pub id: i64,
    pub question: String,
    pub answer: String,
    /// A name, or a path of names with ` > ` between them.
    pub category: Option<String>,
    /// `enabled` or `disabled`.
    pub status: String,
    /// Who wrote it last, or out of which file: `file:faq.csv`, `operator:3`, `token:7`, `cli`.
    pub source: String,
    /// Whether it is found by its meaning yet; by its words it is at once.
    pub has_embedding: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl EntryView {
    pub fn of(row: &entry::Model) -> Self {
        Self {
            id: row.id,
            question: row.question.clone(),
            answer: row.answer.clone(),
            category: row.category.clone(),
            status: row.status.clone(),
            source: row.source.clone(),
            has_embedding: row.embedding_model.is_some(),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }

    pub fn is_enabled(&self) -> bool {
        self.status == "enabled"
    }
}

/// An entry that answers what was asked.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct HitView {
    pub id: i64,
    pub question: String,
    pub answer: String,
    pub category: Option<String>,
    /// 0 to 1.
    pub score: f64,
}

impl HitView {
    pub fn of(hit: &Hit) -> Self {
        Self {
            id: hit.id,
            question: hit.question.clone(),
            answer: hit.answer.clone(),
            category: hit.category.clone(),
            score: hit.score,
        }
    }
}

/// Something in a file that is no entry.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RefusedLine {
    /// Counted from 1.
    pub line: u64,
    pub why: String,
    /// A stable word for it.
    pub code: &'static str,
}

/// What came of a file.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImportView {
    pub added: usize,
    pub updated: usize,
    pub unchanged: usize,
    /// Further parts of texts that have become shorter.
    pub removed: usize,
    pub refused: Vec<RefusedLine>,
}

impl ImportView {
    pub fn of(report: &Report) -> Self {
        let refused = report.refused.iter().map(|refused| RefusedLine {
            line: refused.line,
            why: refused.why.to_string(),
            code: refused.why.code(),
        });
        Self {
            added: report.added,
            updated: report.updated,
            unchanged: report.unchanged,
            removed: report.removed,
            refused: refused.collect(),
        }
    }
}

pub fn entry_json(row: &entry::Model) -> Value {
    json!(EntryView::of(row))
}

pub fn hit_json(hit: &Hit) -> Value {
    json!(HitView::of(hit))
}

pub fn report_json(report: &Report) -> Value {
    json!(ImportView::of(report))
}
