//! Whoever sits at the machine itself: the simulator asks nobody else to sign in.

use actix_web::HttpRequest;
use actix_web::http::header;
use url::Url;

/// Whether this request is from the machine itself. An installation that has a public address is
/// reached through a proxy, and some proxies hide that they are one: there, nobody is.
pub fn is_at_home(request: &HttpRequest, public_url: Option<&Url>) -> bool {
    let at_home = public_url.is_none_or(|url| url.host_str().is_some_and(is_local_name));
    at_home && is_local(request)
}

/// A browser on this very machine, that asked this machine by name: not a page of elsewhere whose
/// name was made to lead here, and not somebody whose request a proxy or tunnel handed on.
fn is_local(request: &HttpRequest) -> bool {
    let from_here = request.peer_addr().is_some_and(|peer| peer.ip().is_loopback());
    let handed_on = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];
    let handed_on = handed_on.iter().any(|name| request.headers().contains_key(*name));
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    from_here && !handed_on && host.is_some_and(is_local_name)
}

fn is_local_name(host: &str) -> bool {
    let port = host.rsplit_once(':').filter(|(_, port)| port.chars().all(|c| c.is_ascii_digit()));
    let name = port.map_or(host, |(name, _)| name);
    ["localhost", "127.0.0.1", "[::1]"].contains(&name)
}

/// Whether a request that changes something comes from one of our own pages: other sites cannot
/// add this header.
pub fn is_from_own_page(request: &HttpRequest) -> bool {
    request.headers().get("x-requested-with").is_some_and(|value| value == "lembra")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machines_own_names_are_local() {
        for host in ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "[::1]"] {
            assert!(is_local_name(host), "{host}");
        }
        for host in ["", "lembra.example", "127.0.0.1.example:80", "localhost.example", "::1"] {
            assert!(!is_local_name(host), "{host}");
        }
    }
}
