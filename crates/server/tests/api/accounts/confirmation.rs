//! `POST /v1/bff/auth/confirm`, and the page behind a mail's link.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::Method;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{CONFIRM, PASSWORD, link, login, mails, register, send, setup};

#[tokio::test]
async fn a_token_confirms_once_and_for_7_days() {
    let app = setup().start().await;
    register(&app, "ada@example.com").await;
    register(&app, "bob@example.com").await;
    let tokens: Vec<_> = mails(&app).iter().map(|mail| link(mail, "confirm")).collect();
    assert!(tokens.iter().all(|token| token.len() == 43) && tokens[0] != tokens[1]);
    for bad in ["", "x", &tokens[0][1..], &tokens[0].to_uppercase(), &format!("{}=", tokens[0])] {
        assert_eq!(send(&app, CONFIRM, &json!({ "token": bad })).await.fields(), ["token"], "{bad}");
    }
    assert_eq!(send(&app, CONFIRM, &json!({ "tokn": "x" })).await.fields(), ["token", "tokn"]);
    let confirm = async |token: &str| send(&app, CONFIRM, &json!({ "token": token })).await;
    app.clock.advance_seconds(7 * 86_400 - 1);
    assert_eq!(confirm(&tokens[0]).await.status, 200);
    assert_eq!(confirm(&tokens[0]).await.fields(), ["token"], "it was used");
    app.clock.advance_seconds(1);
    assert_eq!(confirm(&tokens[1]).await.fields(), ["token"], "it is over");
    assert_eq!(login(&app, "ada@example.com", PASSWORD).await.status, 200);
    assert_eq!(login(&app, "bob@example.com", PASSWORD).await.refusal(), "email_not_confirmed");
    let fresh = link(&mails(&app)[2], "confirm");
    assert_eq!(confirm(&fresh).await.status, 200);
    app.finish().await;
}

/// The source of the one script, or of the one style, that is in the page itself.
fn hash_of(html: &str, element: &str) -> String {
    let (start, end) = (format!("<{element}"), format!("</{element}>"));
    let texts: Vec<&str> = html
        .split(&format!("{start}>"))
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(end.as_str())?.0))
        .collect();
    let [text] = texts[..] else { panic!("{} of {element}: {html}", texts.len()) };
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

// Negative control: with `'unsafe-inline'` added to the policy this fails.
#[tokio::test]
async fn pages_load_only_this_services_files_and_do_not_leak_the_token() {
    let app = setup().start().await;
    for page in ["/confirm", "/reset", "/register", "/"] {
        let reply = app.send(app.request(Method::GET, &format!("{page}?token=x&utm=y"))).await;
        assert_eq!(reply.status, 200);
        assert_eq!(
            (reply.header("referrer-policy"), reply.header("cache-control")),
            ("no-referrer", "no-store")
        );
        let policy = reply.header("content-security-policy");
        assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
        let html = String::from_utf8(reply.bytes.clone()).unwrap();
        // A build without the web application answers in plain text.
        if reply.header("content-type") == "text/html; charset=utf-8" {
            assert!(!html.contains(" style="), "{html}");
            let (script, style) = (hash_of(&html, "script"), hash_of(&html, "style"));
            let start = format!("default-src 'none'; script-src 'self' {script}; style-src 'self' {style};");
            assert!(policy.starts_with(&start), "{policy}: {html}");
            assert!(!html.contains("://"), "{page} loads or names something elsewhere");
        }
        assert_eq!(app.send(app.request(Method::POST, page)).await.refusal(), "method_not_allowed");
    }
    app.finish().await;
}
