//! The ANN index of facts, built anew when the table has outgrown it. A build takes longer than a
//! job may, so the nightly job starts it and does not wait: the database keeps it apart from all
//! that reads and writes, and one that is cut off is begun anew the next night.

use super::Memories;
use crate::store::StoreResult;
use crate::store::nearest::upkeep;

impl Memories {
    /// Starts a build where one is due.
    pub(super) async fn renew_index(&self) -> StoreResult<()> {
        let Some(build) = upkeep::due_build(&self.db).await? else {
            return Ok(());
        };
        let db = self.db.clone();
        tokio::spawn(async move {
            let (rows, lists) = (build.rows, build.lists);
            tracing::info!(rows, lists, "index of facts: build begun");
            match upkeep::rebuild(&db, build).await {
                Ok(true) => tracing::info!(rows, lists, "index of facts: built"),
                Ok(false) => tracing::info!("index of facts: another process builds it"),
                Err(error) => tracing::error!(%error, "index of facts: not built"),
            }
        });
        Ok(())
    }
}
