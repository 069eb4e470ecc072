//! Sign-in from a browser, sessions, passwords, invitations.

use lectern_testkit::on_both;
use reqwest::Method;
use serde_json::json;

use crate::accounts::{self, PASSWORD, browser, confirmed, invite, unlimited};

on_both! {
    async fn signing_in_sets_a_cookie_that_scripts_cannot_read(setup: Setup) {
        let app = unlimited(setup).start().await;
        confirmed(&app, "ada@example.com").await;
        let body = json!({ "email": "ada@example.com", "password": PASSWORD });
        // The service does not adopt a planted cookie.
        let planted = app.request(Method::POST, "/v1/bff/auth/login").header("cookie", "__Host-lectern_session=planted");
        let reply = app.send(planted.header("user-agent", "Otter/1").json(&body)).await;
        let cookie = reply.header("set-cookie").to_owned();
        let (value, attributes) = cookie.split_once("; ").unwrap();
        assert_eq!(attributes, "Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax");
        assert!(value.starts_with("__Host-lectern_session=eyJ"), "{value}");
        assert_eq!(reply.header("cache-control"), "no-store");
        assert!(!reply.json().to_string().contains(value.split_once('=').unwrap().1), "the token is in the body");
        for site in ["cross-site", "same-site", "none"] {
            let foreign = app.request(Method::POST, "/v1/bff/auth/login").header("sec-fetch-site", site);
            let refused = app.send(foreign.json(&body)).await;
            assert_eq!((refused.status.as_u16(), refused.refusal().as_str()), (403, "origin_not_allowed"), "{site}");
            assert_eq!(refused.json()["error"]["details"]["origin"], *app.app.public_url);
        }
        // Over plain HTTP a browser sends only its origin.
        let foreign = app.request(Method::POST, "/v1/bff/auth/login").header("origin", "http://192.0.2.7:8080");
        assert_eq!(app.send(foreign.json(&body)).await.refusal(), "origin_not_allowed");
        let me = app.send(app.request(Method::GET, "/v1/bff/me").header("cookie", value)).await;
        let me = me.json();
        assert_eq!(me["account"]["email"], "ada@example.com");
        assert_eq!((&me["session"]["ip"], &me["session"]["user_agent"]), (&json!("127.0.0.1"), &json!("Otter/1")));
        assert_eq!(me["owed"], json!([]));
        app.finish().await;
    }

    async fn sessions_are_listed_and_ended_by_their_owner_only(setup: Setup) {
        let app = unlimited(setup).start().await;
        for email in ["ada@example.com", "eve@example.com"] {
            confirmed(&app, email).await;
        }
        let (one, two) = (browser(&app, "ada@example.com").await, browser(&app, "ada@example.com").await);
        let eve = browser(&app, "eve@example.com").await;
        let listed = one.get(&app, "/v1/bff/sessions").await.json();
        let listed = listed["data"].as_array().unwrap();
        let current: Vec<_> = listed.iter().map(|session| session["current"].as_bool().unwrap()).collect();
        assert_eq!(current, [false, true], "newest first");
        let path = format!("/v1/bff/sessions/{}", listed[0]["id"].as_str().unwrap());
        let end = |who: &accounts::Browser| who.request(&app, Method::DELETE, &path);
        assert_eq!(app.send(end(&eve)).await.refusal(), "not_found");
        assert_eq!(app.send(end(&one)).await.json()["status"], "revoked");
        assert_eq!(app.send(end(&one)).await.refusal(), "not_found");
        assert_eq!(two.get(&app, "/v1/bff/me").await.refusal(), "invalid_credentials");
        assert_eq!(one.get(&app, "/v1/bff/me").await.status, 200);
        app.finish().await;
    }

    async fn a_password_change_needs_the_old_password_and_ends_other_sessions(setup: Setup) {
        let app = unlimited(setup).start().await;
        confirmed(&app, "ada@example.com").await;
        let (one, two) = (browser(&app, "ada@example.com").await, browser(&app, "ada@example.com").await);
        let change = async |current: &str, new: &str| {
            let body = json!({ "current_password": current, "password": new });
            one.post(&app, "/v1/bff/auth/password", &body).await
        };
        let new = "eleven green bottles on a wall";
        assert_eq!(change("wrong", new).await.fields(), ["current_password"]);
        assert_eq!(change(PASSWORD, "short").await.refusal(), "weak_password");
        assert_eq!(two.get(&app, "/v1/bff/me").await.status, 200, "nothing has changed yet");
        assert_eq!(change(PASSWORD, new).await.json()["status"], "password_changed");
        assert_eq!(two.get(&app, "/v1/bff/me").await.refusal(), "invalid_credentials");
        assert_eq!(one.get(&app, "/v1/bff/me").await.status, 200);
        accounts::session(&app, "ada@example.com", new).await;
        app.finish().await;
    }

    async fn an_invitation_shows_its_address_until_it_is_used(setup: Setup) {
        let app = unlimited(setup).start().await;
        let token = invite(&app, "Ada@example.com").await;
        let look = async |token: &str| {
            let request = app.request(Method::POST, "/v1/bff/auth/invitation");
            app.send(request.json(&json!({ "invite_token": token }))).await
        };
        assert_eq!(look(&token).await.json(), json!({ "email": "Ada@example.com" }));
        assert_eq!(look("inv_0").await.refusal(), "invite_invalid");
        let body = json!({ "password": PASSWORD, "invite_token": token });
        let registered = app.send(app.request(Method::POST, "/v1/bff/auth/register").json(&body)).await;
        assert_eq!(registered.status, 201);
        assert_eq!(look(&token).await.refusal(), "invite_invalid");
        app.finish().await;
    }
}

#[tokio::test]
async fn the_password_check_applies_the_policy() {
    let app = unlimited(lectern_testkit::Setup::default()).start().await;
    let judge = async |password: &str| {
        let body = json!({ "password": password, "email": "ada@example.com" });
        app.send(app.request(Method::POST, "/v1/bff/auth/password-check").json(&body)).await
    };
    let weak = judge("Q7 ada x").await.json();
    let unmet = weak["requirements"].as_array().unwrap();
    assert!(unmet.contains(&json!("min_length_12")) && unmet.contains(&json!("not_email")), "{weak}");
    assert_eq!(judge(PASSWORD).await.json()["requirements"], json!([]));
    assert_eq!(judge(&"x".repeat(257)).await.fields(), ["password"]);
    app.finish().await;
}

#[tokio::test]
async fn logins_over_both_surfaces_count_together() {
    let app = lectern_testkit::Setup::default().start().await;
    let body = json!({ "email": "nobody@example.com", "password": "wrong" });
    for attempt in 0..10 {
        let path = if attempt % 2 == 0 { "/v1/bff/auth/login" } else { "/v1/saas/auth/login" };
        let reply = app.send(app.request(Method::POST, path).json(&body)).await;
        assert_eq!(reply.refusal(), "invalid_credentials");
    }
    let reply = app.send(app.request(Method::POST, "/v1/bff/auth/login").json(&body)).await;
    assert_eq!(reply.refusal(), "rate_limited");
    app.finish().await;
}
