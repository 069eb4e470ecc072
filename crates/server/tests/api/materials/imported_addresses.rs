//! The cases of the list of URLs that are decided when a webhook is delivered, for documents: names whose addresses
//! change, redirects, and servers that answer with everything but a document. Unlike a webhook, a document is looked for
//! where a redirect says, so each redirect is judged like the first URL.
//!
//! Servers at 127.0.0.8 and 127.0.0.9 are allowed. A canary listens on the server's port of 127.0.0.1, which is not.

use std::time::Duration;

use lectern_service::outbound::Timeouts;
use lectern_testkit::{
    Account, Authority, Canary, DnsReply, DnsServer, Reply, Script, Setup, TestApp, TestReceiver,
};
use serde_json::json;

use super::PATH;
use crate::outbound::cases::list;

const SERVER: &str = "127.0.0.9";
const FORBIDDEN: &str = "127.0.0.1";

/// Timeouts for servers that never answer.
const SHORT: Timeouts = Timeouts {
    total: Duration::from_millis(1_200),
    body: Duration::from_millis(300),
    connect: Duration::from_millis(800),
    lookup: Duration::from_millis(700),
    dns_response: Duration::from_millis(300),
};

struct Fixture {
    app: TestApp,
    account: Account,
    authority: Authority,
    dns: DnsServer,
    server: TestReceiver,
    canary: Canary,
}

impl Fixture {
    async fn new(timeouts: Timeouts) -> Self {
        let (authority, dns) = (Authority::new(), DnsServer::start().await);
        let server = TestReceiver::at(&format!("{SERVER}:0"), &authority).await;
        let canary =
            Canary::at((FORBIDDEN.parse::<std::net::IpAddr>().unwrap(), server.address().port()).into())
                .await;
        let app = Setup::default()
            .without_workers()
            .resolving_with(&dns)
            .outbound_timeouts(timeouts)
            .set("LECTERN_OUTBOUND__IMPORT_NETWORKS", "127.0.0.8/31")
            .set("LECTERN_WEBHOOKS__EXTRA_CA_FILE", &server.ca_file())
            .set("LECTERN_LIMITS__FILE_BYTES", "100000")
            .start()
            .await;
        let account = app.account(0).await;
        Self { app, account, authority, dns, server, canary }
    }

    async fn import(&self, url: &str) -> Reply {
        self.app.post(PATH, &self.account.live, &json!({ "url": url })).await
    }

    /// Imports a path of the server by a name.
    async fn import_as(&self, name: &str, path: &str) -> Reply {
        self.import(&self.server.url_as(name, path)).await
    }

    /// A document, after which the server closes the connection, so that each fetch looks the name up.
    fn answer_with_documents(&self) {
        let document = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nWords.";
        self.server.script(Script::Raw(document.as_bytes().to_vec()));
    }

    async fn finish(self) {
        assert_eq!(self.canary.connections(), 0, "an internal address was called");
        self.app.finish().await;
    }
}

fn at(address: &str) -> DnsReply {
    DnsReply::addresses(&[address])
}

/// The status, and the code of a refusal.
fn verdict(reply: &Reply) -> (u16, String) {
    let status = reply.status.as_u16();
    (status, if status == 202 { String::new() } else { reply.refusal() })
}

fn taken() -> (u16, String) {
    (202, String::new())
}

fn forbidden() -> (u16, String) {
    (400, "url_host_not_allowed".to_owned())
}

fn failed() -> (u16, String) {
    (422, "validation_failed".to_owned())
}

/// Which test has which case.
#[test]
fn every_listed_delivery_has_a_test_for_documents() {
    let tested = [
        ("changing_names_never_lead_to_an_internal_address", vec![625..=627, 630..=630]),
        ("a_redirect_is_judged_like_the_first_url", vec![631..=658]),
        ("answers_that_are_no_documents_are_refused", vec![661..=663, 669..=669, 671..=671, 673..=675]),
        ("servers_without_a_good_certificate_are_refused", vec![665..=668, 672..=672]),
        ("proxies_of_the_environment_are_not_used", vec![676..=676]),
        ("the_service_itself_is_never_called", vec![677..=677]),
    ];
    let numbers: Vec<u32> = list()
        .iter()
        .filter(|case| case.stage == "deliver")
        .map(|case| case.id.strip_prefix("ssrf-0").unwrap().parse().unwrap())
        .collect();
    assert_eq!(numbers.len(), 36, "the list has changed");
    for number in numbers {
        let tests = tested.iter().filter(|(_, cases)| cases.iter().any(|cases| cases.contains(&number)));
        assert_eq!(tests.count(), 1, "ssrf-0{number}");
    }
}

