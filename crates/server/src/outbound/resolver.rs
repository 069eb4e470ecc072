//! The addresses of a name: asked of the configured DNS server, or of those that the system names, each time anew.
//!
//! Not the system's own resolver: that one does not say whether a name has no address or nobody answered, appends the
//! domains of the machine, keeps a thread for each question, and would find names that only this machine knows. `exchange`
//! carries one question to one server.

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

/// Where the system names its DNS servers.
const SYSTEM: &str = "/etc/resolv.conf";

/// DNS servers asked at most.
const SERVERS: usize = 3;

/// How often each server is asked.
const ROUNDS: u32 = 2;

/// Names that may stand for one another in a row, as in most resolvers.
const LONGEST_CHAIN: usize = 10;

/// Asks DNS servers.
#[derive(Debug)]
pub(super) struct Resolver {
    /// The one to ask; `None`: the system's.
    server: Option<SocketAddr>,
    /// How long one server may take to answer.
    answer: Duration,
    /// How long everything may take.
    whole: Duration,
}

impl Resolver {
    pub(super) fn new(server: Option<SocketAddr>, answer: Duration, whole: Duration) -> Self {
        Self { server, answer, whole }
    }

    /// The addresses of `name`, IPv6 and IPv4 in turns; never none. Which of them may be used is not judged here, but a name
    /// that stands for an internal one is refused.
    pub(super) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, Unreachable> {
        let servers = self.servers();
        let six = pin!(self.follow(name, TYPE::AAAA, &servers));
        let four = pin!(self.follow(name, TYPE::A, &servers));
        let both = async {
            match select(six, four).await {
                Either::Left((six, four)) => (self.beside(&six, four).await, six),
                Either::Right((four, six)) => (self.beside(&four, six).await, four),
            }
        };
        let (six, four) = timeout(self.whole, both).await.map_err(|_| Unreachable::ResolverSilent)?;
        let refused = [&six, &four].iter().any(|answer| **answer == Err(Unreachable::HostNotAllowed));
        let silent = [&six, &four].iter().any(|answer| **answer == Err(Unreachable::ResolverSilent));
        let addresses = in_turns(six.unwrap_or_default(), four.unwrap_or_default());
        match addresses.is_empty() {
            _ if refused => Err(Unreachable::HostNotAllowed),
            // Many a server knows nothing of IPv6 and does not say so.
            false => Ok(addresses),
            true if silent => Err(Unreachable::ResolverSilent),
            true => Err(Unreachable::NoAddress),
        }
    }

    /// What is known of one family of addresses when the other's are known: a server that never says anything of this one does
    /// not take those away.
    async fn beside(
        &self,
        known: &Result<Vec<IpAddr>, Unreachable>,
        awaited: impl Future<Output = Result<Vec<IpAddr>, Unreachable>>,
    ) -> Result<Vec<IpAddr>, Unreachable> {
        if known.is_err() {
            return awaited.await;
        }
        timeout(self.answer, awaited).await.unwrap_or(Err(Unreachable::ResolverSilent))
    }

    /// The addresses of one family, through the names that stand for one another.
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
            // A server that does not itself ask further leaves the rest of the chain to us.
            match answer.aliases.last() {
                Some(next) if !chain.contains(next) && chain.len() < LONGEST_CHAIN => {
                    chain.push(next.clone());
                }
                _ => break,
            }
        }
        Err(Unreachable::NoAddress)
    }

    /// The first answer that one of the servers gives.
    async fn ask(&self, name: &str, kind: TYPE, servers: &[SocketAddr]) -> Result<Answer, Unreachable> {
        let query = exchange::Query::new(name, kind).ok_or(Unreachable::NoAddress)?;
        for _ in 0..ROUNDS {
            for server in servers {
                let Ok(Ok(bytes)) = timeout(self.answer, query.carry(*server)).await else { continue };
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
            // Read anew each time: a machine may move between networks.
            None => std::fs::read_to_string(SYSTEM).map(|text| named_in(&text)).unwrap_or_default(),
        }
    }
}

/// What a server said of a name.
#[derive(Debug, Default)]
struct Answer {
    addresses: Vec<IpAddr>,
    /// The names that it stands for, the last of which has the addresses.
    aliases: Vec<String>,
}

/// Reads an answer; `None` when the server could not or would not give one. All addresses in it count, whichever name they are
/// said to be of: more are judged than need be, never fewer.
fn read(bytes: &[u8], name: &str) -> Option<Answer> {
    let packet = Packet::parse(bytes).ok()?;
    if !matches!(packet.rcode(), RCODE::NoError | RCODE::NameError) {
        return None;
    }
    let mut answer = Answer::default();
    let mut links = Vec::new();
    for record in &packet.answers {
        match &record.rdata {
            RData::A(a) => answer.addresses.push(IpAddr::V4(a.address.into())),
            RData::AAAA(aaaa) => answer.addresses.push(IpAddr::V6(aaaa.address.into())),
            RData::CNAME(alias) => links.push((plain(&record.name), plain(&alias.0))),
            _ => {}
        }
    }
    // In the order of the chain; each link is used once, so that a loop ends.
    let mut current = name.to_owned();
    while let Some(at) = links.iter().position(|(from, _)| *from == current) {
        current = links.swap_remove(at).1;
        answer.aliases.push(current.clone());
    }
    Some(answer)
}

/// A name in lower case without a dot at its end.
fn plain(name: &simple_dns::Name<'_>) -> String {
    name.to_string().trim_end_matches('.').to_ascii_lowercase()
}

/// One of each in turn, so that whoever tries a few tries both families.
fn in_turns(first: Vec<IpAddr>, second: Vec<IpAddr>) -> Vec<IpAddr> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    loop {
        match (first.next(), second.next()) {
            (None, None) => return merged,
            (one, other) => merged.extend(one.into_iter().chain(other)),
        }
    }
}

/// The servers in the text of a `resolv.conf`.
fn named_in(text: &str) -> Vec<SocketAddr> {
    let servers = text.lines().filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        let address = words.next().filter(|word| *word == "nameserver").and_then(|_| words.next())?;
        Some(SocketAddr::new(address.parse().ok()?, 53))
    });
    servers.take(SERVERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_servers_are_those_of_its_file() {
        let text = "# a comment\nsearch example.com\nnameserver 192.0.2.1\nnameserver\t2001:db8::1\nnameserver x\n\
                    nameserver 192.0.2.2\nnameserver 192.0.2.3\n";
        let wanted: Vec<SocketAddr> = vec![
            "192.0.2.1:53".parse().unwrap(),
            "[2001:db8::1]:53".parse().unwrap(),
            "192.0.2.2:53".parse().unwrap(),
        ];
        assert_eq!(named_in(text), wanted);
        assert!(named_in("").is_empty());
    }

    /// Bytes from outside, however broken, are read or refused.
    #[test]
    fn a_broken_answer_is_no_more_than_that() {
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
