//! The database as it is, beside all code that reads it.

use lembra_agent::store::db;
use sea_orm::{ConnectionTrait, Statement};

use super::app::TestApp;

/// The first column of what a query finds, which is text.
pub async fn column(app: &TestApp, sql: &str) -> Vec<String> {
    let statement = Statement::from_string(app.db().get_database_backend(), sql);
    let rows =
        app.db().query_all_raw(statement).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    rows.iter().map(|row| row.try_get_by_index(0).expect("text")).collect()
}

/// Every row of every table, as text, with its table.
pub async fn everything(app: &TestApp) -> Vec<(String, String)> {
    let postgres = db::is_postgres(app.db());
    let tables = if postgres {
        "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'"
    } else {
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    };
    let mut rows = Vec::new();
    for table in column(app, tables).await {
        let sql = if postgres {
            format!("SELECT row_to_json({table}.*)::text FROM {table}")
        } else {
            let columns =
                column(app, &format!("SELECT name FROM pragma_table_info('{table}')")).await;
            let pairs: Vec<String> = columns
                .iter()
                .filter(|column| *column != "embedding")
                .map(|column| {
                    format!(
                        "'{column}', CASE typeof(\"{column}\") WHEN 'blob' THEN hex(\"{column}\") \
                         ELSE \"{column}\" END"
                    )
                })
                .collect();
            format!("SELECT json_object({}) FROM {table}", pairs.join(", "))
        };
        rows.extend(column(app, &sql).await.into_iter().map(|row| (table.clone(), row)));
    }
    assert!(rows.len() > 5);
    rows
}
