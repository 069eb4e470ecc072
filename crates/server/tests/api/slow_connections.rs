//! Clients that keep the service waiting: each has a time limit, and none delays other clients or
//! shutdown.

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use lectern_service::descriptors;
use lectern_service::telemetry;
use lectern_testkit::{Behavior, Connection, Setup};
use tokio::io::AsyncWriteExt as _;

use crate::program::{self, Process};

const HALF_A_HEAD: &str = "GET /v1/saas/me HTTP/1.1\r\nHost: x\r\nX-Slow: ";

fn get(key: &str) -> String {
    format!("GET /v1/saas/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\r\n")
}

// Negative control: without the deadline of `Phase::Head`, the reply never comes.
#[tokio::test]
async fn further_bytes_do_not_extend_the_time_limit_for_a_head() {
    let app = Setup::default().set("LECTERN_HTTP__HEADER_SECONDS", "1").start().await;
    let account = app.account(0).await;
    let started = Instant::now();
    let mut connection = Connection::open(&app.url).await;
    connection.send(HALF_A_HEAD).await;
    for _ in 0..4 {
        assert!(connection.is_silent_for(Duration::from_millis(200)).await);
        connection.send("x").await;
    }
    assert_eq!(connection.reply().await.unwrap().refusal(), "request_timeout");
    assert!(connection.is_closed().await);
    assert!((0.9..5.0).contains(&started.elapsed().as_secs_f64()), "{:?}", started.elapsed());

    // The limit also holds for the beginning of an HTTP/2 connection and for a second request.
    let mut connection = Connection::open(&app.url).await;
    connection.send("PRI * HTTP/2.0\r\n").await;
    assert_eq!(connection.reply().await.unwrap().refusal(), "request_timeout");
    let mut connection = Connection::open(&app.url).await;
    connection.send(get(&account.live)).await;
    assert_eq!(connection.reply().await.unwrap().status, 200);
    connection.send(HALF_A_HEAD).await;
    assert_eq!(connection.reply().await.unwrap().refusal(), "request_timeout");
    app.finish().await;
}

#[tokio::test]
async fn a_silent_connection_is_closed_without_an_answer() {
    let app = Setup::default().set("LECTERN_HTTP__HEADER_SECONDS", "1").start().await;
    let mut connection = Connection::open(&app.url).await;
    assert!(connection.is_closed().await);
    app.finish().await;
}

#[tokio::test]
async fn an_idle_connection_outlives_the_time_for_heads() {
    let app = Setup::default().set("LECTERN_HTTP__HEADER_SECONDS", "1").start().await;
    let account = app.account(0).await;
    let mut connection = Connection::open(&app.url).await;
    for _ in 0..2 {
        connection.send(get(&account.live)).await;
        assert_eq!(connection.reply().await.unwrap().status, 200);
        assert!(connection.is_silent_for(Duration::from_millis(1_300)).await);
    }
    app.finish().await;
}

// Negative control: when no connection is evicted, the good request waits until the others time
// out, and this fails.
#[tokio::test]
async fn without_room_waiting_connections_yield_oldest_first_and_served_ones_do_not() {
    let app = Setup::default().set("LECTERN_HTTP__MAX_CONNECTIONS", "4").speech(1, 8).start().await;
    let account = app.account(100).await;
    app.engine.set(Behavior::Block);
    let mut served = Connection::open(&app.url).await;
    let body = serde_json::json!({ "text": "Hi.", "ereader_id": app.ereader("heart").await }).to_string();
    let head = format!(
        "POST /v1/saas/tts:synthesize HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n",
        account.live
    );
    served.send(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())).await;
    app.until("the work to begin", async || app.engine.call_count() == 1).await;
    let mut waiting = Vec::new();
    for _ in 0..3 {
        let mut connection = Connection::open(&app.url).await;
        connection.send(HALF_A_HEAD).await;
        assert!(connection.is_silent_for(Duration::from_millis(50)).await);
        waiting.push(connection);
    }
    for oldest in &mut waiting[..2] {
        let mut good = Connection::open(&app.url).await;
        good.send(get(&account.live)).await;
        assert_eq!(good.reply().await.unwrap().status, 200);
        assert!(oldest.is_closed().await);
    }
    assert!(waiting[2].is_silent_for(Duration::from_millis(50)).await);
    app.engine.set(Behavior::Speak);
    assert_eq!(served.reply().await.unwrap().status, 200);
    app.finish().await;
}

// Negative control: without the end of waiting in `Arriving`, shutdown takes all of its 20 seconds.
#[tokio::test]
async fn unfinished_heads_and_bodies_do_not_delay_shutdown() {
    let app = Setup::default().set("LECTERN_HTTP__SHUTDOWN_SECONDS", "20").start().await;
    let account = app.account(100).await;
    let head = format!(
        "POST /v1/saas/tts:synthesize HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n",
        account.live
    );
    let mut body = Connection::open(&app.url).await;
    body.send(format!("{head}Content-Length: 100\r\n\r\n{{")).await;
    let mut half = Connection::open(&app.url).await;
    half.send(HALF_A_HEAD).await;
    let mut idle = Connection::open(&app.url).await;
    idle.send(get(&account.live)).await;
    assert_eq!(idle.reply().await.unwrap().status, 200);
    let mut fresh = Connection::open(&app.url).await;
    assert!(fresh.is_silent_for(Duration::from_millis(100)).await);
    let started = Instant::now();
    tokio::join!(app.finish(), async {
        assert_eq!(body.reply().await.unwrap().refusal(), "service_unavailable");
        assert_eq!(half.reply().await.unwrap().refusal(), "request_timeout");
        assert!(idle.is_closed().await && fresh.is_closed().await);
        drop((body, half, idle, fresh));
    });
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
}

