//! Calls to addresses that an account configured: to the public Internet only (SSRF), unless the
//! host of the installation allows more.
//!
//! - http and https, no name or password in the address, no proxy of the environment.
//! - A name is looked up once per connection, and only the public ones of its addresses are
//!   connected to; a literal address is judged before the call. Both hold for every hop.
//! - Up to three redirects. Another origin gets none of the caller's headers, and never a body:
//!   a redirect that would send one elsewhere, or would turn a change into a mere reading, is
//!   answered as it came.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::dns::{Name, Resolve};
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Client, Method, Response};
use url::{Host, Url};

use super::address::NotPublic;
use super::allowed::AllowedHosts;
use super::resolver::{Guarded, System, check};

/// Redirects that are followed.
const REDIRECTS: usize = 3;
/// Longest a call may take, whatever the caller says.
const LONGEST: Duration = Duration::from_secs(60);

/// A call to be made. Headers should be marked as sensitive; nothing of it is logged.
#[derive(Clone)]
pub struct Call {
    pub method: Method,
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Option<Bytes>,
    /// For everything: looking up, connecting, redirects, the whole body.
    pub timeout: Duration,
    /// Bytes of the answer's body that are read.
    pub max_bytes: usize,
}

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
    /// False when the body was longer than what was read.
    pub complete: bool,
}

impl Answer {
    /// The text of a header; empty when there is none.
    pub fn header(&self, name: reqwest::header::HeaderName) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// Why an address is not called at all. It names no host: what it says may be logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Blocked {
    #[error("only http and https are called")]
    Scheme,
    #[error("the address holds a name or password")]
    Credentials,
    #[error("the address has no host")]
    Host,
    #[error("{0}")]
    Address(NotPublic),
}

/// Why a call has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// Calling again changes nothing.
    #[error("not allowed: {0}")]
    Blocked(#[from] Blocked),
    #[error("no answer in time")]
    TimedOut,
    /// Nothing was sent.
    #[error("no connection")]
    NotConnected,
    #[error("it broke off")]
    BrokeOff,
    #[error("too many redirects")]
    TooManyRedirects,
}

/// Calls the public Internet. Clones share their connections.
#[derive(Clone)]
pub struct PublicClient {
    guarded: Client,
    /// For the hosts on the list: their names may mean anything.
    free: Client,
    resolver: Arc<Guarded>,
    allowed: Arc<AllowedHosts>,
}

/// A client of the public Internet and of the hosts on the list.
pub fn client(allowed: AllowedHosts) -> Result<PublicClient, reqwest::Error> {
    client_with_resolver(allowed, Arc::new(System))
}

/// The same with another way to look names up; what it finds is judged all the same.
pub fn client_with_resolver(
    allowed: AllowedHosts,
    resolver: Arc<dyn Resolve>,
) -> Result<PublicClient, reqwest::Error> {
    build(allowed, resolver, LONGEST)
}

/// One whose requests by [`PublicClient::client_for`] end within `longest`.
pub fn client_within(
    allowed: AllowedHosts,
    longest: Duration,
) -> Result<PublicClient, reqwest::Error> {
    build(allowed, Arc::new(System), longest)
}

fn build(
    allowed: AllowedHosts,
    resolver: Arc<dyn Resolve>,
    longest: Duration,
) -> Result<PublicClient, reqwest::Error> {
    let allowed = Arc::new(allowed);
    let guarded = Arc::new(Guarded { inner: resolver.clone(), allowed: allowed.clone() });
    let builder = || super::builder(longest).no_proxy();
    Ok(PublicClient {
        guarded: builder().dns_resolver(guarded.clone()).build()?,
        free: builder().dns_resolver(resolver).build()?,
        resolver: guarded,
        allowed,
    })
}

