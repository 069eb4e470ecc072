//! Accounts and sessions: from the invitation to signing out, with every refusal in between.

mod confirmation;
mod login;
mod logs;
mod mailing;
mod recovery;
mod registration;
mod sessions;
mod spellings;

use lectern_service::{config::MailUrl, services::accounts::invitations};
use lectern_store::Tier;
use lectern_testkit::{Reply, Setup, TestApp, on_both};
use lectern_types::Credits;
use reqwest::Method;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

/// A password that meets the policy.
pub(crate) const PASSWORD: &str = "correct horse battery staple";

const REGISTER: &str = "/v1/saas/auth/register";
const LOGIN: &str = "/v1/saas/auth/login";
const CONFIRM: &str = "/v1/bff/auth/confirm";
const FORGOT: &str = "/v1/bff/auth/forgot";
const RESET: &str = "/v1/bff/auth/reset";
const LOGOUT: &str = "/v1/bff/auth/logout";

/// A set-up without velocity limits.
fn setup() -> Setup {
    unlimited(Setup::default())
}

/// Adds the settings that turn velocity limits off.
pub(crate) fn unlimited(setup: Setup) -> Setup {
    setup
        .set("LECTERN_RATE_LIMIT__LOGIN_PER_MINUTE", "10000")
        .set("LECTERN_RATE_LIMIT__REGISTER_PER_MINUTE", "10000")
}

/// A set-up without velocity limits in which anybody may register.
fn open(setup: Setup) -> Setup {
    unlimited(setup).set("LECTERN_AUTH__OPEN_REGISTRATION", "true")
}

/// Sends JSON without a key.
async fn send(app: &TestApp, path: &str, body: &Value) -> Reply {
    app.send(app.request(Method::POST, path).json(body)).await
}

/// Invites an address and returns the invitation's token.
pub(crate) async fn invite(app: &TestApp, email: &str) -> String {
    let invited = invitations::invite(&app.base, email, None, None).await.unwrap();
    invited.token.expose_secret().to_owned()
}

/// Registers an invited address.
async fn register(app: &TestApp, email: &str) -> Reply {
    let token = invite(app, email).await;
    let reply = send(app, REGISTER, &json!({ "password": PASSWORD, "invite_token": token })).await;
    assert_eq!(reply.status, 201, "{}", reply.json());
    reply
}

/// Registers an invited address and confirms it.
pub(crate) async fn confirmed(app: &TestApp, email: &str) {
    register(app, email).await;
    let token = link(&mails(app).pop().unwrap(), "confirm");
    assert_eq!(send(app, CONFIRM, &json!({ "token": token })).await.status, 200);
}

async fn login(app: &TestApp, email: &str, password: &str) -> Reply {
    send(app, LOGIN, &json!({ "email": email, "password": password })).await
}

/// Signs in and returns the session's token.
pub(crate) async fn session(app: &TestApp, email: &str, password: &str) -> String {
    let reply = login(app, email, password).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    reply.json()["session_token"].as_str().unwrap().to_owned()
}

/// A signed-in browser.
pub(crate) struct Browser {
    /// The value of the header `Cookie`.
    pub(crate) cookie: String,
    /// The value of the header `X-Lectern-CSRF`.
    pub(crate) csrf: String,
}

impl Browser {
    /// A request as the browser sends it from one of our pages.
    pub(crate) fn request(&self, app: &TestApp, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = app.request(method, path).header("cookie", &self.cookie);
        request.header("x-lectern-csrf", &self.csrf).header("sec-fetch-site", "same-origin")
    }

    pub(crate) async fn get(&self, app: &TestApp, path: &str) -> Reply {
        app.send(self.request(app, Method::GET, path)).await
    }

    pub(crate) async fn post(&self, app: &TestApp, path: &str, body: &Value) -> Reply {
        app.send(self.request(app, Method::POST, path).json(body)).await
    }
}

