//! The one way into everything: a table of routes, each with what it needs or why everybody comes
//! in, and the guard of those that are not open. A handler is reached through [`routes::Routes`]
//! alone.

mod actor;
pub mod alias;
pub mod document;
pub mod guard;
pub mod limits;
pub mod local;
pub mod principal;
pub mod problem;
pub mod routes;

pub use actor::actor;
pub use principal::Principal;
pub use routes::{Access, Routes};
