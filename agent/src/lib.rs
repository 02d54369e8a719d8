//! What Lembra does, knowing nothing of HTTP servers or job hosts.
//!
//! Arrows: `services` → {`channels`, `llm`, `store`, `jobs`} → `config` → `domain`.

pub mod channels;
pub mod clock;
pub mod config;
pub mod domain;
pub mod http;
pub mod jobs;
pub mod llm;
pub mod services;
pub mod store;
pub mod trace;
