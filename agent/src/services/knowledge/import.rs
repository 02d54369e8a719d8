//! Entries out of a file. What the file said before is brought up to date, never doubled.

use std::collections::HashMap;

use lembra_entities::assistant_response as entry;
use sea_orm::DatabaseTransaction;

use super::edit::embedding_job;
use super::{Knowledge, MOST_ENTRIES, cover};
use crate::domain::knowledge::file::{self, Found, Refused, Unreadable};
use crate::domain::knowledge::{Entry, Format, Reading, Refusal, markdown_file};
use crate::jobs::enqueue::enqueue;
use crate::store::knowledge::{self as rows, Status};
use crate::store::{StoreError, StoreResult, db, knowledge_upkeep as upkeep};

/// Largest file, in bytes.
pub const MOST_BYTES: usize = 8 * 1024 * 1024;
/// Entries written by one statement.
const AT_ONCE: usize = 500;

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("there is no such account")]
    NoAccount,
    #[error("the file has more than {} MiB", MOST_BYTES / (1024 * 1024))]
    TooLarge,
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for ImportError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// What came of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub added: usize,
    pub updated: usize,
    pub unchanged: usize,
    /// Further parts of texts that have become shorter.
    pub removed: usize,
    /// In the order of their lines.
    pub refused: Vec<Refused>,
}

/// A file to be imported.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// Its name, without folders: kept as the entries' source.
    pub name: &'a str,
    pub bytes: &'a [u8],
    /// By its name, or by its look, where absent.
    pub format: Option<Format>,
}

impl Knowledge {
    /// Imports a file into the account, all of it or nothing. A question that the account has is
    /// updated, whoever wrote it; an entry that was disabled stays so.
    pub async fn import(&self, account_id: i64, file: File<'_>) -> Result<Report, ImportError> {
        if file.bytes.len() > MOST_BYTES {
            return Err(ImportError::TooLarge);
        }
        let format = file.format.or_else(|| Format::of_file(file.name));
        let mut reading = file::read(file.bytes, format)?;
        let source = format!("file:{}", file.name);
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        if !upkeep::begin_change(&tx, account_id).await? {
            return Err(ImportError::NoAccount);
        }
        let mut report = Report {
            refused: std::mem::take(&mut reading.refused),
            removed: remove_outgrown(&tx, account_id, &source, &reading).await?,
            ..Report::default()
        };
        let keys: Vec<String> = reading.found.iter().map(|found| found.entry.key()).collect();
        let known = rows::with_keys(&tx, account_id, &keys).await?;
        let mut known: HashMap<String, entry::Model> =
            known.into_iter().map(|row| (row.question_key.clone(), row)).collect();
        let held = usize::try_from(rows::count(&tx, account_id).await?).unwrap_or(usize::MAX);
        let mut room = MOST_ENTRIES.saturating_sub(held);
        let mut jobs = Vec::new();
        let mut fresh: Vec<&Entry> = Vec::new();
        for (Found { line, entry }, key) in reading.found.iter().zip(keys) {
            let Some(row) = known.remove(&key) else {
                if room == 0 {
                    report.refused.push(Refused { line: *line, why: Refusal::NoRoom });
                } else {
                    room -= 1;
                    fresh.push(entry);
                }
                continue;
            };
            let other_texts = row.question != entry.question || row.answer != entry.answer;
            if !other_texts && row.category == entry.category {
                report.unchanged += 1;
                continue;
            }
            let status = Status::parse(&row.status).unwrap_or(Status::Enabled);
            rows::rewrite(&tx, &row, entry, (status, &source), other_texts, now).await?;
            if other_texts {
                jobs.push(embedding_job(account_id, row.id, now));
            }
            report.updated += 1;
        }
        for entries in fresh.chunks(AT_ONCE) {
            let ids = rows::insert(&tx, account_id, entries, &source, now).await?;
            jobs.extend(ids.into_iter().map(|id| embedding_job(account_id, id, now)));
        }
        report.added = fresh.len();
        report.refused.sort_by_key(|refused| refused.line);
        enqueue(&tx, jobs, now).await?;
        cover(&tx, account_id).await?;
        tx.commit().await?;
        tracing::info!(
            account.id = account_id,
            added = report.added,
            updated = report.updated,
            unchanged = report.unchanged,
            removed = report.removed,
            refused = report.refused.len(),
            "knowledge imported"
        );
        Ok(report)
    }
}

/// Removes the further parts that a text of this file had and has no more: they would go on saying
/// what the file no longer says.
async fn remove_outgrown(
    tx: &DatabaseTransaction,
    account_id: i64,
    source: &str,
    reading: &Reading,
) -> StoreResult<usize> {
    let parts = upkeep::of_source(tx, account_id, source, markdown_file::PART).await?;
    let gone = parts.into_iter().filter(|(_, question)| reading.has_outgrown(question));
    let gone: Vec<i64> = gone.map(|(id, _)| id).collect();
    if gone.is_empty() {
        return Ok(0);
    }
    rows::delete(tx, account_id, &gone).await?;
    Ok(gone.len())
}
