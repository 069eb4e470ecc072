//! Confirms an address with the token that was mailed to it.

use lectern_store::{
    accounts::Account,
    email_tokens::{self, Purpose},
};

use super::mailing::{self, Draft};
use crate::{
    app::App,
    error::{Error, Result},
};

/// The shortest time between two confirmation mails to an account.
const MIN_INTERVAL_SECONDS: i64 = 5 * 60;

/// Confirms the address of the account that this token belongs to.
///
/// # Errors
/// `validation_failed` for the token when it is unknown, used or expired.
pub async fn confirm(app: &App, token: &str) -> Result<Account> {
    let hash = mailing::token_hash(&app.secrets.email_tokens, token);
    let confirmed = email_tokens::confirm(&app.store, &hash, app.clock.now()).await?;
    let account = confirmed.ok_or_else(invalid_token)?;
    tracing::info!(account.id = %account.id, "an address was confirmed");
    Ok(account)
}

/// The error for a token that is not valid.
pub(super) fn invalid_token() -> Error {
    Error::invalid("token", "is unknown, was used before, or has ended; ask for a new mail")
}

/// Sends another confirmation mail, unless one was sent recently.
///
/// # Errors
/// The store's.
pub async fn resend(app: &App, account: &Account) -> Result<()> {
    let now = app.clock.now();
    let draft = Draft::new(app, Purpose::Confirm, &account.email)?;
    let not_since = now.plus_seconds(-MIN_INTERVAL_SECONDS);
    let (token, row) = (draft.token(), draft.row());
    if email_tokens::issue(&app.store, account.id, &token, &row, not_since, now).await? {
        draft.deliver(app).await;
    }
    Ok(())
}
