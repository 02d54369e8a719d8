//! The places of a business.

use chrono::{DateTime, Utc};
use lembra_entities::unit;
use serde::Serialize;
use utoipa::ToSchema;

use super::admin::{Admin, AdminError};
use crate::domain::fields;
use crate::store::{inboxes, units};

const MOST_NAME_CHARS: usize = 120;

/// A unit.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct UnitView {
    pub id: i64,
    pub name: String,
    /// The lines that belong to it.
    pub inbox_ids: Vec<i64>,
    pub created_at: DateTime<Utc>,
}

impl UnitView {
    fn of(row: unit::Model, inbox_ids: Vec<i64>) -> Self {
        Self { id: row.id, name: row.name, inbox_ids, created_at: row.created_at }
    }
}

impl Admin<'_> {
    /// The account's units, oldest first.
    pub async fn units(&self, account_id: i64) -> Result<Vec<UnitView>, AdminError> {
        let inboxes = inboxes::of_account(self.db, account_id).await?;
        let shown = |row: unit::Model| {
            let theirs = inboxes.iter().filter(|inbox| inbox.unit_id == Some(row.id));
            let ids = theirs.map(|inbox| inbox.id).collect();
            UnitView::of(row, ids)
        };
        let rows = units::list(self.db, account_id).await?;
        Ok(rows.into_iter().map(shown).collect())
    }

    /// Adds a unit; its name is the only one of its kind in the account.
    pub async fn add_unit(&self, account_id: i64, name: &str) -> Result<UnitView, AdminError> {
        let name = read(name)?;
        let added = units::add(self.db, account_id, &name, self.clock.now()).await;
        Ok(UnitView::of(added.map_err(AdminError::unique("name"))?, Vec::new()))
    }

    /// Gives a unit another name.
    pub async fn rename_unit(
        &self,
        account_id: i64,
        id: i64,
        name: &str,
    ) -> Result<UnitView, AdminError> {
        let name = read(name)?;
        let renamed = units::rename(self.db, account_id, id, &name, self.clock.now()).await;
        if !renamed.map_err(AdminError::unique("name"))? {
            return Err(AdminError::NotFound);
        }
        let unit = self.units(account_id).await?.into_iter().find(|unit| unit.id == id);
        unit.ok_or(AdminError::NotFound)
    }
}

fn read(name: &str) -> Result<String, AdminError> {
    fields::line(name, MOST_NAME_CHARS).map_err(|reason| AdminError::field("name", reason))
}
