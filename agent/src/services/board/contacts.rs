//! What operators change of a contact: name, attributes, whether they want marketing.

use lembra_entities::contact;
use sea_orm::DatabaseConnection;
use serde_json::{Map, Value as Json};

use crate::clock::SharedClock;
use crate::domain::contact::{self as rules, Refusal};
use crate::services::memory::edit::Owner;
use crate::store::board::contact::{self as store, Contact, Written};
use crate::store::{StoreError, db};

/// What is to be changed; what is absent stays.
#[derive(Debug, Clone, Default)]
pub struct ContactChange {
    /// An empty one takes the name away: the customer's next message brings that of their profile.
    pub name: Option<String>,
    /// Keys with new values; null or an empty text takes a key away.
    pub attributes: Map<String, Json>,
    pub marketing_opt_out: Option<bool>,
}

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum ContactError {
    #[error("there is no such contact")]
    NotFound,
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for ContactError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// Changes a contact and answers it as it is then. `by` is who did it, for the log.
pub async fn change(
    connection: &DatabaseConnection,
    clock: &SharedClock,
    owner: Owner,
    change: ContactChange,
    by: &str,
) -> Result<Contact, ContactError> {
    let now = clock.now();
    let tx = db::begin(connection).await?;
    let row = store::lock(&tx, owner.account_id, owner.contact_id).await?;
    let row = row.ok_or(ContactError::NotFound)?;
    let name = change.name.as_deref().map(rules::name).transpose()?;
    let custom_attributes = attributes(&row, &change.attributes)?;
    let changes = change.marketing_opt_out.filter(|out| *out != row.marketing_opt_out_at.is_some());
    let marketing_opt_out_at = changes.map(|out| out.then_some(now));
    let what = (name.is_some(), custom_attributes.is_some(), changes);
    let written = Written { name, custom_attributes, marketing_opt_out_at };
    store::write(&tx, owner.contact_id, written, now).await?;
    let contact = store::find(&tx, owner.account_id, owner.contact_id).await?;
    tx.commit().await?;
    let (name, attributes, opt_out) = what;
    tracing::info!(
        contact.id = owner.contact_id,
        name,
        attributes,
        ?opt_out,
        by,
        "contact changed"
    );
    contact.ok_or(ContactError::NotFound)
}

/// The attributes after the change; `None` when it names none.
fn attributes(
    row: &contact::Model,
    change: &Map<String, Json>,
) -> Result<Option<Map<String, Json>>, Refusal> {
    if change.is_empty() {
        return Ok(None);
    }
    let before = row.custom_attributes.as_object().cloned().unwrap_or_default();
    rules::changed(&before, change).map(Some)
}
