//! Accounts and the invitations that create them. `registration` handles the acceptance of an
//! invitation. Passwords are only columns here; the server applies the password policy.

use std::collections::BTreeMap;

use lectern_types::{AccountId, Credits, Timestamp};

use crate::{
    Error, Result, Store, Tier, addresses,
    consent::{self, AcceptedBy},
    db::{Row, Statement, Tx, sql},
    dialect,
    keys::{self, NewKey},
    ledger::{Addition, Booking, posting},
    vocabulary::text_enum,
};

text_enum! {
    /// How far the registration of an account has come.
    AccountState {
        /// Made by an invitation. Its first keys work, but it has no password yet.
        Invited "invited",
        /// Registered by its owner, or created complete by the operator.
        Registered "registered",
    }
}

/// An account's profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// The address as given.
    pub email: String,
    /// How far its registration has come.
    pub state: AccountState,
    /// When the address was confirmed.
    pub email_confirmed_at: Option<Timestamp>,
    pub tier: Tier,
    /// Whether it ever purchased credits; a plain grant does not count.
    pub has_purchased_credits: bool,
    /// The version of the terms it accepted last.
    pub terms_accepted_version: Option<String>,
    /// The version of the privacy policy it accepted last.
    pub privacy_accepted_version: Option<String>,
    pub created_at: Timestamp,
}

/// The rows of an invitation: the account, its token and its first keys.
#[derive(Debug, Clone)]
pub struct NewInvite<'a> {
    /// The id of the account, if one is created.
    pub account: AccountId,
    /// The invited address. Addresses are compared in canonical form, see [`addresses`].
    pub email: &'a str,
    pub tier: Tier,
    /// The keyed hash of the invitation's token.
    pub token_hash: &'a [u8],
    /// When the invitation expires.
    pub expires_at: Timestamp,
    /// The first keys, both with all three scopes.
    pub keys: &'a [NewKey<'a>],
    /// Credits that come with the invitation, booked as a purchase; zero for none.
    pub credits: Credits,
}

/// The outcome of an invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InviteOutcome {
    /// The account was created with its keys and credits.
    Created(Account),
    /// The address was invited before. The token was replaced; no keys or credits were added, and
    /// the account keeps its tier.
    ReplacedInvite(Account),
    /// The address is registered already; nothing was changed.
    AlreadyRegistered,
}

/// Invites an address: account, token, keys and credits in one transaction.
pub async fn invite(store: &Store, invite: &NewInvite<'_>, booking: Booking<'_>) -> Result<InviteOutcome> {
    let mut tx = store.begin().await?;
    let new = Insert {
        id: invite.account,
        email: invite.email,
        state: AccountState::Invited,
        email_confirmed_at: None,
        tier: invite.tier,
        keys: invite.keys,
        credits: invite.credits,
    };
    let created = insert(&mut tx, &new, booking).await?;
    let account = read_by_email(&mut tx, invite.email).await?;
    if account.state == AccountState::Registered {
        return Ok(InviteOutcome::AlreadyRegistered);
    }
    tx.run(sql!(
        "INSERT INTO invites (account_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (account_id) DO UPDATE SET token_hash = excluded.token_hash,
             created_at = excluded.created_at, expires_at = excluded.expires_at, used_at = NULL",
        account.id,
        invite.token_hash,
        booking.now,
        invite.expires_at
    ))
    .await?;
    tx.commit().await?;
    Ok(if created { InviteOutcome::Created(account) } else { InviteOutcome::ReplacedInvite(account) })
}

/// An account that is created complete, without an invitation: the demo account.
#[derive(Debug, Clone)]
pub struct NewAccount<'a> {
    pub id: AccountId,
    /// Its address, which counts as confirmed.
    pub email: &'a str,
    pub tier: Tier,
    pub keys: &'a [NewKey<'a>],
    /// Its first credits, booked as a purchase; zero for none.
    pub credits: Credits,
}

