//! The authorisation matrix: every route of the document with every credential. [`routes`] lists
//! the routes; each other module tests some of the credentials.

mod consent;
mod credentials;
mod profile;
mod routes;
mod scopes;
mod tenants;
mod web;

use lectern_service::services::keys;
use lectern_store::{Environment, Scopes, keys as stored};
use lectern_testkit::{Account, TestApp};
use secrecy::ExposeSecret as _;

/// A live key of the account. With `seconds`, it expires after that many seconds.
async fn key_with(
    app: &TestApp,
    account: &Account,
    scopes: Scopes,
    seconds: Option<i64>,
) -> (stored::Key, String) {
    let plain = keys::generate(true);
    let hash = keys::hash(&app.base.secrets.pepper, plain.expose_secret());
    let new = stored::NewKey {
        id: app.base.ids.make(),
        hash: &hash,
        hint: keys::hint(plain.expose_secret()),
        name: "made by a test",
        scopes,
        environment: Environment::Live,
        expires_at: seconds.map(|seconds| app.clock.now().plus_seconds(seconds)),
    };
    let store = &app.base.store;
    let made =
        stored::create(store, account.id, Environment::Live, &new, None, app.clock.now()).await.unwrap();
    let stored::CreateOutcome::Created(key) = made else { panic!("replayed") };
    (key, plain.expose_secret().to_owned())
}

/// A key like [`key_with`]'s that is already revoked.
async fn revoked_key(app: &TestApp, account: &Account, seconds: Option<i64>) -> String {
    let (key, plain) = key_with(app, account, Scopes::ALL, seconds).await;
    let now = app.clock.now();
    stored::revoke(&app.base.store, account.id, Environment::Live, key.id, now).await.unwrap();
    plain
}
