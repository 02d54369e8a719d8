//! What must hold before any answer goes out, canonical ones included (DESIGN §3.3).

use chrono::{DateTime, TimeDelta, Utc};

use super::conversation::{Handler, Outcome};

/// After a customer's message, free-form answers are allowed for this long (WhatsApp facts 30).
pub const CHANNEL_WINDOW: TimeDelta = TimeDelta::hours(24);
/// Answers to one conversation within [`RATE_WINDOW`] that look like two bots talking (DESIGN §9).
pub const MOST_ANSWERS: u64 = 30;
/// See [`MOST_ANSWERS`].
pub const RATE_WINDOW: TimeDelta = TimeDelta::minutes(10);
/// The same text this many times running looks like an automaton.
pub const MOST_REPEATS: usize = 5;

/// What the gates look at.
#[derive(Debug, Clone)]
pub struct GateInput {
    pub now: DateTime<Utc>,
    /// When the provider says that the message was written.
    pub written_at: DateTime<Utc>,
    pub max_answer_age: TimeDelta,
    pub account_paused: bool,
    pub handler: Handler,
    pub paused_until: Option<DateTime<Utc>>,
    /// Answers sent to this conversation within [`RATE_WINDOW`].
    pub recent_answers: u64,
    /// How often the customer sent this very text running, this time counted.
    pub repeats: usize,
}

/// A closed gate: why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    BotPaused,
    HumanInCharge,
    PausedByHuman,
    TooOld,
    WindowClosed,
    RateLimited,
}

impl Gate {
    pub fn outcome(self) -> Outcome {
        match self {
            Gate::BotPaused => Outcome::Human { detail: "bot_paused" },
            Gate::HumanInCharge => Outcome::Human { detail: "human_in_charge" },
            Gate::PausedByHuman => Outcome::Human { detail: "paused_by_human" },
            Gate::TooOld => Outcome::TooOld,
            Gate::WindowClosed => Outcome::WindowClosed,
            Gate::RateLimited => Outcome::RateLimited,
        }
    }
}

/// The first gate that is closed; `None` when an answer may go out.
pub fn check(input: &GateInput) -> Option<Gate> {
    let age = input.now - input.written_at;
    if input.account_paused {
        Some(Gate::BotPaused)
    } else if input.handler == Handler::Human {
        Some(Gate::HumanInCharge)
    } else if input.paused_until.is_some_and(|until| input.now < until) {
        Some(Gate::PausedByHuman)
    } else if age >= CHANNEL_WINDOW {
        Some(Gate::WindowClosed)
    } else if age > input.max_answer_age {
        Some(Gate::TooOld)
    } else if input.recent_answers >= MOST_ANSWERS || input.repeats >= MOST_REPEATS {
        Some(Gate::RateLimited)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change = fn(&mut GateInput);

    #[test]
    fn each_closed_gate_is_named_and_an_ordinary_message_passes() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let open = GateInput {
            now,
            written_at: now - TimeDelta::seconds(3),
            max_answer_age: TimeDelta::hours(2),
            account_paused: false,
            handler: Handler::Bot,
            paused_until: None,
            recent_answers: 29,
            repeats: 4,
        };
        let cases: [(Change, Option<Gate>); 10] = [
            (|_| {}, None),
            (|input| input.account_paused = true, Some(Gate::BotPaused)),
            (|input| input.handler = Handler::Human, Some(Gate::HumanInCharge)),
            (
                |input| input.paused_until = Some(input.now + TimeDelta::minutes(1)),
                Some(Gate::PausedByHuman),
            ),
            (|input| input.paused_until = Some(input.now), None),
            (|input| input.written_at = input.now - TimeDelta::hours(3), Some(Gate::TooOld)),
            (|input| input.written_at = input.now + TimeDelta::hours(3), None),
            (|input| input.written_at = input.now - TimeDelta::hours(24), Some(Gate::WindowClosed)),
            (|input| input.recent_answers = 30, Some(Gate::RateLimited)),
            (|input| input.repeats = 5, Some(Gate::RateLimited)),
        ];
        for (index, (change, expected)) in cases.into_iter().enumerate() {
            let mut input = open.clone();
            change(&mut input);
            assert_eq!(check(&input), expected, "case {index}");
        }
    }
}
