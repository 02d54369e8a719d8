//! Who chose an address: the host of the installation, whose word is enough, or an account.

use sea_orm_migration::prelude::*;

use crate::columns::boolean;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Tables whose rows name an address. What is there already was set by the host.
const TABLES: [&str; 2] = ["inboxes", "agendas"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES {
            let table = Table::alter()
                .table(Alias::new(table))
                .add_column(boolean("public_only"))
                .to_owned();
            manager.alter_table(table).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES {
            let table = Table::alter()
                .table(Alias::new(table))
                .drop_column(Alias::new("public_only"))
                .to_owned();
            manager.alter_table(table).await?;
        }
        Ok(())
    }
}
