//! Sessions of people who signed in: a signed token for each, and a row that ends it before its time. The token's
//! form is `token`'s; where a request carries it is HTTP's.

pub mod token;

use std::net::IpAddr;

use lectern_store::sessions::{self as stored, NewSession, SignedIn};
use lectern_types::{AccountId, ErrorCode, SessionId, Timestamp};
use secrecy::SecretString;
use subtle::ConstantTimeEq as _;

use crate::{app::App, error::Result};

/// Where somebody signs in from.
#[derive(Debug, Clone)]
pub struct Client {
    /// The IP address.
    pub ip: IpAddr,
    /// What the program calls itself, at most [`LONGEST_USER_AGENT`] characters.
    pub user_agent: Option<String>,
}

/// Characters of a program's name for itself that are kept.
pub const LONGEST_USER_AGENT: usize = 200;

/// A session that just began.
#[derive(Debug)]
pub struct Begun {
    /// Its id.
    pub id: SessionId,
    /// The token that carries it.
    pub token: SecretString,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// Begins a session of the account whose password, the one with this hash, was just given. `None` when it has been
/// changed meanwhile.
///
/// # Errors
/// The store's.
pub async fn begin(
    app: &App,
    account: AccountId,
    password_hash: &str,
    client: &Client,
) -> Result<Option<Begun>> {
    let now = app.clock.now();
    let claims = token::Claims::new(account, app.ids.make(), now);
    let ip = client.ip.to_string();
    let user_agent = client.user_agent.as_deref();
    let (ip, expires_at) = (Some(ip.as_str()), claims.expires_at());
    let session = NewSession { id: claims.session, account, expires_at, ip, user_agent };
    if !stored::create(&app.store, session, password_hash, now).await? {
        return Ok(None);
    }
    let token = token::sign(&app.secrets.sessions, &claims);
    Ok(Some(Begun { id: session.id, token, expires_at: session.expires_at }))
}

/// The live session that `token` carries.
///
/// # Errors
/// `invalid_credentials`, whatever is wrong with it, or the store's failure.
pub async fn find(app: &App, token: &str) -> Result<SignedIn> {
    let now = app.clock.now();
    let claims = token::verify(&app.secrets.sessions, token, now).ok_or(ErrorCode::InvalidCredentials)?;
    let found = stored::find(&app.store, claims.session, now).await?;
    let found = found.filter(|found| found.account.id == claims.account);
    Ok(found.ok_or(ErrorCode::InvalidCredentials)?)
}

/// What a browser must say to change something in this session. It is made of the session's id, so that nothing need be
/// kept and no other session's serves.
pub fn csrf_token(app: &App, session: SessionId) -> String {
    hex::encode(app.secrets.csrf.mac(&[session.uuid().as_bytes()]))
}

/// Whether it was said.
pub fn is_csrf_token(app: &App, session: SessionId, said: &[u8]) -> bool {
    csrf_token(app, session).as_bytes().ct_eq(said).into()
}
