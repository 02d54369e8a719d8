//! What the sources vouch for.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use chrono::{Datelike, Days, NaiveDate, Weekday};

use super::clock::TWELVE;
use super::found::{Currency, Day, DayPart, Found, Phone, Value};
use super::lex::Text;
use super::scan::{Scan, scan};
use super::sums::Amounts;
use super::{json, phone};

/// The values of all sources.
#[derive(Debug)]
pub(super) struct Licence {
    today: NaiveDate,
    money: HashMap<u64, HashSet<Option<Currency>>>,
    percents: HashSet<u64>,
    clocks: HashSet<u16>,
    dates: HashSet<NaiveDate>,
    month_days: HashSet<(u8, u8)>,
    days: HashSet<u8>,
    named: HashSet<Day>,
    phones: HashMap<String, Vec<Phone>>,
    /// Amounts that the sources name as money, which may be summed.
    amounts: Amounts,
    addresses: HashSet<String>,
}

impl Licence {
    pub fn new(today: NaiveDate) -> Licence {
        Licence {
            today,
            money: HashMap::new(),
            percents: HashSet::new(),
            clocks: HashSet::new(),
            dates: HashSet::new(),
            month_days: HashSet::new(),
            days: HashSet::new(),
            named: HashSet::new(),
            phones: HashMap::new(),
            amounts: Amounts::default(),
            addresses: HashSet::new(),
        }
    }

    /// Vouches for the date of today, which a prompt tells.
    pub fn add_today(&mut self) {
        self.insert_day(Day::On(self.today));
    }

    /// Takes in all that a source says, also as JSON.
    pub fn add(&mut self, source: &str) {
        self.add_text(source);
        if let Cow::Owned(plain) = json::unescaped(source) {
            self.add_text(&plain);
        }
    }

    fn add_text(&mut self, source: &str) {
        let text = Text::read(source);
        let Scan { found, idle, bare } = scan(&text, self.today);
        for found in &found {
            self.amounts.add(&found.value);
        }
        for found in found.iter().chain(&idle) {
            for value in std::iter::once(&found.value).chain(&found.also).chain(&found.lends) {
                self.insert(value);
            }
        }
        for at in bare {
            let priced = json::is_priced(&text, at);
            for value in json::readings(&text, at) {
                if priced {
                    self.amounts.add(&value);
                }
                self.insert(&value);
            }
        }
        for value in json::arrays(source) {
            self.insert(&value);
        }
        for digits in source.split(|c: char| !c.is_ascii_digit()) {
            if let Some(phone) = phone::from_digits(digits) {
                self.insert(&Value::Phone(phone));
            }
        }
    }

    fn insert(&mut self, value: &Value) {
        match value {
            Value::Money { cents, currency } => {
                self.money.entry(*cents).or_default().insert(*currency);
            }
            Value::Percent(percent) => {
                self.percents.insert(*percent);
            }
            Value::Clock(minutes) => {
                self.clocks.insert(*minutes);
                if *minutes >= TWELVE {
                    return;
                }
                // "às 2" may be 14:00.
                if (13 * 60..24 * 60).contains(minutes) {
                    self.clocks.insert(TWELVE + minutes - 12 * 60);
                }
                self.named.insert(Day::Part(part_of(*minutes)));
                if (18 * 60..19 * 60).contains(minutes) {
                    self.named.insert(Day::Part(DayPart::Afternoon));
                }
            }
            Value::Date { day, month, year } => self.insert_date(*day, *month, *year),
            Value::Phone(phone) => {
                self.phones.entry(phone.number.clone()).or_default().push(phone.clone());
            }
            Value::Email(address) | Value::Link(address) => {
                self.addresses.insert(address.clone());
            }
            Value::Day(day) => self.insert_day(*day),
        }
    }

    fn insert_date(&mut self, day: u8, month: Option<u8>, year: Option<i32>) {
        self.days.insert(day);
        if let Some(month) = month {
            self.month_days.insert((month, day));
        }
        if let Some(date) = resolve(day, month, year, self.today) {
            self.insert_day(Day::On(date));
        }
    }

    fn insert_day(&mut self, day: Day) {
        self.named.insert(day);
        match day {
            Day::On(date) => {
                let small = |part: u32| u8::try_from(part).unwrap_or_default();
                self.dates.insert(date);
                self.days.insert(small(date.day()));
                self.month_days.insert((small(date.month()), small(date.day())));
                self.named.insert(Day::Weekday(date.weekday()));
                if matches!(date.weekday(), Weekday::Sat | Weekday::Sun) {
                    self.named.insert(Day::Weekend);
                }
                let back = u64::from(date.weekday().num_days_from_monday());
                if let Some(monday) = date.checked_sub_days(Days::new(back)) {
                    self.named.insert(Day::Week(monday));
                }
            }
            // Its date is lent where it is no rule: "de segunda a sexta".
            Day::Weekday(_) | Day::Part(_) | Day::Week(_) | Day::Weekend => {}
        }
    }

    /// Whether an amount follows from those of the sources; see [`Amounts::make`].
    pub fn makes(&self, found: &Found, counts: &[u64]) -> bool {
        std::iter::once(&found.value)
            .chain(&found.also)
            .any(|value| self.amounts.make(value, counts))
    }

    /// Whether the sources hold what was found, in any of its readings.
    pub fn covers(&self, found: &Found) -> bool {
        std::iter::once(&found.value).chain(&found.also).any(|value| self.holds(value))
    }

    fn holds(&self, value: &Value) -> bool {
        match value {
            Value::Money { cents, currency } => self.money.get(cents).is_some_and(|currencies| {
                currency.is_none() || currencies.contains(&None) || currencies.contains(currency)
            }),
            Value::Percent(percent) => self.percents.contains(percent),
            Value::Clock(minutes) => self.clocks.contains(minutes),
            Value::Date { day, month: None, .. } => self.days.contains(day),
            Value::Date { day, month: Some(month), year: None } => {
                self.month_days.contains(&(*month, *day))
            }
            Value::Date { day, month: Some(month), year: Some(year) } => {
                let date = NaiveDate::from_ymd_opt(*year, u32::from(*month), u32::from(*day));
                match date {
                    Some(date) => self.dates.contains(&date),
                    None => self.month_days.contains(&(*month, *day)),
                }
            }
            Value::Phone(phone) => self
                .phones
                .get(&phone.number)
                .is_some_and(|known| known.iter().any(|other| other.same(phone))),
            Value::Email(address) | Value::Link(address) => self.addresses.contains(address),
            Value::Day(day) => self.named.contains(day),
        }
    }
}

fn part_of(minutes: u16) -> DayPart {
    match minutes / 60 {
        0..=11 => DayPart::Morning,
        12..=17 => DayPart::Afternoon,
        _ => DayPart::Evening,
    }
}

/// The date meant from `today` on, where month or year are not said.
fn resolve(day: u8, month: Option<u8>, year: Option<i32>, today: NaiveDate) -> Option<NaiveDate> {
    let at = |year, month| NaiveDate::from_ymd_opt(year, month, u32::from(day));
    let Some(month) = month.map(u32::from) else {
        let months = (0..3).map(|ahead| today.month0() + ahead);
        let mut dates = months.filter_map(|month| {
            let years = i32::try_from(month / 12).ok()?;
            at(today.year() + years, month % 12 + 1)
        });
        return dates.find(|date| *date >= today);
    };
    match year {
        Some(year) => at(year, month),
        // The 29th of February may be years ahead.
        None => (0..=8).filter_map(|ahead| at(today.year() + ahead, month)).find(|d| *d >= today),
    }
}
