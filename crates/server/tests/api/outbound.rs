//! The client for addresses that customers gave: the addresses that it refuses, those that it
//! connects to, and the answers that it tolerates.
//!
//! `cases` reads `webhook_urls.json`, a list of URLs with verdicts. The other modules run name
//! servers and receivers that try everything to redirect the client. Receivers at 127.0.0.8 and
//! 127.0.0.9 are allowed; the rest of this machine is not.

pub(crate) mod cases;
mod deliveries;
mod hosts;
mod lookups;
mod pinning;
mod registered;

use std::time::Duration;

use lectern_service::{
    config::{Config, Sources},
    outbound::{Outbound, PostFailure, ReceiverResponse, Target, Timeouts},
};
use lectern_testkit::{Authority, DnsServer, TestReceiver};

/// The address of the receiver.
const RECEIVER: &str = "127.0.0.9:0";

/// The networks that the settings allow.
const OPEN: &str = "127.0.0.8/31";

/// Timeouts for tests that wait for them to expire.
const SHORT: Timeouts = Timeouts {
    total: Duration::from_millis(600),
    body: Duration::from_millis(300),
    connect: Duration::from_millis(400),
    lookup: Duration::from_millis(350),
    dns_response: Duration::from_millis(150),
};

/// A client with these settings.
fn client(settings: &[(&str, &str)], timeouts: Timeouts) -> Outbound {
    let environment = settings.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let config = Config::load(&Sources { environment, ..Sources::default() }).unwrap();
    Outbound::with_timeouts(&config, timeouts).unwrap()
}

/// A receiver, a name server, and a client that resolves names with that server.
struct Fixture {
    receiver: TestReceiver,
    dns: DnsServer,
    authority: Authority,
    outbound: Outbound,
}

impl Fixture {
    async fn new() -> Self {
        Self::with(Timeouts::default()).await
    }

    async fn with(timeouts: Timeouts) -> Self {
        let authority = Authority::new();
        let receiver = TestReceiver::at(RECEIVER, &authority).await;
        let dns = DnsServer::start().await;
        let settings = [
            ("LECTERN_OUTBOUND__RESOLVER", dns.address()),
            ("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", OPEN.to_owned()),
            ("LECTERN_WEBHOOKS__EXTRA_CA_FILE", receiver.ca_file()),
        ];
        let settings: Vec<(&str, &str)> =
            settings.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let outbound = client(&settings, timeouts);
        Self { receiver, dns, authority, outbound }
    }

    /// Posts to a path of the receiver by a name.
    async fn post(&self, name: &str, path: &str) -> Result<ReceiverResponse, PostFailure> {
        post(&self.outbound, &self.receiver.url_as(name, path)).await
    }
}

async fn post(outbound: &Outbound, url: &str) -> Result<ReceiverResponse, PostFailure> {
    let target = Target::parse(url).unwrap();
    outbound.post(&target, reqwest::header::HeaderMap::new(), "{}".into()).await
}
