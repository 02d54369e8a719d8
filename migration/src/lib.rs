//! The schema, one source for PostgreSQL and SQLite. It never imports entities: an old migration
//! must not change with today's rows.

pub use sea_orm_migration::prelude::{MigratorTrait, SchemaManager};
use sea_orm_migration::{MigrationTrait, async_trait};

mod columns;
mod m20261129_000001_tenants;
mod m20261129_000002_conversations;
mod m20261129_000003_jobs;
mod m20261130_000001_send_tickets;
mod m20261130_000002_whatsapp;
mod m20261130_000010_memory;
mod m20261130_000201_triage;
mod m20261201_000001_agent;
mod m20261201_000002_knowledge;
mod m20261201_000003_agendas;
mod m20261201_000004_tools;
mod m20261202_000001_access;
mod m20261202_000002_ledger_view;
mod m20261202_000003_stats;
mod m20261202_000004_board_indexes_conversations;
mod m20261202_000005_board_indexes_memory;
mod m20261202_000006_public_addresses;

/// All migrations, oldest first.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261129_000001_tenants::Migration),
            Box::new(m20261129_000002_conversations::Migration),
            Box::new(m20261129_000003_jobs::Migration),
            Box::new(m20261130_000001_send_tickets::Migration),
            Box::new(m20261130_000002_whatsapp::Migration),
            Box::new(m20261130_000201_triage::Migration),
            Box::new(m20261130_000010_memory::Migration),
            Box::new(m20261201_000001_agent::Migration),
            Box::new(m20261201_000003_agendas::Migration),
            Box::new(m20261201_000004_tools::Migration),
            Box::new(m20261201_000002_knowledge::Migration),
            Box::new(m20261202_000001_access::Migration),
            Box::new(m20261202_000002_ledger_view::Migration),
            Box::new(m20261202_000003_stats::Migration),
            Box::new(m20261202_000004_board_indexes_conversations::Migration),
            Box::new(m20261202_000005_board_indexes_memory::Migration),
            Box::new(m20261202_000006_public_addresses::Migration),
        ]
    }
}
