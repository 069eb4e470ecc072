//! Receivers that are slow, endless, broken or impersonated.

use std::time::{Duration, Instant};

use lectern_service::outbound::{PostFailure, Timeouts};
use lectern_testkit::{Authority, BlackHole, Canary, DnsReply, Script, TestReceiver};

use super::{Fixture, RECEIVER, SHORT, post};

const NAME: &str = "receiver.ssrf.example.net";

async fn fixture(limits: Timeouts) -> Fixture {
    let fixture = Fixture::with(limits).await;
    fixture.dns.answer(NAME, DnsReply::addresses(&["127.0.0.9"]));
    fixture
}

#[tokio::test]
async fn an_answer_is_its_status_its_retry_after_and_the_start_of_its_body() {
    let fixture = fixture(Timeouts::default()).await;
    fixture.receiver.script(Script::Answer {
        status: 503,
        headers: vec![("Retry-After", "120".to_owned())],
        body: vec![b'x'; 1_000_000],
    });
    let answer = fixture.post(NAME, "/").await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.retry_after.unwrap().to_str().unwrap()), (503, "120"));
    assert_eq!(answer.body, vec![b'x'; 1_024]);
}

// ssrf-0669. Negative control: if the body is read to its end, this exceeds the time limit and
// fails.
#[tokio::test]
async fn an_endless_body_is_read_for_a_kilobyte() {
    let fixture = fixture(SHORT).await;
    fixture.receiver.script(Script::EndlessBody(200));
    let answer = fixture.post(NAME, "/").await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 1_024));
}

// ssrf-0671, ssrf-0672 and similar: silence at each step ends at a limit. Negative controls:
// without the limit on the whole request, the first of these does not end; without the limit on
// connecting, the last one takes too long and fails.
#[tokio::test]
async fn silence_at_any_step_ends_at_a_limit() {
    let fixture = fixture(SHORT).await;
    for script in [Script::Hang, Script::StalledHead] {
        fixture.receiver.script(script.clone());
        let begun = Instant::now();
        assert_eq!(fixture.post(NAME, "/").await, Err(PostFailure::TimedOut), "{script:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{script:?}");
    }
    // The client already has the status.
    fixture.receiver.script(Script::StalledBody(204));
    let begun = Instant::now();
    assert_eq!(fixture.post(NAME, "/").await.map(|answer| answer.status.as_u16()), Ok(204));
    assert!(begun.elapsed() < SHORT.total, "the limit on the body is shorter");
    // This listener accepts and does not speak TLS.
    let silent = Canary::on([127, 0, 0, 9]).await;
    let begun = Instant::now();
    let url = format!("https://{NAME}:{}/", silent.address.port());
    assert_eq!(post(&fixture.outbound, &url).await, Err(PostFailure::TimedOut));
    assert!(begun.elapsed() < SHORT.total, "the limit on connecting is shorter");
    let Timeouts { total, connect, lookup, .. } = Timeouts::default();
    assert_eq!(total, Duration::from_secs(15));
    assert!(connect <= Duration::from_secs(10) && lookup < connect);
}

// ssrf-0673. Negative controls: without `http1_max_buf_size`, the first two of these count as
// responses; with room for more headers, the last one does. Either fails this test.
#[tokio::test]
async fn headers_have_an_end() {
    let fixture = fixture(Timeouts::default()).await;
    let many = format!("HTTP/1.1 200 OK\r\n{}Content-Length: 0\r\n\r\n", "X: y\r\n".repeat(150));
    for script in
        [Script::Headers(200, 1_000_000), Script::Headers(200, 200_000), Script::Raw(many.into_bytes())]
    {
        fixture.receiver.script(script);
        assert_eq!(fixture.post(NAME, "/").await, Err(PostFailure::HeadersTooLarge));
    }
    fixture.receiver.script(Script::Headers(200, 30_000));
    assert_eq!(fixture.post(NAME, "/").await.unwrap().status, 200);
}

