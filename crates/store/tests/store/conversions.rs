//! Conversions: which are refused, and for which reason first; that a conversion is all or nothing
//! and happens once; and the state after deletions and concurrent load.

use std::sync::Arc;

use lectern_store::{
    Environment, Store, StoreOptions, Tier, chunks, ereaders, events,
    idempotency::{Replay, Request},
    job_outcomes,
    jobs::{self, JobKind, Outcome},
    ledger,
    materials::{self, Convert, ConvertOutcome, DailyCap, Extracted, NewChunk},
    object_deletions, sandbox, usage,
};
use lectern_types::{ChunkStatus, Credits, MaterialStatus, UsageGroup};

use crate::{
    ereaders::ereader,
    fixture::{Fixture, NOON, at, new_id, on_both, writing},
    materials::{
        LIVE, Reader, claim, complete, conversion, convert, failure, look, queue, reader, ready, response,
        speak, start, statuses, upload,
    },
};

fn request<'a>(key: &'a str, body: &'a str) -> Request<'a> {
    Request { method: "POST", path: "/v1/saas/materials/x/convert", key, fingerprint: body.as_bytes() }
}

async fn held(f: &Fixture, reader: &Reader) -> (i64, i64) {
    let balance = ledger::balance(f, reader.account).await.expect("it reads").expect("it is there");
    (balance.balance.0, balance.held.0)
}

/// Claims and speaks chunks until none is queued; returns how many.
async fn drain(store: &Store) -> u32 {
    let mut spoken = 0;
    while let Some(job) = claim(store, JobKind::ConvertChunk, NOON).await {
        spoken += u32::from(speak(store, &job, NOON).await != Outcome::Lost);
    }
    spoken
}

