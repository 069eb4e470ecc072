//! `POST /v1/saas/auth/login`.

use lectern_testkit::{Reply, TestApp, on_both};
use serde_json::{Value, json};

use super::{
    CONFIRM, LOGIN, PASSWORD, REGISTER, confirmed, invite, link, login, mails, register, send, setup,
    unlimited,
};

/// A refusal without its request id.
fn bytes(reply: &Reply) -> (u16, String, Vec<String>) {
    let id = reply.header("x-request-id");
    let headers = reply.headers.iter().filter(|(name, _)| !matches!(name.as_str(), "x-request-id" | "date"));
    let mut headers: Vec<_> = headers.map(|(name, value)| format!("{name}: {value:?}")).collect();
    headers.sort();
    (reply.status.as_u16(), String::from_utf8(reply.bytes.clone()).unwrap().replace(id, ""), headers)
}

on_both! {
    // Negative control: when the account's confirmation is checked before the password, the
    // response to `dora` differs.
    async fn login_does_not_reveal_which_addresses_have_accounts(setup: Setup) {
        let app = unlimited(setup).start().await;
        confirmed(&app, "ada@example.com").await;
        register(&app, "dora@example.com").await;
        invite(&app, "invited@example.com").await;
        let passwordless = app.account(0).await;
        let wrong = login(&app, "ada@example.com", "wrong horse battery staple").await;
        assert_eq!(wrong.refusal(), "invalid_credentials");
        for (email, password) in [
            ("nobody@example.com", PASSWORD),
            ("dora@example.com", "wrong horse battery staple"),
            ("invited@example.com", PASSWORD),
            (&passwordless.email, PASSWORD),
            ("nonsense", PASSWORD),
            ("", ""),
            ("ada@example.com", ""),
            ("ada@example.com", &PASSWORD.to_uppercase()),
            ("ada@example.com", &format!("{PASSWORD} ")),
            ("ada@example.com", &"x".repeat(300_000)),
            ("ada\u{0}@example.com", PASSWORD),
            (&"a".repeat(300_000), PASSWORD),
        ] {
            let reply = login(&app, email, password).await;
            assert_eq!(bytes(&reply), bytes(&wrong), "{email:.40} {password:.40}");
        }
        assert_eq!(mails(&app).len(), 2, "a wrong password sent a mail");
        app.finish().await;
    }
}

#[tokio::test]
async fn a_body_with_wrong_fields_is_refused() {
    let app = setup().start().await;
    for (body, fields) in [
        (json!({}), vec!["email", "password"]),
        (json!({ "email": 1, "password": null }), vec!["email", "password"]),
        (json!({ "email": "a", "password": "b", "remember": true }), vec!["remember"]),
    ] {
        assert_eq!(send(&app, LOGIN, &body).await.fields(), fields, "{body}");
    }
    app.finish().await;
}

on_both! {
    // Negative control: with the interval of five minutes set to zero, the second sign-in sends
    // another mail.
    async fn an_unconfirmed_address_is_sent_another_mail_at_most_every_5_minutes(setup: Setup) {
        let app = unlimited(setup).start().await;
        register(&app, "ada@example.com").await;
        assert_eq!(mails(&app).len(), 1);
        for (seconds, sent) in [(0, 1), (299, 1), (1, 2), (0, 2), (300, 3)] {
            app.clock.advance_seconds(seconds);
            assert_eq!(login(&app, "ada@example.com", PASSWORD).await.refusal(), "email_not_confirmed");
            assert_eq!(mails(&app).len(), sent, "after {seconds} more seconds");
        }
        // The link of each mail works.
        let token = link(&mails(&app)[0], "confirm");
        assert_eq!(send(&app, CONFIRM, &json!({ "token": token })).await.status, 200);
        assert_eq!(login(&app, "ada@example.com", PASSWORD).await.status, 200);
        app.finish().await;
    }
}

#[tokio::test]
async fn login_attempts_for_an_address_are_limited_whether_they_succeed_or_fail() {
    let app = TestApp::start().await;
    confirmed(&app, "ada@example.com").await;
    for attempt in 0..10 {
        let password = if attempt == 0 { PASSWORD } else { "wrong" };
        let status = login(&app, "ada@example.com", password).await.status;
        assert_eq!(status, if attempt == 0 { 200 } else { 401 });
    }
    let limited = login(&app, " ADA@example.com", PASSWORD).await;
    assert_eq!((limited.refusal().as_str(), limited.header("retry-after")), ("rate_limited", "6"));
    assert_eq!(login(&app, "other@example.com", PASSWORD).await.refusal(), "invalid_credentials");
    app.clock.advance_seconds(6);
    assert_eq!(login(&app, "ada@example.com", PASSWORD).await.status, 200);
    app.finish().await;
}

// Negative control: with a queue of 10,000 nobody is refused.
#[tokio::test]
async fn too_many_simultaneous_logins_are_refused_with_retry_after() {
    let app = setup().set("LECTERN_AUTH__PASSWORD_QUEUE_LENGTH", "1").start().await;
    confirmed(&app, "ada@example.com").await;
    let many = (0..60).map(|_| login(&app, "ada@example.com", PASSWORD));
    let replies = futures_util::future::join_all(many).await;
    let refused: Vec<_> = replies.iter().filter(|reply| reply.status != 200).collect();
    assert!(!refused.is_empty() && refused.len() < replies.len(), "{} refused", refused.len());
    assert!(refused.iter().all(|reply| reply.refusal() == "service_unavailable"));
    assert_eq!(login(&app, "ada@example.com", PASSWORD).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn a_password_of_any_script_and_of_256_characters_signs_in() {
    let app = setup().start().await;
    let start: String = "Pferd Äpfel 馬 🐎 ".repeat(20);
    let password: String = start.chars().take(256).collect();
    let token = invite(&app, "ada@example.com").await;
    let body = json!({ "password": password, "invite_token": token });
    assert_eq!(send(&app, REGISTER, &body).await.status, 201);
    let token = link(&mails(&app)[0], "confirm");
    send(&app, CONFIRM, &json!({ "token": token })).await;
    assert_eq!(login(&app, "ada@example.com", &password).await.status, 200);
    let longer: Value = json!({ "email": "ada@example.com", "password": format!("{password}x") });
    assert_eq!(send(&app, LOGIN, &longer).await.refusal(), "invalid_credentials");
    app.finish().await;
}