/// The number of clients that each send their next request as soon as the last is answered.
const BUSY_CLIENTS: usize = 40;

/// The number of responses that one client received until the service ended. The client reuses its
/// connection, or opens one for each request.
///
/// # Errors
/// Anything that the client received other than a response or a refused connection.
async fn asks_until_the_end(url: &str, key: &str, reuses: bool) -> Result<u32, String> {
    let request =
        if reuses { get(key) } else { get(key).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n") };
    let mut answers = 0;
    loop {
        let mut connection = match Connection::try_open(url).await {
            Ok(connection) => connection,
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => return Ok(answers),
            Err(error) => return Err(format!("connecting: {error}")),
        };
        let mut is_last = false;
        while !is_last {
            connection.try_send(&request).await.map_err(|error| format!("sending: {error}"))?;
            let reply = connection.try_reply().await.map_err(|error| format!("receiving: {error}"))?;
            let reply = reply.ok_or("closed without an answer")?;
            assert_eq!(reply.status, 200);
            is_last = reply.headers.get("connection").is_some_and(|value| value == "close");
            answers += 1;
        }
    }
}

// Negative controls: with the listener closed at once, clients are reset while they connect, and
// with `NEXT` 0 some requests get no answer, both at the first shutdown. Without the packet filter,
// a client was reset at the fourth shutdown of one run, and no client in another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shutdown_leaves_no_request_unanswered() {
    for stop in 0..5 {
        let app = Setup::default().set("LECTERN_RATE_LIMIT__REQUESTS_PER_MINUTE", "1000000").start().await;
        let account = app.account(0).await;
        let clients: Vec<_> = (0..BUSY_CLIENTS)
            .map(|client| {
                let (url, key) = (app.url.clone(), account.live.clone());
                tokio::spawn(async move { asks_until_the_end(&url, &key, client % 2 == 0).await })
            })
            .collect();
        // Each round stops the service at another moment of the clients' work.
        tokio::time::sleep(Duration::from_millis(100 + 7 * stop)).await;
        let started = Instant::now();
        app.finish().await;
        assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
        for client in clients {
            let answers = client.await.unwrap();
            assert!(answers.as_ref().is_ok_and(|answers| *answers > 0), "stop {stop}: {answers:?}");
        }
    }
}

/// The number of slow connections, unless this machine's limits allow fewer.
const SLOW: usize = 10_000;

/// A flood: thousands of clients that never finish their headers, and good requests meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_slow_connections_leave_good_requests_unharmed() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    descriptors::raise_limit();
    let count = SLOW.min(descriptors::connection_limit(0));
    let data = tempfile::tempdir().unwrap();
    let command = |arguments: &[&str]| {
        let mut command = program::lectern(data.path(), arguments);
        command
            .env("LECTERN_SPEECH__VOICES_DIR", program::voices())
            .env("LECTERN_HTTP__HEADER_SECONDS", "60")
            .env("LECTERN_RATE_LIMIT__REQUESTS_PER_MINUTE", "1000000")
            .stderr(Stdio::null());
        command
    };
    let invited =
        program::printed(&mut command(&["admin", "invite", "create", "--email", "a@example.com", "--json"]));
    let key = invited["live_key"].as_str().unwrap().to_owned();
    let service = Process::start(&mut command(&["serve"]));
    let address = service.url.trim_start_matches("http://");
    let rss_bytes = || telemetry::resident_bytes_of(&service.id().to_string()).unwrap();

    let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(10)).build().unwrap();
    // Each request uses a new connection, because the limit does not affect existing ones.
    let good = async || {
        let started = Instant::now();
        let request = client.get(format!("{}/v1/saas/me", service.url)).bearer_auth(&key);
        let reply = request.header("connection", "close").send().await.unwrap();
        assert_eq!(reply.status(), 200);
        started.elapsed()
    };
    for _ in 0..20 {
        good().await;
    }
    let before = rss_bytes();
    let started = Instant::now();
    let mut slow = Vec::with_capacity(count);
    let mut during = Vec::new();
    for _ in 0..count {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream.write_all(HALF_A_HEAD.as_bytes()).await.unwrap();
        slow.push(stream);
        if slow.len().is_multiple_of(100) {
            during.push(good().await);
        }
    }
    let flooded = started.elapsed();
    let mut after = Vec::new();
    for _ in 0..100 {
        after.push(good().await);
    }
    let grown = rss_bytes().saturating_sub(before);
    let worst = |times: &[Duration]| times.iter().max().copied().unwrap_or_default();
    println!(
        "{count} slow connections in {flooded:?}; good requests meanwhile: {} (worst {:?}), afterwards worst {:?}; \
         memory grew by {} KiB, {} bytes a connection",
        during.len(),
        worst(&during),
        worst(&after),
        grown / 1024,
        grown / count as u64,
    );
    assert!(worst(&during) < Duration::from_secs(1), "{:?}", worst(&during));
    assert!(worst(&after) < Duration::from_secs(1), "{:?}", worst(&after));
    assert!(grown < count as u64 * 48 * 1024, "{grown} bytes for {count} connections");
    // All connections are still open: none was evicted while there was room.
    let mut open = 0;
    for stream in &mut slow {
        open += usize::from(stream.write_all(b"x").await.is_ok());
    }
    assert_eq!(open, count);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}
