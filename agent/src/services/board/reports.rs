//! What a unit's customers said (seed 002 §2, §15): what they complain of and praise most, and who
//! they are. All of it comes from facts, each of which a customer's own message proves.
//!
//! A fact belongs to the period in which it was last said; deleted ones are never counted, so who
//! was forgotten is in no report. Complaints are deleted 180 days after they were last said.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use lembra_entities::account;
use serde::Serialize;
use utoipa::ToSchema;

use super::ranking::{self, RankedFacts};
use crate::domain::memory::{MemoryKind, coming};
use crate::services::memory::Memories;
use crate::store::board::contacts::{self, ContactName};
use crate::store::board::fact_search::UnitIs;
use crate::store::board::unit_facts::{self, MOST_COUNTED, MOST_CUSTOMERS, Place, Said};
use crate::store::{StoreResult, accounts, units};

/// Days of a report, unless asked otherwise, and at most.
pub const DAYS: i64 = 90;
pub const MOST_DAYS: i64 = 365;
/// Days ahead in which celebrations are listed.
const AHEAD: u64 = 30;
/// Celebrations read at most.
const MOST_DATES: i64 = 5_000;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportAsked {
    /// All units when absent.
    pub unit: Option<UnitIs>,
    /// The last so many days, 1 to [`MOST_DAYS`].
    pub days: i64,
    /// Groups of each list.
    pub top: usize,
}

/// A unit's report.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct UnitReport {
    /// Absent for all units, and for what was said where no unit was known.
    pub unit_id: Option<i64>,
    pub unit_name: Option<String>,
    /// `unit`, `all` or `unknown` (what was said where no unit was known).
    pub scope: String,
    pub days: i64,
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
    pub complaints: RankedFacts,
    pub praises: RankedFacts,
    pub profile: CustomerProfile,
}

/// Who a unit's customers are.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CustomerProfile {
    /// Customers with a conversation that began in the period.
    pub customers: i64,
    /// Those of them who had another conversation with the unit.
    pub returning: i64,
    /// Conversations that began in the period.
    pub conversations: i64,
    /// Only the customers of the latest conversations were counted.
    pub sampled: bool,
    /// Facts learnt in the period, by kind; all nine kinds.
    pub kinds: Vec<KindShare>,
    /// What they like, most frequent first.
    pub preferences: RankedFacts,
    /// Celebrations of the next 30 days, nearest first.
    pub dates: Vec<ComingDate>,
}

/// A kind of fact among all that were learnt.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct KindShare {
    pub memory_type: String,
    pub facts: i64,
    pub contacts: i64,
    /// Of the facts of all kinds, 0 to 1.
    pub share: f64,
    /// There are more than were counted.
    pub more: bool,
}

/// A celebration that comes soon.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ComingDate {
    pub memory_id: i64,
    pub contact: Option<ContactName>,
    pub contact_id: i64,
    pub content: String,
    pub on: NaiveDate,
    /// 0 is today, by the account's clock.
    pub in_days: i64,
}

impl Memories {
    /// The report of a unit, or of all; `None` when the account has no such unit.
    pub async fn report(
        &self,
        account: &account::Model,
        asked: ReportAsked,
    ) -> StoreResult<Option<UnitReport>> {
        let now = self.clock.now();
        let units = units::list(&self.db, account.id).await?;
        let (scope, unit) = match asked.unit {
            None => ("all", None),
            Some(UnitIs::Unknown) => ("unknown", None),
            Some(UnitIs::Id(id)) => {
                let Some(unit) = units.into_iter().find(|unit| unit.id == id) else {
                    return Ok(None);
                };
                ("unit", Some(unit))
            }
        };
        let days = asked.days.clamp(1, MOST_DAYS);
        let from = now - TimeDelta::days(days);
        let place = Place { account_id: account.id, unit: asked.unit };
        let zone = accounts::zone(account);
        let today = now.with_timezone(&zone).date_naive();
        let rank = |kind| self.ranked(place, kind, from, asked.top);
        let (complaints, praises, preferences, kinds, customers, dates) = futures::try_join!(
            rank(MemoryKind::Reclamacao),
            rank(MemoryKind::FeedbackPositivo),
            rank(MemoryKind::Preferencia),
            self.kinds(place, from),
            unit_facts::customers(&self.db, place, from),
            self.dates(place, today),
        )?;
        let mut report = UnitReport {
            unit_id: unit.as_ref().map(|unit| unit.id),
            unit_name: unit.map(|unit| unit.name),
            scope: scope.to_owned(),
            days,
            from,
            to: now,
            complaints,
            praises,
            profile: CustomerProfile {
                customers: customers.customers,
                returning: customers.returning,
                conversations: customers.conversations,
                sampled: customers.customers >= MOST_CUSTOMERS
                    || customers.conversations >= MOST_COUNTED,
                kinds,
                preferences,
                dates,
            },
        };
        self.name_people(account.id, &mut report).await?;
        Ok(Some(report))
    }

