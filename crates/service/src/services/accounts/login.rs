//! Signs in with address and password. An unknown address, an account without a password and a
//! wrong password cannot be told apart: the response is the same, after the same work.

use lectern_store::{
    accounts::{self, Account, Credentials},
    sessions::{self as stored, PasswordChange},
};
use lectern_types::ErrorCode;
use secrecy::SecretString;

use super::{
    confirmation,
    context::AccountContext,
    invitations::is_address,
    sessions::{self, Client, StartedSession},
};
use crate::error::{Error, Result};

/// A successful sign-in.
#[derive(Debug)]
pub struct Login {
    pub account: Account,
    pub session: StartedSession,
}

/// Signs in.
///
/// # Errors
/// `invalid_credentials`; `email_not_confirmed` only after the right password, and then another
/// mail is sent.
pub async fn login(
    context: &AccountContext,
    email: &str,
    password: SecretString,
    client: &Client,
) -> Result<Login> {
    // An invalid address has no account, but takes the same lookup, with an empty address.
    let base = &context.base;
    let address = Some(email.trim()).filter(|email| is_address(email)).unwrap_or_default();
    let found = accounts::credentials(&base.store, address).await?;
    let (account, hash) = match found {
        Some(Credentials { account, password_hash }) => (Some(account), password_hash),
        None => (None, None),
    };
    let is_correct = context.passwords.verify(password, hash.clone()).await?;
    let (Some(account), Some(hash), true) = (account, hash, is_correct) else {
        return Err(ErrorCode::InvalidCredentials.into());
    };
    if account.email_confirmed_at.is_none() {
        confirmation::resend(context, &account).await?;
        return Err(ErrorCode::EmailNotConfirmed.into());
    }
    let session = sessions::start(base, account.id, &hash, client).await?;
    let session = session.ok_or(ErrorCode::InvalidCredentials)?;
    tracing::info!(account.id = %account.id, "a session began");
    Ok(Login { account, session })
}

/// Changes the password of the signed-in account and ends all other sessions.
///
/// # Errors
/// `validation_failed` for `current_password` when it is wrong; then `weak_password`.
pub async fn change_password(
    context: &AccountContext,
    signed_in: &stored::SignedIn,
    current: SecretString,
    password: SecretString,
) -> Result<()> {
    let (base, account) = (&context.base, &signed_in.account);
    let wrong_password = || Error::invalid("current_password", "is not the password of this account");
    let found = accounts::credentials(&base.store, &account.email).await?;
    let old = found.and_then(|found| found.password_hash);
    let is_correct = context.passwords.verify(current, old.clone()).await?;
    let old = old.filter(|_| is_correct).ok_or_else(wrong_password)?;
    let new = context.passwords.accept(password, &account.email).await?;
    let change = PasswordChange { old: &old, new: &new };
    let now = base.clock.now();
    if !stored::change_password(&base.store, account.id, signed_in.session, change, now).await? {
        return Err(wrong_password());
    }
    tracing::info!(account.id = %account.id, "a password was changed; all other sessions ended");
    Ok(())
}