/// Signs in as a browser does.
pub(crate) async fn browser(app: &TestApp, email: &str) -> Browser {
    let reply = send(app, "/v1/bff/auth/login", &json!({ "email": email, "password": PASSWORD })).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    let cookie = reply.header("set-cookie").split(';').next().unwrap().to_owned();
    Browser { cookie, csrf: reply.json()["csrf_token"].as_str().unwrap().to_owned() }
}

/// Whether a session is active: an unknown route answers 404 with an active session, and 401
/// without one.
async fn is_live(app: &TestApp, token: &str) -> bool {
    let reply = app.get("/v1/bff/nothing", token).await;
    match reply.refusal().as_str() {
        "not_found" => true,
        "invalid_credentials" => false,
        other => panic!("{other}"),
    }
}

/// The mails sent so far, oldest first.
pub(crate) fn mails(app: &TestApp) -> Vec<String> {
    let MailUrl::Directory(directory) = &app.base.config.mail.url else { panic!("mails are not files") };
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|e| e == "eml")).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// The token in a mail's only link.
fn link(mail: &str, page: &str) -> String {
    let links: Vec<&str> = mail.lines().filter(|line| line.starts_with("http://127.0.0.1:")).collect();
    let [link] = links[..] else { panic!("{links:?}") };
    let (path, token) = link.split_once("?token=").unwrap();
    assert!(path.ends_with(&format!("/{page}")), "{link}");
    token.to_owned()
}

on_both! {
    async fn from_the_invitation_to_signing_out(setup: Setup) {
        let app = unlimited(setup).start().await;
        let invited =
            invitations::invite(&app.base, "Ada@example.com", Some(Tier::Standard), Some(Credits(500))).await.unwrap();
        let keys = invited.keys.unwrap();
        let (live, token) = (keys.live.expose_secret(), invited.token.expose_secret());
        assert_eq!(app.get("/v1/saas/me", live).await.status, 200, "the first keys work before registration");

        let body = json!({ "password": PASSWORD, "invite_token": token, "email": "ignored" });
        let reply = send(&app, REGISTER, &body).await;
        assert_eq!(reply.status, 201);
        let account = json!({
            "id": invited.account,
            "email": "Ada@example.com",
            "email_confirmed": false,
            "tier": "standard",
            "has_purchased_credits": true,
            "consent": { "terms_accepted_version": null, "privacy_accepted_version": null },
            "created_at": "2026-11-21T07:08:11.524Z",
        });
        assert_eq!(reply.json(), json!({ "account": account, "email_confirmation": "sent" }));
        let mail = mails(&app).pop().unwrap();
        assert!(mail.contains("To: Ada@example.com\r\n"), "{mail}");
        assert_eq!(app.get("/v1/saas/me", live).await.json()["id"], json!(invited.account));

        assert_eq!(login(&app, "ada@example.com", PASSWORD).await.refusal(), "email_not_confirmed");
        let confirmed = send(&app, CONFIRM, &json!({ "token": link(&mail, "confirm") })).await;
        assert_eq!(confirmed.json(), json!({ "status": "confirmed", "email": "Ada@example.com" }));

        let reply = login(&app, " ada@EXAMPLE.com", PASSWORD).await;
        assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (200, "no-store"));
        let body = reply.json();
        assert_eq!(body.as_object().unwrap().len(), 4);
        assert_eq!(
            (&body["token_type"], &body["expires_at"]),
            (&json!("Bearer"), &json!("2026-11-21T19:08:11.000Z"))
        );
        assert_eq!((&body["account"]["id"], &body["account"]["email_confirmed"]), (&account["id"], &json!(true)));

        let token = body["session_token"].as_str().unwrap();
        assert!(is_live(&app, token).await);
        let out = app.send(app.request(Method::POST, LOGOUT).bearer_auth(token)).await;
        assert_eq!(out.json(), json!({ "status": "signed_out" }));
        assert!(!is_live(&app, token).await);
        let again = app.send(app.request(Method::POST, LOGOUT).bearer_auth(token)).await;
        assert_eq!(again.refusal(), "invalid_credentials");
        app.finish().await;
    }
}
