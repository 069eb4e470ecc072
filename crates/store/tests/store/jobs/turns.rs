//! Whose job is claimed next.

use std::collections::HashSet;

use lectern_store::{
    Environment,
    jobs::{self, Claiming, JobKind},
    materials::{Convert, ConvertOutcome},
};
use lectern_types::{Credits, MaterialId};

use crate::{
    fixture::{Fixture, NOON, on_both},
    materials::{LIVE, claim, claim_all, conversion, convert, queue, reader, ready, upload},
};

/// Claims the next chunks; returns their materials and indexes.
async fn served(f: &Fixture, count: usize) -> Vec<(MaterialId, u32)> {
    let mut served = Vec::new();
    for _ in 0..count {
        let job = claim(f, JobKind::ConvertChunk, NOON).await.expect("there is work");
        served.push((job.material.expect("it has one"), job.chunk.expect("it has one")));
    }
    served
}

fn share(served: &[(MaterialId, u32)], of: MaterialId) -> usize {
    served.iter().filter(|(material, _)| *material == of).count()
}

on_both! {
    async fn accounts_take_turns_then_materials_and_chunks_come_in_their_order(f: &Fixture) {
        let (busy, calm) = (reader(f, 10_000).await, reader(f, 10_000).await);
        let long = ready(f, &busy, LIVE, &[1; 60], NOON).await;
        let short = ready(f, &busy, LIVE, &[1; 60], NOON).await;
        let other = ready(f, &calm, LIVE, &[1; 60], NOON).await;
        queue(f, &busy, long, NOON).await;
        let first = served(f, 20).await;
        assert_eq!(share(&first, long), 20);
        // Another account gets half of the turns from its start on, however much the first one has
        // queued.
        queue(f, &calm, other, NOON).await;
        let second = served(f, 10).await;
        assert_eq!((share(&second, long), share(&second, other)), (5, 5));
        // Another material of the first account shares that account's half.
        queue(f, &busy, short, NOON).await;
        let third = served(f, 40).await;
        assert_eq!((share(&third, other), share(&third, long), share(&third, short)), (20, 10, 10));
        for material in [long, short, other] {
            let all: Vec<u32> = [&first, &second, &third]
                .into_iter()
                .flat_map(|part| part.iter())
                .filter_map(|&(of, index)| (of == material).then_some(index))
                .collect();
            assert!(all.is_sorted(), "out of order: {all:?}");
        }
        // An account that returns after a pause does not catch up on missed turns.
        let fourth = served(f, 95).await;
        assert_eq!(share(&fourth, other), 35, "the remaining chunks of the calm account");
    }

    async fn a_higher_tier_gets_more_turns_and_nobody_gets_none(f: &Fixture) {
        let mut books = Vec::new();
        for tier in ["free", "standard", "premium"] {
            let reader = reader(f, 10_000).await;
            f.sql(&format!("UPDATE accounts SET tier = '{tier}' WHERE id = '{}'", reader.account)).await.expect("it is written");
            let book = ready(f, &reader, LIVE, &[1; 60], NOON).await;
            queue(f, &reader, book, NOON).await;
            books.push(book);
        }
        // After these claims, the extractions no longer affect the turns.
        let _ = served(f, 10).await;
        let next = served(f, 70).await;
        let shares: Vec<usize> = books.iter().map(|book| share(&next, *book)).collect();
        assert!((9..=11).contains(&shares[0]) && (19..=21).contains(&shares[1]) && (39..=41).contains(&shares[2]), "{shares:?}");
    }

    async fn room_for_many_is_shared_out_as_for_one_at_a_time(f: &Fixture) {
        let (busy, calm) = (reader(f, 10_000).await, reader(f, 10_000).await);
        let long = ready(f, &busy, LIVE, &[1; 60], NOON).await;
        let short = ready(f, &busy, LIVE, &[1; 60], NOON).await;
        let other = ready(f, &calm, LIVE, &[1; 60], NOON).await;
        let sandbox = ready(f, &calm, Environment::Test, &[1; 60], NOON).await;
        for (reader, material) in [(&busy, long), (&busy, short), (&calm, other)] {
            queue(f, reader, material, NOON).await;
        }
        let free = Convert { price_per_character: Credits::ZERO, ..conversion(&calm, sandbox, None) };
        convert(f, &calm, Environment::Test, &free, None, NOON).await;
        // After these claims, the extractions no longer affect the turns.
        let _ = served(f, 8).await;
        let room = [(JobKind::ConvertChunk, 20)];
        let mut taken = Vec::new();
        while taken.len() < 80 {
            let claims = claim_all(f, &room, NOON).await;
            assert!(!claims.is_empty() && claims.len() <= 20);
            taken.extend(claims);
        }
        taken.truncate(80);
        let of = |material| taken.iter().filter(|claim| claim.material == Some(material)).count();
        assert_eq!(of(sandbox), 10, "the sandbox gets one job in eight");
        // The sandbox's jobs count for their account, so that each account gets half of all jobs.
        assert!((28..=32).contains(&of(other)), "{}", of(other));
        assert!(of(long).abs_diff(of(short)) <= 2, "{} and {}", of(long), of(short));
        assert_eq!(taken.iter().map(|claim| claim.id).collect::<HashSet<_>>().len(), 80, "no job may be claimed twice");
        let places: Vec<u32> = taken.iter().filter(|claim| claim.material == Some(other)).filter_map(|claim| claim.chunk).collect();
        assert!(places.is_sorted(), "out of order: {places:?}");
    }

    async fn a_worker_claims_only_jobs_of_its_engines(f: &Fixture) {
        let reader = reader(f, 10_000).await;
        let (heavy, light) = (ready(f, &reader, LIVE, &[1; 3], NOON).await, ready(f, &reader, LIVE, &[1; 3], NOON).await);
        let wanted = Convert { engine: "kokoro", ..conversion(&reader, heavy, None) };
        convert(f, &reader, LIVE, &wanted, None, NOON).await;
        queue(f, &reader, light, NOON).await;
        let room = [(JobKind::ConvertChunk, 20)];
        let claimed = async |engines: &[&str]| {
            let claiming =
                Claiming { worker: "w1", room: &room, engines, now: NOON, lease_until: NOON.plus_seconds(30) };
            jobs::claim(&f.store, &claiming).await.expect("it answers")
        };
        assert_eq!(claimed(&["upstream", ""]).await, []);
        let claims = claimed(&["kokoro"]).await;
        assert!(claims.len() == 3 && claims.iter().all(|claim| claim.material == Some(heavy)), "{claims:?}");
        assert!(claims.iter().all(|claim| claim.engine == "kokoro"));
        let due = jobs::due(&f.store, NOON.plus_seconds(1)).await.expect("it answers");
        assert_eq!(due.iter().map(|due| (&*due.engine, due.jobs)).collect::<Vec<_>>(), [("hibari", 3)]);
        let characters = jobs::characters_to_convert(&f.store).await.expect("it answers");
        assert_eq!(characters.iter().map(|(engine, sum)| (&**engine, *sum)).collect::<std::collections::BTreeMap<_, _>>(), [("hibari", 3), ("kokoro", 3)].into());
        // An older program names no engine.
        f.sql("UPDATE jobs SET engine = '' WHERE status = 'queued'").await.expect("it answers");
        assert_eq!(claimed(&["hibari"]).await, []);
        assert_eq!(claimed(&["hibari", ""]).await.len(), 3);
    }

    async fn the_sandbox_comes_after_live_work_but_has_its_share(f: &Fixture) {
        let reader = reader(f, 10_000).await;
        let live = ready(f, &reader, LIVE, &[1; 60], NOON).await;
        let test = ready(f, &reader, Environment::Test, &[1; 60], NOON).await;
        queue(f, &reader, live, NOON).await;
        let free = Convert { price_per_character: Credits::ZERO, ..conversion(&reader, test, None) };
        let queued = convert(f, &reader, Environment::Test, &free, None, NOON).await;
        assert!(matches!(queued, ConvertOutcome::Queued(..)));
        let first = served(f, 40).await;
        assert_eq!((share(&first, live), share(&first, test)), (35, 5));
        let rest = served(f, 80).await;
        assert_eq!((share(&rest, live), share(&rest, test)), (25, 55), "without live work the sandbox gets every turn");
    }

    async fn of_many_workers_one_takes_a_job(f: &Fixture) {
        let (one, two) = (reader(f, 1_000).await, reader(f, 1_000).await);
        for reader in [&one, &two] {
            let id = ready(f, reader, LIVE, &[1; 60], NOON).await;
            queue(f, reader, id, NOON).await;
        }
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let store = f.store.clone();
            tasks.spawn(async move {
                let mut mine = Vec::new();
                loop {
                    let room = [(JobKind::ConvertChunk, 1 + mine.len() % 5)];
                    let some = claim_all(&store, &room, NOON).await;
                    if some.is_empty() {
                        break mine;
                    }
                    mine.extend(some.into_iter().map(|job| job.id));
                }
            });
        }
        let all: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
        assert_eq!(all.len(), 120);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 120, "no job may be claimed twice");
    }

    // Negative control: when each kind counts only its own jobs, the account's turn is 240.
    async fn kinds_that_are_claimed_together_cost_an_account_each_job_once(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[1, 1, 1], NOON).await;
        queue(f, &reader, id, NOON).await;
        upload(f, &reader, LIVE, NOON).await;
        let room = [(JobKind::Extract, 2), (JobKind::ConvertChunk, 5)];
        assert_eq!(claim_all(f, &room, NOON).await.len(), 4);
        // Sixty steps for each of the four jobs and for the earlier extraction.
        assert_eq!(f.number("SELECT MAX(served) FROM job_turns").await, 300);
    }

    async fn a_claim_among_twenty_thousand_jobs_is_quick_and_fair(f: &Fixture) {
        // One account with 19,000 chunks, and 20 with 50 each.
        let busy = reader(f, 1_000_000).await;
        let long = ready(f, &busy, LIVE, &vec![1; 9_500], NOON).await;
        let longer = ready(f, &busy, LIVE, &vec![1; 9_500], NOON).await;
        queue(f, &busy, long, NOON).await;
        queue(f, &busy, longer, NOON).await;
        for _ in 0..20 {
            let calm = reader(f, 1_000).await;
            let id = ready(f, &calm, LIVE, &[1; 50], NOON).await;
            queue(f, &calm, id, NOON).await;
        }
        let began = std::time::Instant::now();
        let served = served(f, 420).await;
        let each = began.elapsed() / 420;
        #[expect(clippy::print_stdout, reason = "shown when the test fails, and measured")]
        {
        println!("{each:?} a claim among 20,000 jobs");
        }
        assert_eq!((share(&served, long), share(&served, longer)), (10, 10), "the busy account gets one claim in 21");
        assert!(each.as_millis() < 100, "{each:?}: it looks at every job");
    }
}
