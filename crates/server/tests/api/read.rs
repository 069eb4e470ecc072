//! `lectern read` as its users run it, with the real voice: interrupted, killed, resumed, and
//! refused.
//!
//! Negative controls, each seen to fail once: when the state's key is ignored, another voice reuses
//! the old parts; when the metadata is written before the audio, an incomplete part of a killed run
//! counts as complete; when parts are kept as FLAC, they take more room than the book.

mod files;
mod folders;
mod speakers;

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::Duration,
};

use lectern_testkit::holds_within_blocking;

/// Four chapters of a few sentences.
fn book() -> String {
    let sentence = |n: usize| {
        format!(
            "The {n}th lamp was lit before the rain came over the hill. Nobody in the house had seen who lit it."
        )
    };
    let chapter = |n: usize| format!("Chapter {n}\n\n{}\n\n{}\n\n", sentence(n + 3), sentence(n + 13));
    (1..=4).map(chapter).collect()
}

struct Workspace {
    folder: tempfile::TempDir,
}

impl Workspace {
    fn new(name: &str, content: &[u8]) -> Self {
        let workspace = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::write(workspace.path(name), content).unwrap();
        workspace
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
        command.arg("read").args(arguments).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The test runner's own variables are not settings of the service.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("LECTERN_TEST_")) {
            command.env_remove(name);
        }
        command
    }

    fn read(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The number of finished parts of an output.
    fn parts(&self, output: &str) -> usize {
        let Ok(entries) = std::fs::read_dir(self.path(&format!("{output}.parts"))) else { return 0 };
        let is_part = |path: &Path| path.extension().is_some_and(|kind| kind == "frames");
        entries.filter(|entry| is_part(&entry.as_ref().unwrap().path())).count()
    }

    /// The bytes that a run keeps beside its output.
    fn kept_bytes(&self, output: &str) -> u64 {
        let entries = std::fs::read_dir(self.path(&format!("{output}.parts"))).unwrap();
        entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
    }

    /// Starts reading and returns when the first part is finished.
    fn begin(&self, arguments: &[&str], output: &str) -> Child {
        let child = self.command(arguments).spawn().unwrap();
        let is_begun = holds_within_blocking(Duration::from_mins(5), || self.parts(output) > 0);
        assert!(is_begun, "the first part was not finished");
        child
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn probe(path: &Path, entries: &str) -> String {
    let arguments = ["-v", "error", "-show_entries", entries, "-of", "csv=p=0"];
    let output = Command::new("ffprobe").args(arguments).arg(path).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn an_interrupted_and_killed_run_is_resumed_with_the_same_result() {
    let workspace = Workspace::new("moor.txt", book().as_bytes());
    let whole = workspace.read(&["moor.txt", "-o", "whole.m4b", "--threads", "1", "--captions", "whole.srt"]);
    assert!(whole.status.success(), "{}", said(&whole));
    assert!(!workspace.path("whole.m4b.parts").exists(), "files are left behind");

    let arguments = ["moor.txt", "-o", "broken.m4b", "--threads", "1", "--captions", "broken.srt"];
    let child = workspace.begin(&arguments, "broken.m4b");
    signal(&child, "-INT");
    let interrupted = child.wait_with_output().unwrap();
    assert_eq!(interrupted.status.code(), Some(130), "{}", said(&interrupted));
    assert!(said(&interrupted).contains("goes on"), "{}", said(&interrupted));
    assert!(!workspace.path("broken.m4b").exists(), "an incomplete book exists");
    let kept = workspace.parts("broken.m4b");
    assert!((1..4).contains(&kept), "{kept} parts");
    let (beside, book) = (workspace.kept_bytes("broken.m4b"), workspace.bytes("whole.m4b").len() as u64);
    assert!(4 * beside < (kept as u64 + 1) * book, "{beside} bytes of {kept} parts beside a book of {book}");

    let mut killed = workspace.begin(&arguments, "broken.m4b");
    signal(&killed, "-KILL");
    killed.wait().unwrap();

    let third = workspace.read(&arguments);
    assert!(third.status.success(), "{}", said(&third));
    assert!(said(&third).contains("were spoken before"), "{}", said(&third));
    assert!(workspace.bytes("whole.m4b") == workspace.bytes("broken.m4b"), "the same book, byte for byte");
    assert!(workspace.bytes("whole.srt") == workspace.bytes("broken.srt"));
    assert!(!workspace.path("broken.m4b.parts").exists());

    let chapters = probe(&workspace.path("whole.m4b"), "chapter_tags=title");
    assert_eq!(chapters.lines().count(), 4, "{chapters}");
    assert_eq!(probe(&workspace.path("whole.m4b"), "format_tags=title"), "moor");
    let captions = String::from_utf8(workspace.bytes("whole.srt")).unwrap();
    assert!(captions.contains("Nobody in the house") && captions.starts_with("1\n00:00:00,"), "{captions}");
    let last = captions.rmatch_indices(" --> ").next().unwrap().0;
    let seconds: f64 = probe(&workspace.path("whole.m4b"), "format=duration").parse().unwrap();
    assert!(seconds > 20.0 && captions[last + 5..last + 13] <= *clock(seconds), "{captions}");
}

fn clock(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[test]
fn parts_of_another_voice_are_not_reused() {
    let text = book();
    let two_chapters = &text[..text.find("Chapter 3").unwrap()];
    let workspace = Workspace::new("moor.txt", two_chapters.as_bytes());
    let alone = workspace.read(&["moor.txt", "-o", "alone.mp3", "--voice", "alma", "--title", "The Moor"]);
    assert!(alone.status.success(), "{}", said(&alone));
    let child = workspace.begin(&["moor.txt", "-o", "book.mp3", "--threads", "1"], "book.mp3");
    signal(&child, "-KILL");
    child.wait_with_output().unwrap();
    let again = workspace.read(&["moor.txt", "-o", "book.mp3", "--voice", "alma", "--title", "The Moor"]);
    assert!(again.status.success(), "{}", said(&again));
    assert!(workspace.bytes("alone.mp3") == workspace.bytes("book.mp3"));
    assert_eq!(probe(&workspace.path("book.mp3"), "format_tags=title"), "The Moor");
    assert_eq!(probe(&workspace.path("book.mp3"), "stream=codec_name,channels"), "mp3,1");
}

#[test]
fn unreadable_books_are_refused_with_a_reason_and_leave_nothing() {
    let picture = Workspace::new("cover.png", b"\x89PNG\r\n\x1a\nnot text at all \x00\x00\x00");
    let refused = picture.read(&["cover.png", "-o", "book.m4b"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("cannot read cover.png: "), "{}", said(&refused));
    let missing = picture.read(&["gone.epub", "-o", "book.m4b"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(said(&missing).contains("cannot read gone.epub: "), "{}", said(&missing));
    std::fs::write(picture.path("empty.txt"), b"").unwrap();
    assert_eq!(picture.read(&["empty.txt", "-o", "book.m4b"]).status.code(), Some(1));
    for wrong in [
        &["empty.txt", "-o", "book.wav"][..],
        &["empty.txt", "-o", "book.m4b", "--voice", "nobody"],
        &["empty.txt", "-o", "book.m4b", "--language", "tlh"],
        &["empty.txt", "-o", "book.m4b", "--captions", "book.txt"],
        &["empty.txt", "-o", "book.m4b", "--speed", "9"],
        &["empty.txt"],
    ] {
        assert_eq!(picture.read(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let german = "Jeden Morgen öffnete die Bäckerin ihre Fensterläden, noch bevor es hell wurde, und der Duft zog \
        bis zum Hafen hinunter. Die Fischer wussten es genau.";
    std::fs::write(picture.path("german.txt"), german).unwrap();
    let foreign = picture.read(&["german.txt", "-o", "book.m4b"]);
    assert_eq!(foreign.status.code(), Some(1));
    assert!(said(&foreign).contains("does not speak (de)"), "{}", said(&foreign));
    assert!(said(&foreign).contains("--language en-US"), "{}", said(&foreign));
    let left: Vec<_> = std::fs::read_dir(picture.folder.path()).unwrap().collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

// Negative control: if the audiobook is renamed into place, a file replaces the FIFO, and the
// FIFO's reader waits forever; a file named `-` appeared, too.
#[test]
fn standard_output_fifos_and_links_are_written_through() {
    let workspace = Workspace::new("moor.txt", b"Chapter 1\n\nThe lamp was lit.\n");
    let piped = workspace.read(&["moor.txt", "-o", "-", "--captions", "captions.vtt"]);
    assert!(piped.status.success(), "{}", said(&piped));
    std::fs::write(workspace.path("piped.mp3"), &piped.stdout).unwrap();
    assert_eq!(probe(&workspace.path("piped.mp3"), "stream=codec_name"), "mp3");

    let readers = ["book.m4b", "words.srt"].map(|name| {
        assert!(Command::new("mkfifo").arg(workspace.path(name)).status().unwrap().success());
        let (pipe, file) = (workspace.path(name), workspace.path(&format!("read-{name}")));
        std::thread::spawn(move || std::fs::write(file, std::fs::read(pipe).unwrap()).unwrap())
    });
    std::os::unix::fs::symlink("/dev/full", workspace.path("full.m4b")).unwrap();
    let through = workspace.read(&["moor.txt", "-o", "book.m4b", "--captions", "words.srt"]);
    assert!(through.status.success(), "{}", said(&through));
    for reader in readers {
        reader.join().unwrap();
    }
    let full = workspace.read(&["moor.txt", "-o", "full.m4b"]);
    assert_eq!(full.status.code(), Some(1));
    assert!(said(&full).contains("cannot write full.m4b: No space left"), "{}", said(&full));
    let both = workspace.read(&["moor.txt", "-o", "-", "--captions", "-"]);
    assert_eq!(both.status.code(), Some(2), "{}", said(&both));

    assert!(probe(&workspace.path("read-book.m4b"), "stream=codec_name").starts_with("aac"));
    assert!(workspace.bytes("read-words.srt").starts_with(b"1\n00:00:00,"));
    let mut names: Vec<_> = std::fs::read_dir(workspace.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let left = [
        "book.m4b",
        "captions.vtt",
        "full.m4b",
        "moor.txt",
        "piped.mp3",
        "read-book.m4b",
        "read-words.srt",
        "words.srt",
    ];
    assert_eq!(names, left);
}
