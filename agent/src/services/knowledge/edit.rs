//! What people do to entries: write one, change one, remove one, look through them.

use lembra_entities::assistant_response as entry;
use sea_orm::ConnectionTrait;

use super::{Knowledge, MOST_ENTRIES, cover};
use crate::domain::knowledge::entry::{Entry, Refusal, normal};
use crate::jobs::NewJob;
use crate::jobs::enqueue::enqueue;
use crate::jobs::knowledge_kinds::UpdateKnowledgeEmbedding;
use crate::store::knowledge::{self as rows, Page, Status};
use crate::store::{StoreError, StoreResult, db, knowledge_upkeep as upkeep};

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    #[error("there is no such account")]
    NoAccount,
    #[error("there is no such entry")]
    NotFound,
    /// Another entry asks the same.
    #[error("entry {id} has this question already")]
    Taken { id: i64 },
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for EditError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// What an entry is to be; what is absent stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct Changes<'a> {
    pub question: Option<&'a str>,
    pub answer: Option<&'a str>,
    /// `Some(None)` takes the category away.
    pub category: Option<Option<&'a str>>,
    pub status: Option<Status>,
}

/// Which entries a list shows.
#[derive(Debug, Clone, Copy)]
pub struct Filter<'a> {
    pub status: Option<Status>,
    /// A category, whatever its accents and case, with those below it.
    pub category: Option<&'a str>,
    /// A part of question or answer, whatever its accents and case.
    pub search: Option<&'a str>,
    /// Only those with a smaller id.
    pub before: Option<i64>,
    pub limit: u64,
}

impl Knowledge {
    /// Writes an entry. It is found by its words at once, by its meaning when its job has run.
    /// `by`: `cli`, `token:7`, an operator's id.
    pub async fn add(
        &self,
        account_id: i64,
        question: &str,
        answer: &str,
        category: Option<&str>,
        by: &str,
    ) -> Result<entry::Model, EditError> {
        let entry = Entry::read(question, answer, category)?;
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        if !upkeep::begin_change(&tx, account_id).await? {
            return Err(EditError::NoAccount);
        }
        free(&tx, account_id, &entry, None).await?;
        if rows::count(&tx, account_id).await? >= MOST_ENTRIES as u64 {
            return Err(Refusal::NoRoom.into());
        }
        let ids = rows::insert(&tx, account_id, &[&entry], by, now).await?;
        let id = ids.first().copied().ok_or(EditError::NotFound)?;
        enqueue(&tx, vec![embedding_job(account_id, id, now)], now).await?;
        cover(&tx, account_id).await?;
        let row = rows::find(&tx, account_id, id).await?;
        tx.commit().await?;
        row.ok_or(EditError::NotFound)
    }

    /// Changes an entry. It is embedded again when its texts are others.
    pub async fn edit(
        &self,
        account_id: i64,
        id: i64,
        changes: Changes<'_>,
        by: &str,
    ) -> Result<entry::Model, EditError> {
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        if !upkeep::begin_change(&tx, account_id).await? {
            return Err(EditError::NoAccount);
        }
        let row = rows::find(&tx, account_id, id).await?.ok_or(EditError::NotFound)?;
        let category = changes.category.unwrap_or(row.category.as_deref());
        let entry = Entry::read(
            changes.question.unwrap_or(&row.question),
            changes.answer.unwrap_or(&row.answer),
            category,
        )?;
        free(&tx, account_id, &entry, Some(id)).await?;
        let status = changes.status.or_else(|| Status::parse(&row.status));
        let status = status.unwrap_or(Status::Enabled);
        let other_texts = entry.question != row.question || entry.answer != row.answer;
        rows::rewrite(&tx, &row, &entry, (status, by), other_texts, now).await?;
        if other_texts {
            enqueue(&tx, vec![embedding_job(account_id, id, now)], now).await?;
        }
        cover(&tx, account_id).await?;
        let row = rows::find(&tx, account_id, id).await?;
        tx.commit().await?;
        row.ok_or(EditError::NotFound)
    }

    /// Removes an entry, for good.
    pub async fn remove(&self, account_id: i64, id: i64) -> Result<(), EditError> {
        let tx = db::begin(&self.db).await?;
        if !upkeep::begin_change(&tx, account_id).await? {
            return Err(EditError::NoAccount);
        }
        if rows::delete(&tx, account_id, &[id]).await? == 0 {
            return Err(EditError::NotFound);
        }
        cover(&tx, account_id).await?;
        tx.commit().await?;
        Ok(())
    }

    /// An entry of the account.
    pub async fn find(&self, account_id: i64, id: i64) -> StoreResult<Option<entry::Model>> {
        rows::find(&self.db, account_id, id).await
    }

    /// The categories of the account's entries, in order.
    pub async fn categories(&self, account_id: i64) -> StoreResult<Vec<String>> {
        upkeep::categories(&self.db, account_id, None).await
    }

    /// A page of the account's entries, newest first.
    pub async fn list(
        &self,
        account_id: i64,
        filter: &Filter<'_>,
    ) -> StoreResult<Vec<entry::Model>> {
        let categories = match filter.category {
            Some(wanted) => Some(self.categories_like(account_id, wanted).await?),
            None => None,
        };
        let page = Page {
            status: filter.status,
            categories: categories.as_deref(),
            holds: filter.search.filter(|part| !part.trim().is_empty()),
            before: filter.before,
            limit: filter.limit,
        };
        rows::list(&self.db, account_id, page).await
    }

    /// The account's categories that are this one or below it. There are few of them, and neither
    /// database folds accents.
    async fn categories_like(&self, account_id: i64, wanted: &str) -> StoreResult<Vec<String>> {
        let wanted = normal(wanted);
        let all = upkeep::categories(&self.db, account_id, None).await?;
        let is_wanted = |name: &String| {
            let name = normal(name);
            name == wanted || name.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with(' '))
        };
        Ok(all.into_iter().filter(is_wanted).collect())
    }
}

/// The job that embeds an entry.
pub(super) fn embedding_job(
    account_id: i64,
    id: i64,
    now: chrono::DateTime<chrono::Utc>,
) -> NewJob {
    NewJob::of(&UpdateKnowledgeEmbedding { entry_id: id }, Some(account_id), now)
}

/// No other entry asks the same.
async fn free(
    tx: &impl ConnectionTrait,
    account_id: i64,
    entry: &Entry,
    own: Option<i64>,
) -> Result<(), EditError> {
    let same = rows::with_keys(tx, account_id, &[entry.key()]).await?;
    match same.into_iter().find(|row| Some(row.id) != own) {
        Some(row) => Err(EditError::Taken { id: row.id }),
        None => Ok(()),
    }
}
