//! A clock that was set back delays no pending work.

use lectern_store::{
    Environment, clock_steps,
    ledger::{self, HoldOutcome},
    mails,
};
use lectern_types::{Credits, Timestamp};

use crate::{
    fixture::{Fixture, NOON, at, lease, on_both, writing},
    registration::registered,
};

const HOUR: i64 = 3_600_000_000;

fn later(micros: i64) -> Timestamp {
    NOON.plus_micros(micros)
}

on_both! {
    // Negative control: without `move_back`, the mail is claimed and the hold settled an hour
    // later.
    async fn what_waits_is_moved_back_with_the_clock(f: &Fixture) {
        assert_eq!(clock_steps::observe(f, NOON).await.expect("it writes"), 0);
        registered(f, "ada@example.org").await;
        let (account, _) = f.account(100).await;
        let held = ledger::hold(f, account, Credits(10), &lease("a", NOON), None, writing(NOON)).await;
        assert!(matches!(held.expect("it holds"), HoldOutcome::Held(_)));

        // The mail's reservation and the hold's lease were to end within the minute. The clock now
        // shows an hour earlier.
        let now = later(-HOUR);
        assert_eq!(clock_steps::observe(f, now).await.expect("it writes"), HOUR);
        assert_eq!(clock_steps::observe(f, now).await.expect("it reads"), 0, "once");
        let soon = now.plus_seconds(59);
        assert_eq!(mails::claim_due(f, soon, soon, 10).await.expect("it reads").len(), 0, "it is still reserved for its maker");
        let soon = now.plus_seconds(60);
        assert_eq!(mails::claim_due(f, soon, soon, 10).await.expect("it reads").len(), 1);
        let due = now.plus_seconds(30);
        assert_eq!(ledger::settle_due(f, due, 10, at(now)).await.expect("it reads"), 0);
        let due = now.plus_seconds(31);
        assert_eq!(ledger::settle_due(f, due, 10, at(now)).await.expect("it reads"), 1);
    }

    async fn jobs_that_were_due_are_due_and_new_leases_stay(f: &Fixture) {
        let (account, _) = f.account(100).await;
        clock_steps::observe(f, NOON).await.expect("it writes");
        let job = |id: &str, status: &str, times: &str| format!(
            "INSERT INTO jobs (id, kind, account_id, environment, priority, turn, status, worker, lease_until, run_at, created_at,
                 updated_at) VALUES ('{id}', 'extract', '{account}', '{}', 0, 0, '{status}', {times}, 0, 0)",
            Environment::Live.as_str(),
        );
        let now = later(-HOUR);
        // By the old clock, one job was queued a minute ago and another is due in ten minutes. The
        // new claim was made after the step.
        for (id, status, times) in [
            ("due", "queued", format!("NULL, NULL, {}", NOON.0 - 60_000_000)),
            ("later", "queued", format!("NULL, NULL, {}", NOON.0 + 600_000_000)),
            ("dead", "running", format!("'w', {}, 0", NOON.0 + 30_000_000)),
            ("new", "running", format!("'w', {}, 0", now.0 + 30_000_000)),
        ] {
            f.sql(&job(id, status, &times)).await.expect("it writes");
        }
        clock_steps::observe(f, now).await.expect("it writes");
        let mut times = Vec::new();
        for (id, column) in [("due", "run_at"), ("later", "run_at"), ("dead", "lease_until"), ("new", "lease_until")] {
            times.push((f.number(&format!("SELECT {column} FROM jobs WHERE id = '{id}'")).await - now.0) / 1_000_000);
        }
        assert_eq!(times, [0, 600, 30, 30]);
    }

    async fn a_clock_that_goes_on_or_back_a_little_moves_nothing(f: &Fixture) {
        for (step, back) in [(0, 0), (30_000_000, 0), (HOUR, 0), (HOUR - 59_000_000, 0), (HOUR - 61_000_000, 61_000_000)] {
            assert_eq!(clock_steps::observe(f, later(step)).await.expect("it answers"), back, "{step}");
        }
    }
}
