//! The key that a session acts with: one per account and environment, created when first needed.
//! Syntheses and materials record the key that requested them; for requests from the web
//! application it is this one.

use lectern_store::{
    Environment, Scopes,
    keys::{self as stored, Authenticated, NewKey},
};
use lectern_types::AccountId;

use crate::{
    base::Base,
    clock,
    error::{Error, Result},
};

const NAME: &str = "Web application";

/// The account's own key in this environment, as if it had authenticated. The owner may do
/// everything with the account.
///
/// # Errors
/// The store's.
pub async fn find_or_create(
    base: &Base,
    account: AccountId,
    environment: Environment,
) -> Result<Authenticated> {
    let mut existing = stored::of_pages(&base.store, account, environment).await?;
    if existing.is_none() {
        let new = NewKey {
            id: base.ids.make(),
            // A random hash that belongs to no key, so no one can present it.
            hash: &clock::random::<32>(),
            hint: "",
            name: NAME,
            scopes: Scopes { read: true, write: true, admin: false },
            environment,
            expires_at: None,
        };
        stored::create_of_pages(&base.store, account, &new, base.clock.now()).await?;
        existing = stored::of_pages(&base.store, account, environment).await?;
    }
    let mut existing =
        existing.ok_or_else(|| Error::Internal("an account's own key was not created".to_owned()))?;
    existing.key.scopes = Scopes::ALL;
    Ok(existing)
}
