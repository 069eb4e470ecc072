//! Every route of the service, and the credentials that it accepts. Most of it is the table of routes, which stays in one place so
//! that it can be compared with the router and read as a whole.

use std::{collections::BTreeSet, sync::Arc};

use lectern_http::router;
use lectern_store::Scope;
use lectern_testkit::{Reply, TestApp, on_both};
use reqwest::{Method, RequestBuilder};

/// The credentials that a route accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// A key with this scope, or any key.
    Key(Option<Scope>),
    /// Like `Key`, but also for an account that owes consent.
    KeyOwingConsent(Option<Scope>),
    /// No credential is needed.
    Open,
    /// No credential is needed, but API keys are refused.
    OpenWeb,
    /// A session of the web application.
    Session,
    /// Like `Session`, also for an account that owes consent.
    SessionOwingConsent,
}

/// The resource that a path's parameter names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resource {
    /// The path has no parameter.
    Nothing,
    /// A resource that all accounts share.
    Shared(&'static str),
    /// A key: it belongs to one account, in one environment.
    Key,
    /// A material: it belongs to one account, in one environment. An index in the same path is 0.
    Material,
    /// A lexicon: it belongs to one account, in one environment.
    Lexicon,
    /// A webhook: it belongs to one account, in one environment.
    Webhook,
    /// A webhook and one of its deliveries, with a slash between them.
    Delivery,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Route {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) access: Access,
    pub(super) resource: Resource,
}

