//! `openapi.json`: the one served, the one printed and the one checked in are the same.

use lectern_server::http::router;
use lectern_testkit::TestApp;
use reqwest::Method;

// Negative control: seen to fail after a description in `me.rs` was changed.
#[tokio::test]
async fn the_checked_in_document_is_the_one_that_is_served() {
    let checked_in = include_str!("../../../../openapi.json");
    assert!(router::document() == checked_in, "openapi.json is out of date: lectern openapi > openapi.json");
    let app = TestApp::start().await;
    let served = app.send(app.request(Method::GET, "/openapi.json")).await;
    assert_eq!(served.header("content-type"), "application/json");
    assert!(served.bytes == checked_in.as_bytes());
    app.finish().await;
}
