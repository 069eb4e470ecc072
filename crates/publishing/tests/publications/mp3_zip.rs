use std::io::Cursor;

use lectern_publishing::{Cover, PublishError, mp3_zip};
use zip::{CompressionMethod, ZipArchive};

use crate::fixture::{Spoken, audio, book, spoken, text, unzip};

fn made(chapters: &[(Option<&str>, &str)]) -> Vec<u8> {
    let (mut book, mut contents) = book(chapters);
    book.cover = Some(Cover { media_type: "image/png".to_owned(), bytes: b"picture".to_vec() });
    mp3_zip::write(&book, &mut contents, Cursor::new(Vec::new())).unwrap().into_inner()
}

#[test]
fn the_zip_has_a_file_for_each_chapter_the_cover_and_a_playlist() {
    let bytes = made(&[(Some("The Sea"), "One word."), (None, "Two."), (Some("The Sea"), "Three.")]);
    let files = unzip(&bytes);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["001 - The Sea.mp3", "002 - Chapter 2.mp3", "003 - The Sea.mp3", "cover.png", "playlist.m3u8"]
    );
    assert_eq!(files["003 - The Sea.mp3"], audio(2));
    assert_eq!(files["cover.png"], b"picture");
    assert_eq!(
        text(&files, "playlist.m3u8"),
        "#EXTM3U\n#PLAYLIST:The <Sea> & the Land\n\
         #EXTINF:1,A. Writer - The Sea\n001 - The Sea.mp3\n\
         #EXTINF:1,A. Writer - Chapter 2\n002 - Chapter 2.mp3\n\
         #EXTINF:1,A. Writer - The Sea\n003 - The Sea.mp3\n"
    );
    let mut zip = ZipArchive::new(Cursor::new(bytes.as_slice())).unwrap();
    for at in 0..zip.len() {
        assert_eq!(zip.by_index(at).unwrap().compression(), CompressionMethod::Stored);
    }
}

// Negative controls: without `is_invisible`, and without the call of `cut`, this fails.
#[test]
fn names_are_safe_on_every_system() {
    let long = "é\u{301}".repeat(80);
    let titles = [
        "a/b\\c:d*e?f\"g<h>i|j",
        "..",
        "ends with dots. . .",
        "left\u{202E}3pm.exe",
        "tab\tand\nline",
        "海の本",
        &long,
        "CON",
        "\u{0}",
    ];
    let chapters: Vec<(Option<&str>, &str)> = titles.iter().map(|title| (Some(*title), "Text.")).collect();
    let files = unzip(&made(&chapters));
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names[0], "001 - a-b-c-def'ghi-j.mp3");
    assert_eq!(names[1], "002.mp3");
    assert_eq!(names[2], "003 - ends with dots.mp3");
    assert_eq!(names[3], "004 - left3pm.exe.mp3");
    assert_eq!(names[4], "005 - tab and line.mp3");
    assert_eq!(names[5], "006 - 海の本.mp3");
    assert_eq!(names[7], "008 - CON.mp3");
    assert_eq!(names[8], "009 - Chapter 9.mp3");
    for name in names {
        assert!(name.len() <= 100, "{name}");
        assert!(!name.contains(['<', '>', ':', '"', '/', '\\', '|', '?', '*']), "{name}");
        assert!(!name.chars().any(char::is_control), "{name}");
    }
}

#[test]
fn the_same_book_gives_the_same_bytes() {
    let chapters = [(Some("The Sea"), "One word.")];
    assert_eq!(made(&chapters), made(&chapters));
}

#[test]
fn a_chapter_that_says_it_is_huge_is_an_entry_of_zip64() {
    let (mut book, mut contents) = book(&[(None, "Text.")]);
    book.chapters[0].audio_bytes = 5 << 30;
    let bytes = mp3_zip::write(&book, &mut contents, Cursor::new(Vec::new())).unwrap().into_inner();
    assert_eq!(unzip(&bytes)["001 - Chapter 1.mp3"], audio(0));
    // The first is in the playlist.
    let mut names = bytes.windows(4).enumerate().filter(|(_, window)| window == b"001 ");
    let name = names.nth(1).unwrap().0;
    // The header's sizes say that a field of ZIP64 has them.
    assert_eq!(bytes[name - 12..name - 4], [0xFF; 8]);
}

// Negative control: without the checks in `contents::text`, this fails.
#[test]
fn a_word_that_is_not_in_the_text_is_an_error() {
    for range in [0..99, 4..4, 1..2, 0..1] {
        let (book, _) = book(&[(None, "é a b")]);
        let mut text = spoken("é a b");
        text.words[1].range = range.clone();
        let result =
            lectern_publishing::daisy::write(&book, &mut Spoken(vec![text]), Cursor::new(Vec::new()));
        assert!(matches!(result, Err(PublishError::Word { chapter: 0, word: 1 })), "{range:?}");
    }
}

#[test]
fn a_book_without_chapters_is_an_error() {
    let (book, mut contents) = book(&[]);
    let result = mp3_zip::write(&book, &mut contents, Cursor::new(Vec::new()));
    assert!(matches!(result, Err(PublishError::NoChapters)));
}
