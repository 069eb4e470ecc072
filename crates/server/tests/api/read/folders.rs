//! Folders of books, and a folder that is watched.
//!
//! Negative control: without the wait for a file that does not change any more, half a book is read. Not seen to fail yet:
//! without the comparison of times, the second run should read again.

use std::{
    io::{BufRead as _, BufReader},
    time::Duration,
};

use lectern_testkit::holds_within_blocking;

use super::{Workspace, probe, said, signal};

const TEXT: &str = "Chapter 1\n\nThe lamp was lit before the rain came.\n";

fn folder() -> Workspace {
    let workspace = Workspace::new("unrelated.txt", b"Not in the folder.");
    std::fs::create_dir(workspace.path("books")).unwrap();
    workspace
}

#[test]
fn each_book_of_a_folder_becomes_a_file_once() {
    let workspace = folder();
    std::fs::write(workspace.path("books/Lamp.txt"), TEXT).unwrap();
    std::fs::write(workspace.path("books/.hidden.txt"), TEXT).unwrap();
    std::fs::write(workspace.path("books/half.epub.part"), "PK").unwrap();
    let arguments = ["books", "-o", "audio", "--format", "mp3"];
    let read = workspace.read(&arguments);
    assert!(read.status.success(), "{}", said(&read));
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(workspace.path("audio"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["Lamp.mp3"]);
    let first = workspace.bytes("audio/Lamp.mp3");
    assert!(first.len() > 5_000);
    let again = workspace.read(&arguments);
    assert!(again.status.success() && again.stderr.is_empty(), "{}", said(&again));
    // A file that is no book does not keep the others from being read.
    std::fs::write(workspace.path("books/cover.png"), b"\x89PNG\r\n\x1a\n----").unwrap();
    std::fs::write(workspace.path("books/Second.txt"), TEXT).unwrap();
    let mixed = workspace.read(&arguments);
    let complaint = said(&mixed);
    assert!(
        !mixed.status.success() && complaint.contains("cover.png: The file is a PNG picture"),
        "{complaint}"
    );
    assert!(complaint.contains("one file of the folder could not be read"), "{complaint}");
    assert_eq!(names(), ["Lamp.mp3", "Second.mp3"]);
    // Two files of one name would overwrite each other's audiobook.
    std::fs::write(workspace.path("books/Second.md"), TEXT).unwrap();
    let doubled = workspace.read(&arguments);
    let complaint = said(&doubled);
    assert!(!doubled.status.success() && complaint.contains("rename one of them"), "{complaint}");
}

#[test]
fn what_makes_no_sense_for_a_folder_is_refused() {
    let workspace = folder();
    for (arguments, wanted) in [
        (&["books", "-o", "audio", "--title", "One"][..], "are for one book"),
        (&["books", "-o", "unrelated.txt"], "-o must name a folder"),
        (&["books", "-o", "books", "--format", "epub"], "-o must name another folder"),
        (&["unrelated.txt", "-o", "one.mp3", "--watch"], "--watch needs a folder"),
    ] {
        let refused = workspace.read(arguments);
        let complaint = said(&refused);
        assert!(refused.status.code() == Some(2) && complaint.contains(wanted), "{arguments:?}: {complaint}");
    }
}

#[test]
fn a_book_that_is_put_into_a_watched_folder_is_read_when_it_is_whole() {
    let workspace = folder();
    let mut child =
        workspace.command(&["books", "-o", "audio", "--format", "mp3", "--watch"]).spawn().unwrap();
    // The text arrives in parts, as from a slow network: longer than two looks are apart.
    let book = workspace.path("books/Late.txt");
    let mut text = TEXT.to_owned();
    for chapter in 2..=9 {
        text = format!("{text}\nChapter {chapter}\n\nOne more part of it.\n");
        std::fs::write(&book, &text).unwrap();
        std::thread::sleep(Duration::from_millis(600));
    }
    let audio = workspace.path("audio/Late.mp3");
    assert!(holds_within_blocking(Duration::from_mins(1), || audio.exists()));
    signal(&child, "-INT");
    let lines: Vec<String> =
        BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap).collect();
    let ended = child.wait().unwrap();
    assert_eq!(ended.code(), Some(130), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains('→')).count(), 1, "{lines:?}");
    assert_eq!(probe(&audio, "chapter=id").lines().count(), 9, "{lines:?}");
}
