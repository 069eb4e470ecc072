//! The client that calls addresses which customers gave: what it refuses, what it dials, what it bears.
//!
//! `cases` reads `webhook_urls.json`, a list of URLs with verdicts; the other files play name servers and receivers that do
//! what they can to be led elsewhere. A receiver that may be called is at 127.0.0.9; the rest of this machine may not.

mod cases;
mod deliveries;
mod hosts;
mod lookups;
mod pinning;
mod registered;

use std::time::Duration;

use lectern_server::{
    config::{Config, Sources},
    outbound::{Answer, Limits, Outbound, PostFailure, Target},
};
use lectern_testkit::{Authority, DnsServer, TestReceiver};

/// Where a receiver may be.
const RECEIVER: &str = "127.0.0.9:0";

/// The networks that are open.
const OPEN: &str = "127.0.0.8/31";

/// Limits for tests that wait until they are over.
const SHORT: Limits = Limits {
    whole: Duration::from_millis(600),
    body: Duration::from_millis(300),
    connect: Duration::from_millis(400),
    lookup: Duration::from_millis(350),
    dns_answer: Duration::from_millis(150),
};

/// A client with these settings.
fn client(settings: &[(&str, &str)], limits: Limits) -> Outbound {
    let environment = settings.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let config = Config::load(&Sources { environment, ..Sources::default() }).unwrap();
    Outbound::with_limits(&config, limits).unwrap()
}

/// A receiver, a name server, and a client that asks the one for the way to the other.
struct Scene {
    receiver: TestReceiver,
    dns: DnsServer,
    authority: Authority,
    outbound: Outbound,
}

impl Scene {
    async fn new() -> Self {
        Self::with(Limits::default()).await
    }

    async fn with(limits: Limits) -> Self {
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
        let outbound = client(&settings, limits);
        Self { receiver, dns, authority, outbound }
    }

    /// Posts to a path of the receiver under a name.
    async fn post(&self, name: &str, path: &str) -> Result<Answer, PostFailure> {
        post(&self.outbound, &self.receiver.url_as(name, path)).await
    }
}

async fn post(outbound: &Outbound, url: &str) -> Result<Answer, PostFailure> {
    let target = Target::parse(url).unwrap();
    outbound.post(&target, reqwest::header::HeaderMap::new(), "{}".into()).await
}
