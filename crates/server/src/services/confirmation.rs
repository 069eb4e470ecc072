//! Confirming an address with the token that was sent to it.

use lectern_store::{
    accounts::Account,
    email_tokens::{self, Purpose},
};

use super::mailing::{self, Draft};
use crate::{
    app::App,
    error::{Error, Result},
};

/// An account is sent at most one confirmation mail in this time.
const AT_MOST_ONCE_IN_SECONDS: i64 = 5 * 60;

/// Confirms the address of the account whose token this is.
///
/// # Errors
/// `validation_failed` of the token when it is unknown, used or over.
pub async fn confirm(app: &App, token: &str) -> Result<Account> {
    let hash = mailing::token_hash(&app.secrets.email_tokens, token);
    let confirmed = email_tokens::confirm(&app.store, &hash, app.clock.now()).await?;
    let account = confirmed.ok_or_else(bad_token)?;
    tracing::info!(account.id = %account.id, "an address was confirmed");
    Ok(account)
}

/// What a token that does not work is told.
pub(super) fn bad_token() -> Error {
    Error::invalid("token", "is unknown, was used before, or has ended; ask for a new mail")
}

/// Sends another confirmation mail, unless one was sent a moment ago.
///
/// # Errors
/// The store's.
pub async fn send_again(app: &App, account: &Account) -> Result<()> {
    let now = app.clock.now();
    let draft = Draft::new(app, Purpose::Confirm, &account.email)?;
    let not_since = now.plus_seconds(-AT_MOST_ONCE_IN_SECONDS);
    let (token, row) = (draft.token(), draft.row());
    if email_tokens::issue(&app.store, account.id, &token, &row, not_since, now).await? {
        draft.deliver(app).await;
    }
    Ok(())
}
