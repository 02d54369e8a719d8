//! Judging fixed answers of triage, within one account.

use sea_orm::DatabaseConnection;

use crate::clock::SharedClock;
use crate::domain::triage::scope::{Category, Domain};
use crate::services::curation::{self as marks, Layout, Mark};
use crate::store::StoreResult;
use crate::store::board::curation::{self, Curated};

/// Longest label of what should have been said.
const MOST_LABEL_CHARS: usize = 60;

/// The labels that a message with this verdict could have had, the model's turn first. They are
/// those of the table that it is exported to.
pub fn labels(verdict: &str) -> Vec<String> {
    let guard = ["none", "frustrated", "human-request", "crisis"].map(str::to_owned);
    match Layout::of(verdict) {
        Layout::Guard => guard.to_vec(),
        Layout::Loop => vec!["none".to_owned(), "loop".to_owned()],
        Layout::Scope => {
            let rejections = Category::ALL.iter().map(|one| format!("reject:{}", one.as_str()));
            let domains = Domain::ALL.iter().map(|one| format!("domain:{}", one.as_str()));
            let benign = ["in-scope", Domain::General.as_str()].map(str::to_owned);
            benign.into_iter().chain(rejections).chain(domains).collect()
        }
    }
}

/// What an operator thinks of a fixed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    Right,
    /// With the label of what should have been said; the model's turn when absent.
    Wrong(Option<String>),
    /// Nobody thinks anything of it any more.
    Unmarked,
}

/// Why a judgement is not taken.
#[derive(Debug, thiserror::Error)]
pub enum JudgementError {
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
    #[error("there is no such fixed answer in this account")]
    NotFound,
    #[error("`{0}` is no label of this verdict")]
    Label(String),
}

/// Judges the fixed answer to a message of the account; answers it as it is then.
pub async fn judge(
    db: &DatabaseConnection,
    clock: &SharedClock,
    account_id: i64,
    message_id: i64,
    judgement: Judgement,
) -> Result<Curated, JudgementError> {
    let Some(found) = curation::find(db, account_id, message_id).await? else {
        return Err(JudgementError::NotFound);
    };
    let mark = match judgement {
        Judgement::Right => Some(Mark::Right),
        Judgement::Wrong(label) => {
            let calm = || Layout::calm_label(&found.verdict).to_owned();
            let expected = label.filter(|label| !label.trim().is_empty()).unwrap_or_else(calm);
            if !labels(&found.verdict).contains(&expected) {
                return Err(JudgementError::Label(
                    expected.chars().take(MOST_LABEL_CHARS).collect(),
                ));
            }
            Some(Mark::Wrong { expected })
        }
        Judgement::Unmarked => None,
    };
    match mark {
        Some(mark) => {
            marks::mark(db, clock, message_id, &mark).await?;
        }
        None => {
            curation::unmark(db, message_id).await?;
        }
    }
    curation::find(db, account_id, message_id).await?.ok_or(JudgementError::NotFound)
}

/// The account's wrong marks as a table of test rows, tab-separated, header first.
pub async fn export(
    db: &DatabaseConnection,
    account_id: i64,
    layout: Layout,
) -> StoreResult<String> {
    let mut table = marks::export_of(db, Some(account_id), layout).await?.join("\n");
    table.push('\n');
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::triage::eval;

    #[test]
    fn every_label_that_is_offered_is_read_by_the_table_it_goes_to() {
        for verdict in ["frustrated", "human-request", "crisis", "loop", "scope-rejection"] {
            let offered = labels(verdict);
            assert_eq!(offered[0], Layout::calm_label(verdict));
            let of_scope = eval::is_scope_label(&offered[1]);
            assert_eq!(of_scope, verdict == "scope-rejection", "{verdict}");
        }
        assert!(labels("out-of-domain").contains(&"reject:dosage".to_owned()));
    }
}
