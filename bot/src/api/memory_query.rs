//! How facts of an account are asked for, in addresses of the API and of pages.

use chrono::{DateTime, Days, NaiveDate, TimeZone, Utc};
use chrono_tz::Tz;
use lembra_agent::domain::memory::MemoryKind;
use lembra_agent::services::board::memory_search::MemoryQuery;
use lembra_agent::store::board::fact_search::{FactFilter, FactStatus, UnitIs};
use serde::Deserialize;
use utoipa::IntoParams;

/// Facts of one answer, unless asked otherwise and at most.
const PAGE: usize = 50;
const MOST: usize = 100;

/// What is asked for. An empty text is as good as none.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
pub struct MemoryFilter {
    /// What facts should say; by meaning, unless `by` is `words`.
    pub q: Option<String>,
    /// `meaning` (the default, a paid call of the embedding model) or `words`.
    pub by: Option<String>,
    /// Kinds, separated by commas, such as `reclamacao,feedback_positivo`.
    #[serde(rename = "type")]
    #[param(rename = "type")]
    pub kind: Option<String>,
    /// Id of the unit where they were learnt, or `none` where no unit was known.
    pub unit: Option<String>,
    /// `active` (the default), `superseded`, `expired`, `deleted`, `history` or `all`.
    pub status: Option<String>,
    /// Id of a contact.
    pub contact: Option<String>,
    /// Learnt on this day or later, by the account's clock: `2026-11-30`.
    pub from: Option<String>,
    /// Learnt on this day or earlier.
    pub to: Option<String>,
    /// Only facts with a smaller id: `next` of the answer before.
    pub before: Option<i64>,
    /// At most 100; 50 when absent.
    pub limit: Option<usize>,
}

/// A parameter that cannot be read: its name, and what it may be.
pub type Unread = (&'static str, &'static str);

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

/// The unit that a parameter names.
pub fn unit(text: Option<&str>) -> Result<Option<UnitIs>, Unread> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some("none") => Ok(Some(UnitIs::Unknown)),
        Some(id) => match id.parse() {
            Ok(id) => Ok(Some(UnitIs::Id(id))),
            Err(_) => Err(("unit", "must be the id of a unit, or none")),
        },
    }
}

/// When that day begins where the account is; some days begin an hour late.
fn begins(day: NaiveDate, zone: Tz) -> Option<DateTime<Utc>> {
    let midnight = day.and_hms_opt(0, 0, 0)?;
    let later = || zone.from_local_datetime(&day.and_hms_opt(1, 0, 0)?).earliest();
    let begins = zone.from_local_datetime(&midnight).earliest().or_else(later)?;
    Some(begins.with_timezone(&Utc))
}

impl MemoryFilter {
    /// What is asked for, days being those of `zone`.
    pub fn read(&self, zone: Tz) -> Result<MemoryQuery, Unread> {
        let by_words = match given(&self.by) {
            None | Some("meaning") => false,
            Some("words") => true,
            Some(_) => return Err(("by", "must be meaning or words")),
        };
        let names = given(&self.kind).unwrap_or_default().split(',').map(str::trim);
        let kinds = names
            .filter(|name| !name.is_empty())
            .map(|name| MemoryKind::parse(name).ok_or(("type", "must be of the nine kinds")));
        let status = match given(&self.status) {
            None => FactStatus::default(),
            Some(name) => FactStatus::parse(name).ok_or((
                "status",
                "must be active, superseded, expired, deleted, history or all",
            ))?,
        };
        let contact = given(&self.contact).map(str::parse).transpose();
        let from = day(&self.from, "from")?.and_then(|day| begins(day, zone));
        let to = day(&self.to, "to")?.and_then(|day| day.checked_add_days(Days::new(1)));
        let filter = FactFilter {
            kinds: kinds.collect::<Result<_, _>>()?,
            unit: unit(self.unit.as_deref())?,
            contact_id: contact.map_err(|_| ("contact", "must be the id of a contact"))?,
            from,
            to: to.and_then(|day| begins(day, zone)),
            status,
        };
        Ok(MemoryQuery {
            text: given(&self.q).unwrap_or_default().to_owned(),
            by_words,
            filter,
            before: self.before,
            limit: self.limit.unwrap_or(PAGE).clamp(1, MOST),
        })
    }
}

fn day(text: &Option<String>, name: &'static str) -> Result<Option<NaiveDate>, Unread> {
    given(text).map(str::parse).transpose().map_err(|_| (name, "must be a day such as 2026-11-30"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn days_are_those_of_the_account_and_the_last_one_counts() {
        let filter = MemoryFilter {
            from: text("2026-11-01"),
            to: text("2026-11-30"),
            kind: text("reclamação, feedback_positivo"),
            unit: text("none"),
            ..MemoryFilter::default()
        };
        let query = filter.read(chrono_tz::America::Sao_Paulo).unwrap();
        let at = |text: &str| Some(text.parse::<DateTime<Utc>>().unwrap());
        assert_eq!(query.filter.from, at("2026-11-01T03:00:00Z"));
        assert_eq!(query.filter.to, at("2026-12-01T03:00:00Z"));
        assert_eq!(query.filter.kinds, [MemoryKind::Reclamacao, MemoryKind::FeedbackPositivo]);
        assert_eq!(query.filter.unit, Some(UnitIs::Unknown));
        assert_eq!((query.limit, query.by_words), (50, false));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let empty = || MemoryFilter { unit: text(""), status: text(" "), ..Default::default() };
        assert!(empty().read(Tz::UTC).is_ok());
        for (filter, name) in [
            (MemoryFilter { kind: text("humor"), ..empty() }, "type"),
            (MemoryFilter { unit: text("x"), ..empty() }, "unit"),
            (MemoryFilter { status: text("gone"), ..empty() }, "status"),
            (MemoryFilter { from: text("30/11/2026"), ..empty() }, "from"),
            (MemoryFilter { contact: text("ana"), ..empty() }, "contact"),
            (MemoryFilter { by: text("luck"), ..empty() }, "by"),
        ] {
            assert_eq!(filter.read(Tz::UTC).unwrap_err().0, name);
        }
    }
}
