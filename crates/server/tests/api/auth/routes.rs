//! Every route of the service, and whom it lets in.

use std::collections::BTreeSet;

use lectern_server::http::router;
use lectern_store::Scope;
use lectern_testkit::{Reply, TestApp, on_both};
use reqwest::{Method, RequestBuilder};

/// Whom a route lets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Door {
    /// A key with this scope, or any key.
    Key(Option<Scope>),
    /// The same, also of an account that owes consent.
    KeyOwingConsent(Option<Scope>),
    /// Everybody.
    Open,
    /// Everybody but API keys.
    OpenWeb,
    /// Who is signed in to the web application.
    Session,
    /// The same, also of an account that owes consent.
    SessionOwingConsent,
}

/// What a parameter of the path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// There is none.
    Nothing,
    /// Something that all accounts share.
    Shared(&'static str),
    /// A key: one account's, in one environment.
    Key,
    /// A material: one account's, in one environment. An index beside it is 0.
    Material,
    /// A webhook: one account's, in one environment.
    Webhook,
    /// A webhook and one of its deliveries, with a slash between them.
    Delivery,
}

/// One route.
#[derive(Debug, Clone, Copy)]
pub(super) struct Route {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) door: Door,
    pub(super) names: Names,
}

/// Every route of the document, in the order of the router.
pub(super) const ROUTES: &[Route] = &[
    route("GET", "/v1/saas/me", Door::Key(None), Names::Nothing),
    route("POST", "/v1/saas/keys", Door::Key(Some(Scope::Admin)), Names::Nothing),
    route("GET", "/v1/saas/keys", Door::Key(Some(Scope::Admin)), Names::Nothing),
    route("DELETE", "/v1/saas/keys/{id}", Door::KeyOwingConsent(Some(Scope::Admin)), Names::Key),
    route("GET", "/v1/saas/ereaders", Door::Key(None), Names::Nothing),
    route("GET", "/v1/saas/ereaders/{slug}/sample", Door::Key(None), Names::Shared("heart")),
    route("POST", "/v1/saas/tts:synthesize", Door::Key(Some(Scope::Write)), Names::Nothing),
    route("POST", "/v1/saas/tts:stream", Door::Key(Some(Scope::Write)), Names::Nothing),
    route("POST", "/v1/saas/materials", Door::Key(Some(Scope::Write)), Names::Nothing),
    route("GET", "/v1/saas/materials", Door::Key(Some(Scope::Read)), Names::Nothing),
    route("GET", "/v1/saas/materials/{id}", Door::Key(Some(Scope::Read)), Names::Material),
    route("PATCH", "/v1/saas/materials/{id}", Door::Key(Some(Scope::Write)), Names::Material),
    route("DELETE", "/v1/saas/materials/{id}", Door::Key(Some(Scope::Write)), Names::Material),
    route("POST", "/v1/saas/materials/{id}/convert", Door::Key(Some(Scope::Write)), Names::Material),
    route("GET", "/v1/saas/materials/{id}/chunks", Door::Key(Some(Scope::Read)), Names::Material),
    route(
        "GET",
        "/v1/saas/materials/{id}/chunks/{index}/text",
        Door::Key(Some(Scope::Read)),
        Names::Material,
    ),
    route(
        "GET",
        "/v1/saas/materials/{id}/chunks/{index}/audio",
        Door::Key(Some(Scope::Read)),
        Names::Material,
    ),
    route(
        "GET",
        "/v1/saas/materials/{id}/chunks/{index}/timestamps",
        Door::Key(Some(Scope::Read)),
        Names::Material,
    ),
    route("GET", "/v1/saas/materials/{id}/audio", Door::Key(Some(Scope::Read)), Names::Material),
    route("GET", "/v1/saas/materials/{id}/captions", Door::Key(Some(Scope::Read)), Names::Material),
    route("GET", "/v1/saas/materials/{id}/events", Door::Key(Some(Scope::Read)), Names::Material),
    route("GET", "/v1/saas/credits/balance", Door::Key(Some(Scope::Read)), Names::Nothing),
    route("GET", "/v1/saas/credits/transactions", Door::Key(Some(Scope::Read)), Names::Nothing),
    route("GET", "/v1/saas/usage", Door::Key(Some(Scope::Read)), Names::Nothing),
    route("POST", "/v1/saas/webhooks", Door::Key(Some(Scope::Admin)), Names::Nothing),
    route("GET", "/v1/saas/webhooks", Door::Key(Some(Scope::Admin)), Names::Nothing),
    route("GET", "/v1/saas/webhooks/{id}", Door::Key(Some(Scope::Admin)), Names::Webhook),
    route("PATCH", "/v1/saas/webhooks/{id}", Door::Key(Some(Scope::Admin)), Names::Webhook),
    route("DELETE", "/v1/saas/webhooks/{id}", Door::KeyOwingConsent(Some(Scope::Admin)), Names::Webhook),
    route("POST", "/v1/saas/webhooks/{id}/rotate-secret", Door::Key(Some(Scope::Admin)), Names::Webhook),
    route("POST", "/v1/saas/webhooks/{id}/test", Door::Key(Some(Scope::Admin)), Names::Webhook),
    route("GET", "/v1/saas/webhooks/{id}/deliveries", Door::Key(Some(Scope::Admin)), Names::Webhook),
    route(
        "GET",
        "/v1/saas/webhooks/{id}/deliveries/{delivery_id}",
        Door::Key(Some(Scope::Admin)),
        Names::Delivery,
    ),
    route(
        "POST",
        "/v1/saas/webhooks/{id}/deliveries/{delivery_id}/retry",
        Door::Key(Some(Scope::Admin)),
        Names::Delivery,
    ),
    route("GET", "/v1/saas/events", Door::Key(Some(Scope::Read)), Names::Nothing),
    route("POST", "/v1/saas/auth/register", Door::Open, Names::Nothing),
    route("POST", "/v1/saas/auth/login", Door::Open, Names::Nothing),
    route("POST", "/v1/bff/auth/confirm", Door::OpenWeb, Names::Nothing),
    route("POST", "/v1/bff/auth/forgot", Door::OpenWeb, Names::Nothing),
    route("POST", "/v1/bff/auth/reset", Door::OpenWeb, Names::Nothing),
    route("POST", "/v1/bff/auth/logout", Door::SessionOwingConsent, Names::Nothing),
    route("POST", "/v1/bff/auth/login", Door::OpenWeb, Names::Nothing),
    route("POST", "/v1/bff/auth/register", Door::OpenWeb, Names::Nothing),
    route("GET", "/v1/bff/auth/registration", Door::OpenWeb, Names::Nothing),
    route("POST", "/v1/bff/auth/invitation", Door::OpenWeb, Names::Nothing),
    route("POST", "/v1/bff/auth/password-check", Door::OpenWeb, Names::Nothing),
    route("POST", "/v1/bff/auth/password", Door::SessionOwingConsent, Names::Nothing),
    route("GET", "/v1/bff/me", Door::SessionOwingConsent, Names::Nothing),
    route("GET", "/v1/bff/sessions", Door::SessionOwingConsent, Names::Nothing),
    route("DELETE", "/v1/bff/sessions/{id}", Door::SessionOwingConsent, Names::Shared("ses_0")),
    route("GET", "/v1/bff/consent", Door::SessionOwingConsent, Names::Nothing),
    route("POST", "/v1/bff/consent", Door::SessionOwingConsent, Names::Nothing),
    route("GET", "/v1/bff/overview", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/usage", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/credits/balance", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/credits/transactions", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/credits/transactions.csv", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/credits/packs", Door::SessionOwingConsent, Names::Nothing),
    route("POST", "/v1/bff/purchases", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/purchases", Door::SessionOwingConsent, Names::Nothing),
    route("GET", "/v1/bff/purchases/{id}", Door::SessionOwingConsent, Names::Shared("pur_0")),
    route("DELETE", "/v1/bff/purchases/{id}", Door::SessionOwingConsent, Names::Shared("pur_0")),
    route("POST", "/v1/bff/keys", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/keys", Door::Session, Names::Nothing),
    route("DELETE", "/v1/bff/keys/{id}", Door::SessionOwingConsent, Names::Key),
    route("GET", "/v1/bff/ereaders", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/ereaders/{slug}/sample", Door::Session, Names::Shared("heart")),
    route("POST", "/v1/bff/tts:synthesize", Door::Session, Names::Nothing),
    route("POST", "/v1/bff/materials", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/materials", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/materials/{id}", Door::Session, Names::Material),
    route("PATCH", "/v1/bff/materials/{id}", Door::Session, Names::Material),
    route("DELETE", "/v1/bff/materials/{id}", Door::Session, Names::Material),
    route("POST", "/v1/bff/materials/{id}/convert", Door::Session, Names::Material),
    route("GET", "/v1/bff/materials/{id}/chunks", Door::Session, Names::Material),
    route("GET", "/v1/bff/materials/{id}/chunks/{index}/text", Door::Session, Names::Material),
    route("GET", "/v1/bff/materials/{id}/chunks/{index}/audio", Door::Session, Names::Material),
    route("GET", "/v1/bff/materials/{id}/chunks/{index}/timestamps", Door::Session, Names::Material),
    route("GET", "/v1/bff/materials/{id}/audio", Door::Session, Names::Material),
    route("GET", "/v1/bff/materials/{id}/captions", Door::Session, Names::Material),
    route("GET", "/v1/bff/materials/{id}/events", Door::Session, Names::Material),
    route("GET", "/v1/bff/credits/statement", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/credits/statement/{id}", Door::Session, Names::Material),
    route("GET", "/v1/bff/credits/threshold", Door::SessionOwingConsent, Names::Nothing),
    route("PUT", "/v1/bff/credits/threshold", Door::Session, Names::Nothing),
    route("POST", "/v1/bff/webhooks", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/webhooks", Door::Session, Names::Nothing),
    route("GET", "/v1/bff/webhooks/{id}", Door::Session, Names::Webhook),
    route("PATCH", "/v1/bff/webhooks/{id}", Door::Session, Names::Webhook),
    route("DELETE", "/v1/bff/webhooks/{id}", Door::SessionOwingConsent, Names::Webhook),
    route("POST", "/v1/bff/webhooks/{id}/rotate-secret", Door::Session, Names::Webhook),
    route("POST", "/v1/bff/webhooks/{id}/test", Door::Session, Names::Webhook),
    route("GET", "/v1/bff/webhooks/{id}/deliveries", Door::Session, Names::Webhook),
    route("GET", "/v1/bff/webhooks/{id}/deliveries/{delivery_id}", Door::Session, Names::Webhook),
    route("POST", "/v1/bff/webhooks/{id}/deliveries/{delivery_id}/retry", Door::Session, Names::Webhook),
    route("POST", "/v1/payments/stripe/events", Door::Open, Names::Nothing),
    route("POST", "/v1/audio/speech", Door::Key(Some(Scope::Write)), Names::Nothing),
    route("GET", "/v1/models", Door::Key(None), Names::Nothing),
    route("GET", "/v1/models/{model}", Door::Key(None), Names::Shared("lectern")),
    route("GET", "/v1/audio/voices", Door::Key(None), Names::Nothing),
    route("GET", "/media/{object}", Door::Open, Names::Shared("syntheses")),
    route("GET", "/openapi.json", Door::Open, Names::Nothing),
];

/// The pages outside the document: they take no key, have nothing but `GET`, and answer all alike. The path, what the
/// router calls it, and the status.
const PAGES: &[(&str, &str, u16)] = &[
    ("/docs", "/docs", 200),
    ("/docs/", "/docs/", 308),
    ("/", "/", 200),
    ("/sign-in", "/sign-in", 200),
    ("/register", "/register", 200),
    ("/confirm", "/confirm", 200),
    ("/forgot", "/forgot", 200),
    ("/reset", "/reset", 200),
    ("/agree", "/agree", 200),
    ("/try", "/try", 200),
    ("/e-readers", "/e-readers", 200),
    ("/materials", "/materials", 200),
    ("/keys", "/keys", 200),
    ("/webhooks", "/webhooks", 200),
    ("/credits", "/credits", 200),
    ("/settings", "/settings", 200),
    ("/materials/mat_0", "/materials/{id}", 200),
    ("/webhooks/whk_0", "/webhooks/{id}", 200),
    ("/assets/nothing.js", "/assets/{file}", 404),
];

/// What else is outside the document: paths of the web application that are none. A path, and what the router calls it.
const NOWHERE: &[(&str, &str)] =
    &[("/v1/bff", "/v1/bff"), ("/v1/bff/", "/v1/bff/"), ("/v1/bff/nothing", "/v1/bff/{rest}")];

/// Files of the web application, which a build may be without.
const FILES: &[&str] = &["/icon.svg"];

const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE"];

const fn route(method: &'static str, path: &'static str, door: Door, names: Names) -> Route {
    Route { method, path, door, names }
}

impl Route {
    /// Whether it takes a session.
    pub(super) fn is_for_sessions(&self) -> bool {
        matches!(self.door, Door::Session | Door::SessionOwingConsent)
    }

    /// Whether it takes a key.
    pub(super) fn is_keyed(&self) -> bool {
        matches!(self.door, Door::Key(_) | Door::KeyOwingConsent(_))
    }

    /// The scope it needs of a key, if any.
    fn scope(&self) -> Option<Scope> {
        match self.door {
            Door::Key(scope) | Door::KeyOwingConsent(scope) => scope,
            Door::Open | Door::OpenWeb | Door::Session | Door::SessionOwingConsent => None,
        }
    }

    /// A request to it, without a body. What the path names is there for all, or is no such thing.
    pub(super) fn request(&self, app: &TestApp) -> RequestBuilder {
        let name = if let Names::Shared(name) = self.names { name } else { "nothing" };
        self.request_for(app, name)
    }

    /// A request to it for what this names.
    pub(super) fn request_for(&self, app: &TestApp, name: &str) -> RequestBuilder {
        let (name, within) = name.split_once('/').unwrap_or((name, "nothing"));
        let path = self.path.replace("{index}", "0").replace("{delivery_id}", within);
        let path = match (path.find('{'), path.find('}')) {
            (Some(from), Some(to)) => format!("{}{name}{}", &path[..from], &path[to + 1..]),
            _ => path,
        };
        app.request(self.method.parse().unwrap(), &path)
    }
}

/// The routes that take a key, and the scope each needs.
pub(super) fn keyed() -> impl Iterator<Item = (&'static Route, Option<Scope>)> {
    ROUTES.iter().filter(|route| route.is_keyed()).map(|route| (route, route.scope()))
}

// Negative control: with a row taken out of ROUTES this fails and names it.
#[tokio::test]
async fn every_route_of_the_document_is_in_the_matrix() {
    let app = TestApp::start().await;
    let document = app.send(app.request(Method::GET, "/openapi.json")).await.json();
    let mut documented = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let key = operation.get("security").is_none();
            documented.push((method.to_uppercase(), path.clone(), key, path.contains('{')));
        }
    }
    let mut listed: Vec<_> = ROUTES
        .iter()
        .map(|route| {
            let named = route.names != Names::Nothing;
            (route.method.to_owned(), route.path.to_owned(), route.is_keyed(), named)
        })
        .collect();
    documented.sort();
    listed.sort();
    assert_eq!(documented, listed);
    app.finish().await;
}

/// The paths that the router itself knows, by what it shows of itself, written as the document does: that has no `{*…}`.
fn routed(app: &TestApp) -> BTreeSet<String> {
    let shown = format!("{:?}", router::public(app.app.clone()));
    let (_, paths) = shown.split_once("node: Node { paths: {").unwrap();
    let (paths, _) = paths.split_once("} }").unwrap();
    paths.split('"').skip(1).step_by(2).map(|path| path.replace("{*", "{")).collect()
}

// Negative control: with `/v1/hidden` merged beside the document's routes this fails and names it.
#[tokio::test]
async fn every_path_of_the_router_is_in_the_matrix_or_listed_as_open() {
    let app = TestApp::start().await;
    let listed = ROUTES.iter().map(|route| route.path);
    let listed = listed.chain(PAGES.iter().map(|page| page.1)).chain(NOWHERE.iter().map(|nowhere| nowhere.1));
    let listed = listed.chain(FILES.iter().copied());
    assert_eq!(routed(&app), listed.map(str::to_owned).collect());
    app.finish().await;
}

// Negative control: with a `PUT` of `/v1/saas/me` merged beside the document's routes this fails.
#[tokio::test]
async fn no_path_answers_to_a_method_that_is_not_listed() {
    let app = TestApp::start().await;
    let with = |method: &str, path: &str| app.send(app.request(method.parse().unwrap(), path));
    for one in ROUTES {
        for method in METHODS {
            if ROUTES.iter().any(|route| (route.path, route.method) == (one.path, *method)) {
                continue;
            }
            let unlisted = Route { method, ..*one };
            let reply = app.send(unlisted.request(&app)).await;
            assert_eq!(reply.status, 405, "{unlisted:?}");
            assert_eq!(reply.refusal(), "method_not_allowed", "{unlisted:?}");
        }
    }
    for (path, ..) in PAGES {
        for method in METHODS.iter().filter(|method| **method != "GET") {
            assert_eq!(with(method, path).await.refusal(), "method_not_allowed", "{method} {path}");
        }
    }
    app.finish().await;
}

/// What every answer carries, whoever asks for whatever.
fn check_headers(reply: &Reply, what: &str) {
    let id = reply.header("x-request-id");
    assert!(id.parse::<lectern_types::RequestId>().is_ok(), "{what}: {id:?}");
    assert_eq!(reply.header("x-content-type-options"), "nosniff", "{what}");
    if reply.header("content-type").starts_with("text/html") {
        let policy = reply.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{what}: {policy}");
    }
}

#[tokio::test]
async fn every_answer_of_every_route_names_its_request_and_forbids_sniffing() {
    let app = TestApp::start().await;
    for route in ROUTES {
        check_headers(&app.send(route.request(&app)).await, route.path);
    }
    for path in FILES.iter().copied().chain(NOWHERE.iter().map(|nowhere| nowhere.0)).chain(["/nothing"]) {
        for method in ["GET", "HEAD", "POST", "OPTIONS"] {
            let reply = app.send(app.request(method.parse().unwrap(), path)).await;
            check_headers(&reply, &format!("{method} {path}"));
        }
    }
    app.finish().await;
}

on_both! {
    async fn what_is_outside_the_document_says_the_same_to_all(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        for (path, _, status) in PAGES {
            let open = app.send(app.request(Method::GET, path)).await;
            assert_eq!(open.status, *status, "{path}");
            check_headers(&open, path);
            if *status == 404 {
                continue;
            }
            for token in [account.live.as_str(), account.test.as_str(), "nonsense"] {
                let reply = app.get(path, token).await;
                assert_eq!((reply.status, &reply.bytes), (open.status, &open.bytes), "{path}");
                let told = String::from_utf8_lossy(&reply.bytes);
                assert!(!told.contains(&account.email) && !told.contains(token), "{path}");
                // Nobody's requests are counted.
                assert!(!reply.headers.contains_key("ratelimit"), "{path}");
            }
        }
        for (path, _) in NOWHERE {
            for method in METHODS {
                let request = || app.request(method.parse().unwrap(), path);
                assert_eq!(app.send(request()).await.refusal(), "invalid_credentials", "{method} {path}");
                let keyed = app.send(request().bearer_auth(&account.live)).await;
                assert_eq!(keyed.refusal(), "api_key_not_allowed_on_bff", "{method} {path}");
            }
        }
        app.finish().await;
    }
}