// ssrf-0625 to ssrf-0630.
#[tokio::test]
async fn changing_names_never_lead_to_an_internal_address() {
    let fixture = Fixture::new(Timeouts::default()).await;
    fixture.answer_with_documents();
    // Public at the first fetch, internal at the second.
    fixture.dns.sequence("rb1.ssrf.example.net", vec![at(SERVER), at(FORBIDDEN)]);
    for wanted in [taken(), forbidden()] {
        assert_eq!(verdict(&fixture.import_as("rb1.ssrf.example.net", "/x").await), wanted);
    }
    // The address that was checked is the one that is dialled.
    fixture.dns.sequence("rb2.ssrf.example.net", vec![at(SERVER), at(FORBIDDEN)]);
    assert_eq!(verdict(&fixture.import_as("rb2.ssrf.example.net", "/x").await), taken());
    assert_eq!(fixture.dns.queries("rb2.ssrf.example.net"), 2, "one lookup, with a query for each family");
    let addresses = vec![at(FORBIDDEN), at(SERVER), at("169.254.169.254")];
    fixture.dns.alternate("rb3.ssrf.example.net", addresses);
    let mut counts = [0, 0];
    for _ in 0..60 {
        let verdict = verdict(&fixture.import_as("rb3.ssrf.example.net", "/x").await);
        assert!([taken(), forbidden()].contains(&verdict), "{verdict:?}");
        counts[usize::from(verdict == forbidden())] += 1;
    }
    assert_eq!(counts, [20, 40]);
    // A fetch after one that failed looks the name up again.
    fixture.server.script(Script::Close);
    fixture.dns.sequence("rb6.ssrf.example.net", vec![at(SERVER), at(SERVER), at("10.0.0.1")]);
    for wanted in [failed(), failed(), forbidden()] {
        assert_eq!(verdict(&fixture.import_as("rb6.ssrf.example.net", "/x").await), wanted);
    }
    fixture.finish().await;
}

// ssrf-0631 to ssrf-0658.
#[tokio::test]
async fn a_redirect_is_judged_like_the_first_url() {
    let fixture = Fixture::new(Timeouts::default()).await;
    let name = "redir.ssrf.example.net";
    fixture.dns.answer(name, at(SERVER));
    fixture.dns.answer("other.ssrf.example.net", at(SERVER));
    fixture.server.script(Script::Redirect);
    let port = fixture.server.address().port();
    let words = || {
        let headers = vec![("Content-Type", "text/plain".to_owned())];
        Script::Answer { status: 200, headers, body: b"Words.".to_vec() }
    };
    fixture.server.script_path("/relative", vec![words()]);
    fixture.server.script_path("/ok", vec![words()]);
    let mut judged = 0;
    for case in list().iter().filter(|case| (631..=658).contains(&case.id[6..].parse::<u32>().unwrap_or(0))) {
        let (_, path) = case.url.as_str().unwrap().split_once(".net/").unwrap();
        let (status, to) = path.split_once("?to=").unwrap();
        // The same on the canary's and the server's port, which is another than the URL's.
        let to = to.replace("127.0.0.1/", &format!("127.0.0.1:{port}/"));
        let to = to.replace("other.ssrf.example.net/", &format!("other.ssrf.example.net:{port}/"));
        let wanted = match &*to {
            to if to.starts_with("http:") => (400, "url_must_be_https".to_owned()),
            to if to.starts_with("https://other") || to == "/relative" => taken(),
            _ => forbidden(),
        };
        let reply = fixture.import_as(name, &format!("/{status}?to={to}")).await;
        assert_eq!(verdict(&reply), wanted, "{}: {to}", case.id);
        judged += 1;
    }
    assert_eq!(judged, 18);
    // A name with an internal address.
    fixture.dns.answer("inside.ssrf.example.net", at(FORBIDDEN));
    let to = format!("/302?to=https://inside.ssrf.example.net:{port}/ok");
    assert_eq!(verdict(&fixture.import_as(name, &to).await), forbidden());
    fixture.finish().await;
}

