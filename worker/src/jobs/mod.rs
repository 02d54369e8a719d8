//! One file per kind of job.

mod deliver;
mod respond;
mod retention;
