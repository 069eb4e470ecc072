//! Objects left in the storage by processes that died, and by disks restored from backups.

use std::{
    fs::File,
    time::{Duration, UNIX_EPOCH},
};

use lectern_store::object_deletions;
use lectern_testkit::{TestApp, holds_within, on_both};

use super::*;

/// Creates a file in the storage with this modification time.
fn plant(app: &TestApp, key: &str, since: lectern_types::Timestamp) {
    let path = app.data().join("objects").join(key);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "left behind").unwrap();
    let then = UNIX_EPOCH + Duration::from_micros(u64::try_from(since.0).unwrap());
    File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
}

on_both! {
    // Negative control: without the check in `Orphans::round` both are deleted.
    async fn orphans_are_kept_when_the_store_belongs_to_another_installation(setup: Setup) {
        // Without workers, so that only the test itself sweeps.
        let app = setup.without_workers().start().await;
        let sets = |value: &str| format!("UPDATE store_settings SET value = {value} WHERE name = 'master_key_fingerprint'");
        app.database().run(&sets("'x' || value")).await;
        for old in ["materials/no-material/at-all", "syntheses/syn_019aa4f6c0de7000800000000000a001-deadbeef.mp3"] {
            plant(&app, old, app.clock.now().plus_seconds(-3 * 3_600));
        }
        let left = || stored(&app, "materials").len() + stored(&app, "syntheses").len();
        let orphans = lectern_service::workers::sweep::Orphans::default();
        let rounds = async || {
            for _ in 0..4 {
                orphans.round(&app.base).await.unwrap();
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
    async fn old_orphans_are_deleted_and_everything_else_is_kept(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account.live, &book("Nia", 2, 1)).await;
        convert(&app, &account.live, &id).await;
        until_status(&app, &account.live, &id, "completed").await;
        until_idle(&app).await;
        assert_eq!(app.synthesize(&account.live, "Kept.").await.status, 200);
        let kept = [stored(&app, "materials"), stored(&app, "syntheses")].concat();
        // Known objects are kept at any age.
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
            // Only file storage shows incomplete objects.
            planted.push(format!("materials/{id}/chunks/00000-7-deadbeef.mp3#3"));
            planted.push("syntheses/syn_019aa4f6c0de7000800000000000a001-deadbeef.mp3#1".to_owned());
        }
        for old in planted {
            plant(&app, &old, app.clock.now().plus_seconds(-3 * 3_600));
        }
        // The file's time is two hours ahead, so after the clock has moved twice the file is still
        // young.
        let young = format!("materials/{id}/chunks/00001-9-cafecafe.flac");
        plant(&app, &young, app.clock.now().plus_seconds(2 * 3_600));
        let young = app.data().join("objects").join(young);
        let left = || [stored(&app, "materials"), stored(&app, "syntheses")].concat();
        // A listing may be in progress and past some of the files; the next listing starts an hour
        // later.
        for _ in 0..2 {
            app.clock.advance_seconds(3_601);
            if holds_within(Duration::from_secs(15), async || left().len() == kept.len() + 1).await {
                break;
            }
        }
        let left = left();
        assert!(kept.iter().all(|file| left.contains(file)) && young.exists(), "{left:#?}");
        assert_eq!(left.len(), kept.len() + 1, "{left:#?}");
        app.finish().await;
    }

    // Negative control: without the pause after failures, and with a `break` at the first failure,
    // the other objects stay.
    async fn an_object_that_cannot_be_deleted_does_not_delay_others(setup: Setup) {
        let app = setup.start().await;
        let due = app.clock.now().plus_seconds(-60);
        plant(&app, "materials/aaa/stuck/within", due);
        plant(&app, "materials/bbb/other", due);
        // The first object is a directory that is not empty.
        let store = &app.base.store;
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

    async fn reserved_objects_that_were_never_used_are_deleted_in_time(setup: Setup) {
        let app = setup.start().await;
        let now = app.clock.now();
        plant(&app, "materials/x/half", now);
        let due = now.plus_seconds(3_600);
        lectern_store::object_deletions::reserve(&app.base.store, &["materials/x/half"], due).await.unwrap();
        let sweep = async || lectern_service::workers::sweep::round(&app.base).await.unwrap();
        sweep().await;
        assert_eq!(stored(&app, "materials").len(), 1, "deleted before its time");
        app.clock.advance_seconds(3_601);
        sweep().await;
        assert!(stored(&app, "materials").is_empty(), "still there after its time");
        assert_eq!(count(&app, "object_deletions").await, 0);
        app.finish().await;
    }
}
