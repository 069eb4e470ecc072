//! A forgotten password: the mail with a link, and the new password that its token sets.

use lectern_store::{
    accounts::{self, Account, AccountState},
    email_tokens::{self, Purpose},
};
use secrecy::SecretString;

use super::{
    confirmation::bad_token,
    mailing::{self, Draft},
};
use crate::{app::App, error::Result};

/// Sends the mail when the address has a registered account. All of it happens beside the caller's answer, so that
/// neither the answer nor its time tells whether it has.
pub fn forgot(app: &App, email: String) {
    let doing = app.clone();
    app.tasks.spawn(async move {
        if let Err(error) = send(&doing, &email).await {
            tracing::error!(error = %error, "a mail for a new password was not made");
        }
    });
}

async fn send(app: &App, email: &str) -> Result<()> {
    let now = app.clock.now();
    let found = accounts::find_by_email(&app.store, email).await?;
    // An invited account is opened by its invitation.
    let Some(account) = found.filter(|account| account.state == AccountState::Registered) else {
        return Ok(());
    };
    let draft = Draft::new(app, Purpose::Reset, &account.email)?;
    // How often is the velocity limit's matter.
    let (token, row) = (draft.token(), draft.row());
    if email_tokens::issue(&app.store, account.id, &token, &row, now, now).await? {
        draft.deliver(app).await;
    }
    Ok(())
}

/// Sets the password of the account whose token this is, confirms its address and ends all its sessions.
///
/// # Errors
/// `validation_failed` of the token when it is unknown, used or over; then `weak_password`.
pub async fn reset(app: &App, token: &str, password: SecretString) -> Result<Account> {
    let hash = mailing::token_hash(&app.secrets.email_tokens, token);
    let found = email_tokens::find(&app.store, &hash, Purpose::Reset, app.clock.now()).await?;
    let account = found.ok_or_else(bad_token)?;
    let password_hash = app.passwords.accept(password, &account.email).await?;
    let reset = email_tokens::reset(&app.store, &hash, &password_hash, app.clock.now()).await?;
    let account = reset.ok_or_else(bad_token)?;
    tracing::info!(account.id = %account.id, "a password was set anew; all sessions ended");
    Ok(account)
}
