//! Password recovery: the mail with a link, and the new password that its token sets.

use lectern_store::{
    accounts::{self, Account, AccountState},
    email_tokens::{self, Purpose},
};
use secrecy::SecretString;

use super::{
    confirmation::invalid_token,
    context::AccountContext,
    mailing::{self, Draft},
};
use crate::error::Result;

/// Sends the mail when the address has a registered account. All of it runs in the background, so
/// that neither the response nor its timing reveals whether the account exists.
pub fn forgot(context: &AccountContext, email: String) {
    let background = context.clone();
    context.tasks.spawn(async move {
        if let Err(error) = send(&background, &email).await {
            tracing::error!(error = %error, "a password reset mail could not be created");
        }
    });
}

async fn send(context: &AccountContext, email: &str) -> Result<()> {
    let base = &context.base;
    let now = base.clock.now();
    let found = accounts::find_by_email(&base.store, email).await?;
    // An invited account is activated by its invitation instead.
    let Some(account) = found.filter(|account| account.state == AccountState::Registered) else {
        return Ok(());
    };
    let draft = Draft::new(context, Purpose::Reset, &account.email)?;
    // The velocity limit controls how often this is allowed.
    let (token, row) = (draft.token(), draft.row());
    if email_tokens::issue(&base.store, account.id, &token, &row, now, now).await? {
        draft.deliver(context).await;
    }
    Ok(())
}

/// Sets the password of the account that this token belongs to, confirms its address and ends all
/// its sessions.
///
/// # Errors
/// `validation_failed` for the token when it is unknown, used or expired; then `weak_password`.
pub async fn reset(context: &AccountContext, token: &str, password: SecretString) -> Result<Account> {
    let base = &context.base;
    let hash = mailing::token_hash(&base.secrets.email_tokens, token);
    let found = email_tokens::find(&base.store, &hash, Purpose::Reset, base.clock.now()).await?;
    let account = found.ok_or_else(invalid_token)?;
    let password_hash = context.passwords.accept(password, &account.email).await?;
    let reset = email_tokens::reset(&base.store, &hash, &password_hash, base.clock.now()).await?;
    let account = reset.ok_or_else(invalid_token)?;
    tracing::info!(account.id = %account.id, "a password was reset; all sessions ended");
    Ok(account)
}
