//! The job ledger.

use sea_orm_migration::prelude::*;

use crate::columns::{
    index, integer, json, only, optional_big, optional_text, optional_time, text, time,
};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut id = ColumnDef::new(Alias::new("id"));
        id.uuid().not_null().primary_key();
        let jobs = Table::create()
            .table(Alias::new("jobs"))
            .col(id)
            .col(optional_big("account_id"))
            .col(text("queue"))
            .col(text("kind"))
            .col(json("payload"))
            .col(optional_text("dedup_key"))
            .col(optional_text("once_key"))
            .col(text("state"))
            .col(time("run_at"))
            .col(optional_time("run_by"))
            .col(integer("attempts", 0))
            .col(integer("max_attempts", 1))
            .col(optional_text("last_error"))
            .col(optional_text("trace_context"))
            .col(optional_time("queued_at"))
            .col(optional_time("started_at"))
            .col(optional_time("lease_until"))
            .col(optional_time("finished_at"))
            .col(optional_text("worker"))
            .col(time("created_at"))
            .to_owned();
        manager.create_table(jobs).await?;

        let partial = |name: &str, columns: &[&str], condition: &'static str| {
            index(name, "jobs", columns).and_where(only(condition)).to_owned()
        };
        // At most one waiting and one running row per key: deduplication and mutual exclusion.
        let waiting = "dedup_key IS NOT NULL AND state IN ('pending', 'queued')";
        let waiting = partial("jobs_waiting_key", &["dedup_key"], waiting);
        manager.create_index(waiting.clone().unique().to_owned()).await?;
        let running = "dedup_key IS NOT NULL AND state = 'running'";
        let running = partial("jobs_running_key", &["dedup_key"], running);
        manager.create_index(running.clone().unique().to_owned()).await?;
        let once = partial("jobs_once_key", &["once_key"], "once_key IS NOT NULL");
        manager.create_index(once.clone().unique().to_owned()).await?;

        for index in [
            partial("jobs_due", &["queue", "run_at", "id"], "state = 'pending'"),
            partial("jobs_queued", &["queue", "queued_at"], "state = 'queued'"),
            partial("jobs_leased", &["lease_until"], "state = 'running'"),
            partial("jobs_dead", &["finished_at"], "state = 'dead'"),
            partial("jobs_finished", &["finished_at"], "state IN ('done', 'cancelled')"),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(Alias::new("jobs")).to_owned()).await
    }
}