on_both! {
    async fn a_conversion_is_refused_for_the_first_thing_that_is_wrong(f: &Fixture) {
        let reader = reader(f, 15).await;
        let other = ereaders::put(f, &ereader("bell", Tier::Free), NOON).await.expect("it writes").id;
        let stranger = crate::materials::reader(f, 1_000).await;
        let asked = |material, indexes| conversion(&reader, material, indexes);
        let converting = async |wanted: &Convert<'_>| convert(f, &reader, LIVE, wanted, None, NOON).await;

        assert_eq!(converting(&asked(new_id(), None)).await, ConvertOutcome::NotFound);
        let id = upload(f, &reader, LIVE, NOON).await;
        let wrong = Convert { ereader: other, ..asked(id, Some(&[7])) };
        let status = MaterialStatus::Processing;
        assert_eq!(converting(&wrong).await, ConvertOutcome::NotReady { status });
        let job = claim(f, JobKind::Extract, NOON).await.expect("it is queued");
        let extracted = crate::materials::extraction(&[5, 10, 20]);
        assert!(materials::extracted(f, &job, &extracted, writing(NOON)).await.expect("it answers"));
        for (account, environment) in [(&stranger, LIVE), (&reader, Environment::Test)] {
            let refused = convert(f, account, environment, &asked(id, None), None, NOON).await;
            assert_eq!(refused, ConvertOutcome::NotFound, "the material belongs to another account");
        }

        assert!(matches!(converting(&asked(id, Some(&[0]))).await, ConvertOutcome::Queued(..)));
        assert_eq!(converting(&wrong).await, ConvertOutcome::Locked { ereader: reader.ereader });
        assert_eq!(converting(&asked(id, Some(&[0, 3]))).await, ConvertOutcome::NoSuchChunk { index: 3 });
        assert_eq!(converting(&asked(id, Some(&[0]))).await, ConvertOutcome::AlreadyConverted);
        // All or nothing, although the credits would pay for one of the two.
        let poor = ConvertOutcome::Insufficient { available: Credits(10), required: Credits(30) };
        assert_eq!(converting(&asked(id, Some(&[1, 2]))).await, poor);
        assert_eq!(statuses(f, &reader, id).await, [ChunkStatus::Queued, ChunkStatus::Pending, ChunkStatus::Pending]);
        assert_eq!(held(f, &reader).await, (15, 5));
        // A chunk that is queued already is skipped and not paid for again.
        let ConvertOutcome::Queued(queued, _) = converting(&asked(id, Some(&[0, 1]))).await else { panic!() };
        assert_eq!((queued.chunks, queued.credits_held), (1, Credits(10)));
        assert_eq!(held(f, &reader).await, (15, 15));
        assert_eq!(drain(f).await, 2);
        assert_eq!(look(f, &reader, id).await.status, MaterialStatus::Ready, "a material with unconverted chunks and no failed ones is ready");
        assert_eq!(converting(&asked(id, Some(&[0, 1]))).await, ConvertOutcome::AlreadyConverted);
    }

    async fn a_conversion_replays_and_a_refused_one_leaves_no_trace(f: &Fixture) {
        let reader = reader(f, 30).await;
        let id = ready(f, &reader, LIVE, &[10, 40], NOON).await;
        let (key, first) = (request("k", "first"), Some(&[0_u32][..]));
        let all = convert(f, &reader, LIVE, &conversion(&reader, id, None), Some(&key), NOON).await;
        assert!(matches!(all, ConvertOutcome::Insufficient { .. }));
        let done = convert(f, &reader, LIVE, &conversion(&reader, id, first), Some(&key), NOON).await;
        assert!(matches!(done, ConvertOutcome::Queued(..)), "the refused call did not use up the key");
        let again = convert(f, &reader, LIVE, &conversion(&reader, id, first), Some(&key), NOON).await;
        assert_eq!(again, ConvertOutcome::Replay(Replay::Finished(response())));
        let other = request("k", "another body");
        let other = convert(f, &reader, LIVE, &conversion(&reader, id, first), Some(&other), NOON).await;
        assert_eq!(other, ConvertOutcome::Replay(Replay::Reused));
        assert_eq!(held(f, &reader).await, (30, 10));
    }

    async fn in_the_sandbox_nothing_is_held_and_characters_count_against_the_day(f: &Fixture) {
        let reader = reader(f, 0).await;
        let test = Environment::Test;
        let id = ready(f, &reader, test, &[10, 20], NOON).await;
        let wanted = Convert {
            price_per_character: Credits::ZERO,
            daily_cap: Some(DailyCap { day: 7, characters: 25 }),
            ..conversion(&reader, id, None)
        };
        assert_eq!(convert(f, &reader, test, &wanted, None, NOON).await, ConvertOutcome::OverDailyCap);
        assert_eq!(sandbox::characters(f, reader.account, 7).await.expect("it reads"), 0);
        let wanted = Convert { daily_cap: Some(DailyCap { day: 7, characters: 30 }), ..wanted };
        let ConvertOutcome::Queued(queued, _) = convert(f, &reader, test, &wanted, None, NOON).await else { panic!() };
        assert_eq!((queued.characters, queued.credits_held), (30, Credits::ZERO));
        assert_eq!(sandbox::characters(f, reader.account, 7).await.expect("it reads"), 30);
        assert_eq!(drain(f).await, 2);
        let sums = usage::sums(f, reader.account, test, NOON, NOON.plus_seconds(1), UsageGroup::Key).await;
        let sums = sums.expect("it reads");
        assert_eq!((sums[0].characters, sums[0].credits, sums[0].requests), (30, Credits::ZERO, 2));
    }

    async fn of_many_conversions_at_once_one_ereader_wins_and_each_chunk_is_queued_once(f: &Fixture) {
        let reader = Arc::new(reader(f, 10_000).await);
        let other = ereaders::put(f, &ereader("bell", Tier::Free), NOON).await.expect("it writes").id;
        let id = ready(f, &reader, LIVE, &[10; 30], NOON).await;
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..24_u32 {
            let (store, reader) = (f.store.clone(), Arc::clone(&reader));
            tasks.spawn(async move {
                let indexes: Vec<u32> = (number..number + 7).map(|index| index % 30).collect();
                let ereader = if number % 2 == 0 { reader.ereader } else { other };
                let wanted = Convert { ereader, ..conversion(&reader, id, Some(&indexes)) };
                (ereader, convert(&store, &reader, LIVE, &wanted, None, NOON).await)
            });
        }
        let outcomes = tasks.join_all().await;
        let won = look(f, &reader, id).await.ereader.expect("one won");
        let mut queued = 0;
        for (ereader, outcome) in outcomes {
            match outcome {
                ConvertOutcome::Queued(conversion, _) => {
                    assert_eq!(ereader, won, "only one of the two may be queued");
                    queued += conversion.chunks;
                }
                ConvertOutcome::Locked { ereader: fixed } => assert!(fixed == won && ereader != won),
                ConvertOutcome::AlreadyConverted => assert_eq!(ereader, won),
                refused => panic!("{refused:?}"),
            }
        }
        let jobs = f.number("SELECT COUNT(*) FROM jobs WHERE kind = 'convert_chunk'").await;
        assert_eq!((look(f, &reader, id).await.chunks_queued, i64::from(queued)), (queued, jobs));
        assert_eq!(held(f, &reader).await, (10_000, 10 * jobs));
    }

    async fn deletion_releases_stops_and_orphans_everything_but_what_was_charged(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[10, 20, 30], NOON).await;
        queue(f, &reader, id, NOON).await;
        let first = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert_eq!(speak(f, &first, NOON).await, Outcome::Going);
        let second = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert!(start(f, &second, NOON).await.is_some());

        let stranger = crate::materials::reader(f, 0).await;
        for (account, environment) in [(stranger.account, LIVE), (reader.account, Environment::Test)] {
            let deleted = materials::delete(f, account, environment, id, writing(NOON)).await;
            assert_eq!(deleted.expect("it answers"), None, "the material belongs to another account");
        }
        let deleted = materials::delete(f, reader.account, LIVE, id, writing(NOON)).await.expect("it answers");
        let deleted = deleted.expect("it was there");
        assert_eq!((deleted.status, deleted.title.as_str()), (MaterialStatus::Deleted, "The Harbour"));
        assert_eq!(held(f, &reader).await, (90, 0));
        let again = materials::delete(f, reader.account, LIVE, id, writing(NOON)).await.expect("it answers");
        assert_eq!(again, None);
        assert_eq!(materials::find(f, reader.account, LIVE, id).await.expect("it reads"), None);
        assert_eq!(materials::list(f, reader.account, LIVE, None, 10).await.expect("it reads"), []);
        assert_eq!(chunks::text(f, reader.account, LIVE, id, 0).await.expect("it reads"), None);

        // A worker on the deleted material learns of the deletion at every step.
        assert!(!jobs::renew(f, &second, NOON.plus_seconds(60)).await.expect("it answers"));
        let lost = complete(f, &second, NOON).await;
        assert_eq!(lost, Outcome::Lost);
        let lost = job_outcomes::fail_permanently(f, &second, &failure(), "late", writing(NOON)).await.expect("it answers");
        assert_eq!(lost, Outcome::Lost);
        assert!(claim(f, JobKind::ConvertChunk, NOON).await.is_none());
        // The material's objects are deleted at once, but those of the attempt in progress only
        // when it can no longer write them.
        let due = object_deletions::due(f, NOON, 100).await.expect("it reads");
        assert_eq!(due.len(), 5, "the source and four objects of the first chunk: {due:?}");
        let later = NOON.plus_seconds(86_400);
        assert_eq!(object_deletions::due(f, later, 100).await.expect("it reads").len(), 9);
        assert_eq!(object_deletions::done(f, &due, NOON).await.expect("it writes"), 5);
        assert_eq!(object_deletions::due(f, NOON, 100).await.expect("it reads"), [""; 0]);
        let sums = usage::sums(f, reader.account, LIVE, NOON, later, UsageGroup::Ereader).await.expect("it reads");
        assert_eq!((sums[0].characters, sums[0].credits, sums[0].requests), (10, Credits(10), 1));
    }

    async fn a_storm_of_conversions_completions_and_deletions_ends_without_deadlock_or_loss(f: &Fixture) {
        let reader = Arc::new(reader(f, 1_000_000).await);
        let mut ids = Vec::new();
        for _ in 0..6 {
            ids.push(ready(f, &reader, LIVE, &[3; 40], NOON).await);
        }
        let ids = Arc::new(ids);
        // Each process has a pool of its own.
        let options = StoreOptions { connections: 12, ..StoreOptions::new(&f.url) };
        let store = Store::open(&options).await.expect("it opens");
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..12_u32 {
            let (store, reader, ids) = (store.clone(), Arc::clone(&reader), Arc::clone(&ids));
            tasks.spawn(async move {
                for round in 0..40_u32 {
                    let id = ids[((number + round) % 6) as usize];
                    match number % 4 {
                        0 => {
                            let indexes: Vec<u32> = (0..8).map(|step| (round * 3 + step * 5 + number) % 40).collect();
                            let wanted = conversion(&reader, id, Some(&indexes));
                            convert(&store, &reader, LIVE, &wanted, None, NOON).await;
                        }
                        1 | 2 => {
                            if let Some(job) = claim(&store, JobKind::ConvertChunk, NOON).await {
                                match round % 7 {
                                    0 => drop(job_outcomes::release(&store, &job, NOON).await.expect("it answers")),
                                    1 => drop(job_outcomes::fail_permanently(&store, &job, &failure(), "no", writing(NOON)).await.expect("it answers")),
                                    _ => drop(speak(&store, &job, NOON).await),
                                }
                            }
                        }
                        _ => {
                            job_outcomes::reclaim_lost(&store, 10, writing(NOON.plus_seconds(31))).await.expect("it answers");
                            if round % 20 == 19 {
                                materials::delete(&store, reader.account, LIVE, ids[(round / 20) as usize], writing(NOON))
                                    .await
                                    .expect("it answers");
                            }
                        }
                    }
                }
            });
        }
        tasks.join_all().await;
        store.close().await;
        job_outcomes::reclaim_lost(f, 1_000, writing(NOON.plus_seconds(31))).await.expect("it answers");
        let soon = NOON.plus_seconds(31);
        while let Some(job) = claim(f, JobKind::ConvertChunk, soon).await {
            speak(f, &job, soon).await;
        }
        assert!(f.number("SELECT COUNT(*) FROM chunk_conversions").await > 20, "too few chunks were converted");
        assert_eq!(held(f, &reader).await.1, 0, "a hold is stuck");
        let wrong = f.number(
            "SELECT COUNT(*) FROM materials m WHERE m.status <> 'deleted' AND (
                 m.chunks_completed <> (SELECT COUNT(*) FROM chunks c WHERE c.material_id = m.id AND c.status = 'completed')
                 OR m.chunks_failed <> (SELECT COUNT(*) FROM chunks c WHERE c.material_id = m.id AND c.status = 'failed')
                 OR m.chunks_queued <> 0
                 OR m.event_sequence <> (SELECT COUNT(*) FROM events e WHERE e.material_id = m.id))",
        ).await;
        assert_eq!(wrong, 0, "materials with wrong counters");
        assert_eq!(f.number("SELECT COUNT(*) FROM jobs WHERE status <> 'dead' AND kind = 'convert_chunk'").await, 0);
    }

    async fn holds_of_chunks_outlast_the_sweep_of_holds(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[10], NOON).await;
        queue(f, &reader, id, NOON).await;
        let late = NOON.plus_seconds(10 * 365 * 86_400);
        assert_eq!(ledger::settle_due(f, late, 100, at(late)).await.expect("it settles"), 0);
        assert_eq!(held(f, &reader).await, (100, 10));
    }

    async fn three_thousand_chunks_are_one_transaction_each_way(f: &Fixture) {
        const CHUNKS: u32 = 3_300;
        let reader = reader(f, i64::from(CHUNKS) * 5_000).await;
        let id = upload(f, &reader, LIVE, NOON).await;
        let job = claim(f, JobKind::Extract, NOON).await.expect("it is queued");
        let chunk = NewChunk {
            text: "word ".repeat(1_000),
            characters: 5_000,
            title: None,
            starts_chapter: false,
            chapter: 0,
            pauses: Vec::new(),
            pause_after_ms: 0,
                scripts: String::new(),
                languages: Vec::new(),
        speakers: Vec::new(),
        pronounced: Vec::new(),
        headings: Vec::new(),
        };
        let found = Extracted { chunks: vec![chunk; CHUNKS as usize], ..crate::materials::extraction(&[]) };
        let began = std::time::Instant::now();
        assert!(materials::extracted(f, &job, &found, writing(NOON)).await.expect("it answers"));
        let extracted = began.elapsed();
        let began = std::time::Instant::now();
        let queued = queue(f, &reader, id, NOON).await;
        let converted = began.elapsed();
        assert_eq!((queued.chunks, queued.credits_held), (CHUNKS, Credits(i64::from(CHUNKS) * 5_000)));
        assert_eq!(held(f, &reader).await, (16_500_000, 16_500_000));
        assert_eq!(ledger::verify(f).await.expect("it verifies").first_difference, None);
        let first = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert_eq!(first.chunk, Some(0));
        speak(f, &first, NOON).await;
        let began = std::time::Instant::now();
        materials::delete(f, reader.account, LIVE, id, writing(NOON)).await.expect("it answers").expect("it is there");
        let deleted = began.elapsed();
        assert_eq!(held(f, &reader).await, (16_495_000, 0));
        #[expect(clippy::print_stdout, reason = "shown when the test fails, and measured")]
        {
        println!("{CHUNKS} chunks: extracted {extracted:?}, converted {converted:?}, deleted {deleted:?}");
        }
        assert!(converted.as_secs() < 10 && extracted.as_secs() < 10 && deleted.as_secs() < 10, "took more than 10 s");
        let told = events::of_material(f, reader.account, LIVE, id, 0, 10).await.expect("it reads");
        assert_eq!(told.len(), 2, "the events of a deleted material stay readable");
    }
}
