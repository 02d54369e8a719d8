//! Figures of an account over time: counts, histograms whose percentiles add up, and the periods
//! that pages show them for.

pub mod figures;
pub mod histogram;
pub mod period;

pub use figures::{Cost, Figures};
pub use histogram::Histogram;
pub use period::{Period, Step};
