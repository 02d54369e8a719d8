//! How long to wait before trying again.

use std::time::Duration;

/// Exponential waiting with jitter, per kind of job.
#[derive(Debug, Clone, Copy)]
pub struct Backoff {
    pub first: Duration,
    pub most: Duration,
}

impl Backoff {
    pub const fn new(first: Duration, most: Duration) -> Self {
        Self { first, most }
    }

    /// The wait after the `attempt`th try failed (the first is 1): doubled each time, up to
    /// `most`, then spread over 50 to 100 % by `jitter` (0 to 1), so that jobs which failed
    /// together do not come back together.
    pub fn after(&self, attempt: u32, jitter: f64) -> Duration {
        let doublings = attempt.saturating_sub(1).min(16);
        let wait = self.first.saturating_mul(1 << doublings).min(self.most);
        wait.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_most_and_never_vanish() {
        let backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(10));
        for (attempt, full) in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (90, 10)] {
            let full = Duration::from_secs(full);
            assert_eq!(backoff.after(attempt, 1.0), full, "attempt {attempt}");
            assert_eq!(backoff.after(attempt, 0.0), full / 2, "attempt {attempt}");
        }
    }
}
