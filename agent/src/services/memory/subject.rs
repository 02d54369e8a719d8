//! A customer's rights over everything that is kept of them (LGPD art. 18): a copy, and an end.

use serde_json::Value;

use super::Memories;
use super::edit::Owner;
use crate::store::{StoreResult, db, memory_subject as subject};

impl Memories {
    /// Everything that is kept of the contact, as JSON; `None` when the account has no such one.
    pub async fn export(&self, owner: Owner) -> StoreResult<Option<Value>> {
        if !subject::exists(&self.db, owner.account_id, owner.contact_id).await? {
            return Ok(None);
        }
        let copy = subject::export(&self.db, owner.contact_id).await?;
        tracing::info!(contact.id = owner.contact_id, "contact exported");
        Ok(Some(copy))
    }

    /// Deletes the contact with all that belongs to them; false when the account has no such one.
    /// What calls cost is kept without saying for whom.
    pub async fn erase(&self, owner: Owner) -> StoreResult<bool> {
        let tx = db::begin(&self.db).await?;
        if !subject::exists(&tx, owner.account_id, owner.contact_id).await? {
            return Ok(false);
        }
        subject::erase(&tx, owner.contact_id).await?;
        tx.commit().await?;
        tracing::info!(contact.id = owner.contact_id, "contact erased");
        Ok(true)
    }
}
