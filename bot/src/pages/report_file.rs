//! A unit's report as a table for spreadsheets: one row per statement, with what it is about in the
//! first column, so that it can be filtered there.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use lembra_agent::domain::spreadsheet;
use lembra_agent::domain::triage::fold::fold;
use lembra_agent::services::board::ranking::RankedFacts;
use lembra_agent::services::board::reports::UnitReport;

use super::words;

/// Columns of the table, by their names in `templates/words`.
const COLUMNS: [&str; 9] = [
    "section",
    "item",
    "customers",
    "mentions",
    "share",
    "date",
    "quote",
    "contact",
    "conversation",
];

type Row = [String; COLUMNS.len()];

fn row(section: &str, item: &str) -> Row {
    let mut row = Row::default();
    row[0] = words::of("report_section", section);
    row[1] = item.to_owned();
    row
}

fn day(date: NaiveDate) -> String {
    date.format("%d/%m/%Y").to_string()
}

/// A share of 0 to 1 as Brazilian spreadsheets read a percentage.
fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0).replace('.', ",")
}

/// The file's bytes; see [`spreadsheet`].
pub fn table(report: &UnitReport, zone: Tz) -> Option<Vec<u8>> {
    let local = |at: DateTime<Utc>| day(at.with_timezone(&zone).date_naive());
    let mut rows = vec![COLUMNS.map(|column| words::of("report_column", column))];
    let place = match report.scope.as_str() {
        "unit" => report.unit_name.clone().unwrap_or_default(),
        scope => words::of("report_scope", scope),
    };
    let mut head = row("unit", &place);
    head[5] = format!("{} – {}", local(report.from), local(report.to));
    rows.push(head);
    let profile = &report.profile;
    for (name, count) in [
        ("customers", profile.customers),
        ("returning", profile.returning),
        ("conversations", profile.conversations),
    ] {
        let mut line = row("summary", &words::of("report_summary", name));
        line[2] = count.to_string();
        if name == "returning" && profile.customers > 0 {
            line[4] = percent(profile.returning as f64 / profile.customers as f64);
        }
        rows.push(line);
    }
    let ranked = [
        ("complaints", &report.complaints),
        ("praises", &report.praises),
        ("preferences", &profile.preferences),
    ];
    for (section, facts) in ranked {
        rows.extend(groups(section, facts, &local));
    }
    for kind in &profile.kinds {
        let mut line = row("kinds", &words::of("memory_kind", &kind.memory_type));
        line[2] = kind.contacts.to_string();
        line[3] = kind.facts.to_string();
        line[4] = percent(kind.share);
        rows.push(line);
    }
    for date in &profile.dates {
        let mut line = row("dates", &date.content);
        line[5] = day(date.on);
        line[7] = date
            .contact
            .as_ref()
            .map(lembra_agent::store::board::contacts::ContactName::label)
            .unwrap_or_default();
        rows.push(line);
    }
    spreadsheet::file(rows)
}

fn groups(
    section: &str,
    facts: &RankedFacts,
    local: &impl Fn(DateTime<Utc>) -> String,
) -> Vec<Row> {
    let line = |group: &lembra_agent::services::board::ranking::FactGroup| {
        let mut line = row(section, &group.content);
        line[2] = group.contacts.to_string();
        line[3] = group.mentions.to_string();
        line[5] = local(group.last_said_at);
        if let Some(example) = group.examples.first() {
            line[6] = example.evidence.clone();
            line[7] = example
                .contact
                .as_ref()
                .map(lembra_agent::store::board::contacts::ContactName::label)
                .unwrap_or_default();
            line[8] = example.conversation_id.map(|id| id.to_string()).unwrap_or_default();
        }
        line
    };
    facts.groups.iter().map(line).collect()
}

/// What the file is called: letters, digits and dashes only.
pub fn name(report: &UnitReport, zone: Tz) -> String {
    let place = report.unit_name.as_deref().unwrap_or(&report.scope);
    let words = [words::word("reports.file"), fold(place)];
    let plain = |text: &String| -> String {
        let parts =
            text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("-")
    };
    let until = report.to.with_timezone(&zone).date_naive();
    let names: Vec<String> = words.iter().map(plain).filter(|name| !name.is_empty()).collect();
    format!("{}-{}d-{until}.csv", names.join("-"), report.days)
}
