//! Where time comes from. Everything that needs "now" is given a [`Clock`].

use std::sync::Arc;

use chrono::{DateTime, SubsecRound, Utc};

/// Tells the time. Instants are cut to microseconds: PostgreSQL keeps no more, and an instant must
/// equal itself after a round trip through either database.
pub trait Clock: Send + Sync {
    fn now(&self) -> DateTime<Utc>;
}

pub type SharedClock = Arc<dyn Clock>;

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the one home of the machine's clock"
        )]
        Utc::now().trunc_subsecs(6)
    }
}
