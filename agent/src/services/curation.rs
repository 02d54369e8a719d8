//! The weekly look at what triage answered: was it right?
//!
//! An operator reads each message that got a fixed answer, with what the customer wrote next, and
//! marks it. Wrong ones come out as rows of the table that `bot eval triage` reads.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::DatabaseConnection;

use crate::clock::SharedClock;
use crate::store::StoreResult;
use crate::store::curation::{self, Marked, Preempted};

/// What an operator thinks of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    Right,
    /// What triage should have said instead.
    Wrong {
        expected: String,
    },
}

/// Which table a row belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Guard,
    Scope,
    Loop,
}

impl Layout {
    /// The table in which a message with this verdict is tested.
    pub fn of(verdict: &str) -> Self {
        match verdict {
            "scope-rejection" | "out-of-domain" => Layout::Scope,
            "loop" => Layout::Loop,
            _ => Layout::Guard,
        }
    }

    /// By its name in addresses.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "guard" => Some(Layout::Guard),
            "scope" => Some(Layout::Scope),
            "loop" => Some(Layout::Loop),
            _ => None,
        }
    }

    /// The label of a message that should have gone to the model.
    pub fn calm_label(verdict: &str) -> &'static str {
        match Self::of(verdict) {
            Layout::Scope => "in-scope",
            Layout::Guard | Layout::Loop => "none",
        }
    }

    fn header(self) -> &'static str {
        match self {
            Layout::Guard | Layout::Scope => "id\tlocale\ttext\tlabel\tsource",
            Layout::Loop => "id\tm1\tm2\tm3\tpast_turns\tlabel\tsource",
        }
    }
}

/// Reads `7d`, `12h` or `30m`.
pub fn parse_age(text: &str) -> Option<TimeDelta> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let count: i64 = digits.parse().ok().filter(|count| *count > 0)?;
    match unit {
        "d" => TimeDelta::try_days(count),
        "h" => TimeDelta::try_hours(count),
        "m" => TimeDelta::try_minutes(count),
        _ => None,
    }
}

/// The messages that got a fixed answer since then, newest first.
pub async fn list(
    db: &DatabaseConnection,
    account_id: Option<i64>,
    since: DateTime<Utc>,
) -> StoreResult<Vec<Preempted>> {
    curation::preempted_since(db, account_id, since).await
}

/// Marks a message; false when it got no fixed answer.
pub async fn mark(
    db: &DatabaseConnection,
    clock: &SharedClock,
    message_id: i64,
    mark: &Mark,
) -> StoreResult<bool> {
    let Some(found) = curation::find(db, message_id).await? else {
        return Ok(false);
    };
    let (word, expected) = match mark {
        Mark::Right => ("right", None),
        Mark::Wrong { expected } => ("wrong", Some(expected.clone())),
    };
    let now = clock.now();
    curation::mark(db, message_id, found.account_id, word, expected, now).await?;
    metrics::counter!("lembra_curation_marks_total", "mark" => word).increment(1);
    Ok(true)
}

/// The verdict of a message that got a fixed answer.
pub async fn verdict_of(db: &DatabaseConnection, message_id: i64) -> StoreResult<Option<String>> {
    Ok(curation::find(db, message_id).await?.and_then(|message| message.verdict))
}

/// Wrong marks of all accounts as a table of test rows, header first.
pub async fn export(db: &DatabaseConnection, layout: Layout) -> StoreResult<Vec<String>> {
    export_of(db, None, layout).await
}

/// Wrong marks of one account, or of all, as a table of test rows, header first.
pub async fn export_of(
    db: &DatabaseConnection,
    account_id: Option<i64>,
    layout: Layout,
) -> StoreResult<Vec<String>> {
    let mut lines = vec![layout.header().to_owned()];
    for row in curation::wrong(db, account_id).await? {
        if Layout::of(&row.verdict) != layout {
            continue;
        }
        let said = match layout {
            Layout::Loop => curation::said_until(db, &row, 3).await?,
            Layout::Guard | Layout::Scope => Vec::new(),
        };
        lines.push(line(layout, &row, &said));
    }
    Ok(lines)
}

/// One row. A loop is only seen after two turns that led nowhere, so that is what it is tested
/// with.
fn line(layout: Layout, row: &Marked, said: &[String]) -> String {
    let cell = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let label = row.expected.as_deref().unwrap_or_else(|| Layout::calm_label(&row.verdict));
    let id = format!("m{}", row.message_id);
    match layout {
        Layout::Loop => {
            let missing = 3_usize.saturating_sub(said.len());
            let mut said: Vec<String> = said.iter().map(|text| cell(text)).collect();
            said.splice(0..0, std::iter::repeat_n(String::new(), missing));
            format!("{id}\t{}\t2\t{label}\tcuration", said.join("\t"))
        }
        Layout::Guard | Layout::Scope => {
            format!("{id}\t{}\t{}\t{label}\tcuration", row.locale, cell(&row.text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_read_in_days_hours_and_minutes() {
        assert_eq!(parse_age("7d"), Some(TimeDelta::days(7)));
        assert_eq!(parse_age("12h"), Some(TimeDelta::hours(12)));
        assert_eq!(parse_age("30m"), Some(TimeDelta::minutes(30)));
        for wrong in ["", "d", "7", "-1d", "0h", "7w", "7é", "99999999999999999999d"] {
            assert_eq!(parse_age(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_text_with_tabs_and_lines_stays_one_row() {
        let row = Marked {
            message_id: 5,
            conversation_id: 1,
            locale: "pt-BR".to_owned(),
            text: "que\tlixo\nde dia".to_owned(),
            verdict: "frustrated".to_owned(),
            expected: None,
        };
        let guard = line(Layout::Guard, &row, &[]);
        assert_eq!(guard, "m5\tpt-BR\tque lixo de dia\tnone\tcuration");
        let looped = line(Layout::Loop, &row, &["a".to_owned(), "b\tc".to_owned()]);
        assert_eq!(looped, "m5\t\ta\tb c\t2\tnone\tcuration");
    }
}
