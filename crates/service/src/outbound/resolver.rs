//! Looks up the addresses of a name with the configured DNS server, or with the system's, without a
//! cache.
//!
//! The system's own resolver is not used: it does not distinguish a name without addresses from an
//! unresponsive server, appends the machine's search domains, blocks a thread for each query, and
//! finds names that only this machine knows. `exchange` sends one query to one server.

mod exchange;

use std::{
    net::{IpAddr, SocketAddr},
    pin::pin,
    time::Duration,
};

use futures_util::future::{Either, select};
use simple_dns::{Packet, RCODE, TYPE, rdata::RData};
use tokio::time::timeout;

use super::{failure::Unreachable, names};

/// The file in which the system lists its DNS servers.
const RESOLV_CONF: &str = "/etc/resolv.conf";

/// The most DNS servers that are asked.
const MAX_SERVERS: usize = 3;

/// Attempts with each server.
const ATTEMPTS: u32 = 2;

/// The most CNAMEs that are followed, as in most resolvers.
const MAX_CNAMES: usize = 10;

/// A DNS client.
#[derive(Debug)]
pub(super) struct Resolver {
    /// The server to use; `None`: the system's.
    server: Option<SocketAddr>,
    /// Timeout for one server's response.
    response_timeout: Duration,
    /// Timeout for the whole lookup.
    total_timeout: Duration,
}

impl Resolver {
    pub(super) fn new(
        server: Option<SocketAddr>,
        response_timeout: Duration,
        total_timeout: Duration,
    ) -> Self {
        Self { server, response_timeout, total_timeout }
    }

    /// The addresses of `name`, IPv6 and IPv4 alternating; never empty. The addresses are not
    /// checked here, but an alias with an internal name is refused.
    pub(super) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, Unreachable> {
        let servers = self.servers();
        let six = pin!(self.follow(name, TYPE::AAAA, &servers));
        let four = pin!(self.follow(name, TYPE::A, &servers));
        let both = async {
            match select(six, four).await {
                Either::Left((six, four)) => (self.second_family(&six, four).await, six),
                Either::Right((four, six)) => (self.second_family(&four, six).await, four),
            }
        };
        let (six, four) = timeout(self.total_timeout, both).await.map_err(|_| Unreachable::ResolverSilent)?;
        let refused = [&six, &four].iter().any(|answer| **answer == Err(Unreachable::HostNotAllowed));
        let silent = [&six, &four].iter().any(|answer| **answer == Err(Unreachable::ResolverSilent));
        let addresses = interleave(six.unwrap_or_default(), four.unwrap_or_default());
        match addresses.is_empty() {
            _ if refused => Err(Unreachable::HostNotAllowed),
            // Many servers ignore queries about IPv6.
            false => Ok(addresses),
            true if silent => Err(Unreachable::ResolverSilent),
            true => Err(Unreachable::NoAddress),
        }
    }

    /// Waits for the second family of addresses. Once the first is known, a server that never
    /// answers for the second costs only one timeout and does not invalidate the first.
    async fn second_family(
        &self,
        known: &Result<Vec<IpAddr>, Unreachable>,
        second: impl Future<Output = Result<Vec<IpAddr>, Unreachable>>,
    ) -> Result<Vec<IpAddr>, Unreachable> {
        if known.is_err() {
            return second.await;
        }
        timeout(self.response_timeout, second).await.unwrap_or(Err(Unreachable::ResolverSilent))
    }

    /// The addresses of one family, following CNAMEs.
    async fn follow(
        &self,
        name: &str,
        kind: TYPE,
        servers: &[SocketAddr],
    ) -> Result<Vec<IpAddr>, Unreachable> {
        let mut chain = vec![name.to_owned()];
        while let Some(current) = chain.last() {
            let answer = self.ask(current, kind, servers).await?;
            for alias in &answer.aliases {
                if names::is_internal(alias) {
                    return Err(Unreachable::HostNotAllowed);
                }
            }
            if !answer.addresses.is_empty() {
                return Ok(answer.addresses);
            }
            // A server that is not recursive leaves the rest of the chain to us.
            match answer.aliases.last() {
                Some(next) if !chain.contains(next) && chain.len() < MAX_CNAMES => {
                    chain.push(next.clone());
                }
                _ => break,
            }
        }
        Err(Unreachable::NoAddress)
    }

