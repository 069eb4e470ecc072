//! Chunks that are started and completed in batches: the result is the same as for one chunk after
//! the other.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use lectern_store::{
    Cut, Edge, Error, Store, StoreOptions,
    chunks::{self, Spoken},
    job_outcomes,
    jobs::{JobClaim, JobKind, Outcome},
    ledger, materials,
};
use lectern_types::{ChunkStatus, Credits, MaterialId, MaterialStatus};

use crate::{
    fixture::{Fixture, NOON, on_both, writing},
    materials::{
        LIVE, Reader, audio, claim, claim_all, complete_all, look, queue, reader, ready, speak, start,
        start_all, statuses,
    },
};

/// Claims this many due chunks.
async fn claims(f: &Fixture, most: usize) -> Vec<JobClaim> {
    let mut claims = Vec::new();
    while claims.len() < most {
        let more = claim_all(f, &[(JobKind::ConvertChunk, most - claims.len())], NOON).await;
        assert!(!more.is_empty(), "{} of {most} are due", claims.len());
        claims.extend(more);
    }
    claims
}

async fn balance(f: &Fixture, reader: &Reader) -> (i64, i64) {
    let balance = ledger::balance(f, reader.account).await.expect("it reads").expect("it is there");
    (balance.balance.0, balance.held.0)
}

/// Asserts one charge and one usage record for each of `chunks` chunks. Every test checks at its end
/// that the ledger balances.
async fn charged(f: &Fixture, chunks: i64) {
    assert_eq!(f.number("SELECT COUNT(*) FROM ledger_transactions WHERE kind = 'charge'").await, chunks);
    assert_eq!(f.number("SELECT COUNT(*) FROM chunk_conversions").await, chunks);
}

/// The sequence numbers and types of a material's events.
async fn told(f: &Fixture, reader: &Reader, material: MaterialId) -> Vec<(u64, String)> {
    let events = lectern_store::events::of_material(f, reader.account, LIVE, material, 0, 100).await;
    events.expect("it reads").into_iter().map(|event| (event.sequence, event.kind)).collect()
}