    /// The facts of a kind that were said since then, those that say the same together.
    async fn ranked(
        &self,
        place: Place,
        kind: MemoryKind,
        since: DateTime<Utc>,
        top: usize,
    ) -> StoreResult<RankedFacts> {
        let read = unit_facts::newest(&self.db, place, kind, ranking::MOST_FACTS).await?;
        let sampled = i64::try_from(read.len()).is_ok_and(|count| count == ranking::MOST_FACTS);
        // What a customer said of their liking and took back is none; a complaint was made.
        let holds = |said: &Said| kind != MemoryKind::Preferencia || !said.superseded;
        let said: Vec<Said> =
            read.into_iter().filter(|said| said.last_verified_at >= since && holds(said)).collect();
        let model = self.embedder.model();
        ranking::rank(&self.db, place.account_id, model, kind, said, (top, sampled)).await
    }

    async fn kinds(&self, place: Place, since: DateTime<Utc>) -> StoreResult<Vec<KindShare>> {
        let counts = unit_facts::counts(&self.db, place, since).await?;
        let all: i64 = counts.iter().map(|counted| counted.facts).sum();
        let share = |facts: i64| if all > 0 { facts as f64 / all as f64 } else { 0.0 };
        let mut shares: Vec<KindShare> = counts
            .into_iter()
            .map(|counted| KindShare {
                memory_type: counted.kind.as_str().to_owned(),
                facts: counted.facts,
                contacts: counted.contacts,
                share: share(counted.facts),
                more: counted.facts >= MOST_COUNTED,
            })
            .collect();
        shares.sort_by_key(|share| std::cmp::Reverse(share.facts));
        Ok(shares)
    }

    async fn dates(&self, place: Place, today: NaiveDate) -> StoreResult<Vec<ComingDate>> {
        let kind = MemoryKind::DataComemorativa;
        let facts = unit_facts::newest(&self.db, place, kind, MOST_DATES).await?;
        let standing = facts.into_iter().filter(|said| !said.superseded);
        let mut dates: Vec<ComingDate> = standing
            .filter_map(|said| {
                let on = coming::coming(&said.content, today, AHEAD)?;
                Some(ComingDate {
                    memory_id: said.id,
                    contact: None,
                    contact_id: said.contact_id,
                    content: said.content,
                    on,
                    in_days: (on - today).num_days(),
                })
            })
            .collect();
        dates.sort_by_key(|date| (date.on, date.memory_id));
        Ok(dates)
    }

    /// Puts names to all contacts of the report, in one look.
    async fn name_people(&self, account_id: i64, report: &mut UnitReport) -> StoreResult<()> {
        let profile = &mut report.profile;
        let lists = [&mut report.complaints, &mut report.praises, &mut profile.preferences];
        let mut ids: BTreeSet<i64> = profile.dates.iter().map(|date| date.contact_id).collect();
        ids.extend(lists.iter().flat_map(|list| list.contact_ids()));
        let names: HashMap<i64, ContactName> = contacts::names(&self.db, account_id, &ids).await?;
        for list in lists {
            list.name(&names);
        }
        for date in &mut profile.dates {
            date.contact = names.get(&date.contact_id).cloned();
        }
        Ok(())
    }
}

/// A unit that a report may be asked of.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ReportUnit {
    pub id: i64,
    pub name: String,
}

/// The account's units by name.
pub async fn units_of(
    db: &impl sea_orm::ConnectionTrait,
    account_id: i64,
) -> StoreResult<Vec<ReportUnit>> {
    let mut units = units::list(db, account_id).await?;
    units.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    Ok(units.into_iter().map(|unit| ReportUnit { id: unit.id, name: unit.name }).collect())
}
