//! The files that `lectern read` makes, and what decides what is in them.
//!
//! Negative controls, each seen to fail once: with the lexicon left out of the state's key, parts of one reading go into
//! another; with `--notes` ignored.

use std::io::{Cursor, Read as _};

use super::{Workspace, book, probe, said, signal};

/// The files of a ZIP: their names and contents.
fn unzip(bytes: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = zip.len();
    let read = |at: usize| {
        let mut file = zip.by_index(at).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        (file.name().unwrap().into_owned(), bytes)
    };
    (0..count).map(read).collect()
}

fn named<'a>(files: &'a [(String, Vec<u8>)], end: &str) -> &'a [u8] {
    let found = files.iter().find(|(name, _)| name.ends_with(end));
    &found
        .unwrap_or_else(|| panic!("no {end} in {:?}", files.iter().map(|(name, _)| name).collect::<Vec<_>>()))
        .1
}

const TWO_CHAPTERS: &[u8] = b"Chapter 1\n\nThe lamp was lit. It rained.\n\nChapter 2\n\nNobody came.\n";

#[test]
fn a_zip_for_acx_is_resumed_and_has_a_tagged_file_for_each_chapter() {
    let workspace = Workspace::new("moor.txt", TWO_CHAPTERS);
    let options = ["--loudness", "acx", "--author", "A. Writer", "--threads", "1"];
    let whole = workspace.read(&[&["moor.txt", "-o", "whole.zip"][..], &options].concat());
    assert!(whole.status.success(), "{}", said(&whole));
    let arguments = [&["moor.txt", "-o", "broken.zip"][..], &options].concat();
    let mut killed = workspace.begin(&arguments, "broken.zip");
    signal(&killed, "-KILL");
    killed.wait().unwrap();
    let resumed = workspace.read(&arguments);
    assert!(resumed.status.success(), "{}", said(&resumed));
    assert!(workspace.bytes("whole.zip") == workspace.bytes("broken.zip"), "the same book, byte for byte");
    assert!(!workspace.path("broken.zip.parts").exists(), "files are left behind");

    let files = unzip(workspace.bytes("whole.zip"));
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["playlist.m3u8", "001 - Chapter 1.mp3", "002 - Chapter 2.mp3"]);
    for (number, title) in [(1, "Chapter 1"), (2, "Chapter 2")] {
        let name = format!("{title}.mp3");
        std::fs::write(workspace.path(&name), named(&files, &name)).unwrap();
        let file = workspace.path(&name);
        assert_eq!(probe(&file, "stream=sample_rate,channels,bit_rate"), "44100,1,192000");
        let number = format!("{number}/2");
        for (tag, value) in [("title", title), ("artist", "A. Writer"), ("album", "moor"), ("track", &number)]
        {
            assert_eq!(probe(&file, &format!("format_tags={tag}")), value, "{tag}");
        }
        let seconds: f64 = probe(&file, "format=duration").parse().unwrap();
        // Room tone of 0.7 s before and 1.5 s after some words.
        assert!((3.2..15.0).contains(&seconds), "{seconds} s");
    }
}

