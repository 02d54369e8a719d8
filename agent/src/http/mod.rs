//! The one place where HTTP clients are made. [`client`] calls the addresses that the host of the
//! installation configured; [`public`] calls those that accounts configured, and nothing private.

pub mod address;
pub mod allowed;
pub mod public;
pub mod resolver;

use std::time::Duration;

pub use reqwest::{Client, Error};

/// What every client has: timeouts, no redirects of its own.
fn builder(timeout: Duration) -> reqwest::ClientBuilder {
    #[expect(clippy::disallowed_methods, reason = "this is the one home of HTTP clients")]
    reqwest::Client::builder()
        .timeout(timeout)
        .connect_timeout(Duration::from_secs(5).min(timeout))
        .redirect(reqwest::redirect::Policy::none())
        // Shorter than servers keep theirs: a request on a connection that the server is just
        // closing ends without an answer.
        .pool_idle_timeout(Duration::from_secs(15))
        .user_agent(concat!("lembra/", env!("CARGO_PKG_VERSION")))
}

/// A client whose calls end within `timeout`, connecting included. Clones share their connections.
/// It follows no redirects, since every address it calls is an API's.
pub fn client(timeout: Duration) -> Result<reqwest::Client, reqwest::Error> {
    builder(timeout).build()
}

/// Chooses the TLS provider of the process; a second call changes nothing. Without it the first
/// client panics.
pub fn install_tls_provider() {
    // The error says that one is installed already, which is what is wanted.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
