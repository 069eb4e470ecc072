//! Folders of books, and a folder that is watched.
//!
//! Negative controls: without the comparison of times, the second run reads again; without the wait for a file that does
//! not change any more, half a book is read.

use std::{
    io::{BufRead as _, BufReader},
    time::Duration,
};

use lectern_testkit::holds_within_blocking;

use super::{Workspace, said, signal};

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
    // The text arrives in two parts, as from a slow network.
    let book = workspace.path("books/Late.txt");
    std::fs::write(&book, "Chapter 1\n\nThe first half").unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    std::fs::write(&book, format!("{TEXT}\nChapter 2\n\nThe second half of it.\n")).unwrap();
    let audio = workspace.path("audio/Late.mp3");
    assert!(holds_within_blocking(Duration::from_mins(1), || audio.exists()));
    signal(&child, "-INT");
    let lines: Vec<String> =
        BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap).collect();
    let ended = child.wait().unwrap();
    assert_eq!(ended.code(), Some(130), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains('→')).count(), 1, "{lines:?}");
}
