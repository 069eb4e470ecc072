//! Signing in with address and password. An address without an account, one without a password and a wrong password
//! are one and the same to the outside: the same answer, and the same work before it.

use lectern_store::{
    accounts::{self, Account, Credentials},
    sessions::{self as stored, PasswordChange},
};
use lectern_types::ErrorCode;
use secrecy::SecretString;

use super::{
    confirmation,
    invitations::is_address,
    sessions::{self, Begun, Client},
};
use crate::{
    app::App,
    error::{Error, Result},
};

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
pub async fn login(app: &App, email: &str, password: SecretString, client: &Client) -> Result<SignedIn> {
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
    let session = sessions::begin(app, account.id, &hash, client).await?;
    let session = session.ok_or(ErrorCode::InvalidCredentials)?;
    tracing::info!(account.id = %account.id, "a session began");
    Ok(SignedIn { account, session })
}

/// Changes the password of who is signed in, and ends all other sessions.
///
/// # Errors
/// `validation_failed` of `current_password` when it is not the password; then `weak_password`.
pub async fn change_password(
    app: &App,
    signed_in: &stored::SignedIn,
    current: SecretString,
    password: SecretString,
) -> Result<()> {
    let account = &signed_in.account;
    let wrong = || Error::invalid("current_password", "is not the password of this account");
    let found = accounts::credentials(&app.store, &account.email).await?;
    let old = found.and_then(|found| found.password_hash);
    let is_right = app.passwords.verify(current, old.clone()).await?;
    let old = old.filter(|_| is_right).ok_or_else(wrong)?;
    let new = app.passwords.accept(password, &account.email).await?;
    let change = PasswordChange { old: &old, new: &new };
    let now = app.clock.now();
    if !stored::change_password(&app.store, account.id, signed_in.session, change, now).await? {
        return Err(wrong());
    }
    tracing::info!(account.id = %account.id, "a password was changed; all other sessions ended");
    Ok(())
}
