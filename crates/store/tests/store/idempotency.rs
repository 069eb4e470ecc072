//! Idempotency keys in their use for synthesis.

use lectern_store::{
    Environment,
    idempotency::{self, Replay, Request},
    ledger,
    syntheses::{self, BeginOutcome, Claim},
};
use lectern_types::{AccountId, Credits, KeyId, Timestamp};

use crate::{
    fixture::{Fixture, NOON, at, new_id, on_both},
    syntheses::{begin_with, commit, response, speak},
};

fn request<'a>(key: &'a str, fingerprint: &'a [u8]) -> Request<'a> {
    Request { method: "POST", path: "/v1/saas/tts:synthesize", key, fingerprint }
}

async fn begin(f: &Fixture, account: AccountId, owner: &str, now: Timestamp) -> BeginOutcome {
    begin_with(f, account, 10, owner, Some(request("k", b"body")), now).await
}

fn begun(outcome: BeginOutcome) -> Claim {
    match outcome {
        BeginOutcome::Begun(claim) => claim,
        other => panic!("{other:?}"),
    }
}

async fn look_up(f: &Fixture, account: AccountId, fingerprint: &[u8], now: Timestamp) -> Option<Replay> {
    idempotency::look_up(f, account, Environment::Live, &request("k", fingerprint), now)
        .await
        .expect("it reads")
}

async fn rows(f: &Fixture, account: AccountId) -> Vec<i64> {
    let rows = ledger::transactions(f, account, None, 100).await.expect("it reads");
    rows.into_iter().rev().map(|row| row.credits.0).collect()
}

async fn finish(f: &Fixture, key: KeyId, claim: &Claim, now: Timestamp) -> bool {
    commit(f, key, claim, 10, now).await
}

