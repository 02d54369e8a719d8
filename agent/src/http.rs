//! The one place where HTTP clients are made: each has timeouts and follows no redirects, since
//! every address it calls is an API's.

use std::time::Duration;

pub use reqwest::{Client, Error};

/// A client whose calls end within `timeout`, connecting included. Clones share their connections.
pub fn client(timeout: Duration) -> Result<reqwest::Client, reqwest::Error> {
    #[expect(clippy::disallowed_methods, reason = "this is the one home of HTTP clients")]
    reqwest::Client::builder()
        .timeout(timeout)
        .connect_timeout(Duration::from_secs(5).min(timeout))
        .redirect(reqwest::redirect::Policy::none())
        // Shorter than servers keep theirs: a request on a connection that the server is just
        // closing ends without an answer.
        .pool_idle_timeout(Duration::from_secs(15))
        .user_agent(concat!("lembra/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// Chooses the TLS provider of the process; a second call changes nothing. Without it the first
/// client panics.
pub fn install_tls_provider() {
    // The error says that one is installed already, which is what is wanted.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
