//! Fixed answers of triage in an account, with what operators think of them.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, QueryResult};
use serde::Serialize;

use crate::store::error::StoreResult;
use crate::store::rowset::query;

/// A message that triage answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = CuratedMessage)]
pub struct Curated {
    pub message_id: i64,
    pub conversation_id: i64,
    pub contact_name: Option<String>,
    /// What the customer wrote.
    pub text: String,
    /// Such as `frustrated` or `out-of-domain`.
    pub verdict: String,
    /// The rule that fired.
    pub rule: String,
    /// The fixed answer.
    pub answer: Option<String>,
    /// What the customer wrote after it.
    pub next: Option<String>,
    /// `right` or `wrong`, once somebody said so.
    pub mark: Option<String>,
    /// What a wrong one should have been.
    pub expected: Option<String>,
    pub written_at: DateTime<Utc>,
}

/// Which messages are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    All,
    Unmarked,
    Right,
    Wrong,
}

impl Shown {
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "all" => Some(Self::All),
            "unmarked" => Some(Self::Unmarked),
            "right" => Some(Self::Right),
            "wrong" => Some(Self::Wrong),
            _ => None,
        }
    }

    fn condition(self) -> &'static str {
        match self {
            Self::All => "true",
            Self::Unmarked => "marks.mark IS NULL",
            Self::Right => "marks.mark = 'right'",
            Self::Wrong => "marks.mark = 'wrong'",
        }
    }
}

/// A page of the list, newest first.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    pub shown: Shown,
    pub verdict: Option<&'a str>,
    /// Only those with a smaller id.
    pub before: Option<i64>,
    pub limit: i64,
}

const COLUMNS: &str = "m.id, m.conversation_id, m.text, m.verdict, m.rule, m.written_at, \
    contacts.name, turns.reply, marks.mark, marks.expected, \
    (SELECT n.text FROM messages n WHERE n.contact_id = m.contact_id \
       AND n.inbox_id = m.inbox_id AND n.id > m.id AND n.direction = 'in' \
       AND n.text <> '' ORDER BY n.id LIMIT 1) AS next_text";

const TABLES: &str = "messages m \
    LEFT JOIN curation_marks marks ON marks.message_id = m.id \
    LEFT JOIN turns ON turns.id = m.turn_id \
    LEFT JOIN contacts ON contacts.id = m.contact_id";

/// Messages that triage itself answered; those that were answered along with a later one are not
/// among them.
pub async fn list(
    db: &impl ConnectionTrait,
    account_id: i64,
    page: &Page<'_>,
) -> StoreResult<Vec<Curated>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {TABLES} \
         WHERE m.outcome = 'preempted' AND m.rule IS NOT NULL AND m.account_id = $1 \
           AND m.id < $2 AND ($3 = '' OR m.verdict = $3) AND {} \
         ORDER BY m.id DESC LIMIT $4",
        page.shown.condition()
    );
    let values = vec![
        account_id.into(),
        page.before.unwrap_or(i64::MAX).into(),
        page.verdict.unwrap_or_default().into(),
        page.limit.into(),
    ];
    query(db, sql, values).await?.iter().map(read).collect()
}

/// One of them; `None` when it is not the account's, or got no fixed answer.
pub async fn find(
    db: &impl ConnectionTrait,
    account_id: i64,
    message_id: i64,
) -> StoreResult<Option<Curated>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {TABLES} \
         WHERE m.id = $2 AND m.account_id = $1 AND m.outcome = 'preempted' \
           AND m.rule IS NOT NULL"
    );
    let rows = query(db, sql, vec![account_id.into(), message_id.into()]).await?;
    rows.first().map(read).transpose()
}

fn read(row: &QueryResult) -> StoreResult<Curated> {
    Ok(Curated {
        message_id: row.try_get("", "id")?,
        conversation_id: row.try_get("", "conversation_id")?,
        contact_name: row.try_get("", "name")?,
        text: row.try_get("", "text")?,
        verdict: row.try_get::<Option<String>>("", "verdict")?.unwrap_or_default(),
        rule: row.try_get::<Option<String>>("", "rule")?.unwrap_or_default(),
        answer: row.try_get("", "reply")?,
        next: row.try_get("", "next_text")?,
        mark: row.try_get("", "mark")?,
        expected: row.try_get("", "expected")?,
        written_at: row.try_get("", "written_at")?,
    })
}

/// How many are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = CurationMarks)]
pub struct Marks {
    pub right: i64,
    pub wrong: i64,
}

/// The account's marks; people set them one by one, so they are few.
pub async fn marks(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Marks> {
    let sql = "SELECT mark, count(*) AS n FROM curation_marks WHERE account_id = $1 GROUP BY mark";
    let mut marks = Marks { right: 0, wrong: 0 };
    for row in query(db, sql.to_owned(), vec![account_id.into()]).await? {
        let mark: String = row.try_get("", "mark")?;
        let count: i64 = row.try_get("", "n")?;
        if mark == "right" { marks.right = count } else { marks.wrong = count }
    }
    Ok(marks)
}

/// Takes a mark away; false when there was none.
pub async fn unmark(db: &impl ConnectionTrait, message_id: i64) -> StoreResult<bool> {
    let sql = "DELETE FROM curation_marks WHERE message_id = $1";
    Ok(crate::store::rowset::execute(db, sql.to_owned(), vec![message_id.into()]).await? == 1)
}
