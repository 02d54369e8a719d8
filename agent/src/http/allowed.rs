//! The hosts that tools may call although they are private: the host of the installation says so
//! (`TOOLS_ALLOWED_HOSTS`).

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use url::{Host, Url};

/// A list of hosts, hosts with ports, addresses and networks; empty unless configured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedHosts {
    networks: Vec<IpNet>,
    hosts: Vec<(Host, Option<u16>)>,
}

/// An entry that is none of the forms.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is neither a host, host:port, an address nor a network such as 10.1.0.0/16")]
pub struct NoHost(String);

impl AllowedHosts {
    /// Whether this host, as the address writes it, is on the list: whatever its name means then
    /// may be called.
    pub fn names(&self, url: &Url) -> bool {
        let Some(host) = url.host().map(|host| without_dot(&host.to_owned())) else {
            return false;
        };
        let port = url.port_or_known_default();
        self.hosts.iter().any(|(name, only)| *name == host && (only.is_none() || *only == port))
    }

    /// Whether this address is in a network on the list.
    pub fn holds(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks.iter().any(|network| network.contains(&address))
    }
}

/// `intranet.` is `intranet`.
fn without_dot(host: &Host) -> Host {
    match host {
        Host::Domain(name) => Host::Domain(name.trim_end_matches('.').to_owned()),
        other => other.clone(),
    }
}

impl FromStr for AllowedHosts {
    type Err = NoHost;

    fn from_str(text: &str) -> Result<Self, NoHost> {
        let mut list = Self::default();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let refused = || NoHost(entry.to_owned());
            let bare = entry.trim_start_matches('[').trim_end_matches(']');
            if let Ok(network) = entry.parse::<IpNet>() {
                list.networks.push(network);
            } else if let Ok(address) = bare.parse::<IpAddr>() {
                list.networks.push(address.to_canonical().into());
            } else {
                let (host, port) = match entry.rsplit_once(':') {
                    Some((host, port)) => (host, Some(port.parse().map_err(|_| refused())?)),
                    None => (entry, None),
                };
                let host = Host::parse(host).map_err(|_| refused())?;
                list.hosts.push((without_dot(&host), port));
            }
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> AllowedHosts {
        text.parse().unwrap()
    }

    #[test]
    fn a_host_is_allowed_with_the_ports_that_were_named() {
        let list = list("Agenda.interna, erp.local:8443, 127.0.0.1:9000, [::1]:9000");
        for (url, allowed) in [
            ("http://agenda.interna/x", true),
            ("https://AGENDA.interna.:8443/x", true),
            ("http://outra.agenda.interna/", false),
            ("https://erp.local:8443/", true),
            ("https://erp.local/", false),
            ("http://127.0.0.1:9000/", true),
            ("http://2130706433:9000/", true),
            ("http://127.0.0.1:9001/", false),
            ("http://[::1]:9000/", true),
            ("http://[::1]/", false),
        ] {
            assert_eq!(list.names(&Url::parse(url).unwrap()), allowed, "{url}");
        }
        assert!(!list.holds("127.0.0.1".parse().unwrap()));
    }

    #[test]
    fn a_network_is_allowed_by_its_addresses() {
        let list = list("10.1.0.0/16,192.168.0.7, fd00:1::/32,[fd00:2::7]");
        for (address, allowed) in [
            ("10.1.255.1", true),
            ("::ffff:10.1.255.1", true),
            ("10.2.0.1", false),
            ("192.168.0.7", true),
            ("192.168.0.8", false),
            ("fd00:1::9", true),
            ("fd00:2::7", true),
            ("fd00:3::1", false),
        ] {
            assert_eq!(list.holds(address.parse().unwrap()), allowed, "{address}");
        }
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for text in ["http://erp.local", "erp.local:porta", "10.0.0.0/33", "a b", "erp.local/x"] {
            assert!(text.parse::<AllowedHosts>().is_err(), "{text}");
        }
        assert_eq!(list(" , "), AllowedHosts::default());
    }
}
