//! A DNS server with scripted answers, over UDP and TCP.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use simple_dns::{
    CLASS, Name, Packet, PacketFlag, QTYPE, RCODE, ResourceRecord, TYPE,
    rdata::{A, AAAA, CNAME, RData},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UdpSocket},
};

/// The answer to one query.
#[derive(Debug, Clone)]
pub enum DnsReply {
    /// These addresses, filtered by the address family of the query.
    Addresses(Vec<IpAddr>),
    /// An alias (CNAME) without the alias's addresses.
    Alias(String),
    /// An alias (CNAME) and the alias's addresses.
    AliasOf(String, Vec<IpAddr>),
    /// A response code, such as [`DnsReply::NXDOMAIN`].
    Code(u8),
    /// No answer.
    Silence,
    /// These addresses for IPv4 queries, no answer to IPv6 queries.
    Ipv4Only(Vec<IpAddr>),
    /// The first addresses in a truncated answer over UDP, the second addresses over TCP.
    Truncated(Vec<IpAddr>, Vec<IpAddr>),
    /// An answer with another id, one for another name, and then the addresses: the packets that an
    /// attacker would send first.
    AfterForgeries(Vec<IpAddr>, Vec<IpAddr>),
}

impl DnsReply {
    pub const SERVFAIL: Self = Self::Code(2);
    pub const NXDOMAIN: Self = Self::Code(3);
    pub const REFUSED: Self = Self::Code(5);

    /// These addresses.
    ///
    /// # Panics
    /// When one of the texts is not an address.
    pub fn addresses(texts: &[&str]) -> Self {
        Self::Addresses(texts.iter().map(|text| text.parse().expect("an address")).collect())
    }
}

/// The replies for one name, in order for each address family. After the last reply, `again` starts
/// over; otherwise the last reply repeats.
#[derive(Debug)]
struct Script {
    replies: Vec<DnsReply>,
    again: bool,
    asked: HashMap<u16, usize>,
}

/// The server. It ends with the test's runtime.
#[derive(Debug, Clone)]
pub struct DnsServer {
    address: SocketAddr,
    scripts: Arc<Mutex<HashMap<String, Script>>>,
}

impl DnsServer {
    /// Starts a server that knows no names.
    pub async fn start() -> Self {
        for _ in 0..20 {
            let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port is free");
            let address = udp.local_addr().expect("it is bound");
            // The same port must be free for TCP too.
            let Ok(tcp) = TcpListener::bind(address).await else { continue };
            let server = Self { address, scripts: Arc::default() };
            tokio::spawn(server.clone().serve_udp(udp));
            tokio::spawn(server.clone().serve_tcp(tcp));
            return server;
        }
        panic!("no port is free for both UDP and TCP");
    }

    /// The listening address, for `LECTERN_OUTBOUND__RESOLVER`.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// Answers every query for `name` with this reply.
    pub fn answer(&self, name: &str, reply: DnsReply) {
        self.script(name, vec![reply], false);
    }

    /// Answers with these replies in order, separately for each address family, and then repeats
    /// the last one.
    pub fn sequence(&self, name: &str, replies: Vec<DnsReply>) {
        self.script(name, replies, false);
    }

    /// Answers with these replies in order and then starts over.
    pub fn alternate(&self, name: &str, replies: Vec<DnsReply>) {
        self.script(name, replies, true);
    }

    /// The number of queries for a name, of both address families.
    pub fn queries(&self, name: &str) -> usize {
        self.scripts().get(name).map_or(0, |script| script.asked.values().sum())
    }

    fn script(&self, name: &str, replies: Vec<DnsReply>, again: bool) {
        self.scripts().insert(name.to_owned(), Script { replies, again, asked: HashMap::new() });
    }

    fn scripts(&self) -> MutexGuard<'_, HashMap<String, Script>> {
        self.scripts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn serve_udp(self, socket: UdpSocket) {
        let mut buffer = vec![0; 4_096];
        while let Ok((length, peer)) = socket.recv_from(&mut buffer).await {
            for answer in self.answers(&buffer[..length], false) {
                let _ = socket.send_to(&answer, peer).await;
            }
        }
    }

