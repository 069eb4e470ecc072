//! Conversions: the queued chunks, the price, and every refusal in the contract's order.

use lectern_store::{Tier, jobs::JobKind};
use lectern_testkit::{Account, Reply, Setup, TestApp, on_both};
use lectern_types::ErrorCode;
use reqwest::Method;
use serde_json::{Value, json};

use super::PATH;

/// Each text has ten characters.
const TEXTS: [&str; 4] = ["# One\n\nIt ", "was a day.", "# Two\n\nBy ", "and by.   "];

async fn convert(app: &TestApp, key: &str, id: &str, body: &Value) -> Reply {
    app.post(&format!("{PATH}/{id}/convert"), key, body).await
}

async fn statuses(app: &TestApp, key: &str, id: &str) -> Vec<String> {
    let list = app.get(&format!("{PATH}/{id}/chunks"), key).await.json();
    let chunks = list["data"].as_array().unwrap().iter();
    chunks.map(|chunk| chunk["status"].as_str().unwrap().to_owned()).collect()
}

async fn number(app: &TestApp, sql: &str) -> i64 {
    app.database().number(sql).await.unwrap()
}

async fn ready(setup: Setup, credits: i64) -> (TestApp, Account, String) {
    let app = setup.without_workers().start().await;
    let account = app.account(credits).await;
    let id = app.ready_material(&account.live, &TEXTS).await;
    (app, account, id)
}

