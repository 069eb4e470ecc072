//! Forms that are malformed, too large, too slow or cut off: each is answered and leaves nothing in
//! the storage.

use std::time::Duration;

use lectern_testkit::{Connection, Reply, Setup, TestApp};
use reqwest::{Method, StatusCode};

use super::{BOUNDARY, PATH, Part, field, file, form, form_type, reservations, stored, upload};

async fn nothing_is_left(app: &TestApp) {
    app.until("an empty storage", async || stored(app).is_empty() && reservations(app).await == Some(0))
        .await;
}

#[tokio::test]
async fn every_invalid_part_is_named() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    let book = file("a.txt", b"Words.");
    let long = "x".repeat(100_000);
    for (parts, fields) in [
        (vec![], vec!["file"]),
        (vec![field("title", "x")], vec!["file"]),
        (vec![book, book], vec!["file"]),
        (vec![book, field("title", "a"), field("title", "a")], vec!["title"]),
        (vec![book, field("language", "en"), field("language", "en")], vec!["language"]),
        (vec![book, field("titel", "x")], vec!["titel"]),
        (vec![book, Part { name: "cover", ..book }], vec!["cover"]),
        (vec![book, field("", "x")], vec!["body"]),
        (
            vec![field("title", ""), book, field("language", "x y"), field("z", "")],
            vec!["language", "title", "z"],
        ),
        (vec![book, field("title", &long)], vec!["title"]),
        (vec![book, Part { content: b"\xff\xfe", ..field("title", "") }], vec!["title"]),
        (vec![book, Part { content: b"\xc3\xa9\0", ..field("title", "") }], vec!["title"]),
        (vec![Part { name: "File", ..book }], vec!["File", "file"]),
    ] {
        let named: Vec<_> = parts.iter().map(|part| part.name).collect();
        assert_eq!(upload(&app, &account.live, &parts).await.fields(), fields, "{named:?}");
    }
    nothing_is_left(&app).await;
    app.finish().await;
}

// Negative control: with the form's own three fields counted, the last three of them are not named.
#[tokio::test]
async fn a_hundred_unknown_parts_are_named_besides_the_forms_own() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    let unknown: Vec<String> = (0..120).map(|at| format!("x{at:03}")).collect();
    let mut parts = vec![field("title", "a"), field("language", "en"), file("a.txt", b"Words.")];
    parts.extend(unknown.iter().map(|name| field(name, "")));
    assert_eq!(upload(&app, &account.live, &parts).await.fields(), unknown[..100]);
    nothing_is_left(&app).await;
    app.finish().await;
}

#[tokio::test]
async fn a_malformed_form_is_reported_as_the_body() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    let whole = form(&[file("a.txt", b"Words.")]);
    let send = async |media_type: &str, body: Vec<u8>| {
        let request = app.request(Method::POST, PATH).bearer_auth(&account.live);
        app.send(request.header("content-type", media_type).body(body)).await
    };
    for media_type in [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=other",
        "multipart/mixed; boundary=x",
        "application/x-www-form-urlencoded",
    ] {
        assert_eq!(send(media_type, whole.clone()).await.fields(), ["body"], "{media_type}");
    }
    for at in [0, 10, whole.len() / 2, whole.len() - 6] {
        assert_eq!(send(&form_type(), whole[..at].to_vec()).await.fields(), ["body"], "cut at {at}");
    }
    let header = format!("--{BOUNDARY}\r\nContent-Disposition: {}\r\n\r\n", "x".repeat(1 << 20));
    assert_eq!(send(&form_type(), header.into_bytes()).await.fields(), ["body"]);
    nothing_is_left(&app).await;
    app.finish().await;
}

/// A service that accepts files of up to 100,000 bytes.
async fn small() -> TestApp {
    Setup::default().set("LECTERN_LIMITS__FILE_BYTES", "100000").without_workers().start().await
}

fn too_large(reply: &Reply) {
    assert_eq!(reply.refusal(), "file_too_large");
    assert_eq!(reply.json()["error"]["details"]["max_bytes"], 100_000);
}

// Negative control: with the length checked after authentication the key `nonsense` is
// `invalid_api_key`.
#[tokio::test]
async fn a_declared_length_over_the_limit_is_refused_before_key_and_body_are_read() {
    let app = small().await;
    let account = app.account(0).await;
    for key in [account.live.as_str(), "nonsense"] {
        let mut connection = Connection::open(&app.url).await;
        let length = 100_000 + (1 << 20) + 1;
        let head = format!(
            "POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: {}\r\nContent-Length: {length}\r\n\r\n",
            form_type()
        );
        connection.send(head).await;
        too_large(&connection.reply().await.unwrap());
    }
    // JSON has another limit.
    let length = 16 * 1024 * 1024 + 1;
    let mut connection = Connection::open(&app.url).await;
    connection
        .send(format!("POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"))
        .await;
    let reply = connection.reply().await.unwrap();
    assert_eq!(reply.refusal(), "request_too_large");
    assert_eq!(reply.json()["error"]["details"]["max_bytes"], length - 1);
    app.finish().await;
}

