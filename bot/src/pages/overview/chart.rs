//! Small drawings out of numbers. What is drawn is stretched to its place, so it holds no text;
//! the words stand beside it.

use chrono::{DateTime, Datelike, Utc};
use chrono_tz::Tz;
use lembra_agent::services::board::overview::Overview;
use lembra_agent::services::board::overview_parts::Point;

use crate::pages::{text, words};

/// Height of the drawing of bars, and the room of one step in it.
const HEIGHT: f64 = 100.0;
const STEP: usize = 10;

/// Messages received and sent, side by side for each step.
pub struct Bars {
    /// Of the whole drawing.
    pub width: usize,
    pub steps: Vec<Step>,
    /// Below the drawing, each at the beginning of an equal part of it.
    pub labels: Vec<String>,
    /// How many parts those are, as a class.
    pub parts: &'static str,
    /// The highest bar.
    pub most: String,
    pub is_empty: bool,
}

/// One step of the bars, and of the table that says the same.
pub struct Step {
    pub label: String,
    /// What is told to whoever points at it.
    pub title: String,
    pub received: u64,
    pub sent: u64,
    pub is_future: bool,
    pub x: usize,
    pub bars: [Bar; 2],
}

pub struct Bar {
    pub kind: &'static str,
    pub x: String,
    pub y: String,
    pub height: String,
}

impl Bars {
    pub fn of(overview: &Overview, zone: Tz) -> Self {
        let points = &overview.series;
        let most = points.iter().map(|point| point.received.max(point.sent)).max().unwrap_or(0);
        let by_hour = overview.step == "hour";
        let label = |point: &Point| label(point.at, zone, by_hour, points.len());
        let step = |(place, point): (usize, &Point)| {
            let x = place * STEP;
            let bar = |kind, offset: f64, count: u64| {
                let height = HEIGHT * count as f64 / most.max(1) as f64;
                Bar {
                    kind,
                    x: format!("{:.1}", x as f64 + offset),
                    y: format!("{:.2}", HEIGHT - height),
                    height: format!("{height:.2}"),
                }
            };
            let (received, sent) = (point.received, point.sent);
            let values = [
                ("step", label(point)),
                ("received", text::grouped(&received.to_string())),
                ("sent", text::grouped(&sent.to_string())),
            ];
            let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
            Step {
                label: label(point),
                title: words::filled("overview.bar", &values),
                received,
                sent,
                is_future: point.is_future,
                x,
                bars: [bar("in", 1.6, received), bar("out", 5.1, sent)],
            }
        };
        let (every, parts) = match points.len() {
            7 => (1, "seven"),
            length if length > 25 => (6, "five"),
            _ => (6, "four"),
        };
        let labels = points.iter().step_by(every).map(label);
        Self {
            width: points.len() * STEP,
            labels: labels.take(7).collect(),
            parts,
            most: text::grouped(&most.to_string()),
            is_empty: most == 0,
            steps: points.iter().enumerate().map(step).collect(),
        }
    }
}

/// "14h", "seg. 30" or "30/11".
fn label(at: DateTime<Utc>, zone: Tz, by_hour: bool, steps: usize) -> String {
    let local = at.with_timezone(&zone);
    if by_hour {
        return local.format("%Hh").to_string();
    }
    if steps > 7 {
        return local.format("%d/%m").to_string();
    }
    let weekday = words::of("weekday", &local.weekday().number_from_monday().to_string());
    format!("{weekday} {}", local.day())
}

/// A line over a small area, in a drawing of 100 by 32.
pub struct Spark {
    /// Points of the line.
    pub line: String,
    /// The area under it.
    pub area: String,
}

impl Spark {
    /// Out of what there is; `None` when that is too little to be a line. Values that are absent
    /// are passed over.
    pub fn of(values: &[Option<f64>]) -> Option<Self> {
        let known: Vec<(usize, f64)> = values
            .iter()
            .enumerate()
            .filter_map(|(place, value)| Some((place, (*value)?)))
            .collect();
        let most = known.iter().map(|(_, value)| *value).fold(0.0, f64::max);
        if known.len() < 2 || most <= 0.0 {
            return None;
        }
        let last = values.len().max(2) - 1;
        let points: Vec<(f64, f64)> = known
            .iter()
            .map(|(place, value)| (100.0 * *place as f64 / last as f64, 30.0 - 28.0 * value / most))
            .collect();
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let line = line.join(" ");
        let (first, end) = (points.first()?.0, points.last()?.0);
        let area = format!("M{first:.1},32 L{} L{end:.1},32 Z", line.replace(' ', " L"));
        Some(Self { line, area })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_from_the_left_to_the_right_and_not_above_its_place() {
        let spark = Spark::of(&[Some(0.0), None, Some(5.0), Some(10.0)]).expect("a line");
        assert_eq!(spark.line, "0.0,30.0 66.7,16.0 100.0,2.0");
        assert!(spark.area.starts_with("M0.0,32 L0.0,30.0 L66.7"), "{}", spark.area);
    }

    #[test]
    fn nothing_is_drawn_out_of_nothing() {
        assert!(Spark::of(&[]).is_none());
        assert!(Spark::of(&[Some(3.0), None]).is_none());
        assert!(Spark::of(&[Some(0.0), Some(0.0)]).is_none());
    }

    #[test]
    fn steps_are_named_by_hour_weekday_or_date() {
        let at = DateTime::parse_from_rfc3339("2026-11-30T17:00:00Z").expect("an instant").to_utc();
        let zone = chrono_tz::America::Sao_Paulo;
        assert_eq!(label(at, zone, true, 24), "14h");
        assert_eq!(label(at, zone, false, 30), "30/11");
        assert!(label(at, zone, false, 7).ends_with(" 30"));
    }
}
