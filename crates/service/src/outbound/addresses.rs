//! Which addresses are public: everything outside IANA's registries of special-purpose addresses
//! (RFC 6890 and its successors) and the addresses of cloud providers' metadata services.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are not public, by first address and prefix length:
/// <https://www.iana.org/assignments/iana-ipv4-special-registry>, and multicast.
const SPECIAL_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 31, 196, 0), 24),
    (Ipv4Addr::new(192, 52, 193, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(192, 175, 48, 0), 24),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// The only IPv6 network from which public addresses are assigned.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Networks within [`GLOBAL_V6`] that are not public:
/// <https://www.iana.org/assignments/iana-ipv6-special-registry>, and all of `2001::/23`, which
/// includes Teredo.
const SPECIAL_V6: &[(Ipv6Addr, u32)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Metadata services, where machines fetch their own credentials, by address and prefix length: all
/// of link-local, and the addresses that providers chose elsewhere. No receiver has these
/// addresses.
const METADATA_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(168, 63, 129, 16), 32),
    (Ipv4Addr::new(100, 88, 222, 5), 32),
    (Ipv4Addr::new(100, 100, 100, 200), 32),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
];

/// As [`METADATA_V4`].
const METADATA_V6: &[(Ipv6Addr, u32)] = &[
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10),
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0xfd00, 0xc1, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42), 128),
];

/// The prefix of NAT64 (RFC 6052); the address embeds an IPv4 address.
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// The range for local NAT64 prefixes (RFC 8215).
const LOCAL_NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48);

/// Whether an address is public.
pub(super) fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !SPECIAL_V4.iter().chain(METADATA_V4).any(|net| holds_v4(*net, ip)),
        IpAddr::V6(ip) => holds_v6(GLOBAL_V6, ip) && !SPECIAL_V6.iter().any(|net| holds_v6(*net, ip)),
    }
}

/// Whether an address is forbidden even within the operator's networks: metadata services,
/// addresses that do not identify a single host, and IPv4 addresses in IPv6 form.
pub(super) fn is_forbidden(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            METADATA_V4.iter().any(|net| holds_v4(*net, ip))
                || ip.octets()[0] == 0
                || ip.is_multicast()
                || ip.is_broadcast()
        }
        IpAddr::V6(ip) => {
            METADATA_V6.iter().any(|net| holds_v6(*net, ip))
                || ip.is_unspecified()
                || ip.is_multicast()
                || (embedded(ip).is_some() && !ip.is_loopback())
        }
    }
}

/// The NAT64 prefix length of an address, if it is a NAT64 address: the well-known prefix, or
/// within [`LOCAL_NAT64`] the length that the operator configured, as nothing else knows it.
pub(super) fn nat64_prefix(ip: IpAddr, local_prefix: u8) -> Option<u8> {
    match ip {
        IpAddr::V6(ip) if holds_v6(NAT64, ip) => Some(96),
        IpAddr::V6(ip) if holds_v6(LOCAL_NAT64, ip) => Some(local_prefix),
        _ => None,
    }
}

/// The IPv4 address in a NAT64 address with this prefix length (RFC 6052, section 2.2); `None` for
/// an undefined length.
pub(super) fn embedded_in_nat64(ip: IpAddr, prefix: u8) -> Option<IpAddr> {
    let IpAddr::V6(ip) = ip else { return None };
    let positions = match prefix {
        48 => [6, 7, 9, 10],
        56 => [7, 9, 10, 11],
        64 => [9, 10, 11, 12],
        96 => [12, 13, 14, 15],
        _ => return None,
    };
    Some(IpAddr::from(positions.map(|position: usize| ip.octets()[position])))
}

/// The IPv4 address that an IPv6 address embeds: mapped, compatible or translated (RFC 4291,
/// section 2.5.5; RFC 2765), or the destination of 6to4 (RFC 3056), Teredo (RFC 4380) or ISATAP
/// (RFC 5214).
fn embedded(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    match ip.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, _, _]
        | [0, 0, 0, 0, 0xffff, 0, _, _]
        | [_, _, _, _, 0 | 0x200, 0x5efe, _, _] => Some(last_32_bits(ip)),
        [0x2002, high, low, ..] => Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))),
        [0x2001, 0, ..] => Some(Ipv4Addr::from_bits(!last_32_bits(ip).to_bits())),
        _ => None,
    }
}

