//! Types of values that several settings share: optional texts, secrets, URLs, networks. Error
//! messages never repeat the value, which may be a secret.

use std::net::IpAddr;

use secrecy::SecretString;
use serde::{Deserialize, Deserializer, de::Error as _};

/// Reads a text; empty means none.
pub(super) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Some(String::deserialize(deserializer)?).filter(|text| !text.is_empty()))
}

/// Reads a secret; empty means none.
pub(super) fn optional_secret<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<SecretString>, D::Error> {
    Ok(optional(deserializer)?.map(SecretString::from))
}

/// Reads a URL; empty means none.
pub(super) fn optional_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<WebUrl>, D::Error> {
    optional(deserializer)?.map(|text| text.parse().map_err(D::Error::custom)).transpose()
}

/// Reads an origin; empty means none.
pub(super) fn optional_origin<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<WebUrl>, D::Error> {
    match optional_url(deserializer)? {
        Some(url) if !url.is_origin() => Err(D::Error::custom(
            "must be a scheme and a host, with a port or without, such as https://speech.example.com: Lectern's pages and \
             routes begin at the root of their host, so a path cannot be served; give it a host name of its own",
        )),
        url => Ok(url),
    }
}

/// Reads a whole number of at least 1.
pub(super) fn positive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = i64::deserialize(deserializer)?;
    u64::try_from(number)
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| D::Error::custom("must be a whole number of at least 1"))
}

/// Reads a whole number of at least 0.
pub(super) fn non_negative<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    u64::try_from(i64::deserialize(deserializer)?)
        .map_err(|_| D::Error::custom("must be a whole number of at least 0"))
}

/// An `http://` or `https://` URL without query and fragment, kept without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebUrl(String);

impl WebUrl {
    /// The URL, without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host; an IPv6 address is in brackets.
    pub fn host(&self) -> String {
        let uri: http::Uri = self.0.parse().unwrap_or_default();
        uri.host().unwrap_or_default().to_owned()
    }

    /// Whether it has only a scheme, a host and perhaps a port.
    pub fn is_origin(&self) -> bool {
        let uri: http::Uri = self.0.parse().unwrap_or_default();
        let is_plain = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        is_plain && matches!(uri.path(), "" | "/")
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        let uri: http::Uri = self.0.parse().unwrap_or_default();
        let host = uri.authority().map_or("", |authority| authority.as_str());
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        format!("{}://{host}", uri.scheme_str().unwrap_or_default())
    }

    /// The host and port to connect to; without a port, the scheme's default.
    pub fn host_and_port(&self) -> String {
        let uri: http::Uri = self.0.parse().unwrap_or_default();
        let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("http") { 80 } else { 443 });
        format!("{}:{port}", uri.host().unwrap_or_default())
    }
}

impl std::str::FromStr for WebUrl {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "must be a URL such as https://speech.example.com, without query or fragment";
        let uri: http::Uri = text.parse().map_err(|_| EXPECTED)?;
        let usable = matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|host| !host.is_empty())
            && uri.query().is_none()
            && !text.contains('#');
        if usable { Ok(Self(text.trim_end_matches('/').to_owned())) } else { Err(EXPECTED) }
    }
}

/// A network in CIDR notation; a single address is a network of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// The number of leading bits that all its addresses share.
    pub fn prefix(&self) -> u8 {
        self.prefix
    }

    /// Whether `address` is in the network. An IPv4-mapped IPv6 address counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(net), IpAddr::V4(ip)) => {
                let shift = 32 - u32::from(self.prefix);
                u64::from(net.to_bits()) >> shift == u64::from(ip.to_bits()) >> shift
            }
            (IpAddr::V6(net), IpAddr::V6(ip)) => {
                let shift = 128 - u32::from(self.prefix);
                shift == 128 || net.to_bits() >> shift == ip.to_bits() >> shift
            }
            _ => false,
        }
    }
}

impl std::str::FromStr for Network {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "must be a network such as 10.0.0.0/8 or fd00::/8";
        let (address, prefix) = text.split_once('/').map_or((text, None), |(a, p)| (a, Some(p)));
        let address: IpAddr = address.trim().parse().map_err(|_| EXPECTED)?;
        let widest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(widest), |p| p.trim().parse::<u8>().map_err(|_| EXPECTED))?;
        if prefix > widest { Err(EXPECTED) } else { Ok(Self { address, prefix }) }
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{Network, WebUrl};

    #[test]
    fn a_network_holds_its_addresses_and_no_others() {
        let inside = |net: &str, ip: &str| net.parse::<Network>().unwrap().contains(ip.parse().unwrap());
        assert!(inside("10.0.0.0/8", "10.255.0.1"));
        assert!(!inside("10.0.0.0/8", "11.0.0.1"));
        assert!(inside("0.0.0.0/0", "203.0.113.9"));
        assert!(inside("192.0.2.7", "192.0.2.7"));
        assert!(!inside("192.0.2.7", "192.0.2.8"));
        assert!(inside("::/0", "2001:db8::1"));
        assert!(inside("fd00::/8", "fd12::1"));
        assert!(!inside("fd00::/8", "fe80::1"));
        assert!(inside("127.0.0.0/8", "::ffff:127.0.0.1"));
        for bad in ["10.0.0.0/33", "10.0.0/8", "", "fd00::/129", "10.0.0.0/-1"] {
            assert!(bad.parse::<Network>().is_err(), "{bad} was taken");
        }
    }

    #[test]
    fn a_web_url_has_a_scheme_a_host_and_no_query() {
        assert_eq!(
            "https://a.example/x/".parse::<WebUrl>().map(|u| u.0),
            Ok("https://a.example/x".to_owned())
        );
        for bad in ["ftp://a", "a.example", "https://", "https://a?x=1", "https://a/#x", "/x", "http://a b"] {
            assert!(bad.parse::<WebUrl>().is_err(), "{bad} was taken");
        }
    }
}
