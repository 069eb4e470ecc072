//! Names that lead elsewhere from one moment to the next, and receivers that would send us on.
//!
//! The receiver is at 127.0.0.9, which is open; a canary listens at the same port of 127.0.0.1, which is not.

use lectern_server::outbound::{PostFailure, Target, Unreachable};
use lectern_testkit::{Canary, DnsReply, Script};

use super::Scene;

const RECEIVER: &str = "127.0.0.9";
const CANARY: &str = "127.0.0.1";

async fn scene() -> (Scene, Canary) {
    let scene = Scene::new().await;
    let canary =
        Canary::at((CANARY.parse::<std::net::IpAddr>().unwrap(), scene.receiver.address().port()).into())
            .await;
    (scene, canary)
}

fn here(address: &str) -> DnsReply {
    DnsReply::addresses(&[address])
}

// ssrf-0625: public when it was registered, internal when it is delivered to.
// Negative control: without the guard in `Connector::addresses` the canary is connected to, and this fails.
#[tokio::test]
async fn a_name_that_turned_inward_after_its_registration_is_not_called() {
    let (scene, canary) = scene().await;
    let name = "rb1.ssrf.example.net";
    scene.dns.sequence(name, vec![here(RECEIVER), here(CANARY)]);
    let target = Target::parse(&scene.receiver.url_as(name, "/x")).unwrap();
    assert_eq!(scene.outbound.check(&target).await, Ok(()));
    assert_eq!(scene.post(name, "/x").await, Err(PostFailure::HostNotAllowed));
    assert_eq!((canary.knocks(), scene.receiver.connections()), (0, 0));
}

// ssrf-0626: the answer changes between judging and connecting.
// Negative control: with `dial` given the name instead of the judged addresses (`TcpStream::connect` after a second look-up by
// the same resolver) the canary gets the connection, and this fails.
#[tokio::test]
async fn the_address_that_was_judged_is_the_one_that_is_dialled() {
    let (scene, canary) = scene().await;
    let name = "rb2.ssrf.example.net";
    scene.dns.sequence(name, vec![here(RECEIVER), here(CANARY)]);
    assert_eq!(scene.post(name, "/x").await.unwrap().status, 200);
    assert_eq!(scene.dns.questions(name), 2, "one look-up: a question for each family");
    assert_eq!((canary.knocks(), scene.receiver.count()), (0, 1));
}

// ssrf-0627: a thousand deliveries to a name that changes with every question.
#[tokio::test]
async fn a_name_that_alternates_never_leads_inward() {
    let (scene, canary) = scene().await;
    let name = "rb3.ssrf.example.net";
    scene.dns.alternate(name, vec![here(CANARY), here(RECEIVER), here("169.254.169.254")]);
    // A receiver that closes after each answer, so that each delivery connects anew.
    let answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".to_vec();
    scene.receiver.script(Script::Raw(answer));
    let (mut delivered, mut refused) = (0, 0);
    for _ in 0..1_000 {
        match scene.post(name, "/x").await {
            Ok(answer) if answer.status == 200 => delivered += 1,
            Err(PostFailure::HostNotAllowed) => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((delivered, refused), (333, 667));
    assert_eq!((canary.knocks(), scene.receiver.count()), (0, 333));
}

// ssrf-0630: every attempt is judged anew.
#[tokio::test]
async fn a_retry_looks_the_name_up_and_judges_it_again() {
    let (scene, canary) = scene().await;
    let name = "rb6.ssrf.example.net";
    scene.dns.sequence(name, vec![here(RECEIVER), here(RECEIVER), here("10.0.0.1")]);
    scene.receiver.script(Script::Close);
    let target = Target::parse(&scene.receiver.url_as(name, "/x")).unwrap();
    assert_eq!(scene.outbound.check(&target).await, Ok(()));
    assert_eq!(scene.post(name, "/x").await, Err(PostFailure::Closed));
    assert_eq!(scene.post(name, "/x").await, Err(PostFailure::HostNotAllowed));
    assert_eq!(scene.outbound.check(&target).await, Err(Unreachable::HostNotAllowed));
    assert_eq!(canary.knocks(), 0);
}

// ssrf-0631 to ssrf-0658.
// Negative control: with a client that follows redirects (a second request to `Location` in `post`) the canary is connected to and
// the answer is no longer the redirect; this fails.
#[tokio::test]
async fn redirects_are_answers_and_nothing_else() {
    let (scene, canary) = scene().await;
    let name = "redir.ssrf.example.net";
    scene.dns.answer(name, here(RECEIVER));
    scene.dns.answer("other.ssrf.example.net", here(RECEIVER));
    scene.receiver.script(Script::Redirect);
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
            let answer = scene.post(name, &format!("/{status}?to={place}")).await.unwrap();
            assert_eq!(answer.status, status);
            sent += 1;
        }
    }
    assert_eq!((canary.knocks(), scene.receiver.count()), (0, sent));
    assert_eq!(scene.dns.questions("other.ssrf.example.net"), 0);
}

// ssrf-0662 and ssrf-0661: what a receiver says of other places is not listened to.
#[tokio::test]
async fn other_ways_to_point_elsewhere_are_not_taken() {
    let (scene, canary) = scene().await;
    let name = "altsvc.ssrf.example.net";
    scene.dns.answer(name, here(RECEIVER));
    let elsewhere = canary.address;
    scene.receiver.script(Script::Answer {
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
        assert_eq!(scene.post(name, "/x").await.unwrap().status, 200);
    }
    assert_eq!((canary.knocks(), scene.receiver.count()), (0, 3));
}

/// Connections are kept, by name: what is open leads to where it led when it was judged.
#[tokio::test]
async fn a_connection_is_used_again_without_another_look_up() {
    let (scene, canary) = scene().await;
    let name = "kept.ssrf.example.net";
    scene.dns.sequence(name, vec![here(RECEIVER), here(CANARY)]);
    for _ in 0..20 {
        assert_eq!(scene.post(name, "/x").await.unwrap().status, 200);
    }
    assert_eq!((scene.receiver.connections(), scene.dns.questions(name)), (1, 2));
    // Another name of the same receiver does not get it.
    scene.dns.answer("other.ssrf.example.net", here(CANARY));
    assert_eq!(scene.post("other.ssrf.example.net", "/x").await, Err(PostFailure::HostNotAllowed));
    assert_eq!(canary.knocks(), 0);
}
