//! Invites an address: creates the account, its first keys and the invitation's token.

use lectern_store::{
    Environment, Scopes, Tier,
    accounts::{self, InviteOutcome, NewAccount, NewInvite},
    addresses,
    keys::NewKey,
    ledger::Booking,
};
use lectern_types::{AccountId, Credits, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};

use crate::services::keys;
use crate::{base::Base, clock, error::Result};

/// How long an invitation is valid.
const VALID_SECONDS: i64 = 14 * 24 * 60 * 60;

/// An invitation, with secrets that are shown only once.
#[derive(Debug)]
pub struct Invitation {
    /// The account, new or existing.
    pub account: AccountId,
    pub email: String,
    pub token: SecretString,
    /// When the token expires.
    pub expires_at: Timestamp,
    /// The first keys; `None` when the account was already invited.
    pub keys: Option<FirstKeys>,
}

/// The two keys of a new account, both of all three scopes.
#[derive(Debug)]
pub struct FirstKeys {
    /// For production.
    pub live: SecretString,
    /// For the sandbox.
    pub test: SecretString,
}

/// Why an address cannot be invited.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    #[error("{0:?} is not an e-mail address")]
    NotAnAddress(String),
    #[error("{0} is registered already")]
    AlreadyRegistered(String),
    #[error(transparent)]
    Store(#[from] lectern_store::Error),
}

/// Invites `email`, by default to the free tier and without credits. An address that was already
/// invited gets a new token and no keys, and keeps its tier and credits.
///
/// # Errors
/// [`InviteError`].
pub async fn invite(
    base: &Base,
    email: &str,
    tier: Option<Tier>,
    credits: Option<Credits>,
) -> Result<Invitation, InviteError> {
    let email = email.trim();
    if !is_address(email) {
        return Err(InviteError::NotAnAddress(email.to_owned()));
    }
    let now = base.clock.now();
    let token = SecretString::from(format!("inv_{}", hex::encode(clock::random::<32>())));
    let expires_at = now.plus_seconds(VALID_SECONDS);
    let first = NewKeys::new(base);
    let new = NewInvite {
        account: base.ids.make(),
        email,
        tier: tier.unwrap_or(Tier::Free),
        token_hash: &keys::hash(&base.secrets.invites, token.expose_secret()),
        expires_at,
        keys: &first.rows(),
        credits: credits.unwrap_or(Credits::ZERO),
    };
    let ids = || base.transaction_id();
    let booking = Booking { now, ids: &ids };
    let (account, is_new) = match accounts::invite(&base.store, &new, booking).await? {
        InviteOutcome::Created(account) => (account, true),
        InviteOutcome::ReplacedInvite(account) => (account, false),
        InviteOutcome::AlreadyRegistered => return Err(InviteError::AlreadyRegistered(email.to_owned())),
    };
    let keys = is_new.then(|| first.into_keys());
    Ok(Invitation { account: account.id, email: account.email, token, expires_at, keys })
}

/// Creates a confirmed account without registration; `None` when the address is taken.
///
/// # Errors
/// The store's.
pub async fn create_confirmed(
    base: &Base,
    email: &str,
    tier: Tier,
    credits: Credits,
) -> Result<Option<(AccountId, FirstKeys)>, lectern_store::Error> {
    let first = NewKeys::new(base);
    let new = NewAccount { id: base.ids.make(), email, tier, keys: &first.rows(), credits };
    let ids = || base.transaction_id();
    let booking = Booking { now: base.clock.now(), ids: &ids };
    let created = accounts::create_confirmed(&base.store, &new, booking).await?;
    Ok(created.map(|account| (account.id, first.into_keys())))
}

/// Two new keys and their rows.
struct NewKeys {
    keys: FirstKeys,
    live: (lectern_types::KeyId, [u8; 32]),
    test: (lectern_types::KeyId, [u8; 32]),
}

impl NewKeys {
    fn new(base: &Base) -> Self {
        let keys = FirstKeys { live: keys::generate(true), test: keys::generate(false) };
        let row = |key: &SecretString| {
            (base.ids.make(), self::keys::hash(&base.secrets.pepper, key.expose_secret()))
        };
        let (live, test) = (row(&keys.live), row(&keys.test));
        Self { keys, live, test }
    }

    fn rows(&self) -> [NewKey<'_>; 2] {
        [
            NewKey {
                id: self.live.0,
                hash: &self.live.1,
                hint: keys::hint(self.keys.live.expose_secret()),
                name: "First live key",
                scopes: Scopes::ALL,
                environment: Environment::Live,
                expires_at: None,
            },
            NewKey {
                id: self.test.0,
                hash: &self.test.1,
                hint: keys::hint(self.keys.test.expose_secret()),
                name: "First test key",
                scopes: Scopes::ALL,
                environment: Environment::Test,
                expires_at: None,
            },
        ]
    }

    fn into_keys(self) -> FirstKeys {
        self.keys
    }
}

/// Whether `email` has the form of an address: one `@`, something before it, a host name in any
/// spelling after it, and nothing that could inject mail headers. Only sending a mail can tell
/// whether it exists.
pub fn is_address(email: &str) -> bool {
    let Some((local, host)) = email.rsplit_once('@') else { return false };
    let plain = |c: char| !c.is_control() && !c.is_whitespace() && !matches!(c, '<' | '>' | ',' | ';' | '"');
    let label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    (1..=64).contains(&local.len())
        && email.len() <= 254
        && local.chars().all(|c| plain(c) && c != '@')
        && host.chars().all(plain)
        && addresses::ascii_host(host).split('.').all(label)
                // An address that the mailer rejects could register but never confirm.
        && addresses::for_mail(email).parse::<lettre::Address>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn addresses_have_one_at_a_local_part_and_a_host() {
        for good in [
            "ada@example.com",
            "a.b+c@mail.example.org",
            "jörg@münchen.example",
            "x@localhost",
            "u@xn--bcher-kva.example",
            "u@bu\u{308}cher.example",
        ] {
            assert!(is_address(good), "{good}");
        }
        for bad in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "a@b@c",
            "a b@c.d",
            "a@b..c",
            "a@-b.c",
            "a@b\n.c",
            "<a@b.c>",
            "a..b@c.d",
            "a@b\u{a0}.c",
            "a@b。.c",
        ] {
            assert!(!is_address(bad), "{bad}");
        }
    }
}