on_both! {
    async fn a_conversion_holds_the_whole_price_and_is_charged_chunk_by_chunk(setup: Setup) {
        let (app, account, id) = ready(setup, 1_000).await;
        let heart = app.ereader("heart").await;
        let reply = convert(&app, &account.live, &id, &json!({ "ereader_id": heart })).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        let answer = reply.json();
        assert_eq!(
            (&answer["chunks"], &answer["characters"], &answer["credits_held"]),
            (&json!(4), &json!(40), &json!(40))
        );
        assert_eq!(answer["material"], app.material(&account.live, &id).await);
        assert_eq!(
            (&answer["material"]["status"], &answer["material"]["ereader_id"]),
            (&json!("converting"), &json!(heart))
        );
        assert_eq!(
            (app.balance(&account).await, statuses(&app, &account.live, &id).await),
            ((1_000, 40), vec!["queued".to_owned(); 4])
        );
        assert_eq!(app.convert_chunk().await, 0);
        assert_eq!(app.balance(&account).await, (990, 30));
        let claim = app.start_chunk().await;
        assert_eq!(statuses(&app, &account.live, &id).await, ["completed", "converting", "queued", "queued"]);
        app.complete_chunk(&claim).await;
        app.convert_all_chunks().await;
        let material = app.material(&account.live, &id).await;
        assert_eq!(
            (&material["status"], &material["chunks_completed"], &material["duration_ms"]),
            (&json!("completed"), &json!(4), &json!(800))
        );
        assert_eq!(app.balance(&account).await, (960, 0));
        app.finish().await;
    }

    async fn only_requested_and_unfinished_chunks_are_queued_and_paid(setup: Setup) {
        let (app, account, id) = ready(setup, 1_000).await;
        let heart = app.ereader("heart").await;
        let some =
            convert(&app, &account.live, &id, &json!({ "ereader_id": heart, "chunks": [2, 0] })).await.json();
        assert_eq!((&some["chunks"], &some["credits_held"]), (&json!(2), &json!(20)));
        assert_eq!(statuses(&app, &account.live, &id).await, ["queued", "pending", "queued", "pending"]);
        app.convert_chunk().await;
        // One chunk is completed, one queued, one new.
        let more = convert(&app, &account.live, &id, &json!({ "ereader_id": heart, "chunks": [0, 1, 2] }))
            .await
            .json();
        assert_eq!(
            (&more["chunks"], &more["characters"], &more["credits_held"]),
            (&json!(1), &json!(10), &json!(10))
        );
        for chunks in [json!([0]), json!([2, 1, 0])] {
            let again =
                convert(&app, &account.live, &id, &json!({ "ereader_id": heart, "chunks": chunks })).await;
            assert_eq!(again.refusal(), "material_chunks_already_converted");
        }
        app.convert_all_chunks().await;
        // Chunks that were not requested can still be converted.
        assert_eq!(app.material(&account.live, &id).await["status"], "ready");
        let rest = convert(&app, &account.live, &id, &json!({ "ereader_id": heart })).await.json();
        assert_eq!((&rest["chunks"], &rest["credits_held"]), (&json!(1), &json!(10)));
        app.convert_all_chunks().await;
        let done = convert(&app, &account.live, &id, &json!({ "ereader_id": heart })).await;
        assert_eq!(done.refusal(), "material_chunks_already_converted");
        assert_eq!(app.balance(&account).await, (960, 0));
        app.finish().await;
    }

    async fn a_chunk_that_failed_costs_nothing_and_may_be_converted_again(setup: Setup) {
        let (app, account, id) = ready(setup, 1_000).await;
        let body = json!({ "ereader_id": app.ereader("heart").await });
        assert_eq!(convert(&app, &account.live, &id, &body).await.status, 202);
        app.fail_job(JobKind::ConvertChunk, ErrorCode::TtsProviderError).await;
        assert_eq!(app.balance(&account).await, (1_000, 30));
        app.convert_all_chunks().await;
        let material = app.material(&account.live, &id).await;
        assert_eq!(
            (
                &material["status"],
                &material["chunks_completed"],
                &material["chunks_failed"],
                &material["duration_ms"]
            ),
            (&json!("partially_failed"), &json!(3), &json!(1), &json!(null))
        );
        assert_eq!(statuses(&app, &account.live, &id).await[0], "failed");
        assert_eq!(
            app.get(&format!("{PATH}/{id}/chunks/0/audio"), &account.live).await.refusal(),
            "chunk_not_ready"
        );
        let again = convert(&app, &account.live, &id, &body).await.json();
        assert_eq!(
            (&again["chunks"], &again["credits_held"], &again["material"]["chunks_failed"]),
            (&json!(1), &json!(10), &json!(0))
        );
        app.convert_all_chunks().await;
        assert_eq!(app.material(&account.live, &id).await["status"], "completed");
        assert_eq!(app.balance(&account).await, (960, 0));
        app.finish().await;
    }

    // In each case, everything that is checked later is wrong, too.
    async fn conversion_errors_come_in_the_contracts_order_and_queue_nothing(setup: Setup) {
        let app = setup.without_workers().start().await;
        let (account, poor) = (app.account_of(Tier::Free, 20).await, app.account(0).await);
        let id = app.upload(&account.live, &TEXTS.concat()).await;
        let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
        let refusal = async |key: &str, id: &str, ereader: &str, chunks: Value| {
            let body = json!({ "ereader_id": ereader, "chunks": chunks });
            convert(&app, key, id, &body).await.refusal()
        };
        for bad in ["nothing", "mat_00000000000000000000000000000000", &id.to_uppercase()] {
            assert_eq!(refusal(&account.live, bad, "nobody", json!([9])).await, "material_not_found");
            let fields = convert(&app, &account.live, bad, &json!({ "chunks": [] })).await.fields();
            assert_eq!(fields, ["chunks", "ereader_id"], "errors in the body come first");
        }
        let waiting =
            convert(&app, &account.live, &id, &json!({ "ereader_id": "nobody", "chunks": [9] })).await;
        assert_eq!(waiting.refusal(), "material_not_ready");
        assert_eq!(waiting.json()["error"]["details"], json!({ "status": "processing" }));
        app.extract(&TEXTS).await;
        for nobody in ["nobody", "erd_00000000000000000000000000000000", &heart.to_uppercase()] {
            assert_eq!(refusal(&account.live, &id, nobody, json!([9])).await, "ereader_not_found");
        }
        assert_eq!(refusal(&account.live, &id, &alma, json!([9])).await, "ereader_tier_not_available");
        assert_eq!(refusal(&account.live, &id, &heart, json!([0, 4])).await, "chunk_not_found");
        assert_eq!(
            refusal(&account.live, &id, &heart, json!([0, 4_294_967_295_u32])).await,
            "chunk_not_found"
        );
        assert_eq!(refusal(&account.live, &id, &heart, json!([0, 1, 2])).await, "insufficient_balance");
        assert_eq!(number(&app, "SELECT COUNT(*) FROM jobs").await, 0);
        assert_eq!(
            (app.balance(&account).await, app.material(&account.live, &id).await["status"].clone()),
            ((20, 0), json!("ready"))
        );
        // An account without a purchase may not convert, whatever the price.
        let theirs = app.ready_material(&poor.live, &TEXTS).await;
        assert_eq!(refusal(&poor.live, &theirs, &heart, json!([9])).await, "chunk_not_found");
        assert_eq!(refusal(&poor.live, &theirs, &heart, json!([0])).await, "api_access_requires_credits");
        assert_eq!(app.material(&poor.live, &theirs).await["ereader_id"], json!(null));
        // An accepted conversion fixes the e-reader, which is checked before the chunks.
        assert_eq!(
            convert(&app, &account.live, &id, &json!({ "ereader_id": heart, "chunks": [0] })).await.status,
            202
        );
        assert_eq!(
            refusal(&account.live, &id, &heart, json!([0])).await,
            "material_chunks_already_converted"
        );
        assert_eq!(refusal(&account.live, &id, &heart, json!([1, 2, 3])).await, "insufficient_balance");
        app.convert_all_chunks().await;
        app.finish().await;
    }

    async fn another_e_reader_than_the_first_is_refused_and_named(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account_of(Tier::Premium, 1_000).await;
        let id = app.ready_material(&account.live, &TEXTS).await;
        let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
        assert_eq!(
            convert(&app, &account.live, &id, &json!({ "ereader_id": alma, "chunks": [0] })).await.status,
            202
        );
        let other = convert(&app, &account.live, &id, &json!({ "ereader_id": heart, "chunks": [9] })).await;
        assert_eq!(other.refusal(), "ereader_locked");
        assert_eq!(other.json()["error"]["details"], json!({ "locked_ereader_id": alma }));
        app.convert_all_chunks().await;
        app.finish().await;
    }

    // Negative control: without the lock on the material's row, PostgreSQL accepts two e-readers.
    // SQLite has only one writer.
    async fn of_simultaneous_conversions_one_fixes_the_e_reader_and_each_chunk_is_paid_once(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account_of(Tier::Premium, 10_000).await;
        let readers = [app.ereader("heart").await, app.ereader("alma").await];
        for _ in 0..4 {
            let id = app.ready_material(&account.live, &TEXTS).await;
            let path = format!("{PATH}/{id}/convert");
            let calls: Vec<_> = (0..16)
                .map(|number| {
                    let chunks = match number % 3 {
                        0 => json!({ "ereader_id": readers[number % 2], "chunks": [0, 1] }),
                        1 => json!({ "ereader_id": readers[number % 2], "chunks": [1, 2, 3] }),
                        _ => json!({ "ereader_id": readers[number % 2] }),
                    };
                    let call = app.request(Method::POST, &path).bearer_auth(&account.live).json(&chunks);
                    tokio::spawn(async move { Reply::read(call.send().await.unwrap()).await })
                })
                .collect();
            let (mut chunks, mut held, mut locked) = (0, 0, 0);
            let mut fixed = Vec::new();
            for call in calls {
                let reply = call.await.unwrap();
                if reply.status == 202 {
                    let answer = reply.json();
                    chunks += answer["chunks"].as_i64().unwrap();
                    held += answer["credits_held"].as_i64().unwrap();
                    fixed.push(answer["material"]["ereader_id"].as_str().unwrap().to_owned());
                    continue;
                }
                match reply.refusal().as_str() {
                    "ereader_locked" => locked += 1,
                    "material_chunks_already_converted" => {}
                    other => panic!("{other}: {}", reply.json()),
                }
            }
            fixed.dedup();
            assert_eq!((chunks, fixed.len(), locked), (4, 1, 8));
            assert_eq!(app.balance(&account).await.1, held);
            assert_eq!(number(&app, "SELECT COUNT(*) FROM jobs WHERE kind = 'convert_chunk'").await, 4);
            app.convert_all_chunks().await;
        }
        app.finish().await;
    }

    async fn a_repeated_call_is_replayed_and_queues_nothing(setup: Setup) {
        let (app, account, id) = ready(setup, 1_000).await;
        let heart = app.ereader("heart").await;
        let send = async |body: Value| {
            let request =
                app.request(Method::POST, &format!("{PATH}/{id}/convert")).bearer_auth(&account.live);
            app.send(request.header("idempotency-key", "k").json(&body)).await
        };
        let first = send(json!({ "ereader_id": heart, "chunks": [0] })).await;
        assert_eq!((first.status.as_u16(), first.header("idempotent-replayed")), (202, ""));
        app.convert_all_chunks().await;
        let again = send(json!({ "chunks": [0.0], "ereader_id": heart })).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (202, "true"));
        assert_eq!(again.bytes, first.bytes);
        assert_eq!(
            send(json!({ "ereader_id": heart, "chunks": [] })).await.refusal(),
            "idempotency_key_reuse"
        );
        assert_eq!(app.balance(&account).await, (990, 0));
        app.finish().await;
    }

    async fn a_test_key_pays_nothing_and_has_a_daily_cap(setup: Setup) {
        let app = setup.without_workers().set("LECTERN_LIMITS__SANDBOX_CHARACTERS_PER_DAY", "50").start().await;
        let account = app.account(0).await;
        let (first, second) =
            (app.ready_material(&account.test, &TEXTS).await, app.ready_material(&account.test, &TEXTS).await);
        let body = json!({ "ereader_id": app.ereader("heart").await });
        let reply = convert(&app, &account.test, &first, &body).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["credits_held"]), (202, &json!(0)));
        app.convert_all_chunks().await;
        let over = convert(&app, &account.test, &second, &body).await;
        assert_eq!(over.refusal(), "rate_limited");
        // The time from 07:08:11 to midnight.
        assert_eq!(over.header("retry-after"), (86_400 - 7 * 3600 - 8 * 60 - 11).to_string());
        assert_eq!(app.material(&account.test, &second).await["status"], "ready");
        app.clock.advance_seconds(86_400);
        assert_eq!(convert(&app, &account.test, &second, &body).await.status, 202);
        app.convert_all_chunks().await;
        assert_eq!(number(&app, "SELECT COUNT(*) FROM ledger_transactions").await, 0);
        app.finish().await;
    }
}

