//! Confirms an address with the token that was mailed to it.

use lectern_store::{
    accounts::Account,
    email_tokens::{self, Purpose},
};

use super::{
    context::AccountContext,
    mailing::{self, Draft},
};
use crate::{
    base::Base,
    error::{Error, Result},
};

/// The shortest time between two confirmation mails to an account.
const MIN_INTERVAL_SECONDS: i64 = 5 * 60;

/// Confirms the address of the account that this token belongs to.
///
/// # Errors
/// `validation_failed` for the token when it is unknown, used or expired.
pub async fn confirm(base: &Base, token: &str) -> Result<Account> {
    let hash = mailing::token_hash(&base.secrets.email_tokens, token);
    let confirmed = email_tokens::confirm(&base.store, &hash, base.clock.now()).await?;
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
pub async fn resend(context: &AccountContext, account: &Account) -> Result<()> {
    let now = context.base.clock.now();
    let draft = Draft::new(context, Purpose::Confirm, &account.email)?;
    let not_since = now.plus_seconds(-MIN_INTERVAL_SECONDS);
    let (token, row) = (draft.token(), draft.row());
    if email_tokens::issue(&context.base.store, account.id, &token, &row, not_since, now).await? {
        draft.deliver(context).await;
    }
    Ok(())
}
