//! Keys, consent and scopes: every route with a key, with every credential.

use lectern_server::services::keys;
use lectern_store::{Environment, Scope, Scopes, consent, keys as stored};
use lectern_testkit::{Account, TestApp};
use reqwest::Method;
use secrecy::ExposeSecret as _;
use serde_json::json;

/// Every route that takes a key, and the scope it needs. The test `every_route_is_in_the_matrix` fails when one is
/// missing.
const ROUTES: &[(&str, &str, Option<Scope>)] = &[
    ("GET", "/v1/saas/me", None),
    ("POST", "/v1/saas/keys", Some(Scope::Admin)),
    ("GET", "/v1/saas/keys", Some(Scope::Admin)),
    ("DELETE", "/v1/saas/keys/{id}", Some(Scope::Admin)),
    ("GET", "/v1/saas/ereaders", None),
    ("GET", "/v1/saas/ereaders/{slug}/sample", None),
    ("POST", "/v1/saas/tts:synthesize", Some(Scope::Write)),
    ("POST", "/v1/saas/tts:stream", Some(Scope::Write)),
    ("POST", "/v1/audio/speech", Some(Scope::Write)),
    ("GET", "/v1/audio/voices", None),
    ("GET", "/v1/models", None),
    ("GET", "/v1/models/{model}", None),
    ("GET", "/v1/saas/credits/balance", Some(Scope::Read)),
    ("GET", "/v1/saas/credits/transactions", Some(Scope::Read)),
    ("GET", "/v1/saas/usage", Some(Scope::Read)),
];

/// Routes without a key.
const OPEN: &[&str] = &[
    "/media/{object}",
    "/openapi.json",
    "/v1/saas/auth/register",
    "/v1/saas/auth/login",
    "/v1/bff/auth/confirm",
    "/v1/bff/auth/forgot",
    "/v1/bff/auth/reset",
    "/v1/bff/auth/logout",
];

async fn key_with(
    app: &TestApp,
    account: &Account,
    scopes: Scopes,
    seconds: Option<i64>,
) -> (stored::Key, String) {
    let plain = keys::mint(true);
    let hash = keys::hash(&app.app.secrets.pepper, plain.expose_secret());
    let new = stored::NewKey {
        id: app.app.ids.make(),
        hash: &hash,
        hint: keys::hint(plain.expose_secret()),
        name: "made by a test",
        scopes,
        environment: Environment::Live,
        expires_at: seconds.map(|seconds| app.clock.now().plus_seconds(seconds)),
    };
    let store = &app.app.store;
    let made =
        stored::create(store, account.id, Environment::Live, &new, None, app.clock.now()).await.unwrap();
    let stored::CreateOutcome::Created(key) = made else { panic!("replayed") };
    (key, plain.expose_secret().to_owned())
}

#[tokio::test]
async fn every_route_is_in_the_matrix() {
    let app = TestApp::start().await;
    let document = app.send(app.request(Method::GET, "/openapi.json")).await.json();
    let mut documented = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            if !OPEN.contains(&path.as_str()) {
                documented.push((method.to_uppercase(), path.clone()));
            }
        }
    }
    let mut listed: Vec<_> = ROUTES.iter().map(|(m, p, _)| ((*m).to_owned(), (*p).to_owned())).collect();
    documented.sort();
    listed.sort();
    assert_eq!(documented, listed);
    app.finish().await;
}

// Negative control: with every key judged as of 1970 the expired ones are taken, and this fails.
#[tokio::test]
async fn every_route_refuses_every_bad_credential_before_it_reads_the_body() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    let (revoked, revoked_key) = key_with(&app, &account, Scopes::ALL, None).await;
    let now = app.clock.now();
    stored::revoke(&app.app.store, account.id, Environment::Live, revoked.id, now).await.unwrap();
    let (_, expired_key) = key_with(&app, &account, Scopes::ALL, Some(60)).await;
    let (both, both_key) = key_with(&app, &account, Scopes::ALL, Some(60)).await;
    stored::revoke(&app.app.store, account.id, Environment::Live, both.id, now).await.unwrap();
    app.clock.advance_seconds(60);
    let live = account.live.as_str();
    let unknown = keys::mint(true);
    let bearer = |key: &str| format!("Bearer {key}");
    let credentials = [
        (vec![], "missing_api_key"),
        (vec![String::new()], "invalid_api_key"),
        (vec!["Bearer".to_owned()], "invalid_api_key"),
        (vec!["Bearer ".to_owned()], "invalid_api_key"),
        (vec![format!("Basic {live}")], "invalid_api_key"),
        (vec![live.to_owned()], "invalid_api_key"),
        (vec![bearer(live), bearer(live)], "invalid_api_key"),
        (vec![bearer(&live[..live.len() - 1])], "invalid_api_key"),
        (vec![bearer(&live.replace("live", "test"))], "invalid_api_key"),
        (vec![bearer(&format!("{live}x"))], "invalid_api_key"),
        (vec![bearer(&live.to_lowercase())], "invalid_api_key"),
        (vec![bearer(unknown.expose_secret())], "invalid_api_key"),
        (vec![bearer("eyJhbGciOiJFZERTQSJ9.e30.c2ln")], "bearer_not_allowed_on_saas"),
        (vec![bearer(&revoked_key)], "api_key_revoked"),
        (vec![bearer(&expired_key)], "api_key_expired"),
        (vec![bearer(&both_key)], "api_key_revoked"),
    ];
    for (method, path, _) in ROUTES {
        for (values, code) in &credentials {
            let path = path.replace("{slug}", "heart").replace("{id}", "key_0").replace("{model}", "lectern");
            let mut request = app.request(method.parse().unwrap(), &path).body("not JSON");
            for value in values {
                request = request.header("authorization", value);
            }
            assert_eq!(app.send(request).await.refusal(), *code, "{method} {path} with {values:?}");
        }
    }
    app.finish().await;
}

