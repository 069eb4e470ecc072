//! `openapi.json`: the served, the printed and the checked-in document are the same.

use lectern_http::router;
use lectern_testkit::TestApp;
use reqwest::Method;

const CHECKED_IN: &str = include_str!("../../../../openapi.json");

// An operation adds some 2 kB; unshared, the document had 1.6 MB.
// Negative control: seen to fail with an unshared document (1,627,291 bytes).
#[test]
fn the_document_stays_shared() {
    assert!(CHECKED_IN.len() <= 600_000, "openapi.json is {} bytes", CHECKED_IN.len());
}

// Negative control: seen to fail after a description in `me.rs` was changed.
#[tokio::test]
async fn the_checked_in_document_is_the_one_that_is_served() {
    assert!(router::document() == CHECKED_IN, "openapi.json is out of date: lectern openapi > openapi.json");
    let app = TestApp::start().await;
    let served = app.send(app.request(Method::GET, "/openapi.json")).await;
    assert_eq!(served.header("content-type"), "application/json");
    assert!(served.bytes == CHECKED_IN.as_bytes());
    app.finish().await;
}
