//! `/docs`: the reference page and its files.

use lectern_testkit::TestApp;
use reqwest::Method;

// Negative control: with `script-src` taken out of the policy, or a file's route, the assertions name it.
#[tokio::test]
async fn the_reference_page_and_all_it_loads_come_from_the_service_itself() {
    let app = TestApp::start().await;
    let get = async |path: &str| app.send(app.request(Method::GET, path)).await;
    let page = get("/docs").await;
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'; script-src 'self';"), "{policy}");
    let html = String::from_utf8(page.bytes).unwrap();
    let links: Vec<_> =
        html.split(['"']).filter(|part| part.starts_with("docs/") || *part == "openapi.json").collect();
    assert_eq!(links.len(), 5, "{links:?}");
    for link in links {
        let file = get(&format!("/{link}")).await;
        assert_eq!(file.status, 200, "{link}");
        assert!(!file.bytes.is_empty(), "{link}");
    }
    assert!(!html.contains("//"), "the page loads something from elsewhere");
    for missing in ["/docs/index.html", "/docs/x", "/docs/..%2Fx", "/docs/%ff"] {
        assert_eq!(get(missing).await.refusal(), "not_found", "{missing}");
    }
    let slash = get("/docs/").await;
    assert_eq!((slash.status.as_u16(), slash.header("location")), (308, "../docs"));
    for path in
        ["/docs", "/docs/", "/docs/reference.js", "/confirm", "/reset", "/", "/assets/x.js", "/icon.svg"]
    {
        let reply = app.send(app.request(Method::GET, path).header("idempotency-key", "")).await;
        assert_eq!(reply.refusal(), "invalid_idempotency_key", "{path}");
    }
    app.finish().await;
}