    /// The first usable response from any of the servers.
    async fn ask(&self, name: &str, kind: TYPE, servers: &[SocketAddr]) -> Result<Answer, Unreachable> {
        let query = exchange::Query::new(name, kind).ok_or(Unreachable::NoAddress)?;
        for _ in 0..ATTEMPTS {
            for server in servers {
                let Ok(Ok(bytes)) = timeout(self.response_timeout, query.send(*server)).await else {
                    continue;
                };
                if let Some(answer) = read(&bytes, name) {
                    return Ok(answer);
                }
            }
        }
        Err(Unreachable::ResolverSilent)
    }

    fn servers(&self) -> Vec<SocketAddr> {
        match self.server {
            Some(server) => vec![server],
            // Read each time: a machine may move between networks.
            None => std::fs::read_to_string(RESOLV_CONF).map(|text| name_servers(&text)).unwrap_or_default(),
        }
    }
}

/// The content of a DNS response.
#[derive(Debug, Default)]
struct Answer {
    addresses: Vec<IpAddr>,
    /// The chain of CNAMEs, the last of which has the addresses.
    aliases: Vec<String>,
}

/// Parses a response; `None` when the server could not or would not answer. Every address in it
/// counts, whatever name it belongs to: checking too many is safe, too few is not.
fn read(bytes: &[u8], name: &str) -> Option<Answer> {
    let packet = Packet::parse(bytes).ok()?;
    if !matches!(packet.rcode(), RCODE::NoError | RCODE::NameError) {
        return None;
    }
    let mut answer = Answer::default();
    let mut cnames = Vec::new();
    for record in &packet.answers {
        match &record.rdata {
            RData::A(a) => answer.addresses.push(IpAddr::V4(a.address.into())),
            RData::AAAA(aaaa) => answer.addresses.push(IpAddr::V6(aaaa.address.into())),
            RData::CNAME(alias) => cnames.push((normalized(&record.name), normalized(&alias.0))),
            _ => {}
        }
    }
    // In the order of the chain; each link is used once, so a loop ends.
    let mut current = name.to_owned();
    while let Some(at) = cnames.iter().position(|(from, _)| *from == current) {
        current = cnames.swap_remove(at).1;
        answer.aliases.push(current.clone());
    }
    Some(answer)
}

/// A name in lower case without a trailing dot.
fn normalized(name: &simple_dns::Name<'_>) -> String {
    name.to_string().trim_end_matches('.').to_ascii_lowercase()
}

/// Alternates the two lists, so that trying the first few addresses tries both families.
fn interleave(first: Vec<IpAddr>, second: Vec<IpAddr>) -> Vec<IpAddr> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    loop {
        match (first.next(), second.next()) {
            (None, None) => return merged,
            (one, other) => merged.extend(one.into_iter().chain(other)),
        }
    }
}

/// The name servers in the text of a `resolv.conf`.
fn name_servers(text: &str) -> Vec<SocketAddr> {
    let servers = text.lines().filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        let address = words.next().filter(|word| *word == "nameserver").and_then(|_| words.next())?;
        Some(SocketAddr::new(address.parse().ok()?, 53))
    });
    servers.take(MAX_SERVERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_servers_are_read_from_its_file() {
        let text = "# a comment\nsearch example.com\nnameserver 192.0.2.1\nnameserver\t2001:db8::1\nnameserver x\n\
                    nameserver 192.0.2.2\nnameserver 192.0.2.3\n";
        let expected: Vec<SocketAddr> = vec![
            "192.0.2.1:53".parse().unwrap(),
            "[2001:db8::1]:53".parse().unwrap(),
            "192.0.2.2:53".parse().unwrap(),
        ];
        assert_eq!(name_servers(text), expected);
        assert!(name_servers("").is_empty());
    }

    /// Malformed responses are parsed or rejected, never a panic.
    #[test]
    fn a_malformed_response_does_not_panic() {
        let query = exchange::Query::new("hooks.example.com", TYPE::A).unwrap();
        let mut bytes = query.bytes().to_vec();
        // A response with one answer whose name points at itself.
        (bytes[2], bytes[7]) = (0x80, 1);
        bytes.extend([0xc0, bytes.len() as u8, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
        let _ = read(&bytes, "hooks.example.com");
        let mut seed = 7_u32;
        for _ in 0..50_000 {
            let mut broken = bytes.clone();
            for _ in 0..3 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (seed >> 8) as usize % broken.len();
                broken[at] = (seed >> 24) as u8;
            }
            broken.truncate((seed >> 4) as usize % (broken.len() + 1));
            let _ = read(&broken, "hooks.example.com");
        }
    }
}
