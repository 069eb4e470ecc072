//! Registration: the holder of an invitation's token activates the invited account, or a new
//! account is created where registration is open. The confirmation mail is stored in the same
//! transaction. Passwords arrive hashed.

use lectern_types::{AccountId, Credits, Timestamp};

use crate::{
    Result, Store, Tier,
    accounts::{self, Account, AccountState},
    db::{Tx, sql},
    email_tokens::{self, NewToken},
    ledger::Booking,
    mails::{self, NewMail},
};

/// Who registers.
#[derive(Debug, Clone, Copy)]
pub enum Registrant<'a> {
    /// The holder of an invitation's token, for the invited account.
    Invited {
        /// The keyed hash of the invitation's token.
        token_hash: &'a [u8],
    },
    /// Anybody, for a new account.
    Open { account: AccountId, email: &'a str },
}

/// The data of a registration.
#[derive(Debug, Clone, Copy)]
pub struct Registration<'a> {
    pub registrant: Registrant<'a>,
    pub password_hash: &'a str,
    /// The token that confirms the address.
    pub token: NewToken<'a>,
    /// The mail that carries the token.
    pub mail: NewMail<'a>,
}

/// The outcome of a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisterOutcome {
    /// The account is registered.
    Registered(Account),
    /// The invitation is unknown, used or expired; nothing was changed.
    InviteInvalid,
    /// The address has an account already; nothing was changed.
    EmailInUse,
}

/// The account of the invitation with this hash, as long as the invitation can be accepted.
pub async fn find_invited(store: &Store, token_hash: &[u8], now: Timestamp) -> Result<Option<Account>> {
    let found = store
        .one(sql!(
            "SELECT account_id FROM invites WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2",
            token_hash,
            now
        ))
        .await?;
    match found {
        Some(row) => accounts::find(store, row.scalar()?).await,
        None => Ok(None),
    }
}

/// Registers an account. Of concurrent registrations with one token, or of one address, exactly one
/// succeeds.
pub async fn register(
    store: &Store,
    registration: &Registration<'_>,
    booking: Booking<'_>,
) -> Result<RegisterOutcome> {
    let mut tx = store.begin().await?;
    let account = match registration.registrant {
        Registrant::Invited { token_hash } => {
            let Some(account) = spend(&mut tx, token_hash, booking.now).await? else {
                return Ok(RegisterOutcome::InviteInvalid);
            };
            account
        }
        Registrant::Open { account, email } => {
            let new = accounts::Insert {
                id: account,
                email,
                state: AccountState::Invited,
                email_confirmed_at: None,
                tier: Tier::Free,
                keys: &[],
                credits: Credits::ZERO,
            };
            if !accounts::insert(&mut tx, &new, booking).await? {
                return Ok(RegisterOutcome::EmailInUse);
            }
            account
        }
    };
    let activated = tx
        .run(sql!(
            "UPDATE accounts SET state = 'registered', password_hash = $2, updated_at = $3
             WHERE id = $1 AND state = 'invited'",
            account,
            registration.password_hash,
            booking.now
        ))
        .await?;
    let found = accounts::find_in(&mut tx, account).await?;
    let (1, Some(found)) = (activated, found) else { return Ok(RegisterOutcome::EmailInUse) };
    tx.run(email_tokens::insertion(account, &registration.token, booking.now)).await?;
    tx.run(mails::insertion(account, &registration.mail, booking.now)).await?;
    tx.commit().await?;
    Ok(RegisterOutcome::Registered(found))
}

/// Marks a usable invitation as used; returns its account. Of concurrent calls, one succeeds.
async fn spend(tx: &mut Tx, token_hash: &[u8], now: Timestamp) -> Result<Option<AccountId>> {
    let taken = tx
        .one(sql!(
            "UPDATE invites SET used_at = $2
             WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING account_id",
            token_hash,
            now
        ))
        .await?;
    taken.map(|row| row.scalar()).transpose()
}
