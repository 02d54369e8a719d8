//! What operators look contacts and facts up by.
//!
//! Facts are wide rows (their embedding stands in the row's own page), so lists of an account walk
//! through an index that holds all that they filter by, and read only the rows that fit. Reports
//! count in indexes that leave deleted facts out. None of these columns changes with a message.

use sea_orm_migration::prelude::*;

use crate::columns::{index, only};

#[derive(DeriveMigrationName)]
pub struct Migration;

const FACTS: &str = "captain_contact_memories";

fn indexes() -> Vec<(&'static str, IndexCreateStatement)> {
    let kept = |name: &str, columns: &[&str]| {
        index(name, FACTS, columns).and_where(only("deleted_at IS NULL")).to_owned()
    };
    let own_unit = index("conversations_own_unit", "conversations", &["captain_unit_id", "id"]);
    vec![
        ("contacts_account", index("contacts_account", "contacts", &["account_id", "id"])),
        (
            "contact_identities_account",
            index(
                "contact_identities_account",
                "contact_identities",
                &["account_id", "contact_id", "kind", "value"],
            ),
        ),
        (
            "conversations_begun",
            index(
                "conversations_begun",
                "conversations",
                &["inbox_id", "created_at", "contact_id", "captain_unit_id"],
            ),
        ),
        (
            "conversations_own_unit",
            own_unit.clone().and_where(only("captain_unit_id IS NOT NULL")).to_owned(),
        ),
        (
            "contact_memories_contact",
            index("contact_memories_contact", FACTS, &["contact_id", "id"]),
        ),
        (
            "contact_memories_account",
            index(
                "contact_memories_account",
                FACTS,
                &["account_id", "id", "memory_type", "source_unit_id", "created_at", "contact_id"],
            ),
        ),
        (
            "contact_memories_unit",
            kept(
                "contact_memories_unit",
                &["account_id", "source_unit_id", "memory_type", "created_at", "contact_id"],
            ),
        ),
        (
            "contact_memories_kind",
            kept(
                "contact_memories_kind",
                &["account_id", "memory_type", "created_at", "contact_id"],
            ),
        ),
    ]
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (_, index) in indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, _) in indexes() {
            manager.drop_index(Index::drop().name(name).to_owned()).await?;
        }
        Ok(())
    }
}
