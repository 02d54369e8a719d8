//! One file per kind of job.

mod deliver;
mod fetch_media;
mod respond;
mod retention;
mod watch;
