//! `POST /v1/saas/auth/register`.

use lectern_service::services::accounts::invitations::{self, InviteError};
use lectern_store::{accounts, ledger};
use lectern_testkit::{Setup, on_both};
use lectern_types::Credits;
use reqwest::Method;
use serde_json::{Value, json};

use super::{LOGIN, PASSWORD, REGISTER, invite, login, mails, open, register, send, setup, unlimited};

#[tokio::test]
async fn refusals_come_in_the_contracts_order() {
    let app = setup().start().await;
    let token = invite(&app, "ada@example.com").await;
    let body = |changes: Value| {
        let mut body = json!({ "password": PASSWORD, "invite_token": token });
        for (field, value) in changes.as_object().unwrap() {
            body[field] = value.clone();
        }
        body
    };
    // Types in the body are checked first.
    for (bad, fields) in [
        (json!({}), vec!["password"]),
        (
            json!({ "password": 1, "invite_token": 2, "email": 3, "nmae": 4 }),
            vec!["email", "invite_token", "nmae", "password"],
        ),
        (json!({ "password": "x", "invite_token": null }), vec!["invite_token"]),
        (json!({ "password": "x".repeat(257) }), vec!["password"]),
    ] {
        assert_eq!(send(&app, REGISTER, &bad).await.fields(), fields, "{bad}");
    }
    // Without a token, any address and password are refused.
    for bad in [
        json!({ "password": "x" }),
        json!({ "password": "x", "email": "ada@example.com" }),
        json!({ "password": PASSWORD, "email": "nonsense" }),
    ] {
        assert_eq!(send(&app, REGISTER, &bad).await.refusal(), "invite_required", "{bad}");
    }
    // An invalid token is refused with any password.
    for bad in
        ["", "x", "inv_", &token[1..], &token.to_uppercase(), &format!("{token} "), &"x".repeat(100_000)]
    {
        let reply = send(&app, REGISTER, &body(json!({ "invite_token": bad, "password": "x" }))).await;
        assert_eq!(reply.refusal(), "invite_invalid");
    }
    // A weak password is refused, with the requirements that it does not meet.
    for (weak, requirements) in [
        ("", json!(["min_length_12", "strength"])),
        ("ada", json!(["min_length_12", "not_common", "strength", "not_email"])),
        ("password1234", json!(["not_common", "strength"])),
        ("Correct Ada battery staple", json!(["not_email"])),
    ] {
        let reply = send(&app, REGISTER, &body(json!({ "password": weak }))).await;
        assert_eq!(reply.refusal(), "weak_password", "{weak}");
        assert_eq!(reply.json()["error"]["details"], json!({ "requirements": requirements }), "{weak}");
    }
    assert_eq!(mails(&app).len(), 0);
    // With a token, the address is ignored.
    let reply = send(&app, REGISTER, &body(json!({ "email": { "any": "thing" } }))).await;
    assert_eq!(reply.status, 201, "{}", reply.json());
    assert_eq!(send(&app, REGISTER, &body(json!({}))).await.refusal(), "invite_invalid", "a used token");
    app.finish().await;
}

// Negative control: without the comparison of the invitation's end in the store's query and update,
// the registration succeeds.
#[tokio::test]
async fn an_invitation_ends_after_14_days_and_a_new_one_takes_its_place() {
    let app = setup().start().await;
    let first = invite(&app, "ada@example.com").await;
    app.clock.advance_seconds(14 * 86_400);
    let with = |token: &str| json!({ "password": PASSWORD, "invite_token": token });
    assert_eq!(send(&app, REGISTER, &with(&first)).await.refusal(), "invite_invalid");
    let second = invite(&app, "ADA@example.com").await;
    let third = invite(&app, "ada@example.com").await;
    assert_eq!(
        send(&app, REGISTER, &with(&second)).await.refusal(),
        "invite_invalid",
        "the first invitation was replaced"
    );
    let reply = send(&app, REGISTER, &with(&third)).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["account"]["email"]), (201, &json!("ada@example.com")));
    let again = invitations::invite(&app.base, "Ada@Example.com", None, None).await;
    assert!(matches!(again, Err(InviteError::AlreadyRegistered(_))), "{again:?}");
    app.finish().await;
}

#[tokio::test]
async fn open_registration_needs_only_an_address() {
    let app = open(Setup::default()).start().await;
    for (bad, fields) in [
        (json!({ "password": PASSWORD }), vec!["email"]),
        (json!({ "password": PASSWORD, "email": "nonsense" }), vec!["email"]),
        (json!({ "password": PASSWORD, "email": "a@b.c\r\nBcc: d@e.f" }), vec!["email"]),
        (json!({ "password": PASSWORD, "email": "a\u{0}@b.c" }), vec!["email"]),
    ] {
        assert_eq!(send(&app, REGISTER, &bad).await.fields(), fields, "{bad}");
    }
    let body = json!({ "password": PASSWORD, "email": "Bob@example.com" });
    let reply = send(&app, REGISTER, &body).await;
    assert_eq!(reply.status, 201, "{}", reply.json());
    let account = &reply.json()["account"];
    assert_eq!((&account["tier"], &account["has_purchased_credits"]), (&json!("free"), &json!(false)));
    let id = account["id"].as_str().unwrap().parse().unwrap();
    let balance = ledger::balance(&app.base.store, id).await.unwrap().unwrap();
    assert_eq!(balance.balance, Credits::ZERO);

    // A weak password is reported before a taken address. The address is taken in any spelling.
    let weak = json!({ "password": "x", "email": "bob@example.com" });
    assert_eq!(send(&app, REGISTER, &weak).await.refusal(), "weak_password");
    let taken = json!({ "password": PASSWORD, "email": "bOB@EXAMPLE.com" });
    assert_eq!(send(&app, REGISTER, &taken).await.refusal(), "email_in_use");
    // An invited address is taken, too; otherwise anybody who knows it would get the account with
    // its credits.
    let invitation = invite(&app, "carol@example.com").await;
    let invited = json!({ "password": PASSWORD, "email": "carol@example.com" });
    assert_eq!(send(&app, REGISTER, &invited).await.refusal(), "email_in_use");
    let reply = send(&app, REGISTER, &json!({ "password": PASSWORD, "invite_token": invitation })).await;
    assert_eq!(reply.status, 201, "a token is checked here as well");
    app.finish().await;
}

