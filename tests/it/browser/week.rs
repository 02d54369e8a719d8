//! A week in place of a few minutes: more customers, and what happened moved back over the days
//! before, for pictures. Nothing else of the rows is changed.

use chrono::{DateTime, SecondsFormat, TimeDelta};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement, Value};

use super::desk::Desk;

/// Who else wrote, and what.
const OTHERS: [(&str, &str); 16] = [
    ("Camila Duarte", "Quanto custa a consulta com dermatologista?"),
    ("João Pedro Farias", "Vocês aceitam Bradesco Saúde?"),
    ("Larissa Monteiro", "Tem vaga com o Dr. Paulo?"),
    ("Eduardo Nunes", "Qual é o endereço da clínica?"),
    ("Beatriz Cardoso", "Que horas vocês abrem?"),
    ("Rafael Antunes", "Quanto custa um eletrocardiograma?"),
    ("Helena Sampaio", "Tem vaga com a Dra. Marina?"),
    ("Gustavo Ribeiro", "Vocês atendem SulAmérica?"),
    ("Patrícia Gomes", "Qual é o horário de atendimento?"),
    ("Vinícius Moreira", "Tem vaga com a Dra. Joana?"),
    ("Isabela Freitas", "Quanto custa a consulta cardiológica?"),
    ("André Luiz Matos", "Onde fica a clínica?"),
    ("Renata Vasques", "Quais convênios vocês aceitam?"),
    ("Felipe Coutinho", "Tem vaga com a Dra. Marina?"),
    ("Mariana Teixeira", "Quanto custa a consulta com clínico geral?"),
    ("Otávio Lemos", "Vocês atendem Amil?"),
];

/// How long ago the newest conversations began, in minutes; the others are spread evenly over the
/// week before these.
const RECENT: [i64; 6] = [3, 6, 11, 24, 47, 95];
const WEEK: i64 = 6 * 24 * 60;

/// Lets the others write, stops the process, moves the past, and starts it again.
pub async fn lived(desk: &mut Desk) {
    for (name, text) in OTHERS {
        let customer = desk.customer(name).await;
        desk.ask(&customer, text).await;
        desk.resolve(&customer).await;
    }
    desk.installation.kill();
    let url = format!("sqlite://{}?mode=rw", desk.installation.database().display());
    let db = Database::connect(url).await.expect("connects");
    move_back(&db).await;
    db.close().await.expect("closes");
    desk.installation.up().await;
}

async fn execute(db: &DatabaseConnection, sql: &str, values: Vec<Value>) {
    let statement = Statement::from_sql_and_values(DbBackend::Sqlite, sql, values);
    db.execute_raw(statement).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Rows of two columns: a number and a text.
async fn pairs(db: &DatabaseConnection, sql: &str) -> Vec<(i64, String)> {
    let found = db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await;
    let found = found.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let pair = |row: &sea_orm::QueryResult| {
        (row.try_get_by_index(0).expect("a number"), row.try_get_by_index(1).expect("a text"))
    };
    found.iter().map(pair).collect()
}

async fn move_back(db: &DatabaseConnection) {
    // Who waits or was answered last stays the newest.
    let order = "SELECT id, state FROM conversations ORDER BY state = 'open', id";
    let conversations = pairs(db, order).await;
    let older = conversations.len().saturating_sub(RECENT.len());
    let instants = instants(db).await;
    for (place, (id, _)) in conversations.iter().enumerate() {
        let place = i64::try_from(place).expect("few");
        let older = i64::try_from(older).expect("few");
        let minutes = match usize::try_from(place - older) {
            Ok(recent) => RECENT.iter().rev().nth(recent).copied().unwrap_or_default(),
            Err(_) => WEEK - place * (WEEK - 180) / older.max(1),
        };
        for (table, owner, column) in &instants {
            let sql = format!(
                "SELECT rowid, {column} FROM {table} WHERE {owner} = {id} AND {column} IS NOT NULL"
            );
            for (row, instant) in pairs(db, &sql).await {
                let instant = DateTime::parse_from_rfc3339(&instant).expect("an instant");
                let moved = (instant - TimeDelta::minutes(minutes)).to_utc();
                let moved = moved.to_rfc3339_opts(SecondsFormat::AutoSi, false);
                let sql = format!("UPDATE {table} SET {column} = $1 WHERE rowid = $2");
                execute(db, &sql, vec![moved.into(), row.into()]).await;
            }
        }
    }
    // What was counted of the past is counted anew.
    for table in ["stats_buckets", "stats_gauges", "stats_progress"] {
        execute(db, &format!("DELETE FROM {table}"), Vec::new()).await;
    }
}

/// Columns that hold an instant of something that belongs to a conversation: table, the column
/// that names the conversation, and the column itself.
async fn instants(db: &DatabaseConnection) -> Vec<(String, String, String)> {
    let columns = "SELECT 0, tables.name || ' ' || columns.name FROM sqlite_master AS tables \
                   JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'";
    let columns: Vec<(String, String)> = pairs(db, columns)
        .await
        .into_iter()
        .filter_map(|(_, both)| both.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned())))
        .collect();
    let owner_of = |table: &str| {
        let owners = ["conversation_id", "source_conversation_id"];
        let has = |name: &&str| columns.iter().any(|(of, column)| of == table && column == name);
        if table == "conversations" { Some("id") } else { owners.into_iter().find(has) }
    };
    let instants = columns.iter().filter_map(|(table, column)| {
        let owner = owner_of(table).filter(|_| column.ends_with("_at"))?;
        Some((table.clone(), owner.to_owned(), column.clone()))
    });
    instants.collect()
}
