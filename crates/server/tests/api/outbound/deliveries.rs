//! Receivers that are slow, endless, broken or not who they should be.

use std::time::{Duration, Instant};

use lectern_server::outbound::{Limits, PostFailure};
use lectern_testkit::{Authority, BlackHole, Canary, DnsReply, Script, TestReceiver};

use super::{RECEIVER, SHORT, Scene, post};

const NAME: &str = "receiver.ssrf.example.net";

async fn scene(limits: Limits) -> Scene {
    let scene = Scene::with(limits).await;
    scene.dns.answer(NAME, DnsReply::addresses(&["127.0.0.9"]));
    scene
}

#[tokio::test]
async fn an_answer_is_its_status_its_retry_after_and_the_start_of_its_body() {
    let scene = scene(Limits::default()).await;
    scene.receiver.script(Script::Answer {
        status: 503,
        headers: vec![("Retry-After", "120".to_owned())],
        body: vec![b'x'; 1_000_000],
    });
    let answer = scene.post(NAME, "/").await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.retry_after.unwrap().to_str().unwrap()), (503, "120"));
    assert_eq!(answer.body, vec![b'x'; 1_024]);
}

// ssrf-0669. Negative control: with the body read to its end this does not end within the limit, and fails.
#[tokio::test]
async fn a_body_without_an_end_is_read_for_a_kilobyte() {
    let scene = scene(SHORT).await;
    scene.receiver.script(Script::EndlessBody(200));
    let answer = scene.post(NAME, "/").await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 1_024));
}

// ssrf-0671, ssrf-0672 and their like: silence at each step ends at a limit.
// Negative controls: without the limit of the whole the first of these does not end, without the one of connecting the last one
// takes longer than it may; the second fails this, the first one never comes to its end.
#[tokio::test]
async fn silence_at_any_step_ends_in_time() {
    let scene = scene(SHORT).await;
    for script in [Script::Hang, Script::StalledHead] {
        scene.receiver.script(script.clone());
        let begun = Instant::now();
        assert_eq!(scene.post(NAME, "/").await, Err(PostFailure::TimedOut), "{script:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{script:?}");
    }
    // The status was there.
    scene.receiver.script(Script::StalledBody(204));
    let begun = Instant::now();
    assert_eq!(scene.post(NAME, "/").await.map(|answer| answer.status.as_u16()), Ok(204));
    assert!(begun.elapsed() < SHORT.whole, "the limit of a body is the shorter one");
    // Accepts, and does not speak TLS.
    let silent = Canary::on([127, 0, 0, 9]).await;
    let begun = Instant::now();
    let url = format!("https://{NAME}:{}/", silent.address.port());
    assert_eq!(post(&scene.outbound, &url).await, Err(PostFailure::TimedOut));
    assert!(begun.elapsed() < SHORT.whole, "the limit of connecting is the shorter one");
    let Limits { whole, connect, lookup, .. } = Limits::default();
    assert_eq!(whole, Duration::from_secs(15));
    assert!(connect <= Duration::from_secs(10) && lookup < connect);
}

// ssrf-0673. Negative controls: without `http1_max_buf_size` the first two of these are answers, with room for more
// headers the last is; both fail this.
#[tokio::test]
async fn headers_have_an_end() {
    let scene = scene(Limits::default()).await;
    let many = format!("HTTP/1.1 200 OK\r\n{}Content-Length: 0\r\n\r\n", "X: y\r\n".repeat(150));
    for script in
        [Script::Headers(200, 1_000_000), Script::Headers(200, 200_000), Script::Raw(many.into_bytes())]
    {
        scene.receiver.script(script);
        assert_eq!(scene.post(NAME, "/").await, Err(PostFailure::HeadersTooLarge));
    }
    scene.receiver.script(Script::Headers(200, 30_000));
    assert_eq!(scene.post(NAME, "/").await.unwrap().status, 200);
}