on_both! {
    async fn of_20_registrations_with_one_token_one_succeeds(setup: Setup) {
        let app = unlimited(setup).start().await;
        let token = invite(&app, "ada@example.com").await;
        let body = json!({ "password": PASSWORD, "invite_token": token });
        let replies = futures_util::future::join_all((0..20).map(|_| send(&app, REGISTER, &body))).await;
        let made = replies.iter().filter(|reply| reply.status == 201).count();
        assert_eq!(made, 1);
        assert!(replies.iter().filter(|reply| reply.status != 201).all(|r| r.refusal() == "invite_invalid"));
        assert_eq!(mails(&app).len(), 1);
        app.finish().await;
    }
}

on_both! {
    async fn of_20_registrations_of_one_address_one_succeeds(setup: Setup) {
        let app = open(setup).start().await;
        let body = |number: usize| {
            let email = if number.is_multiple_of(2) { "ada@example.com" } else { "ADA@EXAMPLE.COM" };
            json!({ "password": PASSWORD, "email": email })
        };
        let bodies: Vec<_> = (0..20).map(body).collect();
        let replies = futures_util::future::join_all(bodies.iter().map(|body| send(&app, REGISTER, body))).await;
        assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 1);
        assert!(replies.iter().filter(|reply| reply.status != 201).all(|r| r.refusal() == "email_in_use"));
        app.finish().await;
    }
}

#[tokio::test]
async fn registration_and_login_ignore_keys() {
    let app = setup().start().await;
    let account = app.account(0).await;
    for (path, expected) in [(REGISTER, "validation_failed"), (LOGIN, "validation_failed")] {
        for authorization in
            ["nonsense", "Bearer", "Basic x", &format!("Bearer {}", account.live), "Bearer a.b.c"]
        {
            let request = app.request(Method::POST, path).header("authorization", authorization).body("{}");
            assert_eq!(app.send(request).await.refusal(), expected, "{path} {authorization}");
        }
        for key in ["", "a b", &"k".repeat(129)] {
            let request = app.request(Method::POST, path).header("idempotency-key", key).body("{}");
            assert_eq!(app.send(request).await.refusal(), "invalid_idempotency_key", "{path} {key}");
        }
        let large = app.request(Method::POST, path).body(" ".repeat(1 << 20 | 1));
        assert_eq!(app.send(large).await.refusal(), "request_too_large");
        for body in ["", "[]", "{\"email\":\"a\",\"email\":\"a\"}", "{\"password\":\"\\ud800\"}", "nonsense"]
        {
            let request = app.request(Method::POST, path).body(body);
            assert_eq!(app.send(request).await.fields(), ["body"], "{path} {body}");
        }
        assert_eq!(send(&app, &format!("{path}?x=1"), &json!({})).await.fields(), ["x"]);
        assert_eq!(app.send(app.request(Method::GET, path)).await.refusal(), "method_not_allowed");
    }
    // Nothing is stored under an Idempotency-Key: the second registration is evaluated again.
    let token = invite(&app, "ada@example.com").await;
    let body = json!({ "password": PASSWORD, "invite_token": token });
    for expected in [201, 403] {
        let request = app.request(Method::POST, REGISTER).header("idempotency-key", "k").json(&body);
        assert_eq!(app.send(request).await.status, expected);
    }
    app.finish().await;
}

#[tokio::test]
async fn an_address_that_the_operator_confirmed_first_signs_in_at_once() {
    let app = setup().start().await;
    let token = invite(&app, "ada@example.com").await;
    let account = accounts::find_by_email(&app.base.store, "ada@example.com").await.unwrap().unwrap();
    accounts::confirm_email(&app.base.store, account.id, app.clock.now()).await.unwrap();
    let body = json!({ "password": PASSWORD, "invite_token": token });
    assert_eq!(send(&app, REGISTER, &body).await.status, 201);
    assert_eq!(login(&app, "ada@example.com", PASSWORD).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn registrations_from_one_client_are_limited() {
    let app = Setup::default().start().await;
    for number in 0..10 {
        register(&app, &format!("reader{number}@example.com")).await;
    }
    let token = invite(&app, "ada@example.com").await;
    let body = json!({ "password": PASSWORD, "invite_token": token });
    assert_eq!(send(&app, REGISTER, &body).await.refusal(), "rate_limited");
    assert_eq!(
        send(&app, REGISTER, &json!({})).await.refusal(),
        "rate_limited",
        "counted before the body is read"
    );
    app.clock.advance_seconds(6);
    assert_eq!(send(&app, REGISTER, &body).await.status, 201);
    app.finish().await;
}