/// Every route of the document, in the order of the router.
pub(super) const ROUTES: &[Route] = &[
    route("GET", "/v1/saas/me", Access::Key(None), Resource::Nothing),
    route("POST", "/v1/saas/keys", Access::Key(Some(Scope::Admin)), Resource::Nothing),
    route("GET", "/v1/saas/keys", Access::Key(Some(Scope::Admin)), Resource::Nothing),
    route("PATCH", "/v1/saas/keys/{id}", Access::Key(Some(Scope::Admin)), Resource::Key),
    route("POST", "/v1/saas/keys/{id}/roll", Access::Key(Some(Scope::Admin)), Resource::Key),
    route("DELETE", "/v1/saas/keys/{id}", Access::KeyOwingConsent(Some(Scope::Admin)), Resource::Key),
    route("GET", "/v1/saas/ereaders", Access::Key(None), Resource::Nothing),
    route("GET", "/v1/saas/ereaders/{slug}", Access::Key(None), Resource::Shared("heart")),
    route("GET", "/v1/saas/ereaders/{slug}/sample", Access::Key(None), Resource::Shared("heart")),
    route("POST", "/v1/saas/tts:synthesize", Access::Key(Some(Scope::Write)), Resource::Nothing),
    route("POST", "/v1/saas/tts:stream", Access::Key(Some(Scope::Write)), Resource::Nothing),
    route("GET", "/v1/saas/tts:socket", Access::Key(Some(Scope::Write)), Resource::Nothing),
    route("POST", "/v1/saas/materials", Access::Key(Some(Scope::Write)), Resource::Nothing),
    route("GET", "/v1/saas/materials", Access::Key(Some(Scope::Read)), Resource::Nothing),
    route("GET", "/v1/saas/materials/{id}", Access::Key(Some(Scope::Read)), Resource::Material),
    route("PATCH", "/v1/saas/materials/{id}", Access::Key(Some(Scope::Write)), Resource::Material),
    route("DELETE", "/v1/saas/materials/{id}", Access::Key(Some(Scope::Write)), Resource::Material),
    route("POST", "/v1/saas/materials/{id}/convert", Access::Key(Some(Scope::Write)), Resource::Material),
    route("POST", "/v1/saas/materials/{id}/cancel", Access::Key(Some(Scope::Write)), Resource::Material),
    route("GET", "/v1/saas/materials/{id}/chapters", Access::Key(Some(Scope::Read)), Resource::Material),
    route(
        "PATCH",
        "/v1/saas/materials/{id}/chapters/{index}",
        Access::Key(Some(Scope::Write)),
        Resource::Material,
    ),
    route("GET", "/v1/saas/materials/{id}/cover", Access::Key(Some(Scope::Read)), Resource::Material),
    route("PUT", "/v1/saas/materials/{id}/cover", Access::Key(Some(Scope::Write)), Resource::Material),
    route("DELETE", "/v1/saas/materials/{id}/cover", Access::Key(Some(Scope::Write)), Resource::Material),
    route(
        "PUT",
        "/v1/saas/materials/{id}/chunks/{index}/text",
        Access::Key(Some(Scope::Write)),
        Resource::Material,
    ),
    route("POST", "/v1/saas/materials/{id}/feed", Access::Key(Some(Scope::Write)), Resource::Material),
    route("GET", "/v1/saas/materials/{id}/feed", Access::Key(Some(Scope::Read)), Resource::Material),
    route("DELETE", "/v1/saas/materials/{id}/feed", Access::Key(Some(Scope::Write)), Resource::Material),
    route("GET", "/v1/saas/materials/{id}/cast", Access::Key(Some(Scope::Read)), Resource::Material),
    route("PUT", "/v1/saas/materials/{id}/cast", Access::Key(Some(Scope::Write)), Resource::Material),
    route("GET", "/v1/saas/materials/{id}/quotes", Access::Key(Some(Scope::Read)), Resource::Material),
    route("PATCH", "/v1/saas/materials/{id}/quotes", Access::Key(Some(Scope::Write)), Resource::Material),
    route("GET", "/v1/saas/materials/{id}/chunks", Access::Key(Some(Scope::Read)), Resource::Material),
    route(
        "GET",
        "/v1/saas/materials/{id}/chunks/{index}/text",
        Access::Key(Some(Scope::Read)),
        Resource::Material,
    ),
    route(
        "GET",
        "/v1/saas/materials/{id}/chunks/{index}/audio",
        Access::Key(Some(Scope::Read)),
        Resource::Material,
    ),
    route(
        "GET",
        "/v1/saas/materials/{id}/chunks/{index}/timestamps",
        Access::Key(Some(Scope::Read)),
        Resource::Material,
    ),
    route("GET", "/v1/saas/materials/{id}/audio", Access::Key(Some(Scope::Read)), Resource::Material),
    route("GET", "/v1/saas/materials/{id}/captions", Access::Key(Some(Scope::Read)), Resource::Material),
    route("GET", "/v1/saas/materials/{id}/events", Access::Key(Some(Scope::Read)), Resource::Material),
    route("GET", "/v1/saas/credits/balance", Access::Key(Some(Scope::Read)), Resource::Nothing),
    route("GET", "/v1/saas/credits/transactions", Access::Key(Some(Scope::Read)), Resource::Nothing),
    route("GET", "/v1/saas/usage", Access::Key(Some(Scope::Read)), Resource::Nothing),
    route("POST", "/v1/saas/lexicons", Access::Key(Some(Scope::Write)), Resource::Nothing),
    route("GET", "/v1/saas/lexicons", Access::Key(Some(Scope::Read)), Resource::Nothing),
    route("GET", "/v1/saas/lexicons/{id}", Access::Key(Some(Scope::Read)), Resource::Lexicon),
    route("PUT", "/v1/saas/lexicons/{id}", Access::Key(Some(Scope::Write)), Resource::Lexicon),
    route("DELETE", "/v1/saas/lexicons/{id}", Access::Key(Some(Scope::Write)), Resource::Lexicon),
    route("POST", "/v1/saas/webhooks", Access::Key(Some(Scope::Admin)), Resource::Nothing),
    route("GET", "/v1/saas/webhooks", Access::Key(Some(Scope::Admin)), Resource::Nothing),
    route("GET", "/v1/saas/webhooks/{id}", Access::Key(Some(Scope::Admin)), Resource::Webhook),
    route("PATCH", "/v1/saas/webhooks/{id}", Access::Key(Some(Scope::Admin)), Resource::Webhook),
    route("DELETE", "/v1/saas/webhooks/{id}", Access::KeyOwingConsent(Some(Scope::Admin)), Resource::Webhook),
    route("POST", "/v1/saas/webhooks/{id}/rotate-secret", Access::Key(Some(Scope::Admin)), Resource::Webhook),
    route("POST", "/v1/saas/webhooks/{id}/test", Access::Key(Some(Scope::Admin)), Resource::Webhook),
    route("GET", "/v1/saas/webhooks/{id}/deliveries", Access::Key(Some(Scope::Admin)), Resource::Webhook),
    route(
        "GET",
        "/v1/saas/webhooks/{id}/deliveries/{delivery_id}",
        Access::Key(Some(Scope::Admin)),
        Resource::Delivery,
    ),
    route(
        "POST",
        "/v1/saas/webhooks/{id}/deliveries/{delivery_id}/retry",
        Access::Key(Some(Scope::Admin)),
        Resource::Delivery,
    ),
    route("GET", "/v1/saas/events", Access::Key(Some(Scope::Read)), Resource::Nothing),
    route("POST", "/v1/saas/auth/register", Access::Open, Resource::Nothing),
    route("POST", "/v1/saas/auth/login", Access::Open, Resource::Nothing),
    route("POST", "/v1/bff/auth/confirm", Access::OpenWeb, Resource::Nothing),
    route("POST", "/v1/bff/auth/forgot", Access::OpenWeb, Resource::Nothing),
    route("POST", "/v1/bff/auth/reset", Access::OpenWeb, Resource::Nothing),
    route("POST", "/v1/bff/auth/logout", Access::SessionOwingConsent, Resource::Nothing),
    route("POST", "/v1/bff/auth/login", Access::OpenWeb, Resource::Nothing),
    route("POST", "/v1/bff/auth/register", Access::OpenWeb, Resource::Nothing),
    route("GET", "/v1/bff/auth/registration", Access::OpenWeb, Resource::Nothing),
    route("POST", "/v1/bff/auth/invitation", Access::OpenWeb, Resource::Nothing),
    route("POST", "/v1/bff/auth/password-check", Access::OpenWeb, Resource::Nothing),
    route("POST", "/v1/bff/auth/password", Access::SessionOwingConsent, Resource::Nothing),
    route("GET", "/v1/bff/me", Access::SessionOwingConsent, Resource::Nothing),
    route("GET", "/v1/bff/sessions", Access::SessionOwingConsent, Resource::Nothing),
    route("DELETE", "/v1/bff/sessions/{id}", Access::SessionOwingConsent, Resource::Shared("ses_0")),
    route("GET", "/v1/bff/consent", Access::SessionOwingConsent, Resource::Nothing),
    route("POST", "/v1/bff/consent", Access::SessionOwingConsent, Resource::Nothing),
    route("GET", "/v1/bff/overview", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/usage", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/credits/balance", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/credits/transactions", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/credits/transactions.csv", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/credits/packs", Access::SessionOwingConsent, Resource::Nothing),
    route("GET", "/v1/bff/credits/price", Access::SessionOwingConsent, Resource::Nothing),
    route("GET", "/v1/bff/credits/top-up", Access::SessionOwingConsent, Resource::Nothing),
    route("PUT", "/v1/bff/credits/top-up", Access::Session, Resource::Nothing),
    route("DELETE", "/v1/bff/credits/top-up", Access::SessionOwingConsent, Resource::Nothing),
    route("POST", "/v1/bff/credits/card", Access::Session, Resource::Nothing),
    route("DELETE", "/v1/bff/credits/card", Access::SessionOwingConsent, Resource::Nothing),
    route("GET", "/v1/bff/billing/details", Access::SessionOwingConsent, Resource::Nothing),
    route("PUT", "/v1/bff/billing/details", Access::Session, Resource::Nothing),
    route("DELETE", "/v1/bff/billing/details", Access::SessionOwingConsent, Resource::Nothing),
    route("GET", "/v1/bff/preferences", Access::SessionOwingConsent, Resource::Nothing),
    route("PATCH", "/v1/bff/preferences", Access::SessionOwingConsent, Resource::Nothing),
    route("GET", "/v1/bff/purchases/{id}/invoice", Access::SessionOwingConsent, Resource::Shared("pur_0")),
    route("POST", "/v1/bff/purchases", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/purchases", Access::SessionOwingConsent, Resource::Nothing),
    route("GET", "/v1/bff/purchases/{id}", Access::SessionOwingConsent, Resource::Shared("pur_0")),
    route("DELETE", "/v1/bff/purchases/{id}", Access::SessionOwingConsent, Resource::Shared("pur_0")),
    route("POST", "/v1/bff/keys", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/keys", Access::Session, Resource::Nothing),
    route("PATCH", "/v1/bff/keys/{id}", Access::Session, Resource::Key),
    route("POST", "/v1/bff/keys/{id}/roll", Access::Session, Resource::Key),
    route("DELETE", "/v1/bff/keys/{id}", Access::SessionOwingConsent, Resource::Key),
    route("GET", "/v1/bff/ereaders", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/ereaders/{slug}", Access::Session, Resource::Shared("heart")),
    route("GET", "/v1/bff/ereaders/{slug}/sample", Access::Session, Resource::Shared("heart")),
    route("PUT", "/v1/bff/ereaders/{id}/favorite", Access::Session, Resource::Shared("erd_0")),
    route("DELETE", "/v1/bff/ereaders/{id}/favorite", Access::Session, Resource::Shared("erd_0")),
    route("POST", "/v1/bff/tts:stream", Access::Session, Resource::Nothing),
    route("POST", "/v1/bff/tts:synthesize", Access::Session, Resource::Nothing),
    route("POST", "/v1/bff/materials", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/materials", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/materials/{id}", Access::Session, Resource::Material),
    route("PATCH", "/v1/bff/materials/{id}", Access::Session, Resource::Material),
    route("DELETE", "/v1/bff/materials/{id}", Access::Session, Resource::Material),
    route("POST", "/v1/bff/materials/{id}/convert", Access::Session, Resource::Material),
    route("POST", "/v1/bff/materials/{id}/cancel", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/chapters", Access::Session, Resource::Material),
    route("PATCH", "/v1/bff/materials/{id}/chapters/{index}", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/cover", Access::Session, Resource::Material),
    route("PUT", "/v1/bff/materials/{id}/cover", Access::Session, Resource::Material),
    route("DELETE", "/v1/bff/materials/{id}/cover", Access::Session, Resource::Material),
    route("PUT", "/v1/bff/materials/{id}/chunks/{index}/text", Access::Session, Resource::Material),
    route("POST", "/v1/bff/materials/{id}/feed", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/feed", Access::Session, Resource::Material),
    route("DELETE", "/v1/bff/materials/{id}/feed", Access::Session, Resource::Material),
    route("GET", "/v1/bff/history", Access::Session, Resource::Nothing),
    route("DELETE", "/v1/bff/history/{id}", Access::Session, Resource::Shared("syn_0")),
    route("GET", "/v1/bff/places", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/materials/{id}/shares", Access::Session, Resource::Material),
    route("POST", "/v1/bff/materials/{id}/shares", Access::Session, Resource::Material),
    route("DELETE", "/v1/bff/materials/{id}/shares/{share_id}", Access::Session, Resource::Material),
    route("POST", "/v1/bff/shares/open", Access::OpenWeb, Resource::Nothing),
    route("GET", "/v1/bff/library", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/materials/{id}/tags", Access::Session, Resource::Material),
    route("PUT", "/v1/bff/materials/{id}/tags", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/place", Access::Session, Resource::Material),
    route("PUT", "/v1/bff/materials/{id}/place", Access::Session, Resource::Material),
    route("DELETE", "/v1/bff/materials/{id}/place", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/bookmarks", Access::Session, Resource::Material),
    route("POST", "/v1/bff/materials/{id}/bookmarks", Access::Session, Resource::Material),
    route("PATCH", "/v1/bff/materials/{id}/bookmarks/{bookmark_id}", Access::Session, Resource::Material),
    route("DELETE", "/v1/bff/materials/{id}/bookmarks/{bookmark_id}", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/cast", Access::Session, Resource::Material),
    route("PUT", "/v1/bff/materials/{id}/cast", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/quotes", Access::Session, Resource::Material),
    route("PATCH", "/v1/bff/materials/{id}/quotes", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/chunks", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/chunks/{index}/text", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/chunks/{index}/audio", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/chunks/{index}/timestamps", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/audio", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/captions", Access::Session, Resource::Material),
    route("GET", "/v1/bff/materials/{id}/events", Access::Session, Resource::Material),
    route("GET", "/v1/bff/credits/statement", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/credits/statement/{id}", Access::Session, Resource::Material),
    route("GET", "/v1/bff/credits/threshold", Access::SessionOwingConsent, Resource::Nothing),
    route("PUT", "/v1/bff/credits/threshold", Access::Session, Resource::Nothing),
    route("POST", "/v1/bff/lexicons", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/lexicons", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/lexicons/{id}", Access::Session, Resource::Lexicon),
    route("PUT", "/v1/bff/lexicons/{id}", Access::Session, Resource::Lexicon),
    route("DELETE", "/v1/bff/lexicons/{id}", Access::Session, Resource::Lexicon),
    route("POST", "/v1/bff/webhooks", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/webhooks", Access::Session, Resource::Nothing),
    route("GET", "/v1/bff/webhooks/{id}", Access::Session, Resource::Webhook),
    route("PATCH", "/v1/bff/webhooks/{id}", Access::Session, Resource::Webhook),
    route("DELETE", "/v1/bff/webhooks/{id}", Access::SessionOwingConsent, Resource::Webhook),
    route("POST", "/v1/bff/webhooks/{id}/rotate-secret", Access::Session, Resource::Webhook),
    route("POST", "/v1/bff/webhooks/{id}/test", Access::Session, Resource::Webhook),
    route("GET", "/v1/bff/webhooks/{id}/deliveries", Access::Session, Resource::Webhook),
    route("GET", "/v1/bff/webhooks/{id}/deliveries/{delivery_id}", Access::Session, Resource::Webhook),
    route("POST", "/v1/bff/webhooks/{id}/deliveries/{delivery_id}/retry", Access::Session, Resource::Webhook),
    route("POST", "/v1/payments/stripe/events", Access::Open, Resource::Nothing),
    route("POST", "/v1/audio/speech", Access::Key(Some(Scope::Write)), Resource::Nothing),
    route("GET", "/v1/models", Access::Key(None), Resource::Nothing),
    route("GET", "/v1/models/{model}", Access::Key(None), Resource::Shared("lectern")),
    route("GET", "/v1/audio/voices", Access::Key(None), Resource::Nothing),
    route(
        "POST",
        "/v1/text-to-speech/{voice_id}",
        Access::Key(Some(Scope::Write)),
        Resource::Shared("heart"),
    ),
    route(
        "POST",
        "/v1/text-to-speech/{voice_id}/stream",
        Access::Key(Some(Scope::Write)),
        Resource::Shared("heart"),
    ),
    route(
        "POST",
        "/v1/text-to-speech/{voice_id}/with-timestamps",
        Access::Key(Some(Scope::Write)),
        Resource::Shared("heart"),
    ),
    route(
        "POST",
        "/v1/text-to-speech/{voice_id}/stream/with-timestamps",
        Access::Key(Some(Scope::Write)),
        Resource::Shared("heart"),
    ),
    route(
        "GET",
        "/v1/text-to-speech/{voice_id}/stream-input",
        Access::Key(Some(Scope::Write)),
        Resource::Shared("heart"),
    ),
    route("GET", "/v1/voices", Access::Key(None), Resource::Nothing),
    route("GET", "/v1/voices/{voice_id}", Access::Key(None), Resource::Shared("heart")),
    route("GET", "/v2/voices", Access::Key(None), Resource::Nothing),
    route("GET", "/v1/user", Access::Key(Some(Scope::Read)), Resource::Nothing),
    route("GET", "/v1/user/subscription", Access::Key(Some(Scope::Read)), Resource::Nothing),
    route("GET", "/media/{object}", Access::Open, Resource::Shared("syntheses")),
    route("GET", "/feeds/{material}/{token}/{file}", Access::Open, Resource::Shared("feed.xml")),
    route("GET", "/openapi.json", Access::Open, Resource::Nothing),
];

/// The pages outside the document: they take no key, allow only `GET`, and give everybody the same
/// answer. Path, name in the router, and status.
const PAGES: &[(&str, &str, u16)] = &[
    ("/docs", "/docs", 200),
    ("/docs/", "/docs/", 308),
    ("/docs/guide", "/docs/guide", 308),
    ("/docs/guide/", "/docs/guide/", 200),
    ("/docs/guide/nothing.js", "/docs/guide/{path}", 404),
    ("/", "/", 200),
    ("/sign-in", "/sign-in", 200),
    ("/register", "/register", 200),
    ("/confirm", "/confirm", 200),
    ("/forgot", "/forgot", 200),
    ("/reset", "/reset", 200),
    ("/agree", "/agree", 200),
    ("/try", "/try", 200),
    ("/books", "/books", 200),
    ("/books/mat_0", "/books/{id}", 200),
    ("/listen/abc", "/listen/{token}", 200),
    ("/voices", "/voices", 200),
    ("/speak", "/speak", 200),
    ("/history", "/history", 200),
    ("/developers", "/developers", 200),
    ("/gallery", "/gallery", 200),
    ("/e-readers", "/e-readers", 200),
    ("/materials", "/materials", 200),
    ("/pronunciation", "/pronunciation", 200),
    ("/keys", "/keys", 200),
    ("/webhooks", "/webhooks", 200),
    ("/credits", "/credits", 200),
    ("/settings", "/settings", 200),
    ("/materials/mat_0", "/materials/{id}", 200),
    ("/pronunciation/lex_0", "/pronunciation/{id}", 200),
    ("/webhooks/whk_0", "/webhooks/{id}", 200),
    ("/assets/nothing.js", "/assets/{file}", 404),
    ("/brand/nothing.css", "/brand/{file}", 404),
];

/// Paths of the web application that do not exist, also outside the document. Path and name in the
/// router.
const NOWHERE: &[(&str, &str)] =
    &[("/v1/bff", "/v1/bff"), ("/v1/bff/", "/v1/bff/"), ("/v1/bff/nothing", "/v1/bff/{rest}")];

/// Files of the web application, which a build may lack.
const FILES: &[&str] = &[
    "/icon.svg",
    "/icon-192.png",
    "/icon-512.png",
    "/icon-maskable-512.png",
    "/apple-touch-icon.png",
    "/manifest.webmanifest",
    "/sw.js",
];

const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE"];

const fn route(method: &'static str, path: &'static str, access: Access, resource: Resource) -> Route {
    Route { method, path, access, resource }
}

impl Route {
    /// Whether the route takes a session.
    pub(super) fn is_for_sessions(&self) -> bool {
        matches!(self.access, Access::Session | Access::SessionOwingConsent)
    }

    /// Whether the route takes a key.
    pub(super) fn is_keyed(&self) -> bool {
        matches!(self.access, Access::Key(_) | Access::KeyOwingConsent(_))
    }

    /// The scope that a key needs, if any.
    fn scope(&self) -> Option<Scope> {
        match self.access {
            Access::Key(scope) | Access::KeyOwingConsent(scope) => scope,
            Access::Open | Access::OpenWeb | Access::Session | Access::SessionOwingConsent => None,
        }
    }

    /// A request to the route, without a body. Its path names a shared resource, or one that does
    /// not exist.
    pub(super) fn request(&self, app: &TestApp) -> RequestBuilder {
        let name = if let Resource::Shared(name) = self.resource { name } else { "nothing" };
        self.request_for(app, name)
    }

    /// A request to the route for the resource with this name.
    pub(super) fn request_for(&self, app: &TestApp, name: &str) -> RequestBuilder {
        let (name, within) = name.split_once('/').unwrap_or((name, "nothing"));
        let path = self
            .path
            .replace("{index}", "0")
            .replace("{delivery_id}", within)
            .replace("{bookmark_id}", "bmk_0")
            .replace("{share_id}", "shr_0");
        let path = match (path.find('{'), path.find('}')) {
            (Some(from), Some(to)) => format!("{}{name}{}", &path[..from], &path[to + 1..]),
            _ => path,
        };
        app.request(self.method.parse().unwrap(), &path)
    }
}

/// The routes that take a key, with the scope that each needs.
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
            let named = route.resource != Resource::Nothing;
            (route.method.to_owned(), route.path.to_owned(), route.is_keyed(), named)
        })
        .collect();
    documented.sort();
    listed.sort();
    assert_eq!(documented, listed);
    app.finish().await;
}

/// The paths that the router knows, from its debug output, written as in the document, which has no
/// `{*…}`.
fn routed(app: &TestApp) -> BTreeSet<String> {
    let shown = format!("{:?}", router::public(Arc::clone(&app.app)));
    let (_, paths) = shown.split_once("node: Node { paths: {").unwrap();
    let (paths, _) = paths.split_once("} }").unwrap();
    paths.split('"').skip(1).step_by(2).map(|path| path.replace("{*", "{")).collect()
}

// Negative control: with `/v1/hidden` merged into the router in addition to the document's routes
// this fails and names it.
#[tokio::test]
async fn every_path_of_the_router_is_in_the_matrix_or_listed_as_open() {
    let app = TestApp::start().await;
    let listed = ROUTES.iter().map(|route| route.path);
    let listed = listed.chain(PAGES.iter().map(|page| page.1)).chain(NOWHERE.iter().map(|nowhere| nowhere.1));
    let listed = listed.chain(FILES.iter().copied());
    assert_eq!(routed(&app), listed.map(str::to_owned).collect());
    app.finish().await;
}

// Negative control: with a `PUT` of `/v1/saas/me` merged into the router in addition to the
// document's routes this fails.
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

/// Asserts the headers of every answer, for any caller and request.
fn check_headers(reply: &Reply, what: &str) {
    let id = reply.header("x-request-id");
    assert!(id.parse::<lectern_types::RequestId>().is_ok(), "{what}: {id:?}");
    assert_eq!(reply.header("x-content-type-options"), "nosniff", "{what}");
    if reply.header("content-type").starts_with("text/html") {
        let policy = reply.header("content-security-policy");
        let sources = policy
            .strip_prefix("default-src 'none'; script-src ")
            .and_then(|rest| Some(rest.split_once(';')?.0.split(' ')));
        // This service, and the script in the head of the page.
        let known = |source: &str| source == "'self'" || source.starts_with("'sha256-");
        assert!(sources.is_some_and(|mut list| list.all(known)), "{what}: {policy}");
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
    async fn paths_outside_the_document_answer_everybody_the_same(setup: Setup) {
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
                let shown = String::from_utf8_lossy(&reply.bytes);
                assert!(!shown.contains(&account.email) && !shown.contains(token), "{path}");
                // These requests have no limit.
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
