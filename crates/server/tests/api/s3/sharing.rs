//! Two services in one bucket.

use futures_util::TryStreamExt as _;

use super::{objects, server, whole};

/// Else the second would take all that the first has for objects that nothing knows of.
#[tokio::test]
async fn a_bucket_is_cleared_by_the_first_that_looked_through_it_alone() {
    let (_folder, server) = server();
    let (one, same, other) = (objects(&server, "a"), objects(&server, "a"), objects(&server, "ab"));
    assert!(one.belong_to("00a1b2c3d4e5").await.unwrap());
    assert!(same.belong_to("00a1b2c3d4e5").await.unwrap());
    assert!(!same.belong_to("ffa1b2c3d4e5").await.unwrap());
    assert!(!same.belong_to("00a1b2c3d4e5f").await.unwrap());
    assert!(other.belong_to("ffa1b2c3d4e5").await.unwrap());
}

#[tokio::test]
async fn services_with_prefixes_of_their_own_see_nothing_of_each_other() {
    let (_folder, server) = server();
    let (one, other, all) = (objects(&server, "a"), objects(&server, "ab"), objects(&server, ""));
    one.put("syntheses/x.mp3", b"one".to_vec()).await.unwrap();
    other.put("syntheses/x.mp3", b"other".to_vec()).await.unwrap();
    other.put("syntheses/y.mp3", b"other".to_vec()).await.unwrap();
    let listed = async |objects: &lectern_server::objects::Objects, prefix| {
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
    assert_eq!(one.about("syntheses/x.mp3").await.unwrap(), None);
    assert_eq!(whole(&other, "syntheses/x.mp3").await.unwrap(), b"other");
    // Nothing climbs out of its prefix.
    one.put("../ab/syntheses/x.mp3", b"climbed".to_vec()).await.unwrap();
    assert_eq!(whole(&other, "syntheses/x.mp3").await.unwrap(), b"other");
}