#[test]
fn an_epub_and_a_daisy_book_have_text_and_sound_together() {
    let workspace = Workspace::new("moor.txt", TWO_CHAPTERS);
    let made = workspace.read(&["moor.txt", "-o", "moor.epub", "--granularity", "word"]);
    assert!(made.status.success(), "{}", said(&made));
    let files = unzip(workspace.bytes("moor.epub"));
    let page = String::from_utf8_lossy(named(&files, "text/c0001.xhtml")).into_owned();
    assert!(page.contains("<span id=\"w3\">The</span> <span id=\"w4\">lamp</span>"), "{page}");
    let overlay = String::from_utf8_lossy(named(&files, "overlays/c0001.smil")).into_owned();
    std::fs::write(workspace.path("c.mp3"), named(&files, "audio/c0001.mp3")).unwrap();
    let seconds: f64 = probe(&workspace.path("c.mp3"), "format=duration").parse().unwrap();
    let last = overlay.rsplit_once("clipEnd=\"").unwrap().1.split_once("s\"").unwrap().0;
    // A reported duration includes the encoder's padding, at most three frames.
    assert!((seconds - last.parse::<f64>().unwrap()).abs() < 0.08, "{seconds} s, {overlay}");

    let daisy = workspace.read(&["moor.txt", "-o", "moor.zip", "--format", "daisy"]);
    assert!(daisy.status.success(), "{}", said(&daisy));
    let files = unzip(workspace.bytes("moor.zip"));
    let center = String::from_utf8_lossy(named(&files, "ncc.html")).into_owned();
    assert!(center.contains("<a href=\"c0002.smil#h1\">Chapter 2</a>"), "{center}");

    let source =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/the-lantern-keeper.epub"));
    std::fs::write(workspace.path("lantern.epub"), source.unwrap()).unwrap();
    let kept = workspace.read(&["lantern.epub", "-o", "spoken.epub"]);
    assert!(kept.status.success(), "{}", said(&kept));
    let files = unzip(workspace.bytes("spoken.epub"));
    assert!(files.iter().any(|(name, _)| name == "book/cover.png"), "the source's files are not kept");
    named(&files, "spoken/c0003.smil");
}

#[test]
fn notes_and_chapters_are_read_as_they_are_asked_for() {
    let note = "The note of the keeper.";
    let page = format!(
        "<html lang=en><h1>Copyright</h1><p>All rights reserved.</p><h1>Chapter 1</h1><p>The lamp was lit.<a \
         epub:type=\"noteref\" role=\"doc-noteref\" href=\"#n1\"><sup>1</sup></a> It rained.</p><aside id=\"n1\" \
         epub:type=\"footnote\" role=\"doc-footnote\"><p>{note}</p></aside></html>"
    );
    let workspace = Workspace::new("moor.html", page.as_bytes());
    let captions = |options: &[&str]| {
        let read = workspace
            .read(&[&["moor.html", "-o", "moor.mp3", "--captions", "moor.srt"][..], options].concat());
        assert!(read.status.success(), "{}", said(&read));
        let chapters =
            probe(&workspace.path("moor.mp3"), "chapter_tags=title").lines().map(str::to_owned).collect();
        let text = String::from_utf8(workspace.bytes("moor.srt")).unwrap();
        let is_text = |line: &&str| !line.contains("-->") && !line.is_empty() && line.parse::<u32>().is_err();
        (chapters, text.lines().filter(is_text).collect::<Vec<_>>().join(" "))
    };
    let (chapters, text): (Vec<String>, String) = captions(&[]);
    assert_eq!(
        (chapters.join("|").as_str(), &*text),
        ("Chapter 1", "Chapter 1 The lamp was lit. It rained.")
    );
    let (_, text) = captions(&["--notes", "inline"]);
    assert_eq!(text, format!("Chapter 1 The lamp was lit. Note: {note} It rained."));
    let (chapters, text) = captions(&["--notes", "end"]);
    assert_eq!(chapters.join("|"), "Chapter 1|Notes");
    assert!(text.starts_with("Chapter 1 The lamp was lit. It rained.") && text.ends_with(note), "{text}");
    let (chapters, text) = captions(&["--all-chapters"]);
    assert_eq!(chapters.join("|"), "Copyright|Chapter 1");
    assert!(text.starts_with("Copyright All rights reserved. Chapter 1") && !text.contains(note), "{text}");
}

