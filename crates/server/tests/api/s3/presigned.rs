//! Presigned URLs of audio on S3.

use lectern_service::clock::Clock;
use lectern_testkit::Setup;
use lectern_types::Timestamp;
use reqwest::Method;

use super::{objects, server};

/// A parameter of a URL's query.
fn parameter<'a>(url: &'a str, name: &str) -> &'a str {
    let (_, query) = url.split_once('?').unwrap();
    query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))).unwrap()
}

#[tokio::test]
async fn audio_comes_straight_from_s3_with_what_a_player_wants() {
    let app = Setup::default().running_clock().on_s3().start().await;
    let account = app.account(100).await;
    let reply = app.synthesize(&account.live, "A few words to listen to.").await.json();
    let url = reply["audio_url"].as_str().unwrap();
    assert!(url.starts_with(&format!("{}/objects/syntheses/syn_", app.s3().unwrap().url())), "{url}");
    let audio = app.send(app.request(Method::GET, url)).await;
    assert_eq!(audio.status, 200);
    assert_eq!(audio.header("content-type"), "audio/mpeg");
    assert_eq!(audio.header("content-length"), audio.bytes.len().to_string());
    assert!(audio.header("etag").starts_with('"'));
    let name = url.split('?').next().unwrap().rsplit('/').next().unwrap();
    assert_eq!(audio.header("content-disposition"), format!("inline; filename=\"{name}\""));
    let part = app.send(app.request(Method::GET, url).header("range", "bytes=5-9")).await;
    assert_eq!((part.status.as_u16(), part.bytes.as_slice()), (206, &audio.bytes[5..10]));
    // The signature covers the method, too.
    assert_eq!(app.send(app.request(Method::HEAD, url)).await.status, 403);

    // The expiry is exact to the second: S3 enforces the time in the response.
    let expires_at: Timestamp = serde_json::from_value(reply["expires_at"].clone()).unwrap();
    assert_eq!(parameter(url, "X-Amz-Expires"), "86400");
    let date = parameter(url, "X-Amz-Date");
    let issued = format!(
        "{}-{}-{}T{}:{}:{}.000Z",
        &date[..4],
        &date[4..6],
        &date[6..8],
        &date[9..11],
        &date[11..13],
        &date[13..15]
    );
    let issued: Timestamp = serde_json::from_value(issued.into()).unwrap();
    assert_eq!(issued.plus_seconds(86_400), expires_at);
    app.finish().await;
}

#[tokio::test]
async fn a_url_with_one_byte_changed_is_refused() {
    let (_folder, server) = server();
    let objects = objects(&server, "eu/prod");
    for key in ["syntheses/syn_1.mp3", "syntheses/syn_2.mp3"] {
        objects.put(key, key.as_bytes().to_vec()).await.unwrap();
    }
    let url = objects.presigned("syntheses/syn_1.mp3", Clock::system().now(), 86_400).unwrap();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let status = async |url: &str| client.get(url).send().await.unwrap().status().as_u16();
    assert_eq!(status(&url).await, 200);
    assert_eq!(status(url.split('?').next().unwrap()).await, 403, "without a signature");
    let begin = server.url().len() + 1;
    for at in begin..url.len() {
        let mut changed = url.clone().into_bytes();
        changed[at] = match changed[at] {
            b'1' => b'2',
            b'/' => b'x',
            _ => b'1',
        };
        let changed = String::from_utf8(changed).unwrap();
        let status = status(&changed).await;
        // 501 stands for an algorithm or a service that S3 does not know.
        assert!((400..500).contains(&status) || status == 501, "{status} {changed}");
    }
    for (changed, wanted) in
        [(format!("{url}&x=1"), 403), (format!("{url}0"), 400), (url.replace("86400", "604800"), 403)]
    {
        assert_eq!(status(&changed).await, wanted, "{changed}");
    }
}

// Negative control: when the URL was signed for 86,400 seconds more, the first request got 200.
#[tokio::test]
async fn a_url_ends_by_the_servers_clock() {
    let (_folder, server) = server();
    let objects = objects(&server, "");
    objects.put("syntheses/syn_1.mp3", b"audio".to_vec()).await.unwrap();
    let now = Clock::system().now();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for (age, wanted) in [(86_402, 403), (86_340, 200), (0, 200)] {
        let url = objects.presigned("syntheses/syn_1.mp3", now.plus_seconds(-age), 86_400).unwrap();
        let answer = client.get(&url).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), wanted, "{age}");
        let said = answer.text().await.unwrap();
        assert_eq!(said.contains("Request has expired"), wanted == 403, "{said}");
    }
}
