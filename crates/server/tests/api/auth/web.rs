//! Routes that take no key: open routes, and those of the web application.

use lectern_store::consent;
use lectern_testkit::on_both;
use lectern_types::DocumentKind;

use super::{
    revoked_key,
    routes::{Access, ROUTES},
};
use crate::accounts;

/// The error codes about credentials.
const CREDENTIAL_CODES: &[&str] = &[
    "missing_api_key",
    "invalid_api_key",
    "api_key_revoked",
    "api_key_expired",
    "bearer_not_allowed_on_saas",
    "api_key_not_allowed_on_bff",
    "consent_required",
    "insufficient_scope",
];

on_both! {
    async fn open_routes_need_no_credential_and_ignore_any(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(0).await;
        let revoked = revoked_key(&app, &account, None).await;
        for route in ROUTES.iter().filter(|route| matches!(route.access, Access::Open | Access::OpenWeb)) {
            for credential in [None, Some("nonsense"), Some(account.live.as_str()), Some(revoked.as_str())] {
                if route.access == Access::OpenWeb && credential.is_some_and(|key| key.starts_with("svc_")) {
                    continue;
                }
                let request = route.request(&app);
                let request = match credential {
                    Some(token) => request.bearer_auth(token),
                    None => request,
                };
                let reply = app.send(request).await;
                let code = if reply.status.is_success() { String::new() } else { reply.refusal() };
                assert!(!CREDENTIAL_CODES.contains(&code.as_str()), "{route:?} with {credential:?}: {code}");
            }
        }
        app.finish().await;
    }

    // Negative control: with `is_key_on_bff` always false, the open routes accept the key, and this
    // fails.
    async fn the_web_applications_routes_refuse_every_api_key_first(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(0).await;
        let revoked = revoked_key(&app, &account, None).await;
        let web = ROUTES.iter().filter(|route| route.access == Access::OpenWeb || route.is_for_sessions());
        for route in web {
            for key in [&account.live, &account.test, &revoked, "svc_", "svc_live_mangled"] {
                let reply = app.send(route.request(&app).bearer_auth(key).body("not JSON")).await;
                assert_eq!(reply.refusal(), "api_key_not_allowed_on_bff", "{route:?} with {key}");
            }
        }
        app.finish().await;
    }

    async fn a_session_opens_the_web_applications_routes_and_nothing_else_does(setup: Setup) {
        let app = accounts::unlimited(setup).start().await;
        accounts::confirmed(&app, "signed-in@example.com").await;
        for route in ROUTES.iter().filter(|route| route.is_for_sessions()) {
            for token in ["nonsense", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJFZERTQSJ9.e30.c2ln"] {
                let reply = app.send(route.request(&app).bearer_auth(token)).await;
                assert_eq!(reply.refusal(), "invalid_credentials", "{route:?} with {token}");
            }
            assert_eq!(app.send(route.request(&app)).await.refusal(), "invalid_credentials", "{route:?}");
            let session = accounts::session(&app, "signed-in@example.com", accounts::PASSWORD).await;
            let reply = app.send(route.request(&app).bearer_auth(&session)).await;
            let code = if reply.status.is_success() { String::new() } else { reply.refusal() };
            let is_about_who = CREDENTIAL_CODES.contains(&code.as_str()) || code == "invalid_credentials";
            assert!(!is_about_who, "{route:?}: {code}");
        }
        app.finish().await;
    }

    // Negative control: when the extractor ignores `CONSENT_EXEMPT`, revoking a key is refused, and
    // this fails.
    async fn a_session_of_an_account_that_owes_consent_may_do_what_it_takes_to_accept(setup: Setup) {
        let app = accounts::unlimited(setup).start().await;
        accounts::confirmed(&app, "owes@example.com").await;
        let now = app.clock.now();
        consent::publish(&app.base.store, DocumentKind::Terms, "1", "Fair.", now).await.unwrap();
        for route in ROUTES.iter().filter(|route| route.is_for_sessions()) {
            let session = accounts::session(&app, "owes@example.com", accounts::PASSWORD).await;
            let reply = app.send(route.request(&app).bearer_auth(&session)).await;
            let code = if reply.status.is_success() { String::new() } else { reply.refusal() };
            assert_eq!(code == "consent_required", route.access == Access::Session, "{route:?}: {code}");
        }
        app.finish().await;
    }

    // Negative control: without the check of the CSRF token in `session::find`, signing out
    // succeeds.
    async fn a_cookie_without_the_csrf_token_changes_nothing(setup: Setup) {
        let app = accounts::unlimited(setup).start().await;
        accounts::confirmed(&app, "cookie@example.com").await;
        let (one, other) = (
            accounts::browser(&app, "cookie@example.com").await,
            accounts::browser(&app, "cookie@example.com").await,
        );
        for route in ROUTES.iter().filter(|route| route.is_for_sessions() && route.method != "GET") {
            for said in [None, Some("1"), Some(""), Some(other.csrf.as_str())] {
                let request = route.request(&app).header("cookie", &one.cookie);
                let request = match said {
                    Some(said) => request.header("x-lectern-csrf", said),
                    None => request,
                };
                let reply = app.send(request.header("origin", &app.url)).await;
                assert_eq!(reply.refusal(), "invalid_credentials", "{route:?} with {said:?}");
            }
            let foreign = route.request(&app).header("cookie", &one.cookie).header("x-lectern-csrf", &one.csrf);
            let reply = app.send(foreign.header("sec-fetch-site", "cross-site")).await;
            assert_eq!(reply.refusal(), "invalid_credentials", "{route:?} from another site");
        }
        let out = app.request(reqwest::Method::POST, "/v1/bff/auth/logout").header("cookie", &one.cookie);
        assert_eq!(app.send(out.header("x-lectern-csrf", &one.csrf)).await.status, 200);
        app.finish().await;
    }
}
