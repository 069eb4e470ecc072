//! `[queue]`: how workers learn of new jobs.

use async_nats::ServerAddr;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::{loader::ConfigError, values::positive};

/// Dispatch of jobs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Queue {
    /// The kind of queue, and its address.
    pub url: QueueUrl,
    /// Replicas of each message in a NATS cluster.
    #[serde(deserialize_with = "positive")]
    pub replicas: u64,
}

/// A queue that workers can use.
#[derive(Debug, Clone)]
pub enum QueueUrl {
    /// This process, with PostgreSQL's notifications.
    Embedded,
    /// NATS JetStream; the addresses may hold passwords.
    Nats(SecretString),
}

/// The accepted forms, for the error message.
const EXPECTED: &str = "must be embedded: or nats://USER:PASSWORD@HOST:PORT (tls:// for TLS; several servers of one cluster with \
                     commas between them)";

impl Queue {
    /// The NATS servers; none for the embedded queue.
    ///
    /// # Errors
    /// [`ConfigError`] for an address that cannot be parsed.
    pub fn servers(&self) -> Result<Vec<ServerAddr>, ConfigError> {
        match &self.url {
            QueueUrl::Embedded => Ok(Vec::new()),
            QueueUrl::Nats(addresses) => {
                servers(addresses.expose_secret()).ok_or_else(|| ConfigError::new("queue.url", EXPECTED))
            }
        }
    }
}

fn servers(addresses: &str) -> Option<Vec<ServerAddr>> {
    let server = |address: &str| {
        let address = address.trim();
        let is_known = address.starts_with("nats://") || address.starts_with("tls://");
        let server = is_known.then(|| address.parse::<ServerAddr>().ok()).flatten();
        server.filter(|server| !server.host().is_empty())
    };
    addresses.split(',').map(server).collect()
}

impl<'de> Deserialize<'de> for QueueUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == "embedded:" {
            return Ok(Self::Embedded);
        }
        match servers(&text) {
            Some(_) => Ok(Self::Nats(text.into())),
            None => Err(D::Error::custom(EXPECTED)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::servers;

    #[test]
    fn only_nats_addresses_are_accepted() {
        for (addresses, number) in [
            ("nats://127.0.0.1:4222", Some(1)),
            ("nats://ada:secret@a.example:4222,tls://b.example", Some(2)),
            ("127.0.0.1:4222", None),
            ("http://127.0.0.1:4222", None),
            ("nats://", None),
            ("nats://a.example,", None),
            ("", None),
        ] {
            assert_eq!(servers(addresses).map(|servers| servers.len()), number, "{addresses}");
        }
    }
}
