//! Sessions: where their tokens are valid, and where they are not.

use lectern_testkit::Setup;
use reqwest::Method;
use serde_json::json;

use super::{LOGOUT, PASSWORD, confirmed, is_live, session, setup};

/// `{"alg":"none"}`, `{"alg":"EdDSA"}`
const ALG_NONE: &str = "eyJhbGciOiJub25lIn0";
const ALG_EDDSA: &str = "eyJhbGciOiJFZERTQSJ9";

#[tokio::test]
async fn a_session_serves_the_web_application_only_and_a_key_the_api_only() {
    let app = setup().start().await;
    confirmed(&app, "ada@example.com").await;
    let account = app.account(0).await;
    let token = session(&app, "ada@example.com", PASSWORD).await;
    assert_eq!(app.get("/v1/saas/me", &token).await.refusal(), "bearer_not_allowed_on_saas");
    for path in [LOGOUT, "/v1/bff/auth/confirm", "/v1/bff/nothing"] {
        let reply = app.post(path, &account.live, &json!({})).await;
        assert_eq!(reply.refusal(), "api_key_not_allowed_on_bff", "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn without_a_live_session_every_path_of_the_web_application_is_401() {
    let app = setup().start().await;
    confirmed(&app, "ada@example.com").await;
    let token = session(&app, "ada@example.com", PASSWORD).await;
    let parts: Vec<&str> = token.split('.').collect();
    let (header, payload, signature) = (parts[0], parts[1], parts[2]);
    let other = {
        let app = setup().start().await;
        confirmed(&app, "ada@example.com").await;
        let other = session(&app, "ada@example.com", PASSWORD).await;
        app.finish().await;
        other
    };
    for bad in [
        format!("{ALG_NONE}.{payload}."),
        format!("{ALG_NONE}.{payload}.{signature}"),
        format!("{ALG_EDDSA}.{payload}.{signature}"),
        format!("{header}.{payload}."),
        format!("{header}.{payload}"),
        format!("{header}.{payload}.{signature}."),
        format!("{header}..{signature}"),
        other,
        "x".to_owned(),
        "a.b.c".to_owned(),
    ] {
        assert!(!is_live(&app, &bad).await, "{bad}");
    }
    for path in ["/v1/bff", "/v1/bff/", "/v1/bff/nothing", "/v1/bff/auth/nothing", "/v1/bff/a/b/c"] {
        for method in [Method::GET, Method::POST, Method::DELETE] {
            let request = app.request(method.clone(), path);
            assert_eq!(app.send(request).await.refusal(), "invalid_credentials", "{method} {path}");
            let request = app.request(method.clone(), path).bearer_auth(&token);
            assert_eq!(app.send(request).await.refusal(), "not_found", "{method} {path}");
        }
    }
    for value in ["", "Bearer", "Bearer ", "Basic x", &token] {
        let request = app.request(Method::POST, LOGOUT).header("authorization", value);
        assert_eq!(app.send(request).await.refusal(), "invalid_credentials", "{value}");
    }
    let twice = format!("Bearer {token}");
    let request =
        app.request(Method::POST, LOGOUT).header("authorization", &twice).header("authorization", &twice);
    assert_eq!(app.send(request).await.refusal(), "invalid_credentials");
    assert!(is_live(&app, &token).await);
    app.finish().await;
}

#[tokio::test]
async fn a_session_ends_after_12_hours() {
    let app = setup().start().await;
    confirmed(&app, "ada@example.com").await;
    let token = session(&app, "ada@example.com", PASSWORD).await;
    app.clock.advance_seconds(12 * 3_600 - 1);
    assert!(is_live(&app, &token).await);
    app.clock.advance_seconds(1);
    assert!(!is_live(&app, &token).await);
    app.finish().await;
}

#[tokio::test]
async fn signing_out_ends_one_session_and_no_other() {
    let app = setup().start().await;
    confirmed(&app, "ada@example.com").await;
    let (one, two) =
        (session(&app, "ada@example.com", PASSWORD).await, session(&app, "ada@example.com", PASSWORD).await);
    let request = app.request(Method::POST, &format!("{LOGOUT}?x=1")).bearer_auth(&one);
    assert_eq!(app.send(request).await.fields(), ["x"]);
    let out = app.send(app.request(Method::POST, LOGOUT).bearer_auth(&one)).await;
    assert_eq!(out.status, 200);
    let cookie = out.header("set-cookie");
    assert!(cookie.starts_with("__Host-lectern_session=; Path=/; Max-Age=0;"), "{cookie}");
    assert!(!is_live(&app, &one).await && is_live(&app, &two).await);
    app.finish().await;
}

#[tokio::test]
async fn a_cookie_is_valid_only_from_our_own_pages() {
    let app = setup().start().await;
    confirmed(&app, "ada@example.com").await;
    let token = session(&app, "ada@example.com", PASSWORD).await;
    let with = |method: Method, path: &str| {
        app.request(method, path).header("cookie", format!("__Host-lectern_session={token}"))
    };
    assert_eq!(app.send(with(Method::GET, "/v1/bff/nothing")).await.refusal(), "not_found");
    assert_eq!(app.send(with(Method::POST, LOGOUT)).await.refusal(), "invalid_credentials");
    let me = app.send(with(Method::GET, "/v1/bff/me")).await.json();
    let csrf = me["csrf_token"].as_str().unwrap();
    let foreign =
        with(Method::POST, LOGOUT).header("x-lectern-csrf", csrf).header("origin", "https://evil.example");
    assert_eq!(app.send(foreign).await.refusal(), "invalid_credentials");
    assert!(is_live(&app, &token).await);
    let ours = with(Method::POST, LOGOUT).header("x-lectern-csrf", csrf).header("origin", &app.url);
    assert_eq!(app.send(ours).await.status, 200);
    assert!(!is_live(&app, &token).await);
    app.finish().await;
}

#[tokio::test]
async fn the_request_limit_of_an_account_counts_its_sessions_too() {
    let app = Setup::default().set("LECTERN_RATE_LIMIT__REQUESTS_PER_MINUTE", "2").start().await;
    confirmed(&app, "ada@example.com").await;
    let token = session(&app, "ada@example.com", PASSWORD).await;
    for left in [1, 0] {
        let reply = app.get("/v1/bff/nothing", &token).await;
        assert_eq!(reply.refusal(), "not_found");
        assert!(reply.header("ratelimit").starts_with(&format!("\"account\";r={left};t=")));
    }
    assert_eq!(app.get("/v1/bff/nothing", &token).await.refusal(), "rate_limited");
    app.finish().await;
}
