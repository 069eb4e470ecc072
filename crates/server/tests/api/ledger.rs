//! `lectern admin ledger verify` on a database that was changed by hand, and databases of another
//! version.

use std::process::Output;

use lectern_testkit::{Database, Kind, on_both};
use serde_json::{Value, json};

use crate::program;

/// Runs the binary on a database.
async fn lectern(database: &Database, data: &std::path::Path, arguments: &[&str]) -> Output {
    program::beside(program::lectern(data, arguments), database).await
}

on_both! {
    async fn the_first_difference_is_named_and_the_exit_code_is_1(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        app.synthesize(&account.live, "Hello.").await;
        let folder = app.data().to_owned();
        let verify = async || {
            let output = lectern(app.database(), &folder, &["admin", "ledger", "verify", "--json"]).await;
            let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
            (output.status.code(), printed)
        };
        let (code, printed) = verify().await;
        assert_eq!(code, Some(0), "{printed}");
        assert_eq!(printed, json!({ "ok": true, "accounts": 1, "transactions": 4, "first_difference": null }));

        // The database itself refuses the change until its trigger is dropped.
        let change = "UPDATE ledger_transactions SET credits = -5 WHERE kind = 'charge'";
        assert!(app.database().try_run(change).await.is_err(), "the ledger was changed");
        let guard = match app.database().kind() {
            Kind::Sqlite => "DROP TRIGGER ledger_transactions_no_update",
            Kind::Postgres => "DROP TRIGGER ledger_transactions_no_update ON ledger_transactions",
        };
        app.database().run(guard).await;
        assert_eq!(app.database().run(change).await, 1);
        let (code, printed) = verify().await;
        assert_eq!((code, &printed["ok"]), (Some(1), &json!(false)), "{printed}");
        let difference = &printed["first_difference"];
        assert_eq!(difference["subject"], json!(account.id), "{printed}");
        assert_eq!((&difference["expected"], &difference["found"]), (&json!(95), &json!(94)), "{printed}");

        app.database().run("UPDATE ledger_transactions SET credits = -6 WHERE kind = 'charge'").await;
        assert_eq!(verify().await.0, Some(0));
        app.finish().await;
    }

    async fn a_store_of_a_newer_version_is_refused_with_78(setup: Setup) {
        let app = setup.start().await;
        let folder = app.data().to_owned();
        app.database().run("INSERT INTO schema_migrations VALUES (999, 'later', '', 0)").await;
        let needs = async |version: u32| {
            let set = format!("UPDATE store_settings SET value = '{version}' WHERE name = 'schema_needed'");
            assert_eq!(app.database().run(&set).await, 1);
        };
        needs(999).await;
        for command in [&["serve"][..], &["worker"], &["migrate"], &["admin", "ledger", "verify"]] {
            let output = lectern(app.database(), &folder, command).await;
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(78), "{command:?}: {said}");
            assert!(said.contains("999"), "{command:?} does not name the version found: {said}");
        }
        app.database().run("DELETE FROM schema_migrations WHERE version = 999").await;
        needs(1).await;
        app.finish().await;
    }
}
