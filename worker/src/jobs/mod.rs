//! One file per kind of job.

mod deliver;
mod fetch_media;
mod memory;
mod respond;
mod retention;
mod watch;