/// Creates a registered account with a confirmed address, no password, and its keys and credits.
/// The account has accepted the current terms and privacy policy. Returns `None` when the address
/// is taken.
pub async fn create_confirmed(
    store: &Store,
    account: &NewAccount<'_>,
    booking: Booking<'_>,
) -> Result<Option<Account>> {
    let mut tx = store.begin().await?;
    let new = Insert {
        id: account.id,
        email: account.email,
        state: AccountState::Registered,
        email_confirmed_at: Some(booking.now),
        tier: account.tier,
        keys: account.keys,
        credits: account.credits,
    };
    if !insert(&mut tx, &new, booking).await? {
        return Ok(None);
    }
    consent::accept_current_in(&mut tx, account.id, AcceptedBy::Operator, booking.now).await?;
    let account = read_by_email(&mut tx, account.email).await?;
    tx.commit().await?;
    Ok(Some(account))
}

/// The row of a new account, and the rows that belong to it.
pub(crate) struct Insert<'a> {
    pub(crate) id: AccountId,
    pub(crate) email: &'a str,
    pub(crate) state: AccountState,
    pub(crate) email_confirmed_at: Option<Timestamp>,
    pub(crate) tier: Tier,
    pub(crate) keys: &'a [NewKey<'a>],
    pub(crate) credits: Credits,
}

/// Adds an account with its balance, keys and credits; false when the address is taken.
pub(crate) async fn insert(tx: &mut Tx, new: &Insert<'_>, booking: Booking<'_>) -> Result<bool> {
    // An account may be stored under an older form of the address.
    let [exact, canonical, unicode] = addresses::keys(new.email);
    if tx.one(sql!(BY_EMAIL, exact, canonical.clone(), unicode)).await?.is_some() {
        return Ok(false);
    }
    let added = tx
        .run(sql!(
            "INSERT INTO accounts (id, email, email_key, state, email_confirmed_at, tier, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT (email_key) DO NOTHING",
            new.id,
            new.email,
            canonical,
            new.state,
            new.email_confirmed_at,
            new.tier,
            booking.now
        ))
        .await?;
    if added == 0 {
        return Ok(false);
    }
    tx.run(sql!("INSERT INTO account_balances (account_id) VALUES ($1)", new.id)).await?;
    for key in new.keys {
        tx.run(keys::insertion(new.id, key, booking.now)).await?;
    }
    if new.credits != Credits::ZERO {
        posting::add(tx, new.id, Addition::Purchase, new.credits, None, booking).await?;
    }
    Ok(true)
}

async fn read_by_email(tx: &mut Tx, email: &str) -> Result<Account> {
    let [exact, canonical, unicode] = addresses::keys(email);
    let row = tx.one(sql!(BY_EMAIL, exact, canonical, unicode)).await?;
    let row = row.ok_or_else(|| Error::Unreadable { what: "an account that was just written".to_owned() })?;
    read(&row)
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, email, state, email_confirmed_at, tier, has_purchased_credits,
                 terms_accepted_version, privacy_accepted_version, created_at
             FROM accounts ",
            $rest
        )
    };
}

const BY_ID: &str = select!("WHERE id = $1");

/// Finds an account by the keys of [`addresses::keys`].
const BY_EMAIL: &str = select!(
    "WHERE email_key IN ($1, $2, $3)
     ORDER BY CASE email_key WHEN $1 THEN 0 WHEN $2 THEN 1 ELSE 2 END LIMIT 1"
);

macro_rules! update {
    ($change:literal) => {
        concat!(
            "UPDATE accounts SET ",
            $change,
            " RETURNING id, email, state, email_confirmed_at, tier, has_purchased_credits,
                 terms_accepted_version, privacy_accepted_version, created_at"
        )
    };
}

/// Reads an account from a row, which may have more columns.
pub(crate) fn read(row: &Row) -> Result<Account> {
    Ok(Account {
        id: row.get("id")?,
        email: row.get("email")?,
        state: row.get("state")?,
        email_confirmed_at: row.get("email_confirmed_at")?,
        tier: row.get("tier")?,
        has_purchased_credits: row.get("has_purchased_credits")?,
        terms_accepted_version: row.get("terms_accepted_version")?,
        privacy_accepted_version: row.get("privacy_accepted_version")?,
        created_at: row.get("created_at")?,
    })
}

/// The account with this id.
pub async fn find(store: &Store, account: AccountId) -> Result<Option<Account>> {
    let row = store.one(sql!(BY_ID, account)).await?;
    row.as_ref().map(read).transpose()
}

