//! The one way into everything: a table of routes, each with what it needs, and a guard that every
//! one of them has. A handler cannot be reached but through [`routes::Routes`].

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
