//! `POST /v1/bff/auth/forgot` and `…/reset`.

use lectern_testkit::{TestApp, on_both};
use serde_json::{Value, json};

use super::{
    CONFIRM, FORGOT, PASSWORD, RESET, confirmed, invite, is_live, link, login, mails, register, send,
    session, setup, unlimited,
};

const NEW: &str = "another horse, another battery";

/// Requests a mail and waits for it, because the mail is sent after the response.
pub(super) async fn forgot(app: &TestApp, email: &str) -> String {
    let before = mails(app).len();
    assert_eq!(send(app, FORGOT, &json!({ "email": email })).await.json(), json!({ "status": "accepted" }));
    app.until("a mail", async || mails(app).len() > before).await;
    link(&mails(app).pop().unwrap(), "reset")
}

fn with(token: &str, password: &str) -> Value {
    json!({ "token": token, "password": password })
}

on_both! {
    async fn a_reset_sets_the_password_and_signs_out_everywhere(setup: Setup) {
        let app = unlimited(setup).start().await;
        confirmed(&app, "ada@example.com").await;
        let (one, two) =
            (session(&app, "ada@example.com", PASSWORD).await, session(&app, "ada@example.com", PASSWORD).await);
        let (first, second) = (forgot(&app, "Ada@Example.com").await, forgot(&app, "ada@example.com").await);
        assert!(is_live(&app, &one).await, "asking changes nothing");
        let reply = send(&app, RESET, &with(&second, NEW)).await;
        assert_eq!(reply.json(), json!({ "status": "password_changed", "email": "ada@example.com" }));
        assert!(!is_live(&app, &one).await && !is_live(&app, &two).await);
        assert_eq!(login(&app, "ada@example.com", PASSWORD).await.refusal(), "invalid_credentials");
        assert!(is_live(&app, &session(&app, "ada@example.com", NEW).await).await);
        for used in [first, second] {
            assert_eq!(send(&app, RESET, &with(&used, PASSWORD)).await.fields(), ["token"]);
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn a_reset_proves_the_address() {
    let app = setup().start().await;
    register(&app, "ada@example.com").await;
    let token = forgot(&app, "ada@example.com").await;
    assert_eq!(
        send(&app, CONFIRM, &json!({ "token": token })).await.fields(),
        ["token"],
        "the token is only for a reset"
    );
    assert_eq!(send(&app, RESET, &with(&token, NEW)).await.status, 200);
    assert_eq!(login(&app, "ada@example.com", NEW).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn a_bad_token_is_reported_before_a_weak_password() {
    let app = setup().start().await;
    confirmed(&app, "lovelace@example.com").await;
    let token = forgot(&app, "lovelace@example.com").await;
    let confirm = link(&mails(&app)[0], "confirm");
    for bad in ["", "x", &confirm, &token[..42]] {
        assert_eq!(send(&app, RESET, &with(bad, "x")).await.fields(), ["token"], "{bad}");
    }
    assert_eq!(send(&app, RESET, &with(&token, &"x".repeat(257))).await.fields(), ["password"]);
    let weak = send(&app, RESET, &with(&token, "my Lovelace machine 1843")).await;
    assert_eq!(weak.refusal(), "weak_password");
    assert_eq!(weak.json()["error"]["details"], json!({ "requirements": ["not_email"] }));
    app.clock.advance_seconds(3_600 - 1);
    let last = forgot(&app, "lovelace@example.com").await;
    assert_eq!(send(&app, RESET, &with(&token, NEW)).await.status, 200, "a weak password consumed the token");
    assert_eq!(send(&app, RESET, &with(&last, NEW)).await.fields(), ["token"]);
    let over = forgot(&app, "lovelace@example.com").await;
    app.clock.advance_seconds(3_600);
    assert_eq!(send(&app, RESET, &with(&over, NEW)).await.fields(), ["token"]);
    app.finish().await;
}

#[tokio::test]
async fn the_answer_is_the_same_without_an_account() {
    let app = setup().start().await;
    confirmed(&app, "ada@example.com").await;
    invite(&app, "invited@example.com").await;
    let sent = mails(&app).len();
    for email in ["nobody@example.com", "invited@example.com"] {
        let reply = send(&app, FORGOT, &json!({ "email": email })).await;
        assert_eq!((reply.status.as_u16(), reply.json()), (200, json!({ "status": "accepted" })));
    }
    assert_eq!(send(&app, FORGOT, &json!({ "email": "nonsense" })).await.fields(), ["email"]);
    // Background work of those requests comes before a later request's mail.
    forgot(&app, "ada@example.com").await;
    app.until("the end of all work", async || app.app.tasks.is_empty()).await;
    assert_eq!(mails(&app).len(), sent + 1);
    app.finish().await;
}

#[tokio::test]
async fn mails_to_one_address_are_limited() {
    let app = TestApp::start().await;
    for _ in 0..10 {
        assert_eq!(send(&app, FORGOT, &json!({ "email": "ada@example.com" })).await.status, 200);
    }
    let limited = send(&app, FORGOT, &json!({ "email": "Ada@example.com" })).await;
    assert_eq!(limited.refusal(), "rate_limited");
    for path in [RESET, CONFIRM] {
        let body = if path == RESET { with("x", NEW) } else { json!({ "token": "x" }) };
        for _ in 0..60 {
            assert_eq!(send(&app, path, &body).await.fields(), ["token"]);
        }
        assert_eq!(send(&app, path, &body).await.refusal(), "rate_limited", "{path}");
    }
    app.finish().await;
}