#[test]
fn words_are_said_as_lexicons_want_and_another_lexicon_starts_anew() {
    let workspace = Workspace::new("moor.txt", book().as_bytes());
    let entry = |alias: &str| format!(r#"{{"entries": [{{"word": "lamp", "alias": "{alias}"}}]}}"#);
    std::fs::write(workspace.path("long.json"), entry("candle in the tower of the old harbour")).unwrap();
    let pls = "<lexicon version=\"1.0\" xmlns=\"http://www.w3.org/2005/01/pronunciation-lexicon\" alphabet=\"ipa\" \
               xml:lang=\"en\"><lexeme><grapheme>lamp</grapheme><alias>torch</alias></lexeme></lexicon>";
    std::fs::write(workspace.path("short.pls"), pls).unwrap();
    let seconds = |options: &[&str]| -> f64 {
        let made = workspace
            .read(&[&["moor.txt", "-o", "moor.mp3", "--captions", "moor.srt"][..], options].concat());
        assert!(made.status.success(), "{}", said(&made));
        // What is shown is the book's own text.
        let captions = String::from_utf8(workspace.bytes("moor.srt")).unwrap();
        assert!(captions.contains("The 4th lamp was lit"), "{captions}");
        probe(&workspace.path("moor.mp3"), "format=duration").parse().unwrap()
    };
    let plain = seconds(&[]);
    let killed = ["moor.txt", "-o", "moor.mp3", "--threads", "1", "--lexicon", "short.pls"];
    let mut killed = workspace.begin(&killed, "moor.mp3");
    signal(&killed, "-KILL");
    killed.wait().unwrap();
    let long = seconds(&["--threads", "1", "--lexicon", "long.json", "--lexicon", "short.pls"]);
    assert!(long > plain + 1.0, "{plain} s without, {long} s with the lexicon");
    let again = seconds(&["--lexicon", "short.pls", "--lexicon", "long.json"]);
    assert!(again < long - 1.0, "the first file wins: {again} s, {long} s");

    std::fs::write(workspace.path("bad.json"), entry("")).unwrap();
    let bad = workspace.read(&["moor.txt", "-o", "moor.mp3", "--lexicon", "bad.json"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(said(&bad).contains("bad.json: "), "{}", said(&bad));
}

#[test]
fn what_is_not_spoken_is_said_before_it_costs_time() {
    let page = "<html lang=\"en\"><p>He said <i lang=\"sux\">lugal e gal</i> and שלום.</p></html>";
    let workspace = Workspace::new("book.html", page.as_bytes());
    let read = workspace.read(&["book.html", "-o", "book.mp3"]);
    assert!(read.status.success(), "{}", said(&read));
    for words in ["warning: 4 letters in Hebrew are not spoken.", "9 letters are in a language", "sux"] {
        assert!(said(&read).contains(words), "{words:?} is not in {}", said(&read));
    }
}

#[test]
fn a_wrong_value_ends_with_2_and_names_the_right_ones() {
    let workspace = Workspace::new("moor.txt", TWO_CHAPTERS);
    let formats = "mp3, m4b, zip, epub, daisy";
    for (wrong, named) in [
        (&["-o", "a.mp3", "--format", "pdf"][..], formats),
        (&["-o", "a.wav"], formats),
        (&["-o", "a.mp3", "--loudness", "loud"], "standard, acx"),
        (&["-o", "a.epub", "--granularity", "letter"], "word, sentence"),
        (&["-o", "a.mp3", "--notes", "all"], "skip, inline or end"),
        (&["-o", "a.mp3", "--speed", "9"], "0.5 to 2.0"),
    ] {
        let refused = workspace.read(&[&["moor.txt"][..], wrong].concat());
        assert_eq!(refused.status.code(), Some(2), "{wrong:?}: {}", said(&refused));
        assert!(said(&refused).contains(named), "{wrong:?}: {}", said(&refused));
    }
    let left: Vec<_> = std::fs::read_dir(workspace.folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn chapters_are_listed_and_chosen_by_their_indexes() {
    let page = "<html lang=en><head><meta name=copyright content='© 1924 Moor Press'></head>\
        <h1>Copyright</h1><p>All rights reserved.</p><h1>Chapter 1</h1><p>The lamp was lit.</p>\
        <h1>Chapter 2</h1><p>It rained.</p></html>";
    let workspace = Workspace::new("moor.html", page.as_bytes());
    let listed = |options: &[&str]| {
        let made = workspace.read(&[&["moor.html", "--list", "--json"][..], options].concat());
        assert!(made.status.success(), "{}", said(&made));
        serde_json::from_slice::<serde_json::Value>(&made.stdout).unwrap()["data"].clone()
    };
    let all = listed(&[]);
    assert_eq!(
        all[1],
        serde_json::json!({
            "index": 1, "title": "Chapter 1", "level": 1, "role": "body", "included": true,
            "characters": all[1]["characters"],
        })
    );
    assert!((20..40).contains(&all[1]["characters"].as_u64().unwrap()), "{all}");
    let included = |options: &[&str]| {
        let all = listed(options);
        all.as_array().unwrap().iter().map(|one| one["included"] == true).collect::<Vec<_>>()
    };
    assert_eq!(included(&[]), [false, true, true]);
    assert_eq!(included(&["--all-chapters"]), [true, true, true]);
    assert_eq!(included(&["--all-chapters", "--exclude", "1"]), [true, false, true]);
    assert_eq!(included(&["--chapters", "0,2"]), [true, false, true]);
    assert_eq!(included(&["--exclude", "2"]), [false, true, false]);
    let lines = workspace.read(&["moor.html", "--list"]);
    assert!(String::from_utf8_lossy(&lines.stdout).contains("title: Chapter 2"), "{}", said(&lines));

    for (options, expected) in [
        (&["--chapters", "3"][..], "it has no chapter 3: there are 3, from 0"),
        (&["--chapters", "1", "--exclude", "0-2"], "no chapter is left to read"),
        (&["--exclude", "x"], "must be indexes of chapters such as 0,2-5"),
    ] {
        let refused = workspace.read(&[&["moor.html", "-o", "moor.mp3"][..], options].concat());
        assert!(!refused.status.success() && said(&refused).contains(expected), "{}", said(&refused));
    }
    let read = workspace.read(&["moor.html", "-o", "moor.mp3", "--chapters", "0,2"]);
    assert!(read.status.success(), "{}", said(&read));
    assert_eq!(probe(&workspace.path("moor.mp3"), "chapter_tags=title"), "Copyright\nChapter 2");
    assert_eq!(probe(&workspace.path("moor.mp3"), "format_tags=copyright"), "© 1924 Moor Press");
}

#[test]
fn a_book_says_what_the_command_says_of_it() {
    let workspace = Workspace::new("moor.txt", b"Chapter 1\n\nIt rained.\n");
    let picture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/the-lantern-keeper.epub");
    let cover = unzip(std::fs::read(picture).unwrap());
    std::fs::write(workspace.path("cover.png"), named(&cover, "cover.png")).unwrap();
    std::fs::write(workspace.path("cover.txt"), "no picture").unwrap();
    let tags =
        ["--narrator", "N. Reader", "--publisher", "Moor Press", "--year", "1924", "--cover", "cover.png"];
    let tags = [&tags[..], &["--copyright", "© 1924 Moor Press"]].concat();
    let read = workspace.read(&[&["moor.txt", "-o", "moor.epub"][..], &tags[..]].concat());
    assert!(read.status.success(), "{}", said(&read));
    let files = unzip(workspace.bytes("moor.epub"));
    let package = String::from_utf8_lossy(named(&files, ".opf")).into_owned();
    for expected in ["N. Reader", ">Moor Press<", ">1924<", "<dc:rights>© 1924 Moor Press<"] {
        assert!(package.contains(expected), "{expected}: {package}");
    }
    assert_eq!(named(&files, "cover.png"), named(&cover, "cover.png"));
    for (options, expected) in [
        (["--cover", "cover.txt"], "must be a JPEG or PNG"),
        (["--cover", "none.png"], "none.png: No such file"),
        (["--year", "10000"], "from 1 to 9999"),
        (["--narrator", " "], "must be 1 to 500 characters"),
        (["--copyright", " "], "must be 1 to 500 characters"),
    ] {
        let refused = workspace.read(&[&["moor.txt", "-o", "other.mp3"][..], &options].concat());
        assert!(!refused.status.success() && said(&refused).contains(expected), "{}", said(&refused));
    }
}