// ssrf-0663, ssrf-0675.
#[tokio::test]
async fn a_malformed_answer_is_a_failure() {
    let fixture = fixture(Timeouts::default()).await;
    let bytes = |text: &str| Script::Raw(text.as_bytes().to_vec());
    for (script, wanted) in [
        (Script::Close, PostFailure::Closed),
        (bytes("SSH-2.0-OpenSSH_9.2\r\n\r\n"), PostFailure::Protocol),
        (bytes("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), PostFailure::Protocol),
    ] {
        fixture.receiver.script(script.clone());
        assert_eq!(fixture.post(NAME, "/").await, Err(wanted), "{script:?}");
    }
    let upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
    fixture.receiver.script(bytes(upgrade));
    assert!(!fixture.post(NAME, "/").await.is_ok_and(|answer| answer.status.is_success()));
    // No failure has a lasting effect: the next request succeeds.
    fixture.receiver.script(Script::status(204));
    assert_eq!(fixture.post(NAME, "/").await.unwrap().status, 204);
}

/// One of a host's addresses does not answer.
// Negative control: if the addresses are tried one after the other without a time limit for each,
// this waits for the whole limit and fails.
#[tokio::test]
async fn an_address_that_does_not_answer_costs_only_a_moment() {
    let fixture = fixture(Timeouts { connect: Duration::from_secs(4), ..Timeouts::default() }).await;
    let _hole = BlackHole::at(([127, 0, 0, 8], fixture.receiver.address().port()).into()).await;
    fixture.dns.answer("half.ssrf.example.net", DnsReply::addresses(&["127.0.0.8", "127.0.0.9"]));
    let begun = Instant::now();
    assert_eq!(
        fixture.post("half.ssrf.example.net", "/").await.map(|answer| answer.status.as_u16()),
        Ok(200)
    );
    assert!(begun.elapsed() < Duration::from_secs(4));
    fixture.dns.answer("dead.ssrf.example.net", DnsReply::addresses(&["127.0.0.8"]));
    assert_eq!(fixture.post("dead.ssrf.example.net", "/").await, Err(PostFailure::TimedOut));
}

/// The status says whether the receiver accepted the event, and a header says when to retry. A
/// delivery is not repeated because a proxy cuts off the body.
// Negative control: if the body's errors are passed on, each of these is a failure, and this fails.
#[tokio::test]
async fn an_answer_with_a_truncated_body_counts_as_an_answer() {
    let fixture = fixture(Timeouts::default()).await;
    for (answer, kept) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "half"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n", ""),
        ("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 10\r\n\r\nhalf", "half"),
    ] {
        fixture.receiver.script(Script::Raw(answer.as_bytes().to_vec()));
        let got = fixture.post(NAME, "/").await.unwrap();
        assert_eq!((got.status.as_str(), got.body.as_slice()), (&answer[9..12], kept.as_bytes()));
        assert_eq!(got.retry_after.is_some(), answer.contains("Retry-After"));
    }
}

// ssrf-0665 to ssrf-0667. Negative control: with a verifier that accepts any certificate, each of
// these answers 200, and this fails.
#[tokio::test]
async fn a_certificate_must_be_current_from_a_known_authority_and_for_the_name() {
    let fixture = fixture(Timeouts::default()).await;
    let unknown = Authority::new();
    for (tls, wanted) in [
        (fixture.authority.issue_until(&[NAME], 2021), "the certificate has expired"),
        (fixture.authority.issue(&["other.ssrf.example.net"]), "the certificate is for another name"),
        (unknown.issue(&[NAME]), "the certificate is not signed by a known authority"),
    ] {
        let receiver = TestReceiver::with_tls(RECEIVER, tls, &fixture.authority).await;
        assert_eq!(post(&fixture.outbound, &receiver.url_as(NAME, "/")).await, Err(PostFailure::Tls(wanted)));
        assert_eq!(receiver.count(), 0);
    }
    // An address is not a name: its certificate must contain the address.
    let receiver =
        TestReceiver::with_tls(RECEIVER, fixture.authority.issue(&[NAME]), &fixture.authority).await;
    let failed = post(&fixture.outbound, &receiver.url("/")).await;
    assert_eq!(failed, Err(PostFailure::Tls("the certificate is for another name")));
}

// Negative controls: without `ListedCertificates` the first receiver is refused; without its
// comparison of the name, or if it accepts any self-signed certificate, one of the others is
// called. Each fails this.
#[tokio::test]
async fn a_self_signed_certificate_is_accepted_when_the_operator_trusts_it() {
    let fixture = fixture(Timeouts::default()).await;
    let (vouched, other) = (Authority::named(&[NAME]), Authority::named(&[NAME]));
    let file = vouched.file().display().to_string();
    let settings = [
        ("LECTERN_OUTBOUND__RESOLVER", fixture.dns.address()),
        ("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.9".to_owned()),
        ("LECTERN_WEBHOOKS__EXTRA_CA_FILE", file),
    ];
    let settings: Vec<(&str, &str)> = settings.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let outbound = super::client(&settings, Timeouts::default());
    fixture.dns.answer("other.ssrf.example.net", DnsReply::addresses(&["127.0.0.9"]));
    let receiver = TestReceiver::with_tls(RECEIVER, vouched.itself(), &vouched).await;
    assert_eq!(post(&outbound, &receiver.url_as(NAME, "/")).await.unwrap().status, 200);
    let elsewhere = post(&outbound, &receiver.url_as("other.ssrf.example.net", "/")).await;
    assert_eq!(elsewhere, Err(PostFailure::Tls("the certificate is for another name")));
    let stranger = TestReceiver::with_tls(RECEIVER, other.itself(), &other).await;
    assert!(matches!(post(&outbound, &stranger.url_as(NAME, "/")).await, Err(PostFailure::Tls(_))));
    assert_eq!((receiver.count(), stranger.count()), (1, 0));
}

/// A receiver without TLS, and an address where nothing listens.
#[tokio::test]
async fn a_receiver_without_tls_gets_no_request() {
    let fixture = fixture(SHORT).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.9:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let answered = tokio::spawn(async move {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
        let mut seen = Vec::new();
        let _ = stream.read_to_end(&mut seen).await;
        seen
    });
    let url = format!("https://{NAME}:{port}/");
    assert_eq!(post(&fixture.outbound, &url).await, Err(PostFailure::Tls("the receiver does not speak TLS")));
    let seen = answered.await.unwrap();
    assert!(!seen.windows(4).any(|bytes| bytes == b"POST"), "the request was sent in plain text");
    // The listener is closed by now.
    assert_eq!(post(&fixture.outbound, &url).await, Err(PostFailure::Connect));
}

// ssrf-0668: the response of a server that knows nothing newer than TLS 1.0.
#[tokio::test]
async fn tls_before_1_2_is_not_spoken() {
    let fixture = fixture(SHORT).await;
    let port = lectern_testkit::serve_old_tls([127, 0, 0, 9]).await.port();
    let url = format!("https://{NAME}:{port}/");
    let wanted = "no version or cipher in common: TLS 1.2 or 1.3 is needed";
    assert_eq!(post(&fixture.outbound, &url).await, Err(PostFailure::Tls(wanted)));
}

/// An address that refuses connections does not hide another that accepts them.
#[tokio::test]
async fn the_next_address_is_tried_when_one_refuses_connections() {
    let fixture = fixture(Timeouts::default()).await;
    let outbound = super::client(
        &[
            ("LECTERN_OUTBOUND__RESOLVER", &fixture.dns.address()),
            ("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.8/31"),
            ("LECTERN_WEBHOOKS__EXTRA_CA_FILE", &fixture.receiver.ca_file()),
        ],
        Timeouts::default(),
    );
    fixture.dns.answer(NAME, DnsReply::addresses(&["127.0.0.8", "127.0.0.9"]));
    assert_eq!(post(&outbound, &fixture.receiver.url_as(NAME, "/")).await.unwrap().status, 200);
}

/// A hundred simultaneous requests each get their own response.
#[tokio::test]
async fn simultaneous_requests_do_not_mix() {
    let fixture = fixture(Timeouts::default()).await;
    fixture.receiver.script(Script::Redirect);
    let posts = (0..100).map(|number| {
        let (outbound, url) = (
            fixture.outbound.clone(),
            fixture.receiver.url_as(NAME, &format!("/{}?to=/{number}", 300 + number % 9)),
        );
        tokio::spawn(async move { post(&outbound, &url).await.unwrap().status.as_u16() })
    });
    for (number, status) in futures_util::future::join_all(posts).await.into_iter().enumerate() {
        assert_eq!(usize::from(status.unwrap()), 300 + number % 9);
    }
    assert!(fixture.receiver.connections() <= 100);
}

// ssrf-0676: runs this test again in a process whose environment names a proxy in every possible
// way.
#[tokio::test]
async fn proxies_of_the_environment_are_not_used() {
    #[expect(clippy::disallowed_methods, reason = "how this test recognizes its second process")]
    let second = std::env::var_os("ALL_PROXY").is_some();
    if second {
        let fixture = fixture(Timeouts::default()).await;
        assert_eq!(fixture.post(NAME, "/").await.unwrap().status, 200);
        return;
    }
    let proxy = Canary::on([127, 0, 0, 1]).await;
    let mut again = tokio::process::Command::new(std::env::current_exe().unwrap());
    again.args(["outbound::deliveries::proxies_of_the_environment_are_not_used", "--exact"]);
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        again.env(name, format!("http://{}", proxy.address));
    }
    let output = again.output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(proxy.connections(), 0);
}
