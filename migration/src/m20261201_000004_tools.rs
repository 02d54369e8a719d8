//! HTTP tools that accounts declare.

use sea_orm_migration::prelude::*;

use crate::columns::{
    belongs_to, big, boolean, id, index, integer, json, optional_text, text, time,
};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tools = Table::create()
            .table(Alias::new("tools"))
            .col(id())
            .col(big("account_id"))
            .col(text("name"))
            .col(text("description"))
            .col(json("parameters"))
            .col(text("method"))
            .col(text("url_template"))
            .col(text("headers"))
            .col(integer("timeout_ms", 5_000))
            .col(optional_text("result_path"))
            .col(boolean("has_effect"))
            .col(boolean("enabled"))
            .col(time("created_at"))
            .col(time("updated_at"))
            .foreign_key(&mut belongs_to("tools", "account_id", "accounts"))
            .to_owned();
        manager.create_table(tools).await?;
        let name = index("tools_name", "tools", &["account_id", "name"]).unique().to_owned();
        manager.create_index(name).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(Alias::new("tools")).to_owned()).await
    }
}
