//! What was measured.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// One message: who wrote it, when it was to be sent, and how long its acknowledgement took.
pub struct Shot {
    pub customer: String,
    pub intended: Instant,
    pub took: Duration,
}

#[derive(Default)]
pub struct Latencies {
    shots: HashMap<String, (Instant, Duration)>,
}

impl Latencies {
    pub fn add(&mut self, shot: Shot) {
        self.shots.insert(shot.customer, (shot.intended, shot.took));
    }

    pub fn len(&self) -> usize {
        self.shots.len()
    }

    pub fn customers(&self) -> impl Iterator<Item = &String> {
        self.shots.keys()
    }

    /// When the customer's message was to be sent.
    pub fn intended(&self, customer: &str) -> Option<Instant> {
        self.shots.get(customer).map(|(intended, _)| *intended)
    }

    /// Milliseconds until each acknowledgement.
    pub fn times(&self) -> Vec<f64> {
        self.shots.values().map(|(_, took)| took.as_secs_f64() * 1_000.0).collect()
    }
}

/// The value below which `share` of them lie; 0 of none.
pub fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let index = (sorted.len() as f64 * share) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}
