//! Which addresses are anybody's on the Internet, and which are somebody's own. The tables follow
//! IANA's registries of special-purpose addresses (RFC 6890 and its updates).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// Why an address is not one of the public Internet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotPublic {
    Unspecified,
    Loopback,
    Private,
    /// Among them 169.254.169.254, where clouds hand out credentials.
    LinkLocal,
    CarrierNat,
    /// A cloud's own service at an address that looks public.
    CloudService,
    Multicast,
    Broadcast,
    Documentation,
    Benchmarking,
    Reserved,
}

impl fmt::Display for NotPublic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            NotPublic::Unspecified => "unspecified address",
            NotPublic::Loopback => "loopback address",
            NotPublic::Private => "private address",
            NotPublic::LinkLocal => "link-local address",
            NotPublic::CarrierNat => "carrier NAT address",
            NotPublic::CloudService => "cloud service address",
            NotPublic::Multicast => "multicast address",
            NotPublic::Broadcast => "broadcast address",
            NotPublic::Documentation => "documentation address",
            NotPublic::Benchmarking => "benchmarking address",
            NotPublic::Reserved => "reserved address",
        })
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(a: u16, b: u16, c: u16, d: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0), length)
}

/// The first that holds an address decides.
const SPECIAL_V4: [(Ipv4Net, NotPublic); 17] = [
    (v4(0, 0, 0, 0, 8), NotPublic::Unspecified),
    (v4(127, 0, 0, 0, 8), NotPublic::Loopback),
    (v4(10, 0, 0, 0, 8), NotPublic::Private),
    (v4(172, 16, 0, 0, 12), NotPublic::Private),
    (v4(192, 168, 0, 0, 16), NotPublic::Private),
    (v4(169, 254, 0, 0, 16), NotPublic::LinkLocal),
    (v4(100, 64, 0, 0, 10), NotPublic::CarrierNat),
    // Azure's WireServer.
    (v4(168, 63, 129, 16, 32), NotPublic::CloudService),
    (v4(192, 0, 2, 0, 24), NotPublic::Documentation),
    (v4(198, 51, 100, 0, 24), NotPublic::Documentation),
    (v4(203, 0, 113, 0, 24), NotPublic::Documentation),
    (v4(198, 18, 0, 0, 15), NotPublic::Benchmarking),
    (v4(192, 0, 0, 0, 24), NotPublic::Reserved),
    (v4(192, 88, 99, 0, 24), NotPublic::Reserved),
    (v4(224, 0, 0, 0, 4), NotPublic::Multicast),
    (v4(255, 255, 255, 255, 32), NotPublic::Broadcast),
    (v4(240, 0, 0, 0, 4), NotPublic::Reserved),
];

/// Names for the best known parts of what lies outside of [`GLOBAL_V6`], and the exceptions
/// inside of it.
const SPECIAL_V6: [(Ipv6Net, NotPublic); 11] = [
    (v6(0, 0, 0, 0, 128), NotPublic::Unspecified),
    (Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128), NotPublic::Loopback),
    (v6(0xfc00, 0, 0, 0, 7), NotPublic::Private),
    (v6(0xfec0, 0, 0, 0, 10), NotPublic::Private),
    (v6(0xfe80, 0, 0, 0, 10), NotPublic::LinkLocal),
    (v6(0xff00, 0, 0, 0, 8), NotPublic::Multicast),
    (v6(0x2001, 0x0db8, 0, 0, 32), NotPublic::Documentation),
    (v6(0x3fff, 0, 0, 0, 20), NotPublic::Documentation),
    (v6(0x2001, 0x0002, 0, 0, 48), NotPublic::Benchmarking),
    // Teredo, ORCHID and other protocols' own.
    (v6(0x2001, 0, 0, 0, 23), NotPublic::Reserved),
    // The IPv4 address of IPv4-compatible ones, which nothing routes.
    (v6(0, 0, 0, 0, 96), NotPublic::Reserved),
];

/// All that is given out to networks of the Internet.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 0, 0, 3);

/// Addresses that are on their way an IPv4 address: the prefix, and where the address begins.
const CARRIERS: [(Ipv6Net, u32); 3] = [
    // ::ffff:a.b.c.d
    (Ipv6Net::new_assert(Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96), 96),
    // NAT64
    (Ipv6Net::new_assert(Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96), 96),
    // 6to4
    (v6(0x2002, 0, 0, 0, 16), 16),
];

/// Why this address must not be called on behalf of an account; `None` when it is public.
pub fn not_public(address: IpAddr) -> Option<NotPublic> {
    match address {
        IpAddr::V4(address) => not_public_v4(address),
        IpAddr::V6(address) => not_public_v6(address),
    }
}

