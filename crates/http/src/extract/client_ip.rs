//! The client's address: the peer's, or the one that a trusted proxy reports.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{HeaderMap, HeaderName, request::Parts},
};

use lectern_service::{app::App, config::Network};

/// The header in which proxies name the client that they speak for.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client's address. An IPv4 address mapped into IPv6 counts as IPv4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientIp(pub IpAddr);

impl FromRequestParts<Arc<App>> for ClientIp {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        // Every connection records its peer here. Requests without a peer count as one client.
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(address)| address.ip());
        Ok(Self(client(peer, &parts.headers, &app.base.config.http.trusted_proxies)))
    }
}

/// The right-most address that is not a trusted proxy's. The client itself may have written the
/// entries further left, so they may be forged. If all addresses are trusted, it is the left-most.
/// If a malformed entry comes first, our own proxies are at fault, and the peer's address is used.
fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let peer = peer.to_canonical();
    let is_trusted = |ip: IpAddr| trusted.iter().any(|network| network.contains(ip));
    if !is_trusted(peer) {
        return peer;
    }
    let mut client = peer;
    for line in headers.get_all(X_FORWARDED_FOR).iter().rev() {
        let Ok(line) = line.to_str() else { return peer };
        for entry in line.rsplit(',') {
            let Some(ip) = address(entry.trim()) else { return peer };
            client = ip;
            if !is_trusted(ip) {
                return client;
            }
        }
    }
    client
}

/// An address, alone or with a port: `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`,
/// `[2001:db8::1]:4711`.
fn address(entry: &str) -> Option<IpAddr> {
    let bare = entry.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(entry);
    let ip = bare.parse().ok().or_else(|| entry.parse::<SocketAddr>().ok().map(|socket| socket.ip()))?;
    Some(IpAddr::to_canonical(&ip))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn seen(peer: &str, lines: &[&'static str]) -> String {
        let trusted = ["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, HeaderValue::from_static(line));
        }
        client(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    // Negative control: without the check of the peer, the forged address of the first line is
    // believed.
    #[test]
    fn only_trusted_proxies_are_believed_and_only_about_whom_they_saw() {
        assert_eq!(seen("192.0.2.1", &["203.0.113.9"]), "192.0.2.1");
        assert_eq!(seen("10.1.1.1", &["203.0.113.9"]), "203.0.113.9");
        assert_eq!(seen("10.1.1.1", &["1.1.1.1, 203.0.113.9, 10.2.2.2"]), "203.0.113.9");
        assert_eq!(seen("10.1.1.1", &["1.1.1.1", "203.0.113.9,10.2.2.2"]), "203.0.113.9");
        assert_eq!(seen("10.1.1.1", &["nonsense, 203.0.113.9"]), "203.0.113.9");
        assert_eq!(seen("fd00::1", &["2001:db8::7"]), "2001:db8::7");
    }

    #[test]
    fn every_way_to_write_an_address_is_read() {
        assert_eq!(seen("::ffff:10.1.1.1", &["::ffff:203.0.113.9"]), "203.0.113.9");
        assert_eq!(seen("10.1.1.1", &["203.0.113.9:4711"]), "203.0.113.9");
        assert_eq!(seen("10.1.1.1", &["[2001:db8::7]:4711"]), "2001:db8::7");
        assert_eq!(seen("10.1.1.1", &["[2001:db8::7]"]), "2001:db8::7");
    }

    #[test]
    fn what_the_proxies_garble_or_leave_out_is_the_peers() {
        assert_eq!(seen("10.1.1.1", &[]), "10.1.1.1");
        assert_eq!(seen("10.1.1.1", &["203.0.113.9, unknown"]), "10.1.1.1");
        assert_eq!(seen("10.1.1.1", &["203.0.113.9,"]), "10.1.1.1");
        assert_eq!(seen("10.1.1.1", &["10.3.3.3, 10.2.2.2"]), "10.3.3.3");
    }
}
