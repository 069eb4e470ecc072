//! Plain text is kept as it is, and its chapters are found.

use lectern_documents::{Kind, Limits, Reason, read};

use crate::cases::{document, titles};

#[test]
fn a_text_stays_as_it_was_sent() {
    let text = "  The harbour slept.\nThe sea did not,\n\n\n\nand the keeper\tcounted  waves.\n";
    assert_eq!(document(Kind::PlainText, text).text, text);
}

#[test]
fn line_ends_are_line_feeds_and_form_feeds_end_paragraphs() {
    let text = "One\r\ntwo\rthree\u{C}four\u{85}five\u{2029}six";
    assert_eq!(document(Kind::PlainText, text).text, "One\ntwo\nthree\n\nfour\nfive\n\nsix");
}

#[test]
fn what_has_no_sound_is_dropped() {
    let text = "\u{FEFF}light\u{AD}house \u{200B}keep\u{2060}er\u{7} \u{202E}na\u{308}ive \u{200D}";
    assert_eq!(document(Kind::PlainText, text).text, "lighthouse keeper na\u{308}ive \u{200D}");
}

#[test]
fn heaps_of_marks_and_of_white_space_are_cut_down() {
    let text = format!("a{}b{}c", "\u{301}".repeat(9_000), " ".repeat(9_000));
    let kept = document(Kind::PlainText, text).text;
    assert_eq!(kept.chars().filter(|c| *c == '\u{301}').count(), 16);
    assert_eq!(kept.chars().filter(|c| *c == ' ').count(), 400);
    // A paragraph end in dropped white space stays a paragraph end.
    let text = format!("a{}\n\nb", " ".repeat(9_000));
    assert!(document(Kind::PlainText, text).text.ends_with(" \n\nb"));
}

#[test]
fn chapters_start_at_their_lines() {
    let text = "A SMALL LIGHT\n\nCONTENTS\n\nCHAPTER I. The Lamp\nCHAPTER II. The Storm\n\n\n\
                PROLOGUE\n\nIt was dark.\n\nCHAPTER I. The Lamp\n\nHe lit it.\n\n\
                CHAPTER II.\nThe Storm\n\nIt came.\n\nCHAPTER III.\n\nThe Morning\n\nIt went. Chapter 4 was short.\n\n\
                Chapter Four\n\nThe end.\n";
    let document = document(Kind::PlainText, text);
    assert_eq!(
        titles(&document),
        [
            "-",
            "-",
            "PROLOGUE",
            "CHAPTER I. The Lamp",
            "CHAPTER II: The Storm",
            "CHAPTER III: The Morning",
            "Chapter Four"
        ]
    );
    let starts: Vec<&str> =
        document.chapters.iter().map(|chapter| &document.text[chapter.start..][..7]).collect();
    assert_eq!(starts, ["A SMALL", "CONTENT", "PROLOGU", "CHAPTER", "CHAPTER", "CHAPTER", "Chapter"]);
    assert_eq!(document.text, text);
}

#[test]
fn a_part_stands_above_its_chapters() {
    let text =
        "PART ONE\n\nCHAPTER I\n\nOnce.\n\nCHAPTER II\n\nTwice.\n\nPART TWO\n\nCHAPTER III\n\nThrice.\n";
    let document = document(Kind::PlainText, text);
    assert_eq!(titles(&document), ["PART ONE", "CHAPTER I", "CHAPTER II", "PART TWO", "CHAPTER III"]);
    let levels: Vec<u8> = document.chapters.iter().map(|chapter| chapter.level).collect();
    assert_eq!(levels, [1, 2, 2, 1, 2]);
}

#[test]
fn a_gutenberg_head_names_the_book() {
    let text = "The Project Gutenberg eBook of A Small Light\n\nTitle: A Small Light\n\nAuthor: Ada Marsh\n\n\
                Language: English\n\nText.\n";
    let document = document(Kind::PlainText, text);
    assert_eq!(document.title.as_deref(), Some("A Small Light"));
    assert_eq!(document.author.as_deref(), Some("Ada Marsh"));
    assert_eq!(document.language.as_deref(), Some("en"));
}

#[test]
fn a_text_without_words_is_no_text() {
    for text in [" \n\t\n", "* * *\n\n-- ... --\n"] {
        let refused = read(Kind::PlainText, text.as_bytes(), &Limits::default()).unwrap_err();
        assert_eq!(refused.reason, Reason::NoText);
    }
}

#[test]
fn more_text_than_the_limit_is_too_large() {
    let limits = Limits { text_characters: 1_000, ..Limits::default() };
    for kind in [Kind::PlainText, Kind::Markdown, Kind::Html] {
        assert!(read(kind, "word ".repeat(190).as_bytes(), &limits).is_ok());
        let refused = read(kind, "word ".repeat(300).as_bytes(), &limits).unwrap_err();
        assert_eq!(refused.reason, Reason::TooLarge, "{kind}");
    }
}

/// Seen to fail when bytes were counted: Devanagari has three bytes a letter.
#[test]
fn the_limit_on_text_counts_characters() {
    let limits = Limits { text_characters: 1_000, ..Limits::default() };
    for kind in [Kind::PlainText, Kind::Markdown, Kind::Html] {
        assert!(read(kind, "ध".repeat(1_000).as_bytes(), &limits).is_ok(), "{kind}");
        let refused = read(kind, "ध".repeat(1_001).as_bytes(), &limits).unwrap_err();
        assert_eq!(refused.reason, Reason::TooLarge, "{kind}");
        assert!(refused.message.contains("1,000 characters"), "{}", refused.message);
    }
}

#[test]
fn the_shortest_chapters_are_chapters() {
    for text in [
        "Chapter 1\n\nA.\n\nChapter 2\n\nB.\n\nChapter 3\n\nC.",
        "Chapter 1\nA\n\nChapter 2\nB\n\nChapter 3\nC\n",
    ] {
        let document = document(Kind::PlainText, text);
        assert_eq!(titles(&document), ["Chapter 1", "Chapter 2", "Chapter 3"], "{text}");
        assert_eq!(document.text, text);
    }
    let text: String = (1..=9_999).map(|number| format!("Chapter {number}\n\nX\n\n")).collect();
    assert_eq!(document(Kind::PlainText, text).chapters.len(), 9_999);
}

#[test]
fn a_list_of_contents_with_titles_below_its_numbers_is_no_chapters() {
    let list = "CHAPTER I.\n\nThe Lamp\n\nCHAPTER II.\n\nThe Storm\n\n";
    let text =
        format!("{list}{}", list.replace("\n\nCHAPTER II", "\n\nHe lit it.\n\nCHAPTER II") + "It came.\n");
    assert_eq!(titles(&document(Kind::PlainText, text)), ["CHAPTER I: The Lamp", "CHAPTER II: The Storm"]);
}