#[tokio::test]
async fn fields_are_checked_before_anything_else() {
    let (app, account, id) = ready(Setup::default(), 1_000).await;
    let heart = app.ereader("heart").await;
    for (body, fields) in [
        (json!({}), vec!["ereader_id"]),
        (json!({ "ereader_id": heart, "format": "aac" }), vec!["format"]),
        (json!({ "ereader_id": heart, "chunks": [0, 1, 1, -1] }), vec!["chunks[2]", "chunks[3]"]),
        (json!({ "ereader_id": heart, "chunks": [] }), vec!["chunks"]),
        (json!({ "ereader_id": heart, "chunks": null }), vec!["chunks"]),
        (json!({ "ereader_id": heart, "language": "e n" }), vec!["language"]),
        (json!({ "ereader_id": heart, "speed": 2 }), vec!["speed"]),
    ] {
        assert_eq!(convert(&app, &account.live, &id, &body).await.fields(), fields, "{body}");
    }
    let query = format!("{PATH}/{id}/convert?chunks=1");
    assert_eq!(app.post(&query, &account.live, &json!({ "ereader_id": heart })).await.fields(), ["chunks"]);
    app.database().run("UPDATE ereaders SET formats = '[\"flac\"]'").await;
    let reply = convert(&app, &account.live, &id, &json!({ "ereader_id": heart })).await;
    assert_eq!(reply.fields(), ["format"]);
    let flac = convert(&app, &account.live, &id, &json!({ "ereader_id": heart, "format": "flac" })).await;
    assert_eq!(flac.status, 202);
    app.convert_all_chunks().await;
    app.finish().await;
}

/// The gauge from which operators can scale workers.
// Negative control: without `gauge_audio`, the gauge is missing.
#[tokio::test]
async fn the_backlog_metric_is_in_seconds_of_audio() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(1_000).await;
    let waiting = async || {
        let url = format!("{}/metrics", app.management);
        let text = String::from_utf8(app.send(app.request(Method::GET, &url)).await.bytes).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("lectern_backlog_audio_seconds ")).unwrap();
        line.parse::<f64>().unwrap()
    };
    let text = "Thirty characters are spoken.\n";
    let id = app.ready_material(&account.live, &[text]).await;
    assert!(waiting().await.abs() < 1e-9);
    let body = json!({ "ereader_id": app.ereader("heart").await });
    assert_eq!(app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await.status, 202);
    assert!((waiting().await - 2.0).abs() < 0.1, "{}", waiting().await);
    app.end().await;
}
