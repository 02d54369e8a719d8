//! Names to addresses, private ones left out. The connection is made to exactly the addresses that
//! were looked at: a name that means something else a moment later gains nothing.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::not_public;
use super::allowed::AllowedHosts;
use super::public::Blocked;

/// Whether an address may be called.
pub(super) fn check(address: IpAddr, allowed: &AllowedHosts) -> Result<(), Blocked> {
    match not_public(address) {
        Some(why) if !allowed.holds(address) => Err(Blocked::Address(why)),
        _ => Ok(()),
    }
}

/// What `inner` says, without the addresses that may not be called.
pub(super) struct Guarded {
    pub inner: Arc<dyn Resolve>,
    pub allowed: Arc<AllowedHosts>,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let resolving = self.inner.resolve(name);
        let allowed = self.allowed.clone();
        Box::pin(async move {
            let mut blocked = None;
            let mut open: Vec<SocketAddr> = Vec::new();
            for address in resolving.await? {
                match check(address.ip(), &allowed) {
                    Ok(()) => open.push(address),
                    Err(why) => blocked = Some(why),
                }
            }
            match blocked {
                Some(why) if open.is_empty() => Err(why.into()),
                _ => Ok(Box::new(open.into_iter()) as Addrs),
            }
        })
    }
}

/// The resolver of the system.
pub(super) struct System;

impl Resolve for System {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let look_up = move || (name.as_str(), 0).to_socket_addrs();
            let found = tokio::task::spawn_blocking(look_up).await??;
            Ok(Box::new(found) as Addrs)
        })
    }
}
