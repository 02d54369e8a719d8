//! What operators see of the ledger: finished jobs by queue, what failed on the way, figures per
//! minute, pauses, processes and runs of schedules that somebody asked for.

use sea_orm_migration::prelude::*;

use crate::columns::{big, index, json, only, optional_json, optional_time, text, time};

#[derive(DeriveMigrationName)]
pub struct Migration;

const ENDED: &str = "state IN ('done', 'cancelled', 'dead')";

/// Indexes of ended jobs: a row is in one of the first three, and in the last when an account
/// owns it.
fn ended() -> [IndexCreateStatement; 4] {
    // The id tells rows of one instant apart, the account lets them be counted without the rows.
    let by_queue = |name: &str, condition: &'static str| {
        let columns = ["queue", "finished_at", "id", "account_id"];
        index(name, "jobs", &columns).and_where(only(condition)).to_owned()
    };
    [
        by_queue("jobs_done", "state = 'done'"),
        by_queue("jobs_cancelled", "state = 'cancelled'"),
        by_queue("jobs_dead_of_queue", "state = 'dead'"),
        index("jobs_account", "jobs", &["account_id", "id"]).and_where(only(ENDED)).to_owned(),
    ]
}

/// The indexes that these take the place of.
fn before() -> [IndexCreateStatement; 2] {
    let finished_at = |name: &str, condition: &'static str| {
        index(name, "jobs", &["finished_at"]).and_where(only(condition)).to_owned()
    };
    [
        finished_at("jobs_dead", "state = 'dead'"),
        finished_at("jobs_finished", "state IN ('done', 'cancelled')"),
    ]
}

fn drop_index(name: &str) -> IndexDropStatement {
    Index::drop().name(name).table(Alias::new("jobs")).to_owned()
}

fn key(name: &str) -> ColumnDef {
    let mut column = text(name);
    column.primary_key();
    column
}

fn tables() -> [TableCreateStatement; 4] {
    let table = |name: &str| Table::create().table(Alias::new(name)).to_owned();
    let uuid = |name: &str| {
        let mut column = ColumnDef::new(Alias::new(name));
        column.uuid();
        column
    };
    let minute = ["account_id", "minute_at", "queue"].map(Alias::new);
    let [account, at, queue] = minute;
    [
        table("queue_pauses")
            .col(key("queue"))
            .col(time("paused_at"))
            .col(text("paused_by"))
            .to_owned(),
        // Account 0 is the whole installation.
        table("queue_minutes")
            .col(big("account_id"))
            .col(time("minute_at"))
            .col(text("queue"))
            .col(big("done"))
            .col(big("dead"))
            .primary_key(Index::create().col(account).col(at).col(queue))
            .to_owned(),
        table("worker_processes")
            .col(key("name"))
            .col(text("host"))
            .col(text("mode"))
            .col(text("version"))
            .col(json("queues"))
            .col(time("started_at"))
            .col(time("seen_at"))
            .col(optional_time("stopped_at"))
            .to_owned(),
        table("schedule_runs")
            .col(key("name"))
            .col(uuid("job_id"))
            .col(time("asked_at"))
            .col(text("asked_by"))
            .to_owned(),
    ]
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut jobs = Table::alter();
        jobs.table(Alias::new("jobs")).add_column(optional_json("attempts_log"));
        manager.alter_table(jobs).await?;
        for name in ["jobs_dead", "jobs_finished"] {
            manager.drop_index(drop_index(name)).await?;
        }
        for index in ended() {
            manager.create_index(index).await?;
        }
        for table in tables() {
            manager.create_table(table).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for name in ["schedule_runs", "worker_processes", "queue_minutes", "queue_pauses"] {
            manager.drop_table(Table::drop().table(Alias::new(name)).to_owned()).await?;
        }
        for name in ["jobs_account", "jobs_dead_of_queue", "jobs_cancelled", "jobs_done"] {
            manager.drop_index(drop_index(name)).await?;
        }
        for index in before() {
            manager.create_index(index).await?;
        }
        let mut jobs = Table::alter();
        jobs.table(Alias::new("jobs")).drop_column(Alias::new("attempts_log"));
        manager.alter_table(jobs).await
    }
}
