//! Rows whose objects do not exist.

use lectern_service::services::missing_objects::{self, Position};
use lectern_testkit::{Setup, TestApp, on_both};

async fn missing(app: &TestApp) -> Vec<String> {
    let (mut place, mut missing) = (Position::default(), Vec::new());
    while place != Position::End {
        missing.extend(missing_objects::step(&app.base, &mut place).await.unwrap().missing);
    }
    missing.sort();
    missing
}

async fn every_missing_object_is_named_and_no_other(setup: Setup) {
    let app = setup.without_workers().start().await;
    let account = app.account(1_000).await;
    for text in ["One.", "Two."] {
        assert_eq!(app.synthesize(&account.live, text).await.status, 200);
    }
    let id = app.completed_material(&account.live, &["# One\n\nA chunk.", " Another."]).await;
    assert_eq!(missing(&app).await, [""; 0]);
    let folder = app.data().join("objects");
    let first = std::fs::read_dir(folder.join("syntheses")).unwrap().next().unwrap().unwrap();
    std::fs::remove_file(first.path()).unwrap();
    let material = std::fs::read_dir(folder.join(format!("materials/{id}"))).unwrap().flatten();
    let mut names = material.map(|entry| entry.file_name().into_string().unwrap());
    let lost =
        names.find(|name| std::path::Path::new(name).extension().is_some_and(|end| end == "mp3")).unwrap();
    let lost = format!("materials/{id}/{lost}");
    std::fs::remove_file(folder.join(&lost)).unwrap();
    let synthesis = format!("syntheses/{}", first.file_name().into_string().unwrap());
    assert_eq!(missing(&app).await, [lost, synthesis]);
    // Deleted objects are not reported.
    let deleted =
        app.request(reqwest::Method::DELETE, &format!("/v1/saas/materials/{id}")).bearer_auth(&account.live);
    assert_eq!(app.send(deleted).await.status, 200);
    app.clock.advance_seconds(26 * 3_600);
    assert_eq!(missing(&app).await, [""; 0]);
    app.finish().await;
}

on_both! {
    // Negative control: when `missing_objects::missing` finds nothing, neither of the two is named,
    // on either storage.
    async fn objects_missing_from_a_directory_are_found(setup: Setup) {
        every_missing_object_is_named_and_no_other(setup.on_files()).await;
    }

    async fn objects_missing_from_a_bucket_are_found(setup: Setup) {
        every_missing_object_is_named_and_no_other(setup.on_s3()).await;
    }
}
