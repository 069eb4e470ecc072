//! Every route of the document, and whom it lets in.

use lectern_store::Scope;
use lectern_testkit::TestApp;
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
}

/// One route.
#[derive(Debug, Clone, Copy)]
pub(super) struct Route {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) door: Door,
    pub(super) names: Names,
}

/// Every route, in the order of the router.
pub(super) const ROUTES: &[Route] = &[
    route("GET", "/v1/saas/me", Door::Key(None), Names::Nothing),
    route("POST", "/v1/saas/keys", Door::Key(Some(Scope::Admin)), Names::Nothing),
    route("GET", "/v1/saas/keys", Door::Key(Some(Scope::Admin)), Names::Nothing),
    route("DELETE", "/v1/saas/keys/{id}", Door::KeyOwingConsent(Some(Scope::Admin)), Names::Key),
    route("GET", "/v1/saas/ereaders", Door::Key(None), Names::Nothing),
    route("GET", "/v1/saas/ereaders/{slug}/sample", Door::Key(None), Names::Shared("heart")),
    route("POST", "/v1/saas/tts:synthesize", Door::Key(Some(Scope::Write)), Names::Nothing),
    route("POST", "/v1/saas/tts:stream", Door::Key(Some(Scope::Write)), Names::Nothing),
    route("GET", "/v1/saas/credits/balance", Door::Key(Some(Scope::Read)), Names::Nothing),
    route("GET", "/v1/saas/credits/transactions", Door::Key(Some(Scope::Read)), Names::Nothing),
    route("GET", "/v1/saas/usage", Door::Key(Some(Scope::Read)), Names::Nothing),
    route("POST", "/v1/saas/auth/register", Door::Open, Names::Nothing),
    route("POST", "/v1/saas/auth/login", Door::Open, Names::Nothing),
    route("POST", "/v1/bff/auth/confirm", Door::OpenWeb, Names::Nothing),
    route("POST", "/v1/bff/auth/forgot", Door::OpenWeb, Names::Nothing),
    route("POST", "/v1/bff/auth/reset", Door::OpenWeb, Names::Nothing),
    route("POST", "/v1/bff/auth/logout", Door::Session, Names::Nothing),
    route("POST", "/v1/audio/speech", Door::Key(Some(Scope::Write)), Names::Nothing),
    route("GET", "/v1/models", Door::Key(None), Names::Nothing),
    route("GET", "/v1/models/{model}", Door::Key(None), Names::Shared("lectern")),
    route("GET", "/v1/audio/voices", Door::Key(None), Names::Nothing),
    route("GET", "/media/{object}", Door::Open, Names::Shared("syntheses")),
    route("GET", "/openapi.json", Door::Open, Names::Nothing),
];

const fn route(method: &'static str, path: &'static str, door: Door, names: Names) -> Route {
    Route { method, path, door, names }
}

impl Route {
    /// Whether it takes a key.
    pub(super) fn is_keyed(&self) -> bool {
        matches!(self.door, Door::Key(_) | Door::KeyOwingConsent(_))
    }

    /// The scope it needs of a key, if any.
    fn scope(&self) -> Option<Scope> {
        match self.door {
            Door::Key(scope) | Door::KeyOwingConsent(scope) => scope,
            Door::Open | Door::OpenWeb | Door::Session => None,
        }
    }

    /// A request to it, without a body. What the path names is there for all, or is no such thing.
    pub(super) fn request(&self, app: &TestApp) -> RequestBuilder {
        let name = if let Names::Shared(name) = self.names { name } else { "nothing" };
        self.request_for(app, name)
    }

    /// A request to it for what this names.
    pub(super) fn request_for(&self, app: &TestApp, name: &str) -> RequestBuilder {
        let path = match (self.path.find('{'), self.path.find('}')) {
            (Some(from), Some(to)) => format!("{}{name}{}", &self.path[..from], &self.path[to + 1..]),
            _ => self.path.to_owned(),
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
