//! Two services in one bucket.

use futures_util::TryStreamExt as _;

use super::{objects, server, whole};

/// Otherwise the second service would take the first service's objects for orphans.
#[tokio::test]
async fn only_the_service_that_first_listed_a_bucket_deletes_from_it() {
    let (_folder, server) = server();
    let (one, same, other) = (objects(&server, "a"), objects(&server, "a"), objects(&server, "ab"));
    assert!(one.belongs_to("00a1b2c3d4e5").await.unwrap());
    assert!(same.belongs_to("00a1b2c3d4e5").await.unwrap());
    assert!(!same.belongs_to("ffa1b2c3d4e5").await.unwrap());
    assert!(!same.belongs_to("00a1b2c3d4e5f").await.unwrap());
    assert!(other.belongs_to("ffa1b2c3d4e5").await.unwrap());
}

#[tokio::test]
async fn services_with_different_prefixes_do_not_see_each_other() {
    let (_folder, server) = server();
    let (one, other, all) = (objects(&server, "a"), objects(&server, "ab"), objects(&server, ""));
    one.put("syntheses/x.mp3", b"one".to_vec()).await.unwrap();
    other.put("syntheses/x.mp3", b"other".to_vec()).await.unwrap();
    other.put("syntheses/y.mp3", b"other".to_vec()).await.unwrap();
    let listed = async |objects: &lectern_service::objects::Objects, prefix| {
        let mut keys: Vec<String> =
            objects.list(prefix).map_ok(|found| found.key).try_collect().await.unwrap();
        keys.sort();
        keys
    };
    assert_eq!(listed(&one, "syntheses").await, ["syntheses/x.mp3"]);
    assert_eq!(listed(&one, "").await, ["syntheses/x.mp3"]);
    assert_eq!(listed(&other, "syntheses").await, ["syntheses/x.mp3", "syntheses/y.mp3"]);
    assert_eq!(listed(&all, "").await, ["a/syntheses/x.mp3", "ab/syntheses/x.mp3", "ab/syntheses/y.mp3"]);
    one.delete("syntheses/x.mp3").await.unwrap();
    one.delete("syntheses/x.mp3").await.unwrap();
    assert_eq!(one.head("syntheses/x.mp3").await.unwrap(), None);
    assert_eq!(whole(&other, "syntheses/x.mp3").await.unwrap(), b"other");
    // A key cannot escape its prefix.
    one.put("../ab/syntheses/x.mp3", b"climbed".to_vec()).await.unwrap();
    assert_eq!(whole(&other, "syntheses/x.mp3").await.unwrap(), b"other");
}
