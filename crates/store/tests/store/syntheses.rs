//! Syntheses without an idempotency key, and what they leave behind.

use lectern_store::{
    Environment, Error, Store, Tier, ereaders,
    idempotency::{Request, Response},
    ledger, object_deletions,
    syntheses::{self, Begin, BeginOutcome, Claim, Finished, NewEvent, Synthesis},
};
use lectern_types::{AccountId, Credits, EreaderId, KeyId, Timestamp};

use crate::{
    ereaders::ereader,
    fixture::{Fixture, NOON, at, lease, new_id, on_both, writing},
};

pub(crate) fn response() -> Response {
    Response {
        status: 200,
        content_type: "application/json".into(),
        body: b"{\"id\":1}".into(),
        sealed: false,
    }
}

pub(crate) async fn speak(
    store: &Store,
    account: AccountId,
    price: i64,
    owner: &str,
    idempotency: Option<Request<'_>>,
    now: Timestamp,
) -> BeginOutcome {
    let lease = lease(owner, now);
    let begin = Begin { synthesis: new_id(), price: Credits(price), lease: &lease, idempotency };
    syntheses::begin(store, account, Environment::Live, &begin, writing(now)).await.expect("it answers")
}

pub(crate) async fn begin_with(
    f: &Fixture,
    account: AccountId,
    price: i64,
    owner: &str,
    idempotency: Option<Request<'_>>,
    now: Timestamp,
) -> BeginOutcome {
    speak(f, account, price, owner, idempotency, now).await
}

/// The row of a finished synthesis by `heart`, which is created if missing.
pub(crate) async fn row(store: &Store, key: KeyId, claim: &Claim, charge: i64, now: Timestamp) -> Synthesis {
    let heart = ereaders::find_by_slug(store, "heart").await.expect("it reads");
    let heart = match heart {
        Some(heart) => heart,
        None => ereaders::put(store, &ereader("heart", Tier::Free), NOON).await.expect("it writes"),
    };
    row_by(heart.id, key, claim, charge, now)
}

/// The row of a finished synthesis by this e-reader.
pub(crate) fn row_by(
    ereader: EreaderId,
    key: KeyId,
    claim: &Claim,
    charge: i64,
    now: Timestamp,
) -> Synthesis {
    Synthesis {
        id: claim.synthesis,
        key,
        ereader,
        characters: 10,
        credits_charged: Credits(charge),
        format: "mp3".into(),
        sample_rate_hz: 24_000,
        duration_ms: 1_234,
        object_key: format!("syntheses/{}.mp3", claim.synthesis),
        bytes: 9_876,
        etag: "\"abc\"".into(),
        created_at: now,
        delete_after: now.plus_seconds(25 * 3_600),
        deleted_at: None,
    }
}

pub(crate) async fn commit(f: &Fixture, key: KeyId, claim: &Claim, charge: i64, now: Timestamp) -> bool {
    let synthesis = row(f, key, claim, charge, now).await;
    let finished = Finished { synthesis: &synthesis, said: None, event: None, response: &response() };
    syntheses::commit(f, claim, &finished, at(now)).await.expect("it answers")
}

async fn begun(f: &Fixture, account: AccountId, price: i64) -> Claim {
    match speak(f, account, price, "a", None, NOON).await {
        BeginOutcome::Begun(claim) => claim,
        other => panic!("{other:?}"),
    }
}

