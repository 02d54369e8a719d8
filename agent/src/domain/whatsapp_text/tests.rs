//! Tests of the module as its users see it.

mod markdown;
mod properties;
mod split;
