//! Signing in with address and password. An address without an account, one without a password and a wrong password
//! are one and the same to the outside: the same answer, and the same work before it.

use lectern_store::accounts::{self, Account, Credentials};
use lectern_types::ErrorCode;
use secrecy::SecretString;

use super::{
    confirmation,
    invitations::is_address,
    sessions::{self, Begun},
};
use crate::{app::App, error::Result};

/// Who signed in.
#[derive(Debug)]
pub struct SignedIn {
    /// The account.
    pub account: Account,
    /// Its new session.
    pub session: Begun,
}

/// Signs in.
///
/// # Errors
/// `invalid_credentials`; `email_not_confirmed` after the right password only, and then another mail is sent.
pub async fn login(app: &App, email: &str, password: SecretString) -> Result<SignedIn> {
    // What is no address has no account; it is looked up all the same, as the empty one.
    let address = Some(email.trim()).filter(|email| is_address(email)).unwrap_or_default();
    let found = accounts::credentials(&app.store, address).await?;
    let (account, hash) = match found {
        Some(Credentials { account, password_hash }) => (Some(account), password_hash),
        None => (None, None),
    };
    let is_right = app.passwords.verify(password, hash.clone()).await?;
    let (Some(account), Some(hash), true) = (account, hash, is_right) else {
        return Err(ErrorCode::InvalidCredentials.into());
    };
    if account.email_confirmed_at.is_none() {
        confirmation::send_again(app, &account).await?;
        return Err(ErrorCode::EmailNotConfirmed.into());
    }
    let session = sessions::begin(app, account.id, &hash).await?.ok_or(ErrorCode::InvalidCredentials)?;
    tracing::info!(account.id = %account.id, "a session began");
    Ok(SignedIn { account, session })
}
