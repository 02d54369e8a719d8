//! A clinic's agenda for standalone mode: the contract of `docs/agenda.openapi.yaml`, served by
//! this process under [`PATH`]. Its doctors are made up, its free times follow from the clock, and
//! what is booked is kept in a file.

mod book;
mod catalogue;
mod effects;
mod file;
mod routes;
mod slots;

use std::path::Path;
use std::sync::Arc;

use lembra_agent::channels::meta::auth::same_secret;
use lembra_agent::clock::SharedClock;
use secrecy::SecretString;

use file::KeptBook;

pub use routes::configure;

/// Where it answers.
pub const PATH: &str = "/demo/agenda";
/// The file in DATA_DIR that bookings are kept in.
const FILE: &str = "demo-agenda.json";

/// The demo agenda. Clones are the same one.
#[derive(Clone)]
pub struct DemoAgenda {
    token: Arc<SecretString>,
    clock: SharedClock,
    book: Arc<KeptBook>,
}

impl DemoAgenda {
    /// Opens what was kept in `data_dir`. Whoever calls must know `token`.
    pub fn open(data_dir: &Path, clock: SharedClock, token: SecretString) -> std::io::Result<Self> {
        let book = KeptBook::open(data_dir.join(FILE))?;
        Ok(Self { token: Arc::new(token), clock, book: Arc::new(book) })
    }

    fn knows(&self, token: &str) -> bool {
        same_secret(&self.token, token)
    }
}
