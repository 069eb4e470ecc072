//! Large objects, and large numbers of objects.

use std::collections::HashSet;

use futures_util::TryStreamExt as _;
use lectern_service::clock::Clock;
use lectern_testkit::{Link, until};

use super::{noise, objects, server, whole};

const MIB: usize = 1024 * 1024;

#[tokio::test]
async fn an_object_larger_than_a_part_is_stored_in_parts_and_read_as_one() {
    let (_folder, server) = server();
    let objects = objects(&server, "p");
    for (length, parts) in
        [(0, None), (1, None), (8 * MIB - 1, None), (8 * MIB, Some(1)), (20 * MIB + 123, Some(3))]
    {
        let bytes = noise(length);
        let mut writing = objects.writer("materials/m/book.m4b").await.unwrap();
        for piece in bytes.chunks(700_001) {
            writing.write(piece.to_vec().into()).await.unwrap();
        }
        let made = writing.finish().await.unwrap();
        assert_eq!(made.bytes, length as u64);
        // The entity tag of a multipart upload ends in its number of parts.
        let tag = made.etag.trim_matches('"');
        assert_eq!(tag.rsplit_once('-').map(|(_, parts)| parts.parse().unwrap()), parts, "{tag}");
        assert_eq!(objects.head("materials/m/book.m4b").await.unwrap(), Some(made));
        assert!(whole(&objects, "materials/m/book.m4b").await.unwrap() == bytes, "{length}");
    }
    let bytes = noise(20 * MIB + 123);
    let border = 8 * MIB as u64;
    let read = objects.read("materials/m/book.m4b", border - 3..border + 4).await.unwrap().unwrap();
    let read: Vec<_> = read.try_collect().await.unwrap();
    assert_eq!(read.concat(), &bytes[8 * MIB - 3..8 * MIB + 4]);
    let url = objects.presigned("materials/m/book.m4b", Clock::system().now(), 60).unwrap();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let answer = client.get(url).send().await.unwrap();
    assert_eq!(answer.headers()["content-type"], "audio/mp4");
    assert!(answer.bytes().await.unwrap() == bytes);
    assert_eq!(server.unfinished_parts(), 0);
}

// Negative control: without the call of the upload's `abort` in `abort_upload`, two parts were left
// on the server.
#[tokio::test]
async fn aborted_and_failed_uploads_leave_no_object_and_no_parts() {
    let (_folder, server) = server();
    let objects = objects(&server, "");
    let mut writing = objects.writer("a/b").await.unwrap();
    writing.write(noise(17 * MIB).into()).await.unwrap();
    assert_eq!(server.unfinished_parts(), 2);
    writing.abort().await;
    assert_eq!((server.unfinished_parts(), objects.head("a/b").await.unwrap()), (0, None));

    // An upload whose writer was dropped.
    let mut writing = objects.writer("a/b").await.unwrap();
    writing.write(noise(17 * MIB).into()).await.unwrap();
    drop(writing);
    until("the abort of the dropped upload", async || server.unfinished_parts() == 0).await;

    // A part that cannot be sent.
    let mut writing = objects.writer("a/b").await.unwrap();
    writing.write(noise(9 * MIB).into()).await.unwrap();
    server.set_link(Link::RequestBytes(4 * MIB as u64));
    assert!(writing.write(noise(9 * MIB).into()).await.is_err());
    server.set_link(Link::Up);
    writing.abort().await;
    assert_eq!((server.unfinished_parts(), objects.head("a/b").await.unwrap()), (0, None));
}

#[tokio::test]
async fn more_objects_than_a_page_of_a_listing_are_all_found() {
    let (_folder, server) = server();
    let objects = objects(&server, "p/q");
    let put: HashSet<String> = (0..1_005).map(|at| format!("syntheses/syn_{at:04}.mp3")).collect();
    let folder = server.file("books", "p/q/syntheses");
    std::fs::create_dir_all(&folder).unwrap();
    for key in &put {
        std::fs::write(server.file("books", &format!("p/q/{key}")), "x").unwrap();
    }
    let found: Vec<String> = objects.list("syntheses").map_ok(|found| found.key).try_collect().await.unwrap();
    assert_eq!(found.len(), put.len());
    assert_eq!(HashSet::from_iter(found), put);
}