on_both! {
    async fn a_committed_synthesis_is_found_by_its_account_in_its_environment(f: &Fixture) {
        let (account, key) = f.account(100).await;
        let (other, _) = f.account(100).await;
        let claim = begun(f, account, 10).await;
        let synthesis = row(f, key, &claim, 10, NOON).await;
        let event = NewEvent { id: new_id(), kind: "chunk.completed", data: "{}" };
        let finished = Finished { synthesis: &synthesis, said: None, event: Some(event), response: &response() };
        assert!(syntheses::commit(f, &claim, &finished, at(NOON)).await.expect("it answers"));
        assert!(!syntheses::commit(f, &claim, &finished, at(NOON)).await.expect("it answers"), "once");

        let find = |account, environment| syntheses::find(f, account, environment, synthesis.id);
        assert_eq!(find(account, Environment::Live).await.expect("it reads"), Some(synthesis.clone()));
        assert_eq!(find(account, Environment::Test).await.expect("it reads"), None);
        assert_eq!(find(other, Environment::Live).await.expect("it reads"), None);
        assert_eq!(f.sql("UPDATE events SET data = data").await.expect("it runs"), 1, "the event is stored");
        let charge = &ledger::transactions(f, account, None, 1).await.expect("it reads")[0];
        assert_eq!(charge.reference, Some(synthesis.id.to_string()));
    }

    async fn what_fails_to_commit_leaves_nothing(f: &Fixture) {
        let (account, key) = f.account(100).await;
        let claim = begun(f, account, 10).await;
        // A charge larger than the hold.
        let dear = row(f, key, &claim, 11, NOON).await;
        let finished = Finished { synthesis: &dear, said: None, event: None, response: &response() };
        let refused = syntheses::commit(f, &claim, &finished, at(NOON)).await;
        assert!(matches!(refused, Err(Error::CreditsOutOfRange)), "{refused:?}");
        // A row that the database rejects, after the capture in the same transaction.
        let mut odd = row(f, key, &claim, 10, NOON).await;
        odd.ereader = new_id();
        let finished = Finished { synthesis: &odd, said: None, event: None, response: &response() };
        let refused = syntheses::commit(f, &claim, &finished, at(NOON)).await;
        assert!(matches!(refused, Err(Error::Constraint(_))), "{refused:?}");
        let balance = ledger::balance(f, account).await.expect("it reads").expect("there is one");
        assert_eq!((balance.balance, balance.held), (Credits(100), Credits(10)));
        assert!(commit(f, key, &claim, 10, NOON).await, "the claim is still valid");
    }

    async fn a_test_key_holds_and_charges_nothing(f: &Fixture) {
        let (account, key) = f.account(0).await;
        let claim = begun(f, account, 0).await;
        assert_eq!(claim.hold, None);
        assert!(syntheses::renew(f, &claim, NOON).await.expect("it answers"));
        assert!(commit(f, key, &claim, 0, NOON).await);
        assert_eq!(ledger::transactions(f, account, None, 10).await.expect("it reads"), []);
        let aborted = begun(f, account, 0).await;
        assert!(syntheses::abort(f, &aborted, at(NOON)).await.expect("it answers"));
        let lease = lease("a", NOON);
        let begin = Begin { synthesis: new_id(), price: Credits(-1), lease: &lease, idempotency: None };
        let refused = syntheses::begin(f, account, Environment::Live, &begin, writing(NOON)).await;
        assert!(matches!(refused, Err(Error::CreditsOutOfRange)), "{refused:?}");
    }

    async fn an_engines_failure_gives_all_back(f: &Fixture) {
        let (account, _) = f.account(10).await;
        let claim = begun(f, account, 10).await;
        assert!(syntheses::abort(f, &claim, at(NOON)).await.expect("it answers"));
        let balance = ledger::balance(f, account).await.expect("it reads").expect("there is one");
        assert_eq!((balance.balance, balance.held), (Credits(10), Credits::ZERO));
    }

    async fn audio_is_due_for_deletion_once_its_time_has_come(f: &Fixture) {
        let (account, key) = f.account(100).await;
        let mut made = Vec::new();
        for seconds in 0..3 {
            let claim = begun(f, account, 10).await;
            assert!(commit(f, key, &claim, 10, NOON.plus_seconds(seconds)).await);
            made.push(claim.synthesis);
        }
        let expire = async |now, limit| syntheses::expire(f, now, limit).await.expect("it writes");
        let ended = async |synthesis| {
            let found = syntheses::find(f, account, Environment::Live, synthesis).await.expect("it reads");
            found.expect("the row stays").deleted_at
        };
        let day = NOON.plus_seconds(25 * 3_600);
        assert_eq!(expire(day.plus_micros(-1), 10).await, 0);
        assert_eq!(expire(day.plus_seconds(9), 1).await, 1);
        assert_eq!((ended(made[0]).await, ended(made[1]).await), (Some(day.plus_seconds(9)), None));
        assert_eq!(expire(day.plus_seconds(1), 10).await, 1);
        assert_eq!(expire(day.plus_seconds(9), 10).await, 1);
        assert_eq!(expire(day.plus_seconds(9), 10).await, 0);
        let due = object_deletions::due(f, day.plus_seconds(9), 10).await.expect("it reads");
        assert_eq!(due.len(), 3, "their objects are listed for deletion: {due:?}");
    }

    async fn a_synthesis_whose_row_says_another_charge_is_found(f: &Fixture) {
        f.break_books();
        let (account, key) = f.account(100).await;
        let claim = begun(f, account, 10).await;
        assert!(commit(f, key, &claim, 10, NOON).await);
        assert_eq!(f.sql("UPDATE syntheses SET credits_charged = 9").await.expect("it is broken"), 1);
        let found = ledger::verify(f).await.expect("it verifies").first_difference.expect("a difference");
        assert_eq!((found.subject, found.expected, found.found), (claim.synthesis.to_string(), 10, 9));
    }
}
