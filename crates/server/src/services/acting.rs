//! What a session acts under: a key of the account's own for each environment, made when it is first needed. Rows that
//! name the key that asked for them, syntheses and materials, name this one for what was asked for in the web application.

use lectern_store::{
    Environment, Scopes,
    keys::{self as stored, Authenticated, NewKey},
};
use lectern_types::AccountId;

use crate::{
    app::App,
    clock,
    error::{Error, Result},
};

/// The name of the key.
const NAME: &str = "Web application";

/// The account's own key in this environment, as if it had called. Its owner may do everything with the account.
///
/// # Errors
/// The store's.
pub async fn acting(app: &App, account: AccountId, environment: Environment) -> Result<Authenticated> {
    let mut found = stored::of_pages(&app.store, account, environment).await?;
    if found.is_none() {
        let new = NewKey {
            id: app.ids.make(),
            // The hash of no key that there is: nobody can present it.
            hash: &clock::random::<32>(),
            hint: "",
            name: NAME,
            scopes: Scopes { read: true, write: true, admin: false },
            environment,
            expires_at: None,
        };
        stored::create_of_pages(&app.store, account, &new, app.clock.now()).await?;
        found = stored::of_pages(&app.store, account, environment).await?;
    }
    let mut found = found.ok_or_else(|| Error::Internal("an account's own key was not made".to_owned()))?;
    found.key.scopes = Scopes::ALL;
    Ok(found)
}