on_both! {
    async fn chunks_of_several_accounts_are_completed_in_one_round(f: &Fixture) {
        let (one, two) = (reader(f, 100).await, reader(f, 100).await);
        let long = ready(f, &one, LIVE, &[1, 2, 3, 4], NOON).await;
        let short = ready(f, &two, LIVE, &[10, 20], NOON).await;
        queue(f, &one, long, NOON).await;
        queue(f, &two, short, NOON).await;
        let claims = claims(f, 5).await;
        let claims: Vec<&JobClaim> = claims.iter().collect();
        assert_eq!(claims.len(), 5);
        let started = start_all(f, &claims, NOON).await;
        for (started, claim) in started.iter().zip(&claims) {
            let started = started.as_ref().expect("it is ours");
            assert_eq!((Some(started.material), Some(started.index)), (claim.material, claim.chunk));
            assert_eq!(started.text.chars().count(), started.characters as usize);
        }
        let outcomes = complete_all(f, &claims, NOON).await;

        // The short material is complete, ended by its last chunk.
        let ends = claims.iter().zip(&outcomes).filter(|(_, outcome)| **outcome != Outcome::Going);
        let ends: Vec<_> = ends.map(|(claim, outcome)| (claim.material, claim.chunk, *outcome)).collect();
        assert_eq!(ends, [(Some(short), Some(1), Outcome::Ended(MaterialStatus::Completed))]);
        let done = look(f, &two, short).await;
        assert_eq!((done.status, done.chunks_completed, done.duration_ms), (MaterialStatus::Completed, 2, 2_000));
        let events = told(f, &two, short).await;
        let kinds: Vec<&str> = events.iter().map(|(_, kind)| kind.as_str()).collect();
        assert_eq!(kinds[kinds.len() - 3..], ["chunk.completed", "chunk.completed", "material.completed"]);
        assert!(events.iter().map(|(sequence, _)| *sequence).eq(1..=events.len() as u64), "{events:?}");
        assert!(claim(f, JobKind::Assemble, NOON).await.is_some(), "its book is queued");
        // The long material has one chunk left.
        let going = look(f, &one, long).await;
        assert_eq!((going.status, going.chunks_completed, going.chunks_queued), (MaterialStatus::Converting, 3, 1));
        assert_eq!((balance(f, &one).await, balance(f, &two).await), ((94, 4), (70, 0)));
        charged(f, 5).await;
        // The ledger's rows of an account are the same as for one chunk after the other.
        let rows = ledger::transactions(f, two.account, None, 10).await.expect("it reads");
        let rows: Vec<_> = rows.iter().map(|row| (row.credits.0, row.balance_after.0)).collect();
        assert_eq!(rows[..4], [(-20, 70), (20, 90), (-10, 90), (10, 100)]);
    }

    // Negative control: when one lost claim loses the whole batch, the other chunks are not spoken.
    async fn one_that_is_lost_takes_no_other_with_it(f: &Fixture) {
        let (one, two) = (reader(f, 100).await, reader(f, 100).await);
        let kept = ready(f, &one, LIVE, &[5, 5], NOON).await;
        let gone = ready(f, &two, LIVE, &[7], NOON).await;
        queue(f, &one, kept, NOON).await;
        queue(f, &two, gone, NOON).await;
        let claims = claims(f, 3).await;
        let claims: Vec<&JobClaim> = claims.iter().collect();
        assert!(start_all(f, &claims, NOON).await.iter().all(Option::is_some));
        materials::delete(f, two.account, LIVE, gone, writing(NOON)).await.expect("it answers").expect("it was there");

        let begun = start_all(f, &claims, NOON).await;
        let outcomes = complete_all(f, &claims, NOON).await;
        for ((claim, begun), outcome) in claims.iter().zip(begun).zip(&outcomes) {
            let is_gone = claim.material == Some(gone);
            assert_eq!((begun.is_none(), *outcome == Outcome::Lost), (is_gone, is_gone), "{claim:?}");
        }
        assert_eq!(statuses(f, &one, kept).await, [ChunkStatus::Completed; 2]);
        assert_eq!((balance(f, &one).await, balance(f, &two).await), ((90, 0), (100, 0)));
        charged(f, 2).await;
        // The same calls again: nothing is left to do, and nothing is done twice.
        assert!(complete_all(f, &claims, NOON).await.iter().all(|outcome| *outcome == Outcome::Lost));
        charged(f, 2).await;
    }

    async fn the_same_claim_twice_in_a_round_is_done_once(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[5, 6], NOON).await;
        queue(f, &reader, id, NOON).await;
        let claims = claims(f, 2).await;
        let doubled = [&claims[0], &claims[1], &claims[0]];
        assert!(start_all(f, &doubled, NOON).await.iter().all(Option::is_some));
        let outcomes = complete_all(f, &doubled, NOON).await;
        let ended = Outcome::Ended(MaterialStatus::Completed);
        assert_eq!(outcomes, [Outcome::Going, ended, Outcome::Lost]);
        assert_eq!(balance(f, &reader).await, (89, 0));
        charged(f, 2).await;
    }

    async fn a_chunk_that_cannot_be_read_fails_alone(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[5, 6, 7], NOON).await;
        queue(f, &reader, id, NOON).await;
        let claims = claims(f, 3).await;
        f.sql("UPDATE chunk_texts SET breaks = 'none' WHERE idx = 1").await.expect("it writes");
        let starting = claims.iter().map(|claim| chunks::Starting {
            claim: claim.clone(),
            objects: Arc::new(|_| Vec::new()),
        });
        let started = chunks::start(f, &starting.collect::<Vec<_>>(), NOON.plus_seconds(60)).await;
        let read: Vec<bool> = started.iter().map(Result::is_ok).collect();
        assert_eq!(read, [true, false, true], "{started:?}");
    }

    async fn chunks_that_cost_nothing_are_completed_with_those_that_do(f: &Fixture) {
        let reader = reader(f, 100).await;
        let priced = ready(f, &reader, LIVE, &[5, 6], NOON).await;
        queue(f, &reader, priced, NOON).await;
        let free = ready(f, &reader, LIVE, &[9], NOON).await;
        let asked = materials::Convert { price_per_character: Credits::ZERO, ..crate::materials::conversion(&reader, free, None) };
        crate::materials::convert(f, &reader, LIVE, &asked, None, NOON).await;
        let claims = claims(f, 3).await;
        let claims: Vec<&JobClaim> = claims.iter().collect();
        assert!(start_all(f, &claims, NOON).await.iter().all(Option::is_some));
        assert!(complete_all(f, &claims, NOON).await.iter().all(|outcome| *outcome != Outcome::Lost));
        assert_eq!(balance(f, &reader).await, (89, 0));
        assert_eq!(f.number("SELECT COUNT(*) FROM chunk_conversions").await, 3);
        assert_eq!(f.number("SELECT COUNT(*) FROM ledger_transactions WHERE kind = 'charge'").await, 2);
    }

    // Negative control: when balances are moved one by one in the order of the chunks, without
    // being locked first, PostgreSQL reports deadlocks.
    async fn rounds_of_several_processes_do_not_wait_for_each_other_in_a_circle(f: &Fixture) {
        const CHUNKS: usize = 24;
        const ALL: i64 = 4 * 24;
        let mut readers = Vec::new();
        let mut materials = Vec::new();
        for _ in 0..2 {
            readers.push(reader(f, 10_000).await);
        }
        // The accounts alternate, so that the first two batches that meet at the balances have no
        // material in common.
        for _ in 0..2 {
            for reader in &readers {
                let id = ready(f, reader, LIVE, &[2; CHUNKS], NOON).await;
                queue(f, reader, id, NOON).await;
                materials.push(id);
            }
        }
        let claims = claims(f, 4 * CHUNKS).await;
        let of = |material| claims.iter().filter(move |claim| claim.material == Some(material));
        let (mut there, mut back) = (Vec::new(), Vec::new());
        for (first, second) in of(materials[0]).zip(of(materials[1])) {
            there.extend([first.clone(), second.clone()]);
        }
        for (first, second) in of(materials[3]).zip(of(materials[2])) {
            back.extend([first.clone(), second.clone()]);
        }
        let mut rounds = tokio::task::JoinSet::new();
        for some in there.chunks(2).chain(back.chunks(2)) {
            let (store, some) = (f.store.clone(), some.to_vec());
            rounds.spawn(async move {
                let some: Vec<&JobClaim> = some.iter().collect();
                assert!(start_all(&store, &some, NOON).await.iter().all(Option::is_some));
                complete_all(&store, &some, NOON).await
            });
        }
        let outcomes = rounds.join_all().await.concat();
        let ends = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Ended(_))).count();
        assert_eq!((ends, outcomes.contains(&Outcome::Lost)), (4, false));
        for reader in &readers {
            assert_eq!(balance(f, reader).await, (10_000 - ALL, 0));
        }
        charged(f, ALL).await;
    }

    // Negative controls: without the second attempt, a connection cut before a statement fails
    // every chunk; with a second attempt also after the commit, a committed chunk counts as lost.
    async fn a_round_that_is_cut_off_is_done_for_all_or_for_none(f: &Fixture) {
        let reader = reader(f, 1_000).await;
        let mut spoken = 0;
        for edge in [Edge::Begin, Edge::Statement, Edge::Commit, Edge::Committed] {
            let id = ready(f, &reader, LIVE, &[5, 6, 7], NOON).await;
            queue(f, &reader, id, NOON).await;
            let claims = claims(f, 3).await;
            let claims: Vec<&JobClaim> = claims.iter().collect();
            assert!(start_all(f, &claims, NOON).await.iter().all(Option::is_some));
            let before = balance(f, &reader).await;

            // Cuts at the third statement, or at the first edge of any other kind.
            let met = Arc::new(AtomicU32::new(0));
            let decide = move |at: Edge| {
                let skipped = if edge == Edge::Statement { 2 } else { 0 };
                (at == edge && met.fetch_add(1, Ordering::Relaxed) == skipped).then_some(Cut::Abandon)
            };
            let options = StoreOptions { faults: Some(Arc::new(decide)), ..StoreOptions::new(&f.url) };
            let cut_off = Store::open(&options).await.expect("it opens");
            let all: Vec<Spoken> = claims
                .iter()
                .map(|&claim| Spoken { claim: claim.clone(), audio: audio(claim, 1_000) })
                .collect();
            let answers = chunks::complete(&cut_off, &all, writing(NOON)).await;
            cut_off.close().await;
            let failed = answers.iter().filter(|answer| answer.as_ref().is_err_and(Error::is_transient)).count();
            let (expected, is_done) = match edge {
                // The batch cannot have had an effect, so it is tried once more.
                Edge::Begin | Edge::Statement => (0, true),
                Edge::Commit => (3, false),
                _ => (3, true),
            };
            assert_eq!(failed, expected, "{edge:?}: {answers:?}");
            let left = if is_done { before.0 - 18 } else { before.0 };
            assert_eq!(balance(f, &reader).await, (left, if is_done { 0 } else { 18 }), "{edge:?}");
            // A repetition completes only the chunks that are still open, and none twice.
            let again = complete_all(f, &claims, NOON).await;
            assert_eq!(again.iter().all(|outcome| *outcome == Outcome::Lost), is_done, "{edge:?}: {again:?}");
            spoken += 3;
            charged(f, spoken).await;
        }
    }

    async fn a_round_without_a_chunk_does_nothing(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[5], NOON).await;
        queue(f, &reader, id, NOON).await;
        assert!(start_all(f, &[], NOON).await.is_empty() && complete_all(f, &[], NOON).await.is_empty());
        let job = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert!(start(f, &job, NOON).await.is_some());
        assert!(job_outcomes::release(f, &job, NOON).await.expect("it answers"));
        let again = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued again");
        assert_eq!(speak(f, &again, NOON).await, Outcome::Ended(MaterialStatus::Completed));
    }
}
