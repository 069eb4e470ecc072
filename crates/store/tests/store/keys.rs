//! API keys.

use lectern_store::{
    Environment, Scope, Scopes,
    idempotency::{Replay, Request, Response},
    keys::{self, CreateOutcome, RevokeOutcome},
};
use lectern_types::{AccountId, KeyId, KeyStatus};

use crate::fixture::{Fixture, KeyParts, NOON, new_id, on_both};

async fn make(f: &Fixture, account: AccountId, environment: Environment, scopes: Scopes) -> KeyId {
    let parts = KeyParts::new();
    let key = parts.key(environment, scopes);
    let made = keys::create(f, account, environment, &key, None, NOON).await.expect("it is made");
    assert!(matches!(made, CreateOutcome::Created(_)));
    parts.id
}

fn read_only() -> Scopes {
    [Scope::Read].into_iter().collect()
}

on_both! {
    async fn a_key_is_found_by_its_hash_only(f: &Fixture) {
        let (account, key) = f.account(0).await;
        let found = keys::authenticate(f, key.to_string().as_bytes()).await.expect("it reads").expect("there");
        assert_eq!((found.account, found.key.status(NOON)), (account, KeyStatus::Active));
        assert_eq!(keys::authenticate(f, b"another").await.expect("it reads"), None);
        assert_eq!(keys::authenticate(f, b"").await.expect("it reads"), None);
    }

    async fn a_key_past_its_end_is_expired_and_a_revoked_one_is_revoked_for_ever(f: &Fixture) {
        let (account, _) = f.account(0).await;
        let parts = KeyParts::new();
        let end = NOON.plus_seconds(60);
        let mut key = parts.key(Environment::Live, Scopes::ALL);
        key.expires_at = Some(end);
        keys::create(f, account, Environment::Live, &key, None, NOON).await.expect("it is made");
        let found = keys::authenticate(f, &parts.hash).await.expect("it reads").expect("there").key;
        assert_eq!(found.status(end.plus_micros(-1)), KeyStatus::Active);
        assert_eq!(found.status(end), KeyStatus::Expired);
        // An expired key can still be revoked.
        let revoked = keys::revoke(f, account, Environment::Live, parts.id, end).await.expect("it answers");
        let RevokeOutcome::Revoked(revoked) = revoked else { panic!("{revoked:?}") };
        assert_eq!(revoked.status(end), KeyStatus::Revoked);
        let found = keys::authenticate(f, &parts.hash).await.expect("it reads").expect("there").key;
        assert_eq!(found, revoked);
    }

    async fn a_use_is_noted_once_a_minute(f: &Fixture) {
        let (_, key) = f.account(0).await;
        let read = async || {
            keys::authenticate(f, key.to_string().as_bytes()).await.expect("it reads").expect("there").key
        };
        let unused = read().await;
        assert_eq!(unused.last_used_at, None);
        assert!(keys::touch(f, &unused, NOON).await.expect("it writes"));
        // A stale copy of the key, held by a concurrent request, writes nothing.
        assert!(!keys::touch(f, &unused, NOON.plus_seconds(1)).await.expect("it answers"));
        let used = read().await;
        assert_eq!(used.last_used_at, Some(NOON));
        assert!(!keys::touch(f, &used, NOON.plus_seconds(59)).await.expect("it answers"));
        assert!(keys::touch(f, &used, NOON.plus_seconds(60)).await.expect("it writes"));
        assert_eq!(read().await.last_used_at, Some(NOON.plus_seconds(60)));
    }

    async fn a_test_key_sees_test_keys_only(f: &Fixture) {
        let (account, first) = f.account(0).await;
        let test = make(f, account, Environment::Test, read_only()).await;
        let (other, _) = f.account(0).await;
        make(f, other, Environment::Test, Scopes::ALL).await;
        let ids = async |from, before, limit| {
            let keys = keys::list(f, account, from, before, limit).await.expect("it reads");
            keys.into_iter().map(|key| key.id).collect::<Vec<_>>()
        };
        assert_eq!(ids(Environment::Live, None, 10).await, [test, first], "newest first");
        assert_eq!(ids(Environment::Live, None, 1).await, [test]);
        assert_eq!(ids(Environment::Live, Some(test), 10).await, [first]);
        assert_eq!(ids(Environment::Test, None, 10).await, [test]);
        let unseen = keys::revoke(f, account, Environment::Test, first, NOON).await.expect("it answers");
        assert_eq!(unseen, RevokeOutcome::NotFound);
        let foreign = keys::revoke(f, other, Environment::Live, test, NOON).await.expect("it answers");
        assert_eq!(foreign, RevokeOutcome::NotFound);
    }

    async fn the_last_active_admin_key_of_both_environments_stays(f: &Fixture) {
        let (account, first) = f.account(0).await;
        let revoke = |key| keys::revoke(f, account, Environment::Live, key, NOON);
        assert_eq!(revoke(first).await.expect("it answers"), RevokeOutcome::LastAdminKey);
        make(f, account, Environment::Live, read_only()).await;
        assert_eq!(revoke(first).await.expect("it answers"), RevokeOutcome::LastAdminKey, "a key without the scope admin does not count");
        let expired = KeyParts::new();
        let mut key = expired.key(Environment::Live, Scopes::ALL);
        key.expires_at = Some(NOON);
        keys::create(f, account, Environment::Live, &key, None, NOON).await.expect("it is made");
        assert_eq!(revoke(first).await.expect("it answers"), RevokeOutcome::LastAdminKey, "an expired key does not count");
        let test = make(f, account, Environment::Test, Scopes::ALL).await;
        assert!(matches!(revoke(first).await, Ok(RevokeOutcome::Revoked(_))));
        assert_eq!(revoke(first).await.expect("it answers"), RevokeOutcome::AlreadyRevoked);
        assert_eq!(revoke(test).await.expect("it answers"), RevokeOutcome::LastAdminKey);
        assert_eq!(revoke(new_id()).await.expect("it answers"), RevokeOutcome::NotFound);
    }

    async fn of_two_revocations_of_the_last_admin_keys_one_succeeds(f: &Fixture) {
        for _ in 0..20 {
            let (account, first) = f.account(0).await;
            let second = make(f, account, Environment::Live, Scopes::ALL).await;
            let (one, two) = tokio::join!(
                keys::revoke(f, account, Environment::Live, first, NOON),
                keys::revoke(f, account, Environment::Live, second, NOON),
            );
            let outcomes = [one.expect("it answers"), two.expect("it answers")];
            let revoked = outcomes.iter().filter(|o| matches!(o, RevokeOutcome::Revoked(_))).count();
            assert_eq!(revoked, 1, "{outcomes:?}");
            assert!(outcomes.contains(&RevokeOutcome::LastAdminKey));
        }
    }

    async fn a_key_made_under_an_idempotency_key_is_made_once(f: &Fixture) {
        let (account, _) = f.account(0).await;
        let response =
            Response { status: 201, content_type: "application/json".into(), body: b"sealed".into(), sealed: true };
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let (store, response) = (f.store.clone(), response.clone());
            tasks.spawn(async move {
                let request =
                    Request { method: "POST", path: "/v1/saas/keys", key: "k-1", fingerprint: b"same" };
                let parts = KeyParts::new();
                let key = parts.key(Environment::Test, Scopes::ALL);
                let idempotency = Some((&request, &response));
                keys::create(&store, account, Environment::Live, &key, idempotency, NOON).await
            });
        }
        let outcomes = tasks.join_all().await;
        let made = outcomes.iter().filter(|o| matches!(o, Ok(CreateOutcome::Created(_)))).count();
        let replay = CreateOutcome::Replay(Replay::Finished(response.clone()));
        let replayed = outcomes.iter().filter(|o| matches!(o, Ok(o) if *o == replay)).count();
        assert_eq!((made, replayed), (1, 7), "{outcomes:?}");
        assert_eq!(keys::list(f, account, Environment::Test, None, 10).await.expect("it reads").len(), 1);
    }
}
