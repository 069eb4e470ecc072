//! Sessions of signed-in people: a signed token for each, and a row with which it can be revoked.
//! `token` defines the format; how a request carries it is up to HTTP.

pub mod token;

use std::net::IpAddr;

use lectern_store::sessions::{self as stored, NewSession, SignedIn};
use lectern_types::{AccountId, ErrorCode, SessionId, Timestamp};
use secrecy::SecretString;
use subtle::ConstantTimeEq as _;

use crate::{base::Base, error::Result, secrets::Secrets};

/// The client that signs in.
#[derive(Debug, Clone)]
pub struct Client {
    pub ip: IpAddr,
    /// The user agent, at most [`MAX_USER_AGENT_CHARS`] characters.
    pub user_agent: Option<String>,
}

/// The most characters of a user agent that are kept.
pub const MAX_USER_AGENT_CHARS: usize = 200;

/// A new session.
#[derive(Debug)]
pub struct StartedSession {
    pub id: SessionId,
    /// The token that carries it.
    pub token: SecretString,
    pub expires_at: Timestamp,
}

/// Starts a session of the account with this password hash, which was just verified. `None` when
/// the password has been changed meanwhile.
///
/// # Errors
/// The store's.
pub async fn start(
    base: &Base,
    account: AccountId,
    password_hash: &str,
    client: &Client,
) -> Result<Option<StartedSession>> {
    let now = base.clock.now();
    let claims = token::Claims::new(account, base.ids.make(), now);
    let ip = client.ip.to_string();
    let user_agent = client.user_agent.as_deref();
    let (ip, expires_at) = (Some(ip.as_str()), claims.expires_at());
    let session = NewSession { id: claims.session, account, expires_at, ip, user_agent };
    if !stored::create(&base.store, session, password_hash, now).await? {
        return Ok(None);
    }
    let token = token::sign(&base.secrets.sessions, &claims);
    Ok(Some(StartedSession { id: session.id, token, expires_at: session.expires_at }))
}

/// The active session that `token` carries.
///
/// # Errors
/// `invalid_credentials`, whatever is wrong with the token, or the store's failure.
pub async fn find(base: &Base, token: &str) -> Result<SignedIn> {
    let now = base.clock.now();
    let claims = token::verify(&base.secrets.sessions, token, now).ok_or(ErrorCode::InvalidCredentials)?;
    let found = stored::find(&base.store, claims.session, now).await?;
    let found = found.filter(|found| found.account.id == claims.account);
    Ok(found.ok_or(ErrorCode::InvalidCredentials)?)
}

/// The CSRF token of a session. It is derived from the session's id, so that nothing is stored and
/// no other session's token is valid.
pub fn csrf_token(secrets: &Secrets, session: SessionId) -> String {
    hex::encode(secrets.csrf.mac(&[session.uuid().as_bytes()]))
}

/// Whether this is the session's CSRF token.
pub fn is_csrf_token(secrets: &Secrets, session: SessionId, presented: &[u8]) -> bool {
    csrf_token(secrets, session).as_bytes().ct_eq(presented).into()
}