fn not_public_v4(address: Ipv4Addr) -> Option<NotPublic> {
    let found = SPECIAL_V4.iter().find(|(network, _)| network.contains(&address));
    found.map(|(_, why)| *why)
}

fn not_public_v6(address: Ipv6Addr) -> Option<NotPublic> {
    if let Some((_, begins)) = CARRIERS.iter().find(|(network, _)| network.contains(&address)) {
        let carried = (address.to_bits() >> (96 - begins)) as u32;
        return not_public_v4(Ipv4Addr::from_bits(carried));
    }
    let found = SPECIAL_V6.iter().find(|(network, _)| network.contains(&address));
    let outside = || (!GLOBAL_V6.contains(&address)).then_some(NotPublic::Reserved);
    found.map(|(_, why)| *why).or_else(outside)
}

#[cfg(test)]
mod tests {
    use super::NotPublic::*;
    use super::*;

    #[test]
    fn an_address_is_public_or_says_why_not() {
        for (address, why) in [
            ("8.8.8.8", None),
            ("200.147.3.157", None),
            ("172.15.255.255", None),
            ("172.32.0.1", None),
            ("100.63.255.255", None),
            ("100.128.0.1", None),
            ("198.17.255.255", None),
            ("198.20.0.1", None),
            ("223.255.255.255", None),
            ("0.0.0.0", Some(Unspecified)),
            ("0.1.2.3", Some(Unspecified)),
            ("127.0.0.1", Some(Loopback)),
            ("127.255.255.254", Some(Loopback)),
            ("10.0.0.1", Some(Private)),
            ("172.16.0.1", Some(Private)),
            ("172.31.255.255", Some(Private)),
            ("192.168.1.1", Some(Private)),
            ("169.254.169.254", Some(LinkLocal)),
            ("100.64.0.1", Some(CarrierNat)),
            ("100.100.100.200", Some(CarrierNat)),
            ("168.63.129.16", Some(CloudService)),
            ("192.0.0.192", Some(Reserved)),
            ("192.0.2.1", Some(Documentation)),
            ("198.51.100.7", Some(Documentation)),
            ("203.0.113.7", Some(Documentation)),
            ("192.88.99.1", Some(Reserved)),
            ("198.18.0.1", Some(Benchmarking)),
            ("198.19.255.255", Some(Benchmarking)),
            ("224.0.0.251", Some(Multicast)),
            ("239.255.255.250", Some(Multicast)),
            ("240.0.0.1", Some(Reserved)),
            ("255.255.255.255", Some(Broadcast)),
            ("2606:4700:4700::1111", None),
            ("2804:14c::1", None),
            ("2001:4860:4860::8888", None),
            ("::", Some(Unspecified)),
            ("::1", Some(Loopback)),
            ("fc00::1", Some(Private)),
            ("fd00:ec2::254", Some(Private)),
            ("fec0::1", Some(Private)),
            ("fe80::1", Some(LinkLocal)),
            ("ff02::1", Some(Multicast)),
            ("2001:db8::1", Some(Documentation)),
            ("3fff::1", Some(Documentation)),
            ("2001:2::1", Some(Benchmarking)),
            ("2001::1", Some(Reserved)),
            ("2001:20::1", Some(Reserved)),
            ("4000::1", Some(Reserved)),
            ("5f00::1", Some(Reserved)),
            ("100::1", Some(Reserved)),
            ("64:ff9b:1::a00:1", Some(Reserved)),
        ] {
            assert_eq!(not_public(address.parse().unwrap()), why, "{address}");
        }
    }

    #[test]
    fn an_ipv4_address_inside_of_another_form_is_judged_as_itself() {
        for (address, why) in [
            ("::ffff:8.8.8.8", None),
            ("64:ff9b::8.8.8.8", None),
            ("2002:808:808::1", None),
            ("::ffff:127.0.0.1", Some(Loopback)),
            ("::ffff:169.254.169.254", Some(LinkLocal)),
            ("64:ff9b::10.0.0.1", Some(Private)),
            ("64:ff9b::a9fe:a9fe", Some(LinkLocal)),
            ("2002:7f00:1::", Some(Loopback)),
            ("2002:c0a8:101::1", Some(Private)),
            ("2002:6440:1::1", Some(CarrierNat)),
            // IPv4-compatible and -translated addresses are never called at all.
            ("::127.0.0.1", Some(Reserved)),
            ("::8.8.8.8", Some(Reserved)),
            ("::ffff:0:127.0.0.1", Some(Reserved)),
        ] {
            assert_eq!(not_public(address.parse().unwrap()), why, "{address}");
        }
    }
}
