//! `lectern read`, run as its users run it, with the real voice: interrupted, killed, gone on with, and refused.
//!
//! Negative controls, each seen to fail once: the state's key ignored (another voice takes the old parts), the note written
//! before the sound (a killed run's part is taken for whole).

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

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

struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new(name: &str, content: &[u8]) -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::write(desk.path(name), content).unwrap();
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
        command.arg("read").args(arguments).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // What the tests' own runner says to tests is no setting.
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

    /// How many parts an output has that are done.
    fn parts(&self, output: &str) -> usize {
        let Ok(entries) = std::fs::read_dir(self.path(&format!("{output}.parts"))) else { return 0 };
        let is_part = |path: &Path| path.extension().is_some_and(|kind| kind == "flac");
        entries.filter(|entry| is_part(&entry.as_ref().unwrap().path())).count()
    }

    /// Starts reading and returns when the first part is done.
    fn begin(&self, arguments: &[&str], output: &str) -> Child {
        let child = self.command(arguments).spawn().unwrap();
        let until = Instant::now() + Duration::from_mins(5);
        while self.parts(output) == 0 {
            assert!(Instant::now() < until, "the first part is not done");
            std::thread::sleep(Duration::from_millis(5));
        }
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
fn a_book_that_was_interrupted_and_killed_is_gone_on_with_and_is_the_same() {
    let desk = Desk::new("moor.txt", book().as_bytes());
    let whole = desk.read(&["moor.txt", "-o", "whole.m4b", "--threads", "1", "--captions", "whole.srt"]);
    assert!(whole.status.success(), "{}", said(&whole));
    assert!(!desk.path("whole.m4b.parts").exists(), "nothing is left behind");

    let arguments = ["moor.txt", "-o", "broken.m4b", "--threads", "1", "--captions", "broken.srt"];
    let child = desk.begin(&arguments, "broken.m4b");
    signal(&child, "-INT");
    let interrupted = child.wait_with_output().unwrap();
    assert_eq!(interrupted.status.code(), Some(130), "{}", said(&interrupted));
    assert!(said(&interrupted).contains("goes on"), "{}", said(&interrupted));
    assert!(!desk.path("broken.m4b").exists(), "no half a book");
    let kept = desk.parts("broken.m4b");
    assert!((1..4).contains(&kept), "{kept} parts");

    let mut killed = desk.begin(&arguments, "broken.m4b");
    signal(&killed, "-KILL");
    killed.wait().unwrap();

    let third = desk.read(&arguments);
    assert!(third.status.success(), "{}", said(&third));
    assert!(said(&third).contains("were spoken before"), "{}", said(&third));
    assert!(desk.bytes("whole.m4b") == desk.bytes("broken.m4b"), "the same book, byte for byte");
    assert!(desk.bytes("whole.srt") == desk.bytes("broken.srt"));
    assert!(!desk.path("broken.m4b.parts").exists());

    let chapters = probe(&desk.path("whole.m4b"), "chapter_tags=title");
    assert_eq!(chapters.lines().count(), 4, "{chapters}");
    assert_eq!(probe(&desk.path("whole.m4b"), "format_tags=title"), "moor");
    let captions = String::from_utf8(desk.bytes("whole.srt")).unwrap();
    assert!(captions.contains("Nobody in the house") && captions.starts_with("1\n00:00:00,"), "{captions}");
    let last = captions.rmatch_indices(" --> ").next().unwrap().0;
    let seconds: f64 = probe(&desk.path("whole.m4b"), "format=duration").parse().unwrap();
    assert!(seconds > 20.0 && captions[last + 5..last + 13] <= *clock(seconds), "{captions}");
}

fn clock(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[test]
fn parts_of_another_voice_are_not_taken() {
    let text = book();
    let two_chapters = &text[..text.find("Chapter 3").unwrap()];
    let desk = Desk::new("moor.txt", two_chapters.as_bytes());
    let alone = desk.read(&["moor.txt", "-o", "alone.mp3", "--voice", "alma", "--title", "The Moor"]);
    assert!(alone.status.success(), "{}", said(&alone));
    let child = desk.begin(&["moor.txt", "-o", "book.mp3", "--threads", "1"], "book.mp3");
    signal(&child, "-KILL");
    child.wait_with_output().unwrap();
    let again = desk.read(&["moor.txt", "-o", "book.mp3", "--voice", "alma", "--title", "The Moor"]);
    assert!(again.status.success(), "{}", said(&again));
    assert!(desk.bytes("alone.mp3") == desk.bytes("book.mp3"));
    assert_eq!(probe(&desk.path("book.mp3"), "format_tags=title"), "The Moor");
    assert_eq!(probe(&desk.path("book.mp3"), "stream=codec_name,channels"), "mp3,1");
}

#[test]
fn what_cannot_be_read_says_why_and_leaves_nothing() {
    let picture = Desk::new("cover.png", b"\x89PNG\r\n\x1a\nnot text at all \x00\x00\x00");
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

// Negative control: with the audiobook renamed onto its place the FIFO is a file, and its reader waits for ever; `-` was one, too.
#[test]
fn standard_output_fifos_and_links_are_written_through() {
    let desk = Desk::new("moor.txt", b"Chapter 1\n\nThe lamp was lit.\n");
    let piped = desk.read(&["moor.txt", "-o", "-", "--captions", "captions.vtt"]);
    assert!(piped.status.success(), "{}", said(&piped));
    std::fs::write(desk.path("piped.mp3"), &piped.stdout).unwrap();
    assert_eq!(probe(&desk.path("piped.mp3"), "stream=codec_name"), "mp3");

    let readers = ["book.m4b", "words.srt"].map(|name| {
        assert!(Command::new("mkfifo").arg(desk.path(name)).status().unwrap().success());
        let (pipe, file) = (desk.path(name), desk.path(&format!("read-{name}")));
        std::thread::spawn(move || std::fs::write(file, std::fs::read(pipe).unwrap()).unwrap())
    });
    std::os::unix::fs::symlink("/dev/full", desk.path("full.m4b")).unwrap();
    let through = desk.read(&["moor.txt", "-o", "book.m4b", "--captions", "words.srt"]);
    assert!(through.status.success(), "{}", said(&through));
    for reader in readers {
        reader.join().unwrap();
    }
    let full = desk.read(&["moor.txt", "-o", "full.m4b"]);
    assert_eq!(full.status.code(), Some(1));
    assert!(said(&full).contains("cannot write full.m4b: No space left"), "{}", said(&full));
    let both = desk.read(&["moor.txt", "-o", "-", "--captions", "-"]);
    assert_eq!(both.status.code(), Some(2), "{}", said(&both));

    assert!(probe(&desk.path("read-book.m4b"), "stream=codec_name").starts_with("aac"));
    assert!(desk.bytes("read-words.srt").starts_with(b"1\n00:00:00,"));
    let mut names: Vec<_> = std::fs::read_dir(desk.folder.path())
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
