//! Signed `/media` URLs.

use lectern_testkit::{Setup, TestApp};
use reqwest::Method;

/// Starts an application with one synthesis and returns the synthesis's URL.
async fn spoken() -> (TestApp, String) {
    // On S3, the URL leads to the S3 server: see `s3::presigned`.
    let app = Setup::default().on_files().start().await;
    let account = app.account(100).await;
    let reply = app.synthesize(&account.live, "A few words to listen to.").await;
    let url = reply.json()["audio_url"].as_str().unwrap().to_owned();
    (app, url)
}

#[tokio::test]
async fn the_url_needs_no_key_and_answers_with_everything_a_player_wants() {
    let (app, url) = spoken().await;
    let whole = app.send(app.request(Method::GET, &url)).await;
    assert_eq!(whole.status, 200);
    assert_eq!(whole.header("content-length"), whole.bytes.len().to_string());
    assert_eq!(whole.header("accept-ranges"), "bytes");
    assert_eq!(whole.header("x-content-type-options"), "nosniff");
    assert!(whole.header("content-disposition").contains(".mp3"));
    assert!(whole.header("etag").starts_with('"'));
    let head = app.send(app.request(Method::HEAD, &url)).await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    assert_eq!(head.header("content-length"), whole.header("content-length"));
    let again = app.request(Method::GET, &url).header("if-none-match", whole.header("etag"));
    let again = app.send(again).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    app.finish().await;
}

#[tokio::test]
async fn ranges_are_cut_out_of_the_whole() {
    let (app, url) = spoken().await;
    let whole = app.send(app.request(Method::GET, &url)).await.bytes;
    let size = whole.len();
    for (range, wanted) in [
        ("bytes=0-0".to_owned(), &whole[..1]),
        ("bytes=5-".to_owned(), &whole[5..]),
        ("bytes=-7".to_owned(), &whole[size - 7..]),
        (format!("bytes=10-{}", size * 2), &whole[10..]),
    ] {
        let part = app.send(app.request(Method::GET, &url).header("range", &range)).await;
        assert_eq!((part.status.as_u16(), part.bytes.as_slice()), (206, wanted), "{range}");
        assert!(part.header("content-range").ends_with(&format!("/{size}")), "{range}");
        assert_eq!(part.header("content-length"), wanted.len().to_string());
    }
    let beyond = app.send(app.request(Method::GET, &url).header("range", format!("bytes={size}-"))).await;
    assert_eq!(beyond.refusal(), "range_not_satisfiable");
    assert_eq!(beyond.header("content-range"), format!("bytes */{size}"));
    let several = app.send(app.request(Method::GET, &url).header("range", "bytes=0-1,4-5")).await;
    assert_eq!((several.status.as_u16(), several.bytes.len()), (200, size), "several ranges give the whole");
    app.finish().await;
}

#[tokio::test]
async fn a_changed_url_is_invalid_whether_or_not_the_audio_exists() {
    let (app, url) = spoken().await;
    let path = url.strip_prefix(&app.url).unwrap();
    let last = if path.ends_with('0') { "1" } else { "0" };
    let changed = [
        format!("{}{last}", &path[..path.len() - 1]),
        path.replacen("syn_", "syn_0", 1),
        path.replace(".mp3", ".wav"),
        path.replacen("expires=1", "expires=2", 1),
        path.replace("signature=", "Signature="),
        format!("{path}&x=1"),
        format!("{path}&signature=0"),
        path.to_uppercase().replace("/MEDIA/SYNTHESES", "/media/syntheses"),
        path.split('?').next().unwrap().to_owned(),
        "/media/no/such/thing.mp3?expires=99999999999&signature=00".to_owned(),
    ];
    for path in changed {
        let reply = app.send(app.request(Method::GET, &path)).await;
        assert_eq!(reply.refusal(), "audio_url_invalid", "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_url_ends_after_24_hours_and_the_audio_is_deleted_an_hour_later() {
    let (app, url) = spoken().await;
    app.clock.advance_seconds(24 * 3600 - 1);
    assert_eq!(app.send(app.request(Method::GET, &url)).await.status, 200);
    app.clock.advance_seconds(1);
    assert_eq!(app.send(app.request(Method::GET, &url)).await.refusal(), "audio_url_expired");
    let object =
        url.strip_prefix(&app.url).unwrap().strip_prefix("/media/").unwrap().split('?').next().unwrap();
    let sweep = async || lectern_service::workers::sweep::round(&app.base).await.unwrap();
    sweep().await;
    assert!(app.base.objects.head(object).await.unwrap().is_some(), "deleted when its URL expires");
    app.clock.advance_seconds(3600);
    sweep().await;
    assert!(app.base.objects.head(object).await.unwrap().is_none(), "kept for more than 25 hours");
    app.finish().await;
}

#[tokio::test]
async fn signed_urls_of_deleted_audio_are_not_found() {
    let app = TestApp::start().await;
    let url = app.app.media.signer.sign("syntheses/gone.mp3", app.clock.now().plus_seconds(60));
    assert_eq!(app.send(app.request(Method::GET, &url)).await.refusal(), "not_found");
    app.finish().await;
}