on_both! {
    async fn of_many_identical_requests_one_begins(f: &Fixture) {
        let (account, key) = f.account(100).await;
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..40 {
            let store = f.store.clone();
            tasks.spawn(async move {
                speak(&store, account, 10, &format!("owner {number}"), Some(request("k", b"body")), NOON).await
            });
        }
        let outcomes = tasks.join_all().await;
        let running = BeginOutcome::Replay(Replay::Running { until: NOON.plus_seconds(30) });
        assert_eq!(outcomes.iter().filter(|&o| *o == running).count(), 39, "{outcomes:?}");
        let claim = outcomes.into_iter().find(|o| matches!(o, BeginOutcome::Begun(_))).map(begun).expect("one begins");
        assert!(finish(f, key, &claim, NOON).await);
        assert_eq!(rows(f, account).await, [100, -10, 10, -10], "one hold, one charge");
    }

    async fn a_finished_request_replays_its_bytes_for_a_day_and_charges_nothing(f: &Fixture) {
        let (account, key) = f.account(100).await;
        assert_eq!(look_up(f, account, b"body", NOON).await, None);
        let claim = begun(begin(f, account, "a", NOON).await);
        let running = Replay::Running { until: NOON.plus_seconds(30) };
        assert_eq!(look_up(f, account, b"body", NOON).await, Some(running));
        assert!(finish(f, key, &claim, NOON).await);
        let replay = Replay::Finished(response());
        assert_eq!(look_up(f, account, b"body", NOON).await, Some(replay.clone()));
        let last = NOON.plus_seconds(idempotency::KEPT_SECONDS).plus_micros(-1);
        assert_eq!(begin(f, account, "b", last).await, BeginOutcome::Replay(replay));
        assert_eq!(rows(f, account).await, [100, -10, 10, -10]);
        // A day later the key can be used again as if it were new.
        let next = last.plus_micros(1);
        assert_eq!(look_up(f, account, b"another", next).await, None);
        let again = begun(begin(f, account, "c", next).await);
        assert!(syntheses::abort(f, &again, at(next)).await.expect("it answers"));
    }

    async fn another_body_under_a_live_or_finished_key_is_named_at_once(f: &Fixture) {
        let (account, key) = f.account(100).await;
        let claim = begun(begin(f, account, "a", NOON).await);
        assert_eq!(look_up(f, account, b"another", NOON).await, Some(Replay::Reused));
        assert!(finish(f, key, &claim, NOON).await);
        let reused = begin_with(f, account, 10, "b", Some(request("k", b"another")), NOON).await;
        assert_eq!(reused, BeginOutcome::Replay(Replay::Reused));
    }

    async fn a_key_counts_for_its_account_environment_method_and_path(f: &Fixture) {
        let (account, _) = f.account(100).await;
        let (other, _) = f.account(100).await;
        let claim = begun(begin(f, account, "a", NOON).await);
        let find = async |account, environment, method, path| {
            let request = Request { method, path, ..request("k", b"body") };
            idempotency::look_up(f, account, environment, &request, NOON).await.expect("it reads")
        };
        let path = "/v1/saas/tts:synthesize";
        assert!(find(account, Environment::Live, "POST", path).await.is_some());
        assert!(find(other, Environment::Live, "POST", path).await.is_none());
        assert!(find(account, Environment::Test, "POST", path).await.is_none());
        assert!(find(account, Environment::Live, "PATCH", path).await.is_none());
        assert!(find(account, Environment::Live, "POST", "/v1/saas/tts:stream").await.is_none());
        assert!(syntheses::abort(f, &claim, at(NOON)).await.expect("it answers"));
    }

    async fn a_failed_call_leaves_no_trace_of_its_key(f: &Fixture) {
        let (account, key) = f.account(100).await;
        let claim = begun(begin(f, account, "a", NOON).await);
        assert!(syntheses::abort(f, &claim, at(NOON)).await.expect("it answers"));
        assert!(!syntheses::abort(f, &claim, at(NOON)).await.expect("it answers"), "once");
        assert_eq!(look_up(f, account, b"another", NOON).await, None);
        let claim = begun(begin_with(f, account, 20, "b", Some(request("k", b"another")), NOON).await);
        assert!(commit(f, key, &claim, 20, NOON).await);
        assert_eq!(rows(f, account).await, [100, -10, 10, -20, 20, -20]);
    }

    async fn too_few_credits_leave_no_trace_of_the_key(f: &Fixture) {
        let (account, _) = f.account(9).await;
        let outcome = begin(f, account, "a", NOON).await;
        assert_eq!(outcome, BeginOutcome::Insufficient { available: Credits(9) });
        assert_eq!(look_up(f, account, b"another", NOON).await, None);
        assert_eq!(rows(f, account).await, [9]);
    }

    async fn after_a_crash_the_same_key_takes_over_and_reuses_the_hold(f: &Fixture) {
        let (account, key) = f.account(15).await;
        let dead = begun(begin(f, account, "dead", NOON).await);
        let end = NOON.plus_seconds(30);
        assert!(matches!(begin(f, account, "b", end.plus_micros(-1)).await, BeginOutcome::Replay(_)));
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..16 {
            let store = f.store.clone();
            tasks.spawn(async move {
                speak(&store, account, 10, &format!("b{number}"), Some(request("k", b"body")), end).await
            });
        }
        let outcomes = tasks.join_all().await;
        let claims: Vec<Claim> =
            outcomes.into_iter().filter(|o| matches!(o, BeginOutcome::Begun(_))).map(begun).collect();
        let [claim] = claims.as_slice() else { panic!("{} take over", claims.len()) };
        assert!(claim.taken_over);
        assert_eq!((claim.hold, claim.synthesis), (dead.hold, dead.synthesis), "no second hold may be taken");
        assert!(finish(f, key, claim, end).await);
        assert_eq!(rows(f, account).await, [15, -10, 10, -10], "one hold, one charge");
    }

    async fn who_lost_the_lease_can_change_nothing(f: &Fixture) {
        let (account, key) = f.account(100).await;
        let slow = begun(begin(f, account, "slow", NOON).await);
        let end = NOON.plus_seconds(30);
        let claim = begun(begin(f, account, "quick", end).await);
        assert!(!finish(f, key, &slow, end).await);
        assert!(!syntheses::renew(f, &slow, end.plus_seconds(60)).await.expect("it answers"));
        assert!(!syntheses::abort(f, &slow, at(end)).await.expect("it answers"));
        assert_eq!(rows(f, account).await, [100, -10]);
        assert!(finish(f, key, &claim, end).await);
        assert!(!finish(f, key, &slow, end).await);
        assert_eq!(rows(f, account).await, [100, -10, 10, -10]);
    }

    async fn a_renewed_lease_is_not_taken_over_however_long_it_runs(f: &Fixture) {
        let (account, key) = f.account(100).await;
        let claim = begun(begin(f, account, "a", NOON).await);
        // The request runs longer than a response is kept, under a lease of two days.
        let mut now = NOON.plus_seconds(10);
        assert!(syntheses::renew(f, &claim, NOON.plus_seconds(2 * 86_400)).await.expect("it answers"));
        for _ in 0..3 {
            now = now.plus_seconds(86_400 / 2);
            assert!(matches!(begin(f, account, "b", now).await, BeginOutcome::Replay(Replay::Running { .. })));
            assert_eq!(ledger::settle_due(f, now, 10, at(now)).await.expect("it settles"), 0);
            assert_eq!(idempotency::sweep(f, now, 10).await.expect("it sweeps"), 0);
        }
        assert!(finish(f, key, &claim, now).await);
    }

    async fn a_takeover_at_another_price_swaps_the_hold(f: &Fixture) {
        let (account, key) = f.account(20).await;
        begun(begin(f, account, "dead", NOON).await);
        let end = NOON.plus_seconds(30);
        let claim = begun(begin_with(f, account, 20, "b", Some(request("k", b"body")), end).await);
        assert!(claim.taken_over);
        // That attempt dies, too. The next one finds the hold that the dead attempt took.
        let end = end.plus_seconds(30);
        let claim2 = begun(begin_with(f, account, 20, "c", Some(request("k", b"body")), end).await);
        assert_eq!(claim2.hold, claim.hold);
        assert!(commit(f, key, &claim2, 20, end).await);
        assert_eq!(rows(f, account).await, [20, -10, 10, -20, 20, -20]);
    }

    async fn a_takeover_after_the_hold_was_given_back_takes_another(f: &Fixture) {
        let (account, key) = f.account(10).await;
        let dead = begun(begin(f, account, "dead", NOON).await);
        let past = NOON.plus_seconds(31);
        assert_eq!(ledger::settle_due(f, past, 10, at(past)).await.expect("it settles"), 1);
        assert!(!finish(f, key, &dead, past).await, "the hold is gone");
        let claim = begun(begin(f, account, "b", past).await);
        assert_ne!(claim.hold, dead.hold);
        assert!(finish(f, key, &claim, past).await);
        assert_eq!(rows(f, account).await, [10, -10, 10, -10, 10, -10]);
    }

    async fn a_sweep_takes_what_is_past_its_day(f: &Fixture) {
        let (account, key) = f.account(100).await;
        let claim = begun(begin(f, account, "a", NOON).await);
        assert!(finish(f, key, &claim, NOON).await);
        begun(begin_with(f, account, 0, "b", Some(request("dead", b"body")), NOON).await);
        let end = NOON.plus_seconds(idempotency::KEPT_SECONDS);
        assert_eq!(idempotency::sweep(f, end.plus_micros(-1), 10).await.expect("it sweeps"), 0);
        assert_eq!(idempotency::sweep(f, end, 1).await.expect("it sweeps"), 1);
        assert_eq!(idempotency::sweep(f, end, 10).await.expect("it sweeps"), 1);
        let nobody = idempotency::look_up(f, new_id(), Environment::Live, &request("k", b""), end).await;
        assert_eq!(nobody.expect("it reads"), None);
    }
}
