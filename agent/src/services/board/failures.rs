//! Failures of a week, grouped by code, with how many of each alert.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::DatabaseConnection;
use serde::Serialize;

use crate::services::agent_chat::IncidentKind;
use crate::store::StoreResult;
use crate::store::board::failures::{self as rows, Brief, Threshold};

/// Failures that are counted at most; what is older is left out and said so.
const MOST: u64 = 20_000;
/// Days of the small chart.
const DAYS: usize = 7;
/// Failures of one code within an hour that alert where an account has not said otherwise.
const PER_HOUR: i32 = 5;
/// The largest threshold: an hour has no more turns worth counting.
pub const MOST_PER_HOUR: i32 = 10_000;

/// How many failures of a type within an hour alert where an account has not said otherwise.
/// What nobody foresaw alerts at once.
pub fn default_per_hour(error_type: &str) -> i32 {
    if error_type == IncidentKind::Uncontrolled.as_str() { 1 } else { PER_HOUR }
}

/// Whether this can be a code: those of the program are short words of small letters.
pub fn is_code(text: &str) -> bool {
    let fits = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_';
    (1..=60).contains(&text.len()) && text.chars().all(fits)
}

/// Failures of one type and code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = FailureGroup)]
pub struct Group {
    /// `falha_consulta`, `uncontrolled` or `ungrounded`.
    pub error_type: String,
    pub code: String,
    /// The tools that failed so.
    pub tools: Vec<String>,
    pub last_hour: u64,
    pub last_24_hours: u64,
    pub last_7_days: u64,
    /// Of each of the last seven spans of 24 hours, oldest first.
    pub by_day: Vec<u64>,
    pub last_at: DateTime<Utc>,
    /// So many within an hour alert; 0 never does.
    pub per_hour: i32,
    /// What holds where the account has set nothing.
    pub default_per_hour: i32,
    /// Who set it, if anybody did.
    pub threshold: Option<Threshold>,
    /// The last hour has reached the threshold.
    pub is_over: bool,
}

/// How many failures of a type there were.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = FailureCount)]
pub struct Count {
    pub error_type: String,
    pub last_24_hours: u64,
    pub last_7_days: u64,
}

/// The failures of a week.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = FailureSummary)]
pub struct Summary {
    /// Of every type, also those that did not come up.
    pub types: Vec<Count>,
    /// Most of the last day first.
    pub groups: Vec<Group>,
    /// There were more than are counted here.
    pub is_capped: bool,
}

