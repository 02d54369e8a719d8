//! One file per kind of job.

mod deliver;
mod memory;
mod respond;
mod retention;
