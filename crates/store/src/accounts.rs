//! Accounts and the invitations that open them.

use lectern_types::{AccountId, Credits, Timestamp};

use crate::{Result, Store, Tier, keys::NewKey, ledger::Booking, vocabulary::words};

words! {
    /// How far an account has come.
    AccountState {
        /// Made by an invitation; its first keys work, nobody has set a password.
        Invited "invited",
        /// Registered by its owner (or made whole by the operator).
        Registered "registered",
    }
}

/// An account's profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// The address as it was given.
    pub email: String,
    /// How far it has come.
    pub state: AccountState,
    /// When the address was confirmed.
    pub email_confirmed_at: Option<Timestamp>,
    /// Its level.
    pub tier: Tier,
    /// Whether it ever purchased credits; a plain grant does not count.
    pub has_purchased_credits: bool,
    /// The version of the terms it accepted last.
    pub terms_accepted_version: Option<String>,
    /// The version of the privacy policy it accepted last.
    pub privacy_accepted_version: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What an invitation makes: the account, its token and its first keys.
#[derive(Debug, Clone)]
pub struct NewInvite<'a> {
    /// The account's id, should it be made.
    pub account: AccountId,
    /// The address invited; compared without regard to case.
    pub email: &'a str,
    /// The account's level.
    pub tier: Tier,
    /// The keyed hash of the invitation's token.
    pub token_hash: &'a [u8],
    /// When the invitation ends.
    pub expires_at: Timestamp,
    /// The first keys, both of all three scopes.
    pub keys: &'a [NewKey<'a>],
    /// Credits given with it, booked as a purchase; zero for none.
    pub credits: Credits,
}

/// How an invitation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InviteOutcome {
    /// The account is made, with its keys and credits.
    Created(Account),
    /// The address was invited before: the token is replaced; no keys and no credits are added, and the
    /// account keeps its tier.
    ReplacedInvite(Account),
    /// The address is registered already; nothing was changed.
    AlreadyRegistered,
}

/// Invites an address, in one transaction.
pub async fn invite(store: &Store, invite: &NewInvite<'_>, booking: Booking<'_>) -> Result<InviteOutcome> {
    todo!()
}

/// A whole account made at once, without an invitation: the demo account.
#[derive(Debug, Clone)]
pub struct NewAccount<'a> {
    /// Its id.
    pub id: AccountId,
    /// Its address, taken as confirmed.
    pub email: &'a str,
    /// Its level.
    pub tier: Tier,
    /// Its keys.
    pub keys: &'a [NewKey<'a>],
    /// Its first credits, booked as a purchase; zero for none.
    pub credits: Credits,
}

/// Makes a registered account with a confirmed address and no password, its keys and credits, having
/// accepted the current terms and privacy policy. `None` when the address is taken.
pub async fn create_confirmed(
    store: &Store,
    account: &NewAccount<'_>,
    booking: Booking<'_>,
) -> Result<Option<Account>> {
    todo!()
}

/// The account with this id.
pub async fn find(store: &Store, account: AccountId) -> Result<Option<Account>> {
    todo!()
}

/// The account with this address, compared without regard to case.
pub async fn find_by_email(store: &Store, email: &str) -> Result<Option<Account>> {
    todo!()
}

/// Whether the store holds no account at all.
pub async fn none_exist(store: &Store) -> Result<bool> {
    todo!()
}

/// Sets the account's level; `None` when there is no such account.
pub async fn set_tier(
    store: &Store,
    account: AccountId,
    tier: Tier,
    now: Timestamp,
) -> Result<Option<Account>> {
    todo!()
}

/// Marks the address confirmed, unless it is already; `None` when there is no such account.
pub async fn confirm_email(store: &Store, account: AccountId, now: Timestamp) -> Result<Option<Account>> {
    todo!()
}