/// The account's failures of the last seven days.
pub async fn summary(
    db: &DatabaseConnection,
    account_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<Summary> {
    let since = now - TimeDelta::days(7);
    let briefs = rows::briefs(db, account_id, since, MOST).await?;
    let thresholds = rows::thresholds(db, account_id).await?;
    Ok(summarize(&briefs, thresholds, now))
}

/// Groups what is given, latest first.
fn summarize(briefs: &[Brief], thresholds: Vec<Threshold>, now: DateTime<Utc>) -> Summary {
    let thresholds: BTreeMap<String, Threshold> =
        thresholds.into_iter().map(|threshold| (threshold.code.clone(), threshold)).collect();
    let mut groups: BTreeMap<(&str, &str), (Group, BTreeSet<String>)> = BTreeMap::new();
    for brief in briefs {
        let (group, tools) = groups
            .entry((&brief.error_type, &brief.code))
            .or_insert_with(|| (empty(brief), BTreeSet::new()));
        let age = (now - brief.created_at).max(TimeDelta::zero());
        group.last_7_days += 1;
        group.last_24_hours += u64::from(age < TimeDelta::hours(24));
        group.last_hour += u64::from(age < TimeDelta::hours(1));
        let days = usize::try_from(age.num_hours() / 24).unwrap_or(DAYS).min(DAYS - 1);
        group.by_day[DAYS - 1 - days] += 1;
        group.last_at = group.last_at.max(brief.created_at);
        tools.extend(brief.tool.clone());
    }
    let mut groups: Vec<Group> = groups
        .into_values()
        .map(|(mut group, tools)| {
            group.tools = tools.into_iter().collect();
            group.threshold = thresholds.get(&group.code).cloned();
            if let Some(own) = &group.threshold {
                group.per_hour = own.per_hour;
            }
            let reached = i64::try_from(group.last_hour).unwrap_or(i64::MAX);
            group.is_over = group.per_hour > 0 && reached >= i64::from(group.per_hour);
            group
        })
        .collect();
    let most_first = |group: &Group| (group.last_24_hours, group.last_7_days, group.last_at);
    groups.sort_by_key(|group| Reverse(most_first(group)));
    let types = IncidentKind::ALL.map(|kind| {
        let of = groups.iter().filter(|group| group.error_type == kind.as_str());
        let mut count = Count { error_type: kind.as_str().to_owned(), ..Count::default() };
        for group in of {
            count.last_24_hours += group.last_24_hours;
            count.last_7_days += group.last_7_days;
        }
        count
    });
    let is_capped = briefs.len() as u64 >= MOST;
    Summary { types: types.to_vec(), groups, is_capped }
}

fn empty(brief: &Brief) -> Group {
    let per_hour = default_per_hour(&brief.error_type);
    Group {
        error_type: brief.error_type.clone(),
        code: brief.code.clone(),
        tools: Vec::new(),
        last_hour: 0,
        last_24_hours: 0,
        last_7_days: 0,
        by_day: vec![0; DAYS],
        last_at: brief.created_at,
        per_hour,
        default_per_hour: per_hour,
        threshold: None,
        is_over: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap()
    }

    fn brief(error_type: &str, code: &str, tool: Option<&str>, hours_ago: i64) -> Brief {
        Brief {
            error_type: error_type.to_owned(),
            tool: tool.map(str::to_owned),
            code: code.to_owned(),
            created_at: now() - TimeDelta::hours(hours_ago),
        }
    }

    #[test]
    fn failures_are_counted_by_code_day_and_hour() {
        let briefs = [
            brief("falha_consulta", "agenda_empty", Some("consultar_horarios"), 0),
            brief("falha_consulta", "agenda_empty", Some("agendar_horario"), 5),
            brief("falha_consulta", "agenda_empty", Some("agendar_horario"), 30),
            brief("ungrounded", "ungrounded", None, 167),
        ];
        let summary = summarize(&briefs, Vec::new(), now());
        let agenda = &summary.groups[0];
        assert_eq!((agenda.last_hour, agenda.last_24_hours, agenda.last_7_days), (1, 2, 3));
        assert_eq!(agenda.by_day, [0, 0, 0, 0, 0, 1, 2]);
        assert_eq!(agenda.tools, ["agendar_horario", "consultar_horarios"]);
        assert_eq!(summary.groups[1].by_day, [1, 0, 0, 0, 0, 0, 0]);
        let types: Vec<_> =
            summary.types.iter().map(|of| (of.error_type.as_str(), of.last_7_days)).collect();
        assert_eq!(types, [("falha_consulta", 3), ("uncontrolled", 0), ("ungrounded", 1)]);
    }

    #[test]
    fn an_hour_that_reaches_its_threshold_is_over_it_and_zero_is_never_reached() {
        let threshold = |code: &str, per_hour| Threshold {
            code: code.to_owned(),
            per_hour,
            changed_by: "operator:1".to_owned(),
            changed_at: now(),
        };
        let briefs = [
            brief("uncontrolled", "uncontrolled", None, 0),
            brief("falha_consulta", "slot_taken", None, 0),
            brief("falha_consulta", "slot_taken", None, 0),
            brief("falha_consulta", "internal", None, 0),
        ];
        let own = vec![threshold("slot_taken", 2), threshold("internal", 0)];
        let groups = summarize(&briefs, own, now()).groups;
        let over = |code: &str| groups.iter().find(|group| group.code == code).unwrap().is_over;
        assert!(over("uncontrolled") && over("slot_taken") && !over("internal"));
    }
}
