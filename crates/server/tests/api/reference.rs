//! `/docs`: the reference page, the API's document, the guide, and paths that do not exist.

use lectern_testkit::TestApp;
use reqwest::Method;

// Negative control: without `script-src`, the assertion fails and shows the policy.
#[tokio::test]
async fn the_reference_page_loads_nothing_from_elsewhere() {
    let app = TestApp::start().await;
    let get = async |path: &str| app.send(app.request(Method::GET, path)).await;
    let page = get("/docs").await;
    // A build without the web application says so, under the same policy.
    assert_eq!(page.status.as_u16(), 200);
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'; script-src 'self';"), "{policy}");
    let html = String::from_utf8(page.bytes).unwrap();
    assert!(
        !html.contains("\"//") && !html.contains("https://"),
        "the page loads something from another site"
    );
    for missing in ["/docs/index.html", "/docs/x", "/docs/..%2Fx", "/docs/%ff"] {
        assert_eq!(get(missing).await.refusal(), "not_found", "{missing}");
    }
    let slash = get("/docs/").await;
    assert_eq!((slash.status.as_u16(), slash.header("location")), (308, "../docs"));
    for path in ["/docs", "/docs/", "/confirm", "/reset", "/", "/assets/x.js", "/icon.svg", "/sw.js"] {
        let reply = app.send(app.request(Method::GET, path).header("idempotency-key", "")).await;
        assert_eq!(reply.refusal(), "invalid_idempotency_key", "{path}");
    }
    app.finish().await;
}

// Negative control: without the refusal of parts that begin with a dot, a debug build answers the
// fourth path with the page of the web application.
#[tokio::test]
async fn the_guide_has_a_folder_of_its_own_and_nothing_outside_of_it() {
    let app = TestApp::start().await;
    let get = async |path: &str| app.send(app.request(Method::GET, path)).await;
    let bare = get("/docs/guide").await;
    assert_eq!((bare.status.as_u16(), bare.header("location")), (308, "guide/"));
    // A build without the guide says so.
    assert_eq!(get("/docs/guide/").await.status.as_u16(), 200);
    for missing in ["x", "x.html", "index.html.br", "..%2Fapp%2Findex.html", ".complete", "%ff", "x/y/"] {
        let path = format!("/docs/guide/{missing}");
        assert_eq!(get(&path).await.refusal(), "not_found", "{path}");
    }
    for path in ["/docs/guide", "/docs/guide/", "/docs/guide/x.html"] {
        let reply = app.send(app.request(Method::GET, path).header("idempotency-key", "")).await;
        assert_eq!(reply.refusal(), "invalid_idempotency_key", "{path}");
    }
    app.finish().await;
}

// Negative control: if the document is sent uncompressed to everybody, it has no
// `Content-Encoding`.
#[tokio::test]
async fn the_document_is_compressed_for_clients_that_accept_it() {
    let app = TestApp::start().await;
    let get = async |takes: &str| {
        let request = app.request(Method::GET, "/openapi.json").header("accept-encoding", takes);
        app.send(request).await
    };
    let (whole, short) = (get("identity").await, get("br, gzip").await);
    assert_eq!((whole.header("content-encoding"), short.header("content-encoding")), ("", "gzip"));
    assert_eq!((whole.header("vary"), short.header("vary")), ("accept-encoding", "accept-encoding"));
    assert!(short.bytes.len() * 8 < whole.bytes.len(), "{} of {}", short.bytes.len(), whole.bytes.len());
    assert_eq!(&short.bytes[..2], [0x1f, 0x8b]);
    app.finish().await;
}

// Negative control: without the fallback to the page, every response is an envelope in JSON.
#[tokio::test]
async fn an_unknown_address_is_a_page_for_people_and_an_envelope_for_programs() {
    const PEOPLE: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";
    let app = TestApp::start().await;
    let ask = async |method: Method, path: &str, accept: &str| {
        app.send(app.request(method, path).header("accept", accept)).await
    };
    for path in ["/nothing-here", "/materials/a/b", "/v2", "/%ff"] {
        let page = ask(Method::GET, path, PEOPLE).await;
        let kind = page.header("content-type");
        // A build without the web application explains in one line how to build it.
        assert!(page.status == 404 && kind.starts_with("text/"), "{path}: {} {kind}", page.status);
        assert!(page.header("content-security-policy").contains("script-src 'self'"), "{path}");
        assert_eq!(ask(Method::GET, path, "*/*").await.refusal(), "not_found", "{path}");
        assert_eq!(ask(Method::POST, path, PEOPLE).await.refusal(), "not_found", "{path}");
    }
    for path in
        ["/v1", "/v1/saas/nothing", "/v1/saas/materials/a/b/c", "/openapi.json/x", "/docs/x", "/assets/x.js"]
    {
        assert_eq!(ask(Method::GET, path, PEOPLE).await.refusal(), "not_found", "{path}");
    }
    app.finish().await;
}
