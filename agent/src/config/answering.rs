//! The rhythm of answering, and how long things are kept.

use chrono::TimeDelta;

use super::env::{ConfigError, Env};

/// When and from what answers are made (DESIGN §3).
#[derive(Debug, Clone)]
pub struct AnsweringConfig {
    /// `DEBOUNCE_MS`; an account may have its own.
    pub debounce: TimeDelta,
    /// `MAX_ANSWER_AGE_SECS`.
    pub max_answer_age: TimeDelta,
    /// `WORKING_MEMORY_MESSAGES`.
    pub working_memory: u64,
    /// `RETENTION_DAYS`.
    pub retention: TimeDelta,
    /// `HUMAN_PAUSE_MINUTES`: how long a person who wrote from the phone keeps the bot silent
    /// (DESIGN §9).
    pub human_pause: TimeDelta,
    /// `SILENCE_ALERT_HOURS`; `None`: lines are not watched.
    pub silence_alert: Option<TimeDelta>,
}

impl AnsweringConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let number = |name, default: u32| Ok(i64::from(env.parsed(name)?.unwrap_or(default)));
        let working_memory = env.parsed("WORKING_MEMORY_MESSAGES")?.unwrap_or(20);
        if working_memory == 0 {
            return Err(ConfigError::new("WORKING_MEMORY_MESSAGES", "must be at least 1"));
        }
        Ok(Self {
            debounce: TimeDelta::milliseconds(number("DEBOUNCE_MS", 2_500)?),
            max_answer_age: TimeDelta::seconds(number("MAX_ANSWER_AGE_SECS", 7_200)?),
            working_memory,
            retention: TimeDelta::days(number("RETENTION_DAYS", 30)?),
            human_pause: TimeDelta::minutes(number("HUMAN_PAUSE_MINUTES", 60)?),
            silence_alert: match number("SILENCE_ALERT_HOURS", 24)? {
                0 => None,
                hours => Some(TimeDelta::hours(hours)),
            },
        })
    }
}
