//! Entries, hits and reports as JSON, the same on the command line and in the API.

use lembra_entities::assistant_response as entry;
use serde_json::{Value, json};

use super::import::Report;
use super::retrieve::Hit;

pub fn entry_json(row: &entry::Model) -> Value {
    json!({
        "id": row.id,
        "question": row.question,
        "answer": row.answer,
        "category": row.category,
        "status": row.status,
        "source": row.source,
        "has_embedding": row.embedding_model.is_some(),
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    })
}

pub fn hit_json(hit: &Hit) -> Value {
    json!({
        "id": hit.id,
        "question": hit.question,
        "answer": hit.answer,
        "category": hit.category,
        "score": hit.score,
    })
}

pub fn report_json(report: &Report) -> Value {
    let refused = report
        .refused
        .iter()
        .map(|refused| json!({ "line": refused.line, "why": refused.why.to_string() }));
    json!({
        "added": report.added,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "refused": refused.collect::<Vec<_>>(),
    })
}