// ssrf-0663, ssrf-0675.
#[tokio::test]
async fn what_is_not_an_answer_is_a_failure() {
    let scene = scene(Limits::default()).await;
    let bytes = |text: &str| Script::Raw(text.as_bytes().to_vec());
    for (script, wanted) in [
        (Script::Close, PostFailure::Closed),
        (bytes("SSH-2.0-OpenSSH_9.2\r\n\r\n"), PostFailure::Protocol),
        (bytes("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), PostFailure::Protocol),
    ] {
        scene.receiver.script(script.clone());
        assert_eq!(scene.post(NAME, "/").await, Err(wanted), "{script:?}");
    }
    let upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
    scene.receiver.script(bytes(upgrade));
    assert!(!scene.post(NAME, "/").await.is_ok_and(|answer| answer.status.is_success()));
    // Nothing of what went wrong stays: the next one goes through.
    scene.receiver.script(Script::status(204));
    assert_eq!(scene.post(NAME, "/").await.unwrap().status, 204);
}

/// One of a host's addresses is dead.
// Negative control: with the addresses dialled one after the other, each for as long as it likes, this waits for the limit and fails.
#[tokio::test]
async fn an_address_that_swallows_everything_costs_a_moment() {
    let scene = scene(Limits { connect: Duration::from_secs(4), ..Limits::default() }).await;
    let _hole = BlackHole::at(([127, 0, 0, 8], scene.receiver.address().port()).into()).await;
    scene.dns.answer("half.ssrf.example.net", DnsReply::addresses(&["127.0.0.8", "127.0.0.9"]));
    let begun = Instant::now();
    assert_eq!(scene.post("half.ssrf.example.net", "/").await.map(|answer| answer.status.as_u16()), Ok(200));
    assert!(begun.elapsed() < Duration::from_secs(4));
    scene.dns.answer("dead.ssrf.example.net", DnsReply::addresses(&["127.0.0.8"]));
    assert_eq!(scene.post("dead.ssrf.example.net", "/").await, Err(PostFailure::TimedOut));
}

/// What the receiver made of the event its status says, and when to come again its header: a proxy that cuts the body off does
/// not make a delivery of it that is made again.
// Negative control: with the body's errors handed on each of these is a failure, and this fails.
#[tokio::test]
async fn an_answer_whose_body_breaks_off_is_an_answer() {
    let scene = scene(Limits::default()).await;
    for (answer, kept) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "half"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n", ""),
        ("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 10\r\n\r\nhalf", "half"),
    ] {
        scene.receiver.script(Script::Raw(answer.as_bytes().to_vec()));
        let got = scene.post(NAME, "/").await.unwrap();
        assert_eq!((got.status.as_str(), got.body.as_slice()), (&answer[9..12], kept.as_bytes()));
        assert_eq!(got.retry_after.is_some(), answer.contains("Retry-After"));
    }
}

// ssrf-0665 to ssrf-0667. Negative control: with a verifier that takes any certificate each of these answers 200, and this fails.
#[tokio::test]
async fn a_certificate_must_be_current_of_a_known_authority_and_for_the_name() {
    let scene = scene(Limits::default()).await;
    let unknown = Authority::new();
    for (tls, wanted) in [
        (scene.authority.issue_until(&[NAME], 2021), "the certificate has expired"),
        (scene.authority.issue(&["other.ssrf.example.net"]), "the certificate is for another name"),
        (unknown.issue(&[NAME]), "the certificate is not signed by a known authority"),
    ] {
        let receiver = TestReceiver::showing(RECEIVER, tls, &scene.authority).await;
        assert_eq!(post(&scene.outbound, &receiver.url_as(NAME, "/")).await, Err(PostFailure::Tls(wanted)));
        assert_eq!(receiver.count(), 0);
    }
    // An address is no name: its certificate must say it.
    let receiver = TestReceiver::showing(RECEIVER, scene.authority.issue(&[NAME]), &scene.authority).await;
    let failed = post(&scene.outbound, &receiver.url("/")).await;
    assert_eq!(failed, Err(PostFailure::Tls("the certificate is for another name")));
}

// Negative controls: without `Vouched` the first receiver is refused; with the name not compared there, or with any certificate of
// that kind taken, one of the others is called; each fails this.
#[tokio::test]
async fn a_certificate_that_a_receiver_signed_itself_is_taken_when_the_operator_vouches_for_it() {
    let scene = scene(Limits::default()).await;
    let (vouched, other) = (Authority::named(&[NAME]), Authority::named(&[NAME]));
    let file = vouched.file().display().to_string();
    let settings = [
        ("LECTERN_OUTBOUND__RESOLVER", scene.dns.address()),
        ("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.9".to_owned()),
        ("LECTERN_WEBHOOKS__EXTRA_CA_FILE", file),
    ];
    let settings: Vec<(&str, &str)> = settings.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let outbound = super::client(&settings, Limits::default());
    scene.dns.answer("other.ssrf.example.net", DnsReply::addresses(&["127.0.0.9"]));
    let receiver = TestReceiver::showing(RECEIVER, vouched.itself(), &vouched).await;
    assert_eq!(post(&outbound, &receiver.url_as(NAME, "/")).await.unwrap().status, 200);
    let elsewhere = post(&outbound, &receiver.url_as("other.ssrf.example.net", "/")).await;
    assert_eq!(elsewhere, Err(PostFailure::Tls("the certificate is for another name")));
    let stranger = TestReceiver::showing(RECEIVER, other.itself(), &other).await;
    assert!(matches!(post(&outbound, &stranger.url_as(NAME, "/")).await, Err(PostFailure::Tls(_))));
    assert_eq!((receiver.count(), stranger.count()), (1, 0));
}

/// A receiver that listens without TLS, and nobody at all.
#[tokio::test]
async fn what_speaks_no_tls_is_not_spoken_to() {
    let scene = scene(SHORT).await;
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
    assert_eq!(post(&scene.outbound, &url).await, Err(PostFailure::Tls("the receiver does not speak TLS")));
    let seen = answered.await.unwrap();
    assert!(!seen.windows(4).any(|bytes| bytes == b"POST"), "the request went out in the clear");
    // The listener is gone now.
    assert_eq!(post(&scene.outbound, &url).await, Err(PostFailure::Connect));
}

// ssrf-0668: a server that knows nothing younger than TLS 1.0 answers so.
#[tokio::test]
async fn tls_before_1_2_is_not_spoken() {
    let scene = scene(SHORT).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.9:0").await.unwrap();
    let url = format!("https://{NAME}:{}/", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut hello = vec![0; 4_096];
        let _ = stream.read(&mut hello).await;
        // A record with a ServerHello of version 3.1: random bytes, no session, RSA with AES-128, no compression.
        let mut answer = vec![0x16, 3, 1, 0, 42, 2, 0, 0, 38, 3, 1];
        answer.extend([7; 32]);
        answer.extend([0, 0, 0x2f, 0]);
        let _ = stream.write_all(&answer).await;
        let _ = stream.read_to_end(&mut hello).await;
    });
    let wanted = "no version or cipher in common: TLS 1.2 or 1.3 is needed";
    assert_eq!(post(&scene.outbound, &url).await, Err(PostFailure::Tls(wanted)));
}

