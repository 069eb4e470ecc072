//! Random operations from several tasks at once, each sometimes cancelled midway as a client that goes away
//! or a process that is killed would: in the end the books balance and nothing stays held.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use lectern_store::{
    Store,
    idempotency::{Replay, Request},
    ledger::{self, Addition},
    syntheses::{self, BeginOutcome, Claim, Finished},
};
use lectern_types::{AccountId, Credits, KeyId, Timestamp};

use crate::{
    fixture::{Fixture, NOON, at, on_both},
    syntheses::{response, row, speak},
};

const TASKS: u64 = 8;
const OPERATIONS_A_TASK: u64 = 625;

/// `SplitMix64` (Steele, Lea and Flood, 2014): reproducible, and enough to choose by.
struct Choice(u64);

impl Choice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

struct Worker {
    store: Store,
    accounts: Vec<(AccountId, KeyId)>,
    /// Seconds past noon, shared by all workers.
    clock: Arc<AtomicI64>,
    choice: Choice,
    number: u64,
    /// Claims this worker holds, with their key and price.
    claims: Vec<(Claim, KeyId, i64)>,
}

impl Worker {
    fn now(&self) -> Timestamp {
        NOON.plus_seconds(self.clock.load(Ordering::Relaxed))
    }

    async fn step(&mut self, step: u64) {
        let now = self.now();
        let (account, key) = self.accounts[self.choice.below(self.accounts.len() as u64) as usize];
        match self.choice.below(20) {
            0 => {
                let source =
                    [Addition::Grant, Addition::Purchase, Addition::Refund][self.choice.below(3) as usize];
                let credits = Credits(1 + self.choice.below(300).cast_signed());
                ledger::add(&self.store, account, source, credits, None, at(now)).await.expect("it adds");
            }
            1..=8 => {
                let price = self.choice.below(60).cast_signed();
                let owner = format!("{}/{step}", self.number);
                let name = format!("k{}", self.choice.below(12));
                let body = format!("body of {price}");
                let idempotency = (self.choice.below(2) == 0).then_some(Request {
                    method: "POST",
                    path: "/v1/saas/tts:synthesize",
                    key: &name,
                    fingerprint: body.as_bytes(),
                });
                match speak(&self.store, account, price, &owner, idempotency, now).await {
                    BeginOutcome::Begun(claim) => self.claims.push((claim, key, price)),
                    BeginOutcome::Insufficient { available } => assert!(available.0 < price),
                    BeginOutcome::Replay(Replay::Finished(replay)) => assert_eq!(replay, response()),
                    BeginOutcome::Replay(_) => {}
                }
            }
            9..=16 if !self.claims.is_empty() => {
                let at_random = self.choice.below(self.claims.len() as u64) as usize;
                let (claim, key, price) = self.claims.swap_remove(at_random);
                let charge = self.choice.below(price as u64 + 1).cast_signed();
                match self.choice.below(4) {
                    0 => drop(syntheses::abort(&self.store, &claim, at(now)).await.expect("it answers")),
                    1 => {
                        let until = now.plus_seconds(30);
                        if syntheses::renew(&self.store, &claim, until).await.expect("it answers") {
                            self.claims.push((claim, key, price));
                        }
                    }
                    _ => {
                        let synthesis = row(&self.store, key, &claim, charge, now).await;
                        let finished = Finished { synthesis: &synthesis, event: None, response: &response() };
                        syntheses::commit(&self.store, &claim, &finished, at(now)).await.expect("it answers");
                    }
                }
            }
            17 => {
                self.clock.fetch_add(7, Ordering::Relaxed);
            }
            18 => {
                let due = now.plus_seconds(-10);
                ledger::settle_due(&self.store, due, 5, at(now)).await.expect("it settles");
            }
            _ => {
                let balance = ledger::balance(&self.store, account).await.expect("it reads").expect("there");
                assert!(balance.held.0 >= 0 && balance.available().0 >= 0, "{balance:?}");
            }
        }
    }
}

on_both! {
    async fn random_operations_cut_off_at_random_leave_balanced_books(f: &Fixture) {
        let mut accounts = Vec::new();
        for _ in 0..5 {
            accounts.push(f.account(500).await);
        }
        let clock = Arc::new(AtomicI64::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..TASKS {
            let mut worker = Worker {
                store: f.store.clone(),
                accounts: accounts.clone(),
                clock: Arc::clone(&clock),
                choice: Choice(20_261_121 + number),
                number,
                claims: Vec::new(),
            };
            tasks.spawn(async move {
                for step in 0..OPERATIONS_A_TASK {
                    // One in eight is cut off after up to two milliseconds, wherever it then is; a claim it
                    // was working on is lost, as by a crash.
                    let limit = match worker.choice.below(8) {
                        0 => Duration::from_micros(worker.choice.below(2_000)),
                        _ => Duration::from_mins(1),
                    };
                    let ended = tokio::time::timeout(limit, worker.step(step)).await;
                    assert!(ended.is_ok() || limit < Duration::from_mins(1), "an operation hangs");
                }
            });
        }
        tasks.join_all().await;

        let end = NOON.plus_seconds(clock.load(Ordering::Relaxed) + 3_600);
        while ledger::settle_due(f, end, 100, at(end)).await.expect("it settles") > 0 {}
        let mut rows = 0;
        for (account, _) in accounts {
            let balance = ledger::balance(f, account).await.expect("it reads").expect("there is one");
            assert_eq!(balance.held, Credits::ZERO, "a hold is stuck");
            rows += ledger::transactions(f, account, None, 100_000).await.expect("it reads").len();
        }
        assert!(rows > 1_000, "only {rows} rows: the operations did next to nothing");
        let found = ledger::verify(f).await.expect("it verifies");
        assert_eq!((found.transactions, found.first_difference), (rows as u64, None));
    }
}
