//! Usage: the sums of finished syntheses.

use lectern_store::{
    Environment,
    syntheses::BeginOutcome,
    usage::{self, Used},
};
use lectern_types::{AccountId, Credits, KeyId, Timestamp, UsageGroup};

use crate::{
    fixture::{Fixture, NOON, on_both},
    syntheses::{commit, speak},
};

const DAY: i64 = 24 * 3_600;

async fn finish(f: &Fixture, account: AccountId, key: KeyId, price: i64, now: Timestamp) {
    let BeginOutcome::Begun(claim) = speak(f, account, price, "a", None, now).await else {
        panic!("not begun")
    };
    assert!(commit(f, key, &claim, price, now).await);
}

fn used(key: impl Into<String>, characters: i64, credits: i64, requests: i64) -> Used {
    Used { key: key.into(), characters, credits: Credits(credits), requests }
}

on_both! {
    async fn syntheses_are_added_up_by_day_and_by_key_within_a_span(f: &Fixture) {
        let (account, key) = f.account(1_000).await;
        let (other, others) = f.account(1_000).await;
        let midnight = NOON.plus_seconds(DAY / 2);
        let times = [(NOON, 3), (midnight.plus_micros(-1), 4), (midnight, 5), (midnight.plus_seconds(DAY), 6)];
        for (now, price) in times {
            finish(f, account, key, price, now).await;
        }
        finish(f, other, others, 100, NOON).await;
        let sums = async |environment, from, to, group_by| {
            usage::sums(f, account, environment, from, to, group_by).await.expect("it reads")
        };
        let end = midnight.plus_seconds(2 * DAY);
        let live = Environment::Live;
        assert_eq!(
            sums(live, NOON, end, UsageGroup::Day).await,
            [used("2026-11-21", 20, 7, 2), used("2026-11-22", 10, 5, 1), used("2026-11-23", 10, 6, 1)]
        );
        assert_eq!(sums(live, NOON, end, UsageGroup::Key).await, [used(key.to_string(), 40, 18, 4)]);
        assert_eq!(sums(live, NOON, end, UsageGroup::Ereader).await.len(), 1);
        // The start is included, the end is not.
        let between = sums(live, NOON.plus_micros(1), midnight, UsageGroup::Day).await;
        assert_eq!(between, [used("2026-11-21", 10, 4, 1)]);
        assert_eq!(sums(Environment::Test, NOON, end, UsageGroup::Day).await, []);
    }
}
