//! What is left behind in the storage by processes that died, and by disks restored from backups.

use std::{
    fs::File,
    time::{Duration, UNIX_EPOCH},
};

use lectern_store::object_deletions;
use lectern_testkit::{TestApp, on_both};

use super::*;

/// Puts a file into the storage of this time.
fn plant(app: &TestApp, key: &str, since: lectern_types::Timestamp) {
    let path = app.data().join("objects").join(key);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "left behind").unwrap();
    let then = UNIX_EPOCH + Duration::from_micros(u64::try_from(since.0).unwrap());
    File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
}

on_both! {
    // Negative control: without the question in `Orphans::round` both are gone.
    async fn what_the_store_does_not_know_is_left_when_it_is_no_longer_ours(setup: Setup) {
        // No duties but the test's own.
        let app = setup.by_hand().start().await;
        let sets = |value: &str| format!("UPDATE store_settings SET value = {value} WHERE name = 'master_key_fingerprint'");
        app.database().run(&sets("'x' || value")).await;
        for old in ["materials/no-material/at-all", "syntheses/syn_019aa4f6c0de7000800000000000a001-deadbeef.mp3"] {
            plant(&app, old, app.clock.now().plus_seconds(-3 * 3_600));
        }
        let left = || stored(&app, "materials").len() + stored(&app, "syntheses").len();
        let orphans = lectern_server::workers::sweep::Orphans::default();
        let rounds = async || {
            for _ in 0..4 {
                orphans.round(&app.app).await.unwrap();
            }
        };
        rounds().await;
        assert_eq!(left(), 2);
        app.database().run(&sets("substr(value, 2)")).await;
        app.clock.advance_seconds(3_601);
        rounds().await;
        assert_eq!(left(), 0);
        app.finish().await;
    }

    // Negative control: without the call of `orphans.round`, everything planted is still there.
    async fn what_nothing_knows_of_is_deleted_when_it_is_old_and_all_else_is_kept(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account.live, &book("Nia", 2, 1)).await;
        convert(&app, &account.live, &id).await;
        until_status(&app, &account.live, &id, "completed").await;
        until_idle(&app).await;
        assert_eq!(app.synthesize(&account.live, "Kept.").await.status, 200);
        let kept = [stored(&app, "materials"), stored(&app, "syntheses")].concat();
        // What is known is kept, however old.
        for file in &kept {
            let then = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
            File::options().write(true).open(file).unwrap().set_modified(then).unwrap();
        }
        let stranger = "materials/mat_019aa4f6c0de7000800000000000a001";
        let mut planted = vec![
            format!("materials/{id}/chunks/00000-7-deadbeef.flac"),
            format!("{stranger}/source"),
            "materials/no-material/at-all".to_owned(),
            "syntheses/syn_019aa4f6c0de7000800000000000a001-deadbeef.mp3".to_owned(),
        ];
        if app.s3().is_none() {
            // Only files are seen before they are whole.
            planted.push(format!("materials/{id}/chunks/00000-7-deadbeef.mp3#3"));
            planted.push("syntheses/syn_019aa4f6c0de7000800000000000a001-deadbeef.mp3#1".to_owned());
        }
        for old in planted {
            plant(&app, &old, app.clock.now().plus_seconds(-3 * 3_600));
        }
        // Two hours hence, when the clock has been moved twice, it is of the moment.
        let young = format!("materials/{id}/chunks/00001-9-cafecafe.flac");
        plant(&app, &young, app.clock.now().plus_seconds(2 * 3_600));
        let young = app.data().join("objects").join(young);
        let left = || [stored(&app, "materials"), stored(&app, "syntheses")].concat();
        // A listing may be under way and beyond some of it; the next one comes an hour later.
        for round in 0..1_200 {
            if left().len() == kept.len() + 1 {
                break;
            }
            if round % 600 == 0 {
                app.clock.advance_seconds(3_601);
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        let left = left();
        assert!(kept.iter().all(|file| left.contains(file)) && young.exists(), "{left:#?}");
        assert_eq!(left.len(), kept.len() + 1, "{left:#?}");
        app.finish().await;
    }

    // Negative control: with the rest of what failed taken out and a `break` at the first failure, the others stay.
    async fn an_object_that_cannot_be_deleted_holds_up_no_other(setup: Setup) {
        let app = setup.start().await;
        let due = app.clock.now().plus_seconds(-60);
        plant(&app, "materials/aaa/stuck/within", due);
        plant(&app, "materials/bbb/other", due);
        // The first is a folder that is not empty.
        let store = &app.app.store;
        object_deletions::reserve(store, &["materials/aaa/stuck"], due.plus_seconds(-60)).await.unwrap();
        object_deletions::reserve(store, &["materials/bbb/other"], due).await.unwrap();
        let other = app.data().join("objects/materials/bbb/other");
        app.until("the other's deletion", async || !other.exists()).await;
        app.until("the end of its row", async || count(&app, "object_deletions").await == 1).await;
        let path = app.data().join("objects/materials/aaa");
        std::fs::remove_dir_all(path).unwrap();
        app.clock.advance_seconds(11 * 60);
        app.until("the end of the first", async || count(&app, "object_deletions").await == 0).await;
        app.finish().await;
    }

    async fn what_was_announced_and_never_kept_is_deleted_in_time(setup: Setup) {
        let app = setup.start().await;
        let now = app.clock.now();
        plant(&app, "materials/x/half", now);
        let due = now.plus_seconds(3_600);
        lectern_store::object_deletions::reserve(&app.app.store, &["materials/x/half"], due).await.unwrap();
        let sweep = async || lectern_server::workers::sweep::round(&app.app).await.unwrap();
        sweep().await;
        assert_eq!(stored(&app, "materials").len(), 1, "deleted before its time");
        app.clock.advance_seconds(3_601);
        sweep().await;
        assert!(stored(&app, "materials").is_empty(), "still there after its time");
        assert_eq!(count(&app, "object_deletions").await, 0);
        app.finish().await;
    }
}
