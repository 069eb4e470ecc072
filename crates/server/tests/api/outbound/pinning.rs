//! Names whose addresses change between lookups, and receivers that redirect.
//!
//! The receiver is at 127.0.0.9, which is allowed; a canary listens on the same port of 127.0.0.1,
//! which is not.

use lectern_service::outbound::{PostFailure, Target, Unreachable};
use lectern_testkit::{Canary, DnsReply, Script};

use super::Fixture;

const RECEIVER: &str = "127.0.0.9";
const CANARY: &str = "127.0.0.1";

async fn fixture() -> (Fixture, Canary) {
    let fixture = Fixture::new().await;
    let canary =
        Canary::at((CANARY.parse::<std::net::IpAddr>().unwrap(), fixture.receiver.address().port()).into())
            .await;
    (fixture, canary)
}

fn here(address: &str) -> DnsReply {
    DnsReply::addresses(&[address])
}

// ssrf-0625: public at registration, internal at delivery. Negative control: without the guard in
// `Connector::addresses`, the canary is connected to, and this fails.
#[tokio::test]
async fn a_name_that_became_internal_after_registration_is_not_called() {
    let (fixture, canary) = fixture().await;
    let name = "rb1.ssrf.example.net";
    fixture.dns.sequence(name, vec![here(RECEIVER), here(CANARY)]);
    let target = Target::parse(&fixture.receiver.url_as(name, "/x")).unwrap();
    assert_eq!(fixture.outbound.check(&target).await, Ok(()));
    assert_eq!(fixture.post(name, "/x").await, Err(PostFailure::HostNotAllowed));
    assert_eq!((canary.connections(), fixture.receiver.connections()), (0, 0));
}

// ssrf-0626: the DNS answer changes between check and connection. Negative control: if `dial` gets
// the name instead of the checked addresses (`TcpStream::connect` after a second lookup by the same
// resolver), the canary gets the connection, and this fails.
#[tokio::test]
async fn the_checked_address_is_the_one_connected_to() {
    let (fixture, canary) = fixture().await;
    let name = "rb2.ssrf.example.net";
    fixture.dns.sequence(name, vec![here(RECEIVER), here(CANARY)]);
    assert_eq!(fixture.post(name, "/x").await.unwrap().status, 200);
    assert_eq!(fixture.dns.queries(name), 2, "one lookup, with a query for each family");
    assert_eq!((canary.connections(), fixture.receiver.count()), (0, 1));
}

// ssrf-0627: a thousand deliveries to a name whose address changes with each query.
#[tokio::test]
async fn a_name_with_alternating_addresses_never_reaches_an_internal_one() {
    let (fixture, canary) = fixture().await;
    let name = "rb3.ssrf.example.net";
    fixture.dns.alternate(name, vec![here(CANARY), here(RECEIVER), here("169.254.169.254")]);
    // The receiver closes the connection after each response, so that each delivery opens a new
    // one.
    let answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".to_vec();
    fixture.receiver.script(Script::Raw(answer));
    let (mut delivered, mut refused) = (0, 0);
    for _ in 0..1_000 {
        match fixture.post(name, "/x").await {
            Ok(answer) if answer.status == 200 => delivered += 1,
            Err(PostFailure::HostNotAllowed) => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((delivered, refused), (333, 667));
    assert_eq!((canary.connections(), fixture.receiver.count()), (0, 333));
}

// ssrf-0630: the address is checked again at every attempt.
#[tokio::test]
async fn a_retry_resolves_and_checks_the_name_again() {
    let (fixture, canary) = fixture().await;
    let name = "rb6.ssrf.example.net";
    fixture.dns.sequence(name, vec![here(RECEIVER), here(RECEIVER), here("10.0.0.1")]);
    fixture.receiver.script(Script::Close);
    let target = Target::parse(&fixture.receiver.url_as(name, "/x")).unwrap();
    assert_eq!(fixture.outbound.check(&target).await, Ok(()));
    assert_eq!(fixture.post(name, "/x").await, Err(PostFailure::Closed));
    assert_eq!(fixture.post(name, "/x").await, Err(PostFailure::HostNotAllowed));
    assert_eq!(fixture.outbound.check(&target).await, Err(Unreachable::HostNotAllowed));
    assert_eq!(canary.connections(), 0);
}

// ssrf-0631 to ssrf-0658. Negative control: with a client that follows redirects (a second request
// to `Location` in `post`), the canary is connected to, the redirect is not returned, and this
// fails.
#[tokio::test]
async fn redirects_are_answers_and_not_followed() {
    let (fixture, canary) = fixture().await;
    let name = "redir.ssrf.example.net";
    fixture.dns.answer(name, here(RECEIVER));
    fixture.dns.answer("other.ssrf.example.net", here(RECEIVER));
    fixture.receiver.script(Script::Redirect);
    let port = canary.address.port();
    let places = [
        format!("http://127.0.0.1:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        "https://169.254.169.254/latest/meta-data/".to_owned(),
        "https://[::1]/".to_owned(),
        format!("//127.0.0.1:{port}/"),
        "/relative".to_owned(),
        format!("https://other.ssrf.example.net:{port}/ok"),
    ];
    let mut sent = 0;
    for status in [301, 302, 303, 307, 308] {
        for place in &places {
            let answer = fixture.post(name, &format!("/{status}?to={place}")).await.unwrap();
            assert_eq!(answer.status, status);
            sent += 1;
        }
    }
    assert_eq!((canary.connections(), fixture.receiver.count()), (0, sent));
    assert_eq!(fixture.dns.queries("other.ssrf.example.net"), 0);
}

// ssrf-0662 and ssrf-0661: a receiver's references to other places are ignored.
#[tokio::test]
async fn other_kinds_of_redirection_are_ignored() {
    let (fixture, canary) = fixture().await;
    let name = "altsvc.ssrf.example.net";
    fixture.dns.answer(name, here(RECEIVER));
    let elsewhere = canary.address;
    fixture.receiver.script(Script::Answer {
        status: 200,
        headers: vec![
            ("Alt-Svc", format!("h2=\"{elsewhere}\"; ma=86400, h3=\"{elsewhere}\"")),
            ("Refresh", format!("0; url=https://{elsewhere}/")),
            ("Link", format!("<https://{elsewhere}/>; rel=preconnect")),
            ("Connection", "close".to_owned()),
        ],
        body: format!("<meta http-equiv=refresh content='0; url=https://{elsewhere}/'>").into_bytes(),
    });
    for _ in 0..3 {
        assert_eq!(fixture.post(name, "/x").await.unwrap().status, 200);
    }
    assert_eq!((canary.connections(), fixture.receiver.count()), (0, 3));
}

/// Connections are kept for each name: an open connection leads to the address that was checked.
#[tokio::test]
async fn a_reused_connection_needs_no_second_lookup() {
    let (fixture, canary) = fixture().await;
    let name = "kept.ssrf.example.net";
    fixture.dns.sequence(name, vec![here(RECEIVER), here(CANARY)]);
    for _ in 0..20 {
        assert_eq!(fixture.post(name, "/x").await.unwrap().status, 200);
    }
    assert_eq!((fixture.receiver.connections(), fixture.dns.queries(name)), (1, 2));
    // Another name of the same receiver does not reuse the connection.
    fixture.dns.answer("other.ssrf.example.net", here(CANARY));
    assert_eq!(fixture.post("other.ssrf.example.net", "/x").await, Err(PostFailure::HostNotAllowed));
    assert_eq!(canary.connections(), 0);
}
