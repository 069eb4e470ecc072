//! A DNS server that says what the test tells it to, over UDP and TCP.

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

/// What is said to one question.
#[derive(Debug, Clone)]
pub enum DnsReply {
    /// These addresses, those of the family that was asked for.
    Addresses(Vec<IpAddr>),
    /// The name stands for another, of which nothing is said.
    Alias(String),
    /// The name stands for another, which has these addresses.
    AliasOf(String, Vec<IpAddr>),
    /// A code, such as [`DnsReply::NXDOMAIN`].
    Code(u8),
    /// Nothing.
    Silence,
    /// These addresses to who asks for IPv4, nothing to who asks for IPv6.
    FourOnly(Vec<IpAddr>),
    /// The first addresses over UDP, in an answer that says it is cut off; the others over TCP.
    CutOff(Vec<IpAddr>, Vec<IpAddr>),
    /// An answer to another id, then one to another name, then the addresses: what somebody who guesses would send first.
    AfterForgeries(Vec<IpAddr>, Vec<IpAddr>),
}

impl DnsReply {
    /// The server failed.
    pub const SERVFAIL: Self = Self::Code(2);
    /// There is no such name.
    pub const NXDOMAIN: Self = Self::Code(3);
    /// The server does not want to.
    pub const REFUSED: Self = Self::Code(5);

    /// These addresses.
    ///
    /// # Panics
    /// When one is none.
    pub fn addresses(texts: &[&str]) -> Self {
        Self::Addresses(texts.iter().map(|text| text.parse().expect("an address")).collect())
    }
}

/// The replies to one name, in their order for each family; afterwards from the start again, or the last for ever.
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
    /// Starts one that knows no name.
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

    /// Where it listens, for `LECTERN_OUTBOUND__RESOLVER`.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// Says this to every question for `name`.
    pub fn answer(&self, name: &str, reply: DnsReply) {
        self.script(name, vec![reply], false);
    }

    /// Says these one after the other, to each family's questions for itself, and the last one from then on.
    pub fn sequence(&self, name: &str, replies: Vec<DnsReply>) {
        self.script(name, replies, false);
    }

    /// Says these one after the other, and from the start again.
    pub fn alternate(&self, name: &str, replies: Vec<DnsReply>) {
        self.script(name, replies, true);
    }

    /// How often the name was asked for, both families together.
    pub fn questions(&self, name: &str) -> usize {
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

    /// The messages to send to a question, one after the other.
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
                    // The same question, asked again over TCP, is not the next turn.
                    *asked += usize::from(!tcp);
                    let (turn, replies) = (asked.saturating_sub(1), script.replies.len());
                    let at = if script.again { turn % replies } else { turn.min(replies - 1) };
                    script.replies[at].clone()
                }
            }
        };
        let message = |addresses: &[IpAddr]| Message::to(&query, addresses_of(kind, addresses));
        match reply {
            DnsReply::FourOnly(_) if kind == TYPE::AAAA => Vec::new(),
            DnsReply::Addresses(addresses) | DnsReply::FourOnly(addresses) => {
                vec![message(&addresses).bytes(&name)]
            }
            DnsReply::Alias(alias) => vec![Message { alias: Some(alias), ..message(&[]) }.bytes(&name)],
            DnsReply::AliasOf(alias, addresses) => {
                vec![Message { alias: Some(alias), ..message(&addresses) }.bytes(&name)]
            }
            DnsReply::Code(code) => vec![Message { code, ..message(&[]) }.bytes(&name)],
            DnsReply::Silence => Vec::new(),
            DnsReply::CutOff(_, addresses) if tcp => vec![message(&addresses).bytes(&name)],
            DnsReply::CutOff(addresses, _) => {
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

/// An answer to be written.
struct Message {
    id: u16,
    kind: QTYPE,
    /// The name that it says it was asked for; `None`: the one it was.
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