impl PublicClient {
    /// Makes a call. An answer is an answer, whatever its status; one attempt only.
    pub async fn send(&self, call: Call) -> Result<Answer, CallError> {
        let timeout = call.timeout.min(LONGEST);
        tokio::time::timeout(timeout, self.follow(call)).await.unwrap_or(Err(CallError::TimedOut))
    }

    async fn follow(&self, mut call: Call) -> Result<Answer, CallError> {
        for _ in 0..=REDIRECTS {
            let client = self.client_for(&call.url)?;
            let mut request =
                client.request(call.method.clone(), call.url.clone()).headers(call.headers.clone());
            if let Some(body) = &call.body {
                request = request.body(body.clone());
            }
            let response = request.send().await.map_err(|error| why(&error))?;
            match next_hop(&response, &call) {
                Some(next) => call = next,
                None => return read(response, call.max_bytes).await,
            }
        }
        Err(CallError::TooManyRedirects)
    }

    /// The client for requests of one's own to the host of this address, and to no other.
    pub fn client_for(&self, url: &Url) -> Result<&Client, Blocked> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Blocked::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Blocked::Credentials);
        }
        if self.allowed.names(url) {
            return Ok(&self.free);
        }
        // A literal address is connected to without asking the resolver.
        match url.host().ok_or(Blocked::Host)? {
            Host::Ipv4(address) => check(address.into(), &self.allowed)?,
            Host::Ipv6(address) => check(address.into(), &self.allowed)?,
            Host::Domain(_) => {}
        }
        Ok(&self.guarded)
    }

    /// Whether an address may be called by what its name means now: for whoever types it. A name
    /// that means nothing is no private one.
    pub async fn judge(&self, url: &Url) -> Result<(), Blocked> {
        self.client_for(url)?;
        let Some(Host::Domain(name)) = url.host().filter(|_| !self.allowed.names(url)) else {
            return Ok(());
        };
        let Ok(name) = name.parse::<Name>() else { return Ok(()) };
        match self.resolver.resolve(name).await {
            Ok(_) => Ok(()),
            Err(error) => error.downcast_ref::<Blocked>().map_or(Ok(()), |blocked| Err(*blocked)),
        }
    }
}

/// The call that a redirect asks for; `None` when the response is to be taken as it is.
fn next_hop(response: &Response, call: &Call) -> Option<Call> {
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    let url = call.url.join(location).ok()?;
    let same_origin = url.origin() == call.url.origin();
    let reads = matches!(call.method, Method::GET | Method::HEAD);
    let mut next = match response.status().as_u16() {
        301 | 302 | 303 | 307 | 308 if reads => Call { url, ..call.clone() },
        303 => {
            let mut headers = call.headers.clone();
            headers.remove(CONTENT_TYPE);
            Call { method: Method::GET, url, headers, body: None, ..call.clone() }
        }
        307 | 308 if same_origin => Call { url, ..call.clone() },
        _ => return None,
    };
    if !same_origin {
        next.headers = HeaderMap::new();
        next.body = None;
    }
    Some(next)
}

async fn read(mut response: Response, max_bytes: usize) -> Result<Answer, CallError> {
    let status = response.status().as_u16();
    let headers = std::mem::take(response.headers_mut());
    let announced = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let mut body = BytesMut::with_capacity(announced.unwrap_or(0_usize).min(max_bytes));
    let mut complete = true;
    while let Some(chunk) = response.chunk().await.map_err(|error| why(&error))? {
        let room = max_bytes - body.len();
        if chunk.len() > room {
            body.extend_from_slice(&chunk[..room]);
            complete = false;
            break;
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Answer { status, headers, body: body.freeze(), complete })
}

fn why(error: &reqwest::Error) -> CallError {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(blocked) = error.downcast_ref::<Blocked>() {
            return CallError::Blocked(*blocked);
        }
        cause = error.source();
    }
    match () {
        () if error.is_connect() => CallError::NotConnected,
        () if error.is_timeout() => CallError::TimedOut,
        () => CallError::BrokeOff,
    }
}

#[cfg(test)]
mod tests;
