//! Sessions of people who signed in: a signed token for each, and a row that ends it before its time. The token's
//! form is `token`'s; where a request carries it is HTTP's.

pub mod token;

use lectern_store::sessions::{self as stored, NewSession, SignedIn};
use lectern_types::{AccountId, ErrorCode, Timestamp};
use secrecy::SecretString;

use crate::{app::App, error::Result};

/// A session that just began.
#[derive(Debug)]
pub struct Begun {
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
pub async fn begin(app: &App, account: AccountId, password_hash: &str) -> Result<Option<Begun>> {
    let now = app.clock.now();
    let claims = token::Claims::new(account, app.ids.make(), now);
    let session = NewSession { id: claims.session, account, expires_at: claims.expires_at() };
    if !stored::create(&app.store, session, password_hash, now).await? {
        return Ok(None);
    }
    Ok(Some(Begun { token: token::sign(&app.secrets.sessions, &claims), expires_at: session.expires_at }))
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