fn last_32_bits(ip: Ipv6Addr) -> Ipv4Addr {
    let [.., high, low] = ip.segments();
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}

fn holds_v4((network, prefix): (Ipv4Addr, u32), ip: Ipv4Addr) -> bool {
    (network.to_bits() ^ ip.to_bits()).leading_zeros() >= prefix
}

fn holds_v6((network, prefix): (Ipv6Addr, u32), ip: Ipv6Addr) -> bool {
    (network.to_bits() ^ ip.to_bits()).leading_zeros() >= prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// The first and last address of each network, and the neighbours outside.
    #[test]
    fn network_boundaries_are_exact() {
        for (network, prefix) in SPECIAL_V4 {
            let (first, size) = (network.to_bits(), 1_u64 << (32 - prefix));
            let last = (u64::from(first) + size - 1) as u32;
            for inside in [first, last] {
                assert!(!is_public(Ipv4Addr::from_bits(inside).into()), "{}", Ipv4Addr::from_bits(inside));
            }
            let neighbours = [first.checked_sub(1), last.checked_add(1)];
            for outside in neighbours.into_iter().flatten().map(Ipv4Addr::from_bits) {
                let covered = SPECIAL_V4.iter().any(|net| holds_v4(*net, outside));
                assert_eq!(is_public(outside.into()), !covered, "{outside}");
            }
        }
        for public in [
            "1.1.1.1",
            "11.0.0.0",
            "172.32.0.0",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2001:200::",
            "3fff:1000::",
        ] {
            assert!(is_public(ip(public)), "{public}");
        }
        for special in [
            "168.63.129.16",
            "2001:1ff:ffff::",
            "2001:db8::",
            "::1",
            "fc00::1",
            "4000::",
            "1fff::",
            "64:ff9b::1.1.1.1",
        ] {
            assert!(!is_public(ip(special)), "{special}");
        }
    }

    #[test]
    fn some_addresses_are_always_forbidden() {
        for forbidden in [
            "169.254.169.254",
            "100.100.100.200",
            "168.63.129.16",
            "0.0.0.0",
            "0.1.2.3",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "fe80::1",
            "fd00:ec2::254",
            "fd20:ce::254",
            "ff02::1",
            "::ffff:10.0.0.1",
            "::10.0.0.1",
            "::ffff:0:10.0.0.1",
            "2002:a00:1::",
            "2001:0:4136:e378:8000:63bf:f5ff:fffe",
            "2a00:1450::5efe:a00:1",
            "2a00:1450::200:5efe:10.0.0.1",
        ] {
            assert!(is_forbidden(ip(forbidden)), "{forbidden}");
        }
        for permitted in ["127.0.0.1", "::1", "10.0.0.1", "fd12::1", "192.168.1.1", "100.64.0.1"] {
            assert!(!is_forbidden(ip(permitted)), "{permitted}");
        }
        // Prefixes of 48, 56, 64 and 96 bits, as in table 1 of RFC 6052.
        for (written, prefix) in [
            ("64:ff9b:1:a9fe:a9:fe00::", 48),
            ("64:ff9b:1:a9:fe:a9fe::", 56),
            ("64:ff9b:1::a9:fea9:fe00:0", 64),
            ("64:ff9b:1::169.254.169.254", 96),
        ] {
            let embedded_v4 =
                nat64_prefix(ip(written), prefix).and_then(|prefix| embedded_in_nat64(ip(written), prefix));
            assert_eq!(embedded_v4, Some(ip("169.254.169.254")), "{written}");
        }
        assert_eq!(nat64_prefix(ip("64:ff9b::1"), 48), Some(96));
        assert_eq!((nat64_prefix(ip("64:ff9b:2::1"), 48), nat64_prefix(ip("10.0.0.1"), 96)), (None, None));
        assert_eq!(embedded_in_nat64(ip("64:ff9b:1::1"), 80), None);
    }
}
