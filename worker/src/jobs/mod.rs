//! One file per kind of job.

mod deliver;
mod fetch_media;
mod memory;
mod notify_handoff;
mod respond;
mod retention;
mod roll_up_stats;
mod watch;