#[tokio::test]
async fn a_file_is_measured_while_it_is_read_and_the_connection_answered() {
    let app = small().await;
    let account = app.account(0).await;
    let fits = upload(&app, &account.live, &[file("a.txt", &vec![b'a'; 100_000])]).await;
    assert_eq!(fits.status, 202);
    too_large(&upload(&app, &account.live, &[file("a.txt", &vec![b'a'; 100_001])]).await);
    // No declared length and no end.
    let whole = form(&[file("a.txt", b"")]);
    let front = whole[..whole.len() - format!("\r\n--{BOUNDARY}--\r\n").len()].to_vec();
    let pieces = futures_util::stream::unfold(0_u64, move |sent| {
        let piece = if sent == 0 { front.clone() } else { vec![b'a'; 16 * 1024] };
        std::future::ready((sent < 10_000).then_some((Ok::<_, std::io::Error>(piece), sent + 1)))
    });
    let request = app.request(Method::POST, PATH).bearer_auth(&account.live);
    let request = request.header("content-type", form_type()).body(reqwest::Body::wrap_stream(pieces));
    too_large(&app.send(request).await);
    // Text fields count towards the limit.
    let beside = "x".repeat(2 << 20);
    let pieces = form(&[field("x", &beside), file("a.txt", b"a")]);
    let pieces: Vec<_> = pieces.chunks(8192).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect();
    let request = app.request(Method::POST, PATH).bearer_auth(&account.live);
    let body = reqwest::Body::wrap_stream(futures_util::stream::iter(pieces));
    too_large(&app.send(request.header("content-type", form_type()).body(body)).await);
    app.until("only the file that fits", async || stored(&app).len() == 1).await;
    assert_eq!(reservations(&app).await, Some(0));
    app.finish().await;
}

#[tokio::test]
async fn a_client_that_sends_everything_before_it_reads_gets_the_answer() {
    let app = Setup::default().without_workers().start().await;
    let mut connection = Connection::open(&app.url).await;
    let length = 52 << 20;
    connection
        .send(format!(
            "POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: {}\r\nContent-Length: {length}\r\n\r\n",
            form_type()
        ))
        .await;
    for _ in 0..length >> 16 {
        connection.send(vec![b'a'; 1 << 16]).await;
    }
    let reply = connection.reply().await.unwrap();
    assert_eq!(reply.refusal(), "file_too_large");
    assert_eq!(reply.json()["error"]["details"]["max_bytes"], 50 << 20);
    app.finish().await;
}

/// The head of an upload of this many bytes.
fn head(key: &str, length: usize) -> String {
    format!(
        "POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: {}\r\nContent-Length: {length}\r\n\r\n",
        form_type()
    )
}

// Negative control: without the separate task in `create_material`, the incomplete file is left to
// the sweep.
#[tokio::test]
async fn an_upload_whose_client_disconnects_leaves_nothing() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    let whole = form(&[file("a.txt", &vec![b'a'; 4 << 20])]);
    let mut connection = Connection::open(&app.url).await;
    connection.send(head(&account.live, whole.len())).await;
    connection.send(&whole[..3 << 20]).await;
    app.until("the file on its way", async || !stored(&app).is_empty()).await;
    assert_eq!(reservations(&app).await, Some(1));
    drop(connection);
    nothing_is_left(&app).await;
    assert_eq!(app.get(PATH, &account.live).await.json()["data"], serde_json::json!([]));
    app.finish().await;
}

#[tokio::test]
async fn a_form_that_stops_arriving_is_given_up() {
    let app = Setup::default()
        .set("LECTERN_HTTP__BODY_SECONDS", "1")
        .running_clock()
        .without_workers()
        .start()
        .await;
    let account = app.account(0).await;
    let whole = form(&[file("a.txt", &vec![b'a'; 1 << 20])]);
    let mut connection = Connection::open(&app.url).await;
    connection.send(head(&account.live, whole.len())).await;
    connection.send(&whole[..600_000]).await;
    assert_eq!(connection.reply().await.unwrap().refusal(), "request_timeout");
    nothing_is_left(&app).await;
    app.finish().await;
}

#[tokio::test]
async fn an_accounts_simultaneous_uploads_are_limited_and_the_next_waits() {
    let app = Setup::default().without_workers().start().await;
    let (account, other) = (app.account(0).await, app.account(0).await);
    let whole = form(&[file("a.txt", b"Words.")]);
    // The last boundary completes a form.
    let most = whole.len() - 10;
    let mut begun = Vec::new();
    for _ in 0..6 {
        let mut connection = Connection::open(&app.url).await;
        connection.send(head(&account.live, whole.len())).await;
        connection.send(&whole[..most]).await;
        begun.push(connection);
    }
    app.until("six files on their way", async || reservations(&app).await == Some(6)).await;
    let mut waiting = Connection::open(&app.url).await;
    waiting.send(head(&account.live, whole.len())).await;
    waiting.send(&whole).await;
    assert!(waiting.is_silent_for(Duration::from_millis(300)).await);
    assert_eq!(upload(&app, &other.live, &[file("a.txt", b"Words.")]).await.status, StatusCode::ACCEPTED);
    for connection in &mut begun {
        connection.send(&whole[most..]).await;
        assert_eq!(connection.reply().await.unwrap().status, StatusCode::ACCEPTED);
    }
    assert_eq!(waiting.reply().await.unwrap().status, StatusCode::ACCEPTED);
    app.finish().await;
}