    async fn serve_tcp(self, listener: TcpListener) {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(self.clone().serve_stream(stream));
        }
    }

    async fn serve_stream(self, mut stream: TcpStream) {
        while let Ok(length) = stream.read_u16().await {
            let mut query = vec![0; length.into()];
            if stream.read_exact(&mut query).await.is_err() {
                return;
            }
            for answer in self.answers(&query, true) {
                let length = u16::try_from(answer.len()).expect("an answer of one message");
                let _ = stream.write_all(&[&length.to_be_bytes()[..], &answer].concat()).await;
            }
        }
    }

    /// The messages that answer a query, in order.
    fn answers(&self, query: &[u8], tcp: bool) -> Vec<Vec<u8>> {
        let query = Packet::parse(query).expect("a question that can be read");
        let question = query.questions.first().expect("one question");
        let name = question.qname.to_string();
        let QTYPE::TYPE(kind) = question.qtype else { panic!("a question for one kind") };
        let reply = {
            let mut scripts = self.scripts();
            match scripts.get_mut(&name) {
                None => DnsReply::NXDOMAIN,
                Some(script) => {
                    let asked = script.asked.entry(kind.into()).or_default();
                    // A repetition of the query over TCP after a truncated answer does not advance
                    // the script.
                    *asked += usize::from(!tcp);
                    let (turn, replies) = (asked.saturating_sub(1), script.replies.len());
                    let at = if script.again { turn % replies } else { turn.min(replies - 1) };
                    script.replies[at].clone()
                }
            }
        };
        let message = |addresses: &[IpAddr]| Message::to(&query, addresses_of(kind, addresses));
        match reply {
            DnsReply::Ipv4Only(_) if kind == TYPE::AAAA => Vec::new(),
            DnsReply::Addresses(addresses) | DnsReply::Ipv4Only(addresses) => {
                vec![message(&addresses).bytes(&name)]
            }
            DnsReply::Alias(alias) => vec![Message { alias: Some(alias), ..message(&[]) }.bytes(&name)],
            DnsReply::AliasOf(alias, addresses) => {
                vec![Message { alias: Some(alias), ..message(&addresses) }.bytes(&name)]
            }
            DnsReply::Code(code) => vec![Message { code, ..message(&[]) }.bytes(&name)],
            DnsReply::Silence => Vec::new(),
            DnsReply::Truncated(_, addresses) if tcp => vec![message(&addresses).bytes(&name)],
            DnsReply::Truncated(addresses, _) => {
                vec![Message { cut_off: true, ..message(&addresses) }.bytes(&name)]
            }
            DnsReply::AfterForgeries(forged, addresses) => {
                let another = Message { id: query.id().wrapping_add(1), ..message(&forged) };
                let mut elsewhere = message(&forged);
                elsewhere.question = Some("elsewhere.example.net".to_owned());
                vec![another.bytes(&name), elsewhere.bytes(&name), message(&addresses).bytes(&name)]
            }
        }
    }
}

struct Message {
    id: u16,
    kind: QTYPE,
    /// The name in the question section; `None` repeats the query's name.
    question: Option<String>,
    code: u8,
    cut_off: bool,
    alias: Option<String>,
    addresses: Vec<IpAddr>,
}

impl Message {
    fn to(query: &Packet<'_>, addresses: Vec<IpAddr>) -> Self {
        let kind = query.questions.first().expect("one question").qtype;
        Self { id: query.id(), kind, question: None, code: 0, cut_off: false, alias: None, addresses }
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        let name = self.question.as_deref().unwrap_or(name);
        let mut packet = Packet::new_reply(self.id);
        packet.set_flags(PacketFlag::RECURSION_DESIRED | PacketFlag::RECURSION_AVAILABLE);
        if self.cut_off {
            packet.set_flags(PacketFlag::TRUNCATION);
        }
        *packet.rcode_mut() = match self.code {
            2 => RCODE::ServerFailure,
            3 => RCODE::NameError,
            5 => RCODE::Refused,
            _ => RCODE::NoError,
        };
        let question = simple_dns::Question::new(name_of(name), self.kind, CLASS::IN.into(), false);
        packet.questions.push(question);
        let record = |name, data| ResourceRecord::new(name_of(name), CLASS::IN, 0, data);
        if let Some(alias) = &self.alias {
            packet.answers.push(record(name, RData::CNAME(CNAME(name_of(alias)))));
        }
        let owner = self.alias.as_deref().unwrap_or(name);
        packet.answers.extend(self.addresses.iter().map(|address| {
            record(
                owner,
                match address {
                    IpAddr::V4(ip) => RData::A(A { address: ip.to_bits() }),
                    IpAddr::V6(ip) => RData::AAAA(AAAA { address: ip.to_bits() }),
                },
            )
        }));
        packet.build_bytes_vec_compressed().expect("a message that can be written")
    }
}

fn name_of(text: &str) -> Name<'_> {
    Name::new(text).expect("a name")
}

fn addresses_of(kind: TYPE, addresses: &[IpAddr]) -> Vec<IpAddr> {
    let of_kind = |address: &&IpAddr| match kind {
        TYPE::A => address.is_ipv4(),
        TYPE::AAAA => address.is_ipv6(),
        _ => false,
    };
    addresses.iter().filter(of_kind).copied().collect()
}
