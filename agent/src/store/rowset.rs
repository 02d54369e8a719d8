//! Many rows or keys in one parameter, as JSON: a statement's text then does not depend on how
//! many there are, so it is parsed and planned once. How JSON becomes rows is the third of the
//! places where the two databases differ.

use chrono::{DateTime, SecondsFormat, Utc};
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, Value};
use serde_json::Value as Json;
use uuid::Uuid;

use super::error::StoreResult;

/// What a column of a row set holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    BigInt,
    Text,
    Time,
    Json,
    Uuid,
}

/// Columns of a row set: names with what they hold.
pub type Columns = &'static [(&'static str, Kind)];

/// An instant as both databases keep it.
pub fn time(instant: DateTime<Utc>) -> Json {
    Json::String(instant.to_rfc3339_opts(SecondsFormat::AutoSi, false))
}

/// A uuid as both databases read it.
pub fn uuid(id: Uuid) -> Json {
    Json::String(id.simple().to_string())
}

/// `INSERT INTO table (columns) SELECT … FROM the rows`, to which a conflict clause or a RETURNING
/// may be added. The rows are parameter `$number`.
pub fn insert_sql(backend: DbBackend, table: &str, columns: Columns, number: usize) -> String {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let names = names.join(", ");
    let rows = source(backend, columns, number);
    // The condition tells SQLite's parser that a following ON belongs to no join.
    format!("INSERT INTO {table} ({names}) SELECT {names} FROM {rows} WHERE true")
}

/// Rows for several tables, with keys given out already, that are written together: in one
/// statement where the database can, since each further one is a journey there and back.
#[derive(Default)]
pub struct Inserts(Vec<(&'static str, Columns, Value)>);

impl Inserts {
    pub fn add(&mut self, table: &'static str, columns: Columns, rows: Vec<Json>) {
        if !rows.is_empty() {
            self.0.push((table, columns, parameter(rows)));
        }
    }

    /// Writes all rows; those added last with `clause`, whose answer is returned.
    pub async fn run(
        self,
        tx: &impl ConnectionTrait,
        clause: &str,
    ) -> StoreResult<Vec<QueryResult>> {
        let backend = tx.get_database_backend();
        let mut parts = self.0;
        let Some((table, columns, rows)) = parts.pop() else {
            return Ok(Vec::new());
        };
        if backend != DbBackend::Postgres {
            for (table, columns, rows) in parts {
                execute(tx, insert_sql(backend, table, columns, 1), vec![rows]).await?;
            }
            let sql = format!("{} {clause}", insert_sql(backend, table, columns, 1));
            return query(tx, sql, vec![rows]).await;
        }
        let (before, mut values) = Self(parts).parts(backend);
        values.push(rows);
        let last = insert_sql(backend, table, columns, values.len());
        let with =
            if before.is_empty() { String::new() } else { format!("WITH {} ", before.join(", ")) };
        query(tx, format!("{with}{last} {clause}"), values).await
    }
}

impl Inserts {
    /// The inserts as parts of a larger statement, with its first parameters. PostgreSQL only.
    pub fn parts(self, backend: DbBackend) -> (Vec<String>, Vec<Value>) {
        let mut values = Vec::with_capacity(self.0.len() + 2);
        let mut parts = Vec::with_capacity(self.0.len() + 2);
        for (table, columns, rows) in self.0 {
            values.push(rows);
            let insert = insert_sql(backend, table, columns, values.len());
            parts.push(format!("part{} AS ({insert})", values.len()));
        }
        (parts, values)
    }
}

fn source(backend: DbBackend, columns: Columns, number: usize) -> String {
    let list = |column: fn(&str, Kind) -> String| {
        let all: Vec<String> = columns.iter().map(|(name, kind)| column(name, *kind)).collect();
        all.join(", ")
    };
    if backend == DbBackend::Postgres {
        let columns = list(|name, kind| {
            let kind = match kind {
                Kind::BigInt => "bigint",
                Kind::Text => "text",
                Kind::Time => "timestamptz",
                Kind::Json => "jsonb",
                Kind::Uuid => "uuid",
            };
            format!("{name} {kind}")
        });
        return format!("jsonb_to_recordset(${number}::jsonb) AS given({columns})");
    }
    let columns = list(|name, kind| match kind {
        Kind::Uuid => format!("unhex(json_extract(value, '$.{name}')) AS {name}"),
        _ => format!("json_extract(value, '$.{name}') AS {name}"),
    });
    format!("(SELECT {columns} FROM json_each(${number})) AS given")
}

/// `column` is one of the numbers in parameter `$number`.
pub fn any_number(backend: DbBackend, column: &str, number: usize) -> String {
    any(backend, column, number, "::bigint")
}

/// `column` is one of the texts in parameter `$number`.
pub fn any_text(backend: DbBackend, column: &str, number: usize) -> String {
    any(backend, column, number, "")
}

fn any(backend: DbBackend, column: &str, number: usize, cast: &str) -> String {
    if backend == DbBackend::Postgres {
        // An array of unknown length is taken for a short one, and its index is used.
        format!("{column} = ANY(ARRAY(SELECT jsonb_array_elements_text(${number}::jsonb){cast}))")
    } else {
        format!("{column} IN (SELECT value FROM json_each(${number}))")
    }
}

/// Rows or keys as a parameter.
pub fn parameter(list: impl IntoIterator<Item = Json>) -> Value {
    Json::Array(list.into_iter().collect()).to_string().into()
}

/// Runs a statement and answers its rows.
pub async fn query(
    db: &impl ConnectionTrait,
    sql: String,
    values: Vec<Value>,
) -> StoreResult<Vec<QueryResult>> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    Ok(db.query_all_raw(statement).await?)
}

/// Runs a statement and answers how many rows it changed.
pub async fn execute(
    db: &impl ConnectionTrait,
    sql: String,
    values: Vec<Value>,
) -> StoreResult<u64> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    Ok(db.execute_raw(statement).await?.rows_affected())
}

/// `column` with the members of the JSON object in parameter `$number` put over its own.
pub fn merged_json(backend: DbBackend, column: &str, number: usize) -> String {
    if backend == DbBackend::Postgres {
        format!("{column} || ${number}::jsonb")
    } else {
        format!("json_patch({column}, ${number})")
    }
}