// ssrf-0661 to ssrf-0663, ssrf-0669 to ssrf-0675.
#[tokio::test]
async fn answers_that_are_no_documents_are_refused() {
    let fixture = Fixture::new(SHORT).await;
    let name = "drip.ssrf.example.net";
    fixture.dns.answer(name, at(SERVER));
    let elsewhere = fixture.canary.address;
    // What names another place is no redirect.
    let pointing = Script::Answer {
        status: 200,
        headers: vec![
            ("Alt-Svc", format!("h2=\"{elsewhere}\"; ma=86400, h3=\"{elsewhere}\"")),
            ("Refresh", format!("0; url=https://{elsewhere}/")),
            ("Link", format!("<https://{elsewhere}/>; rel=preconnect")),
            ("Content-Type", "text/html".to_owned()),
            ("Connection", "close".to_owned()),
        ],
        body: format!("<meta http-equiv=refresh content='0; url=https://{elsewhere}/'><p>Words.")
            .into_bytes(),
    };
    let bytes = |text: &str| Script::Raw(text.as_bytes().to_vec());
    let upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
    let broken = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n";
    for (script, wanted) in [
        (pointing.clone(), taken()),
        (pointing, taken()),
        (bytes(upgrade), failed()),
        (Script::EndlessBody(200), (413, "file_too_large".to_owned())),
        (Script::Hang, failed()),
        (Script::StalledHead, failed()),
        (Script::Headers(200, 1_000_000), failed()),
        (bytes(broken), failed()),
    ] {
        fixture.server.script(script.clone());
        let begun = std::time::Instant::now();
        let reply = fixture.import_as(name, "/x").await;
        assert_eq!(verdict(&reply), wanted, "{script:?}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{script:?}");
    }
    fixture.finish().await;
}

// ssrf-0665 to ssrf-0668, ssrf-0672.
#[tokio::test]
async fn servers_without_a_good_certificate_are_refused() {
    let fixture = Fixture::new(SHORT).await;
    let name = "tls.ssrf.example.net";
    fixture.dns.answer(name, at(SERVER));
    let unknown = Authority::new();
    for tls in [
        unknown.issue(&[name]),
        fixture.authority.issue_until(&[name], 2021),
        fixture.authority.issue(&["other.ssrf.example.net"]),
    ] {
        let server = TestReceiver::with_tls(&format!("{SERVER}:0"), tls, &fixture.authority).await;
        let reply = fixture.import(&server.url_as(name, "/x")).await;
        assert_eq!((verdict(&reply), server.count()), (failed(), 0));
        let said = reply.json()["error"]["details"]["fields"]["url"].as_str().unwrap().to_owned();
        assert!(said.contains("certificate"), "{said}");
    }
    let port = lectern_testkit::serve_old_tls([127, 0, 0, 9]).await.port();
    assert_eq!(verdict(&fixture.import(&format!("https://{name}:{port}/x")).await), failed());
    // This one accepts and says nothing.
    let silent = Canary::on([127, 0, 0, 9]).await;
    let url = format!("https://{name}:{}/x", silent.address.port());
    assert_eq!(verdict(&fixture.import(&url).await), failed());
    fixture.finish().await;
}

// ssrf-0676: runs this test again in a process whose environment names a proxy in every possible way.
#[tokio::test]
async fn proxies_of_the_environment_are_not_used() {
    #[expect(clippy::disallowed_methods, reason = "how this test recognizes its second process")]
    let second = std::env::var_os("ALL_PROXY").is_some();
    if second {
        let fixture = Fixture::new(Timeouts::default()).await;
        fixture.answer_with_documents();
        fixture.dns.answer("proxyenv.ssrf.example.net", at(SERVER));
        assert_eq!(verdict(&fixture.import_as("proxyenv.ssrf.example.net", "/x").await), taken());
        fixture.finish().await;
        return;
    }
    let proxy = Canary::on([127, 0, 0, 1]).await;
    let mut again = tokio::process::Command::new(std::env::current_exe().unwrap());
    again.args(["materials::imported_addresses::proxies_of_the_environment_are_not_used", "--exact"]);
    for name in ["HTTPS_PROXY", "ALL_PROXY", "https_proxy", "all_proxy"] {
        again.env(name, format!("http://{}", proxy.address));
    }
    let output = again.output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(proxy.connections(), 0);
}

// ssrf-0677.
#[tokio::test]
async fn the_service_itself_is_never_called() {
    let dns = DnsServer::start().await;
    let app = Setup::default()
        .without_workers()
        .resolving_with(&dns)
        .set("LECTERN_OUTBOUND__IMPORT_NETWORKS", "127.0.0.0/8")
        .start()
        .await;
    let account = app.account(0).await;
    dns.answer("self.ssrf.example.net", at(FORBIDDEN));
    let port = app.url.rsplit(':').next().unwrap();
    let url = format!("https://self.ssrf.example.net:{port}/v1/saas/me");
    assert_eq!(verdict(&app.post(PATH, &account.live, &json!({ "url": url })).await), forbidden());
    app.finish().await;
}