/// [`find`], inside a caller's transaction.
pub(crate) async fn find_in(tx: &mut Tx, account: AccountId) -> Result<Option<Account>> {
    let row = tx.one(sql!(BY_ID, account)).await?;
    row.as_ref().map(read).transpose()
}

/// The account with this address in any spelling. If two accounts match, the one with exactly this
/// spelling.
pub async fn find_by_email(store: &Store, email: &str) -> Result<Option<Account>> {
    let [exact, canonical, unicode] = addresses::keys(email);
    let row = store.one(sql!(BY_EMAIL, exact, canonical, unicode)).await?;
    row.as_ref().map(read).transpose()
}

/// Addresses that several accounts have in different spellings, because the accounts are older than
/// the canonical form.
pub async fn twins(store: &Store) -> Result<Vec<Vec<String>>> {
    let mut twins: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in store.all(sql!(dialect::addresses_beyond_ascii(store.backend()))).await? {
        let email: String = row.scalar()?;
        twins.entry(addresses::canonical(&email)).or_default().push(email);
    }
    for (canonical, spellings) in &mut twins {
        // Another account may be stored under the canonical form.
        let of_key = "SELECT email FROM accounts WHERE email_key = $1";
        if let Some(row) = store.one(sql!(of_key, canonical.as_str())).await? {
            spellings.push(row.scalar()?);
        }
    }
    Ok(twins.into_values().filter(|spellings| spellings.len() > 1).collect())
}

/// An account and its password hash, for sign-in.
#[derive(Clone)]
pub struct Credentials {
    pub account: Account,
    /// The password's hash; `None` when no password was ever set.
    pub password_hash: Option<String>,
}

// Written by hand, so that no hash gets into a log.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").field("account", &self.account.id).finish_non_exhaustive()
    }
}

/// Like [`find_by_email`], with the password's hash.
pub async fn credentials(store: &Store, email: &str) -> Result<Option<Credentials>> {
    let [exact, canonical, unicode] = addresses::keys(email);
    let row = store
        .one(sql!(
            "SELECT id, email, state, email_confirmed_at, tier, has_purchased_credits,
                 terms_accepted_version, privacy_accepted_version, created_at, password_hash
             FROM accounts WHERE email_key IN ($1, $2, $3)
             ORDER BY CASE email_key WHEN $1 THEN 0 WHEN $2 THEN 1 ELSE 2 END LIMIT 1",
            exact,
            canonical,
            unicode
        ))
        .await?;
    row.map(|row| Ok(Credentials { account: read(&row)?, password_hash: row.get("password_hash")? }))
        .transpose()
}

/// Sets the password of an account that has none. Returns whether it had none.
pub async fn set_first_password(
    store: &Store,
    account: AccountId,
    password_hash: &str,
    now: Timestamp,
) -> Result<bool> {
    let set = store
        .run(sql!(
            "UPDATE accounts SET password_hash = $2, updated_at = $3 WHERE id = $1 AND password_hash IS NULL",
            account,
            password_hash,
            now
        ))
        .await?;
    Ok(set == 1)
}

/// Whether the store has no accounts at all.
pub async fn none_exist(store: &Store) -> Result<bool> {
    Ok(store.one(sql!("SELECT id FROM accounts LIMIT 1")).await?.is_none())
}

/// Sets the account's tier; `None` when there is no such account.
pub async fn set_tier(
    store: &Store,
    account: AccountId,
    tier: Tier,
    now: Timestamp,
) -> Result<Option<Account>> {
    let rows =
        store.change(sql!(update!("tier = $2, updated_at = $3 WHERE id = $1"), account, tier, now)).await?;
    rows.first().map(read).transpose()
}

/// Marks the address as confirmed, unless it is already; `None` when there is no such account.
pub async fn confirm_email(store: &Store, account: AccountId, now: Timestamp) -> Result<Option<Account>> {
    let rows = store.change(confirmation(account, now)).await?;
    rows.first().map(read).transpose()
}

/// The statement that marks the address as confirmed; it returns the account.
pub(crate) fn confirmation(account: AccountId, now: Timestamp) -> Statement {
    sql!(
        update!("email_confirmed_at = COALESCE(email_confirmed_at, $2), updated_at = $2 WHERE id = $1"),
        account,
        now
    )
}