/// One address that takes no connection does not hide another that does.
#[tokio::test]
async fn the_next_address_is_tried_when_one_takes_no_connection() {
    let scene = scene(Limits::default()).await;
    let outbound = super::client(
        &[
            ("LECTERN_OUTBOUND__RESOLVER", &scene.dns.address()),
            ("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.8/31"),
            ("LECTERN_WEBHOOKS__EXTRA_CA_FILE", &scene.receiver.ca_file()),
        ],
        Limits::default(),
    );
    scene.dns.answer(NAME, DnsReply::addresses(&["127.0.0.8", "127.0.0.9"]));
    assert_eq!(post(&outbound, &scene.receiver.url_as(NAME, "/")).await.unwrap().status, 200);
}

/// A hundred at once, each with an answer of its own.
#[tokio::test]
async fn requests_at_once_do_not_mix() {
    let scene = scene(Limits::default()).await;
    scene.receiver.script(Script::Redirect);
    let posts = (0..100).map(|number| {
        let (outbound, url) = (
            scene.outbound.clone(),
            scene.receiver.url_as(NAME, &format!("/{}?to=/{number}", 300 + number % 9)),
        );
        tokio::spawn(async move { post(&outbound, &url).await.unwrap().status.as_u16() })
    });
    for (number, status) in futures_util::future::join_all(posts).await.into_iter().enumerate() {
        assert_eq!(usize::from(status.unwrap()), 300 + number % 9);
    }
    assert!(scene.receiver.connections() <= 100);
}

// ssrf-0676: this test once more in a process whose environment names a proxy in every way there is.
#[tokio::test]
async fn proxies_of_the_environment_are_not_used() {
    #[expect(clippy::disallowed_methods, reason = "how this test tells its second process from the first")]
    let second = std::env::var_os("ALL_PROXY").is_some();
    if second {
        let scene = scene(Limits::default()).await;
        assert_eq!(scene.post(NAME, "/").await.unwrap().status, 200);
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
    assert_eq!(proxy.knocks(), 0);
}
