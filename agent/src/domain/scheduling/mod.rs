//! Offering times: names as people write them, times as people say them, and which of many slots
//! are worth showing.

pub mod names;
pub mod offer;
pub mod patient;
mod spelling;
pub mod spoken;
