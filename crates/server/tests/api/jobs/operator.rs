//! The operator's view of jobs, and the operator's commands.

use std::process::Output;

use lectern_store::ledger;
use lectern_testkit::{Behavior, TestApp, on_both};
use reqwest::Method;
use serde_json::Value;

use super::*;
use crate::program;

/// Runs `lectern admin jobs` while the application runs.
async fn jobs(app: &TestApp, arguments: &[&str]) -> Output {
    let command = program::lectern(app.data(), &[&["admin", "jobs"], arguments].concat());
    program::beside(command, app.database()).await
}

async fn listed(app: &TestApp, arguments: &[&str]) -> Vec<Value> {
    let output = jobs(app, &[&["list", "--json"], arguments].concat()).await;
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice::<Value>(&output.stdout).unwrap().as_array().unwrap().clone()
}

on_both! {
    async fn a_dead_chunk_is_listed_with_its_reason_and_retried_when_its_price_can_be_held(setup: Setup) {
        // The command uses the system clock.
        let app = setup.running_clock().set("LECTERN_JOBS__ATTEMPTS", "1").start().await;
        let account = app.account(200).await;
        let id = uploaded(&app, &account.live, &book("Oda", 1, 1)).await;
        app.engine.set(Behavior::Fail);
        convert(&app, &account.live, &id).await;
        until_status(&app, &account.live, &id, "partially_failed").await;
        assert!(listed(&app, &["--status", "queued"]).await.is_empty());
        let dead = listed(&app, &["--status", "dead", "--kind", "convert_chunk", "--limit", "5"]).await;
        let [dead] = dead.as_slice() else { panic!("{dead:?}") };
        assert_eq!((&dead["kind"], &dead["status"], &dead["chunk_index"]), (&"convert_chunk".into(), &"dead".into(), &0.into()));
        assert_eq!((&dead["material_id"], &dead["attempts"]), (&id.as_str().into(), &1.into()));
        assert!(dead["last_error"].as_str().unwrap().contains("told to fail"), "{dead}");
        let job = dead["id"].as_str().unwrap();

        // The price of the dead chunk was released, and is spent on something else.
        app.engine.set(Behavior::Speak);
        let spent = app.synthesize(&account.live, &"Spent. ".repeat(27)).await;
        assert_eq!(spent.status, 200);
        let refused = jobs(&app, &["retry", job]).await;
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(1), "{said}");
        assert!(said.contains("cannot be held again") && said.contains("credits grant"), "{said}");
        let ids = || app.base.transaction_id();
        let grant = ledger::add(
            &app.base.store,
            account.id,
            ledger::Addition::Grant,
            lectern_types::Credits(500),
            None,
            ledger::Booking { now: app.clock.now(), ids: &ids },
        );
        grant.await.unwrap();
        let retried = jobs(&app, &["retry", job, "--json"]).await;
        assert_eq!(retried.status.code(), Some(0), "{}", String::from_utf8_lossy(&retried.stderr));
        let retried: Value = serde_json::from_slice(&retried.stdout).unwrap();
        assert_eq!((&retried["id"], &retried["status"], &retried["attempts"]), (&job.into(), &"queued".into(), &0.into()));
        until_status(&app, &account.live, &id, "completed").await;
        until_idle(&app).await;

        for (wrong, code, word) in [
            (job, 1, "there is no job"),
            ("job_019aa4f6c0de7000800000000000a001", 1, "there is no job"),
            ("nonsense", 2, "invalid value"),
        ] {
            let output = jobs(&app, &["retry", wrong]).await;
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(code), "{said}");
            assert!(said.contains(word), "{said}");
        }
        assert_eq!(jobs(&app, &["list", "--status", "asleep"]).await.status.code(), Some(2));
        app.finish().await;
    }

    // Negative controls: seen to fail when only known kinds are counted, and when one unreadable
    // row ends the list.
    async fn jobs_of_a_newer_version_are_listed_and_counted(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(10).await;
        for text in ["One.", "Two."] {
            assert_eq!(app.post("/v1/saas/materials", &account.live, &json!({ "text": text })).await.status, 202);
        }
        app.database().run("UPDATE jobs SET kind = 'translate' WHERE id = (SELECT MAX(id) FROM jobs)").await;
        let all = listed(&app, &[]).await;
        let kinds: Vec<_> = all.iter().map(|job| (&job["kind"], &job["status"])).collect();
        assert_eq!(kinds, [(&json!("translate"), &json!("queued")), (&json!("extract"), &json!("queued"))]);
        assert!(all[0]["unreadable"].as_str().unwrap().contains("translate") && all[1]["unreadable"].is_null(), "{all:?}");
        let reply = app.send(app.request(Method::GET, &format!("{}/metrics", app.management))).await;
        let text = String::from_utf8(reply.bytes.clone()).unwrap();
        for kind in ["extract", "unknown"] {
            assert!(text.contains(&format!("lectern_jobs{{kind=\"{kind}\",status=\"queued\"}} 1\n")), "{text}");
        }
        app.finish().await;
    }

    async fn a_dead_extraction_is_retried(setup: Setup) {
        let app = setup.running_clock().start().await;
        let account = app.account(10).await;
        let made = app.post("/v1/saas/materials", &account.live, &json!({ "text": "It was raining." })).await;
        let id = made.json()["id"].as_str().unwrap().to_owned();
        until_status(&app, &account.live, &id, "ready").await;
        // Imitates an extraction that crashed once.
        let job = "job_019aa4f6c0de7000800000000000a00f";
        app.database().run("DELETE FROM chunk_texts").await;
        app.database().run("DELETE FROM chunks").await;
        app.database().run("DELETE FROM material_chapters").await;
        app.database()
            .run("UPDATE materials SET status = 'failed', chunk_count = NULL, characters = NULL, failure_code = 'material_unreadable', failure_message = 'x'")
            .await;
        app.database()
            .run(&format!(
                "INSERT INTO jobs (id, kind, account_id, environment, material_id, priority, turn, status, run_at, created_at, updated_at)
                 SELECT '{job}', 'extract', account_id, environment, id, 0, 1, 'dead', created_at, created_at, created_at FROM materials"
            ))
            .await;
        assert_eq!(jobs(&app, &["retry", job]).await.status.code(), Some(0));
        until_status(&app, &account.live, &id, "ready").await;
        assert_eq!(material(&app, &account.live, &id).await["failure"], Value::Null);
        app.finish().await;
    }

    async fn metrics_count_jobs_by_kind_and_state(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account.live, &book("Pia", 3, 1)).await;
        app.engine.set_for("Pia 2", Behavior::Block);
        convert(&app, &account.live, &id).await;
        app.until("two chunks", async || material(&app, &account.live, &id).await["chunks_completed"] == 2).await;
        let metrics = app.send(app.request(Method::GET, &format!("{}/metrics", app.management))).await;
        let text = String::from_utf8(metrics.bytes).unwrap();
        let running = r#"lectern_jobs{kind="convert_chunk",status="running"} 1"#;
        let dead = r#"lectern_jobs{kind="extract",status="dead"} 0"#;
        for line in [running, dead, "lectern_jobs_total{", "lectern_job_phase_seconds_bucket{", "lectern_chunk_characters_total"] {
            assert!(text.contains(line), "{line} is not in:\n{text}");
        }
        app.engine.set_for("Pia 2", Behavior::Speak);
        until_status(&app, &account.live, &id, "completed").await;
        until_idle(&app).await;
        app.finish().await;
    }
}
