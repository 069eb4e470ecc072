//! Inviting an address: the account, its first keys and the token of the invitation.

use lectern_store::{
    Environment, Scopes, Tier,
    accounts::{self, InviteOutcome, NewAccount, NewInvite},
    addresses,
    keys::NewKey,
    ledger::Booking,
};
use lectern_types::{AccountId, Credits, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};

use super::keys;
use crate::{app::Base, clock, error::Result};

/// How long an invitation can be taken up.
const VALID_SECONDS: i64 = 14 * 24 * 60 * 60;

/// An invitation, with what is shown only now.
#[derive(Debug)]
pub struct Invited {
    /// The account that was made, or was there.
    pub account: AccountId,
    /// Its address.
    pub email: String,
    /// What registers it.
    pub token: SecretString,
    /// When the token ends.
    pub expires_at: Timestamp,
    /// The first keys; `None` when the account had been invited before.
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
    /// It is not an address.
    #[error("{0:?} is not an e-mail address")]
    NotAnAddress(String),
    /// It is registered already.
    #[error("{0} is registered already")]
    AlreadyRegistered(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] lectern_store::Error),
}

/// Invites `email`, to the free tier and without credits unless it is said otherwise. An address invited before gets a
/// new token and no keys, and keeps its tier and credits.
///
/// # Errors
/// [`InviteError`].
pub async fn invite(
    base: &Base,
    email: &str,
    tier: Option<Tier>,
    credits: Option<Credits>,
) -> Result<Invited, InviteError> {
    let email = email.trim();
    if !is_address(email) {
        return Err(InviteError::NotAnAddress(email.to_owned()));
    }
    let now = base.clock.now();
    let token = SecretString::from(format!("inv_{}", hex::encode(clock::random::<32>())));
    let expires_at = now.plus_seconds(VALID_SECONDS);
    let first = MintedKeys::new(base);
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
    Ok(Invited { account: account.id, email: account.email, token, expires_at, keys })
}

/// Makes a confirmed account that needs no registration; `None` when the address is taken.
///
/// # Errors
/// The store's.
pub async fn create_confirmed(
    base: &Base,
    email: &str,
    tier: Tier,
    credits: Credits,
) -> Result<Option<(AccountId, FirstKeys)>, lectern_store::Error> {
    let first = MintedKeys::new(base);
    let new = NewAccount { id: base.ids.make(), email, tier, keys: &first.rows(), credits };
    let ids = || base.transaction_id();
    let booking = Booking { now: base.clock.now(), ids: &ids };
    let made = accounts::create_confirmed(&base.store, &new, booking).await?;
    Ok(made.map(|account| (account.id, first.into_keys())))
}

/// Two keys on their way into the store.
struct MintedKeys {
    keys: FirstKeys,
    live: (lectern_types::KeyId, [u8; 32]),
    test: (lectern_types::KeyId, [u8; 32]),
}

impl MintedKeys {
    fn new(base: &Base) -> Self {
        let keys = FirstKeys { live: keys::mint(true), test: keys::mint(false) };
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

/// Whether `email` has the form of an address: one `@`, something before it, a host name in any spelling after it, and nothing
/// that would let it reach into a mail's headers. Whether it exists, only a mail can tell.
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
        // What the mailer would not take could register and never confirm.
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
