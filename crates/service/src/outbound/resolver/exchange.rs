//! One query to one DNS server: over UDP, or TCP when the response is truncated (RFC 7766).

use std::{
    io,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
};

use simple_dns::{CLASS, Name, Packet, PacketFlag, Question, TYPE};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpStream, UdpSocket},
};

use crate::clock;

/// The largest message, in bytes.
const MAX_MESSAGE_BYTES: usize = 65_535;

/// A query.
#[derive(Debug)]
pub(super) struct Query {
    id: u16,
    name: String,
    kind: TYPE,
    bytes: Vec<u8>,
}

impl Query {
    /// A query for records of one type, with an unpredictable id; `None` when the name is not valid
    /// in the DNS.
    pub(super) fn new(name: &str, kind: TYPE) -> Option<Self> {
        let id = u16::from_be_bytes(clock::random());
        let mut packet = Packet::new_query(id);
        packet.set_flags(PacketFlag::RECURSION_DESIRED);
        packet.questions.push(Question::new(Name::new(name).ok()?, kind.into(), CLASS::IN.into(), false));
        let bytes = packet.build_bytes_vec().ok()?;
        Some(Self { id, name: name.to_owned(), kind, bytes })
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Sends the query to `server`. The socket is connected, so that packets from other hosts are
    /// dropped, and uses a port of the system's choice.
    pub(super) async fn send(&self, server: SocketAddr) -> io::Result<Vec<u8>> {
        let any: SocketAddr = if server.is_ipv4() {
            (Ipv4Addr::UNSPECIFIED, 0).into()
        } else {
            (Ipv6Addr::UNSPECIFIED, 0).into()
        };
        let socket = UdpSocket::bind(any).await?;
        socket.connect(server).await?;
        socket.send(&self.bytes).await?;
        let mut buffer = vec![0; MAX_MESSAGE_BYTES];
        loop {
            let length = socket.recv(&mut buffer).await?;
            match self.completeness_of(&buffer[..length]) {
                Some(Completeness::Complete) => {
                    buffer.truncate(length);
                    return Ok(buffer);
                }
                Some(Completeness::Truncated) => return self.send_over_tcp(server).await,
                // A spoofed response, or a late response to an earlier query.
                None => {}
            }
        }
    }

    async fn send_over_tcp(&self, server: SocketAddr) -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(server).await?;
        let length = u16::try_from(self.bytes.len()).map_err(io::Error::other)?;
        stream.write_all(&[&length.to_be_bytes()[..], &self.bytes].concat()).await?;
        let length = stream.read_u16().await?;
        let mut answer = vec![0; length.into()];
        stream.read_exact(&mut answer).await?;
        match self.completeness_of(&answer) {
            Some(_) => Ok(answer),
            None => Err(io::Error::other("the answer is to another question")),
        }
    }

    /// Whether a message answers this query, and whether it is complete.
    fn completeness_of(&self, bytes: &[u8]) -> Option<Completeness> {
        // A truncated message may not be parsable past its header.
        if bytes.len() < 12 || bytes[..2] != self.id.to_be_bytes() || bytes[2] & 0x80 == 0 {
            return None;
        }
        if bytes[2] & 0x02 != 0 {
            return Some(Completeness::Truncated);
        }
        let packet = Packet::parse(bytes).ok()?;
        let same = |question: &Question<'_>| {
            question.qname.to_string().trim_end_matches('.').eq_ignore_ascii_case(&self.name)
                && question.qtype == self.kind.into()
        };
        // Some servers leave the question out of an error response.
        packet.questions.iter().all(same).then_some(Completeness::Complete)
    }
}

/// Whether a response is complete or truncated.
enum Completeness {
    Complete,
    Truncated,
}