// Negative control: with the scope's comparison taken out of the extractor every key is taken.
#[tokio::test]
async fn each_route_needs_its_scope_and_no_other() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    for (method, path, needed) in ROUTES {
        for scope in Scope::ALL {
            let (_, key) = key_with(&app, &account, [*scope].into_iter().collect(), None).await;
            let request = app.request(
                method.parse().unwrap(),
                &path.replace("{slug}", "heart").replace("{id}", "key_0").replace("{model}", "lectern"),
            );
            let reply = app.send(request.bearer_auth(&key).header("content-type", "application/json")).await;
            let refused = !reply.status.is_success() && reply.refusal() == "insufficient_scope";
            assert_eq!(
                refused,
                needed.is_some_and(|needed| needed != *scope),
                "{method} {path} with {scope}"
            );
        }
    }
    app.finish().await;
}

// Negative control: with `check_consent` taken out of the extractor every route answers.
#[tokio::test]
async fn an_account_that_owes_consent_is_refused_until_it_accepts() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    let (store, now) = (&app.app.store, app.clock.now());
    consent::publish(store, consent::Document::Privacy, "2026-01-01", "Private.", now).await.unwrap();
    consent::publish(store, consent::Document::Terms, "2026-02-02", "Fair.", now).await.unwrap();
    for key in [&account.live, &account.test] {
        for (method, path, _) in ROUTES {
            let request = app.request(
                method.parse().unwrap(),
                &path.replace("{slug}", "heart").replace("{id}", "key_0").replace("{model}", "lectern"),
            );
            let reply = app.send(request.bearer_auth(key)).await;
            if *method == "DELETE" {
                assert_eq!(reply.refusal(), "not_found", "{method} {path} is open to who owes consent");
                continue;
            }
            assert_eq!(reply.refusal(), "consent_required", "{method} {path}");
            assert_eq!(
                reply.json()["error"]["details"],
                json!({
                    "owed": ["terms", "privacy"],
                    "terms_version": "2026-02-02",
                    "privacy_version": "2026-01-01",
                })
            );
        }
    }
    consent::accept_current(store, account.id, consent::AcceptedBy::Operator, now).await.unwrap();
    let me = app.get("/v1/saas/me", &account.live).await;
    assert_eq!(me.status, 200);
    assert_eq!(me.json()["consent"]["terms_accepted_version"], "2026-02-02");
    app.finish().await;
}

#[tokio::test]
async fn the_profile_is_the_accounts_and_the_keys() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    let me = app.get("/v1/saas/me", &account.test).await.json();
    assert_eq!(me["id"], account.id.to_string());
    assert_eq!(me["email"], account.email);
    assert_eq!((&me["environment"], &me["tier"]), (&json!("test"), &json!("free")));
    assert_eq!(me["key"]["scopes"], json!(["read", "write", "admin"]));
    assert_eq!(me["consent"], json!({ "terms_accepted_version": null, "privacy_accepted_version": null }));
    assert_eq!((&me["email_confirmed"], &me["has_purchased_credits"]), (&json!(true), &json!(true)));
    assert_eq!(me["created_at"], "2026-11-21T07:08:11.524Z");
    app.finish().await;
}

#[tokio::test]
async fn the_request_limit_is_told_and_kept() {
    let app =
        lectern_testkit::Setup::default().set("LECTERN_RATE_LIMIT__REQUESTS_PER_MINUTE", "3").start().await;
    let (one, other) = (app.account(0).await, app.account(0).await);
    for left in [2, 1, 0] {
        let reply = app.get("/v1/saas/me", &one.live).await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("ratelimit-policy"), "\"account\";q=3;w=60");
        assert!(reply.header("ratelimit").starts_with(&format!("\"account\";r={left};t=")));
    }
    let over = app.get("/v1/saas/me", &one.test).await;
    assert_eq!((over.refusal().as_str(), over.header("retry-after")), ("rate_limited", "20"));
    assert_eq!(app.get("/v1/saas/me", &other.live).await.status, 200);
    app.clock.advance_seconds(20);
    assert_eq!(app.get("/v1/saas/me", &one.live).await.status, 200);
    app.finish().await;
}
