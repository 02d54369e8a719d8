//! Which announcement of which process a message in `sending` is.

use sea_orm_migration::prelude::*;

use super::columns::optional_text;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut table = Table::alter();
        table.table(Alias::new("messages")).add_column(optional_text("send_ticket"));
        manager.alter_table(table).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut table = Table::alter();
        table.table(Alias::new("messages")).drop_column(Alias::new("send_ticket"));
        manager.alter_table(table).await
    }
}
