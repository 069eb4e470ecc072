//! Markdown is read as it is displayed.

use lectern_documents::{Kind, Limits, PlainRules, SpeechRules, extract_with};

use crate::cases::{document, titles};

#[test]
fn signs_are_not_read() {
    let text = "# A *Small* Light\n\nThe **keeper** of the [lamp](https://example.org/lamp) and\nhis `log`.\\\nA line.\n\n\
                > Quoted, ~~not~~ kept.\n\n---\n\n![a drawing](lamp.png)\n\nAfter[^1] the rule.\n\n[^1]: A note.\n";
    assert_eq!(
        document(Kind::Markdown, text).text,
        "A Small Light\n\nThe keeper of the lamp and his log.\nA line.\n\nQuoted, not kept.\n\n* * *\n\nAfter the rule."
    );
}

#[test]
fn lists_and_tables_are_read_in_order() {
    let text = "# Stores\n\n3. Oil\n4. Wicks\n   - long\n   - short\n\n| Ship | Tons |\n|---|---|\n| Ada | 90 |\n| The Gull! | |\n\n\
                ```\nlog:\n  wind NW\n\n  rain\n```\n";
    assert_eq!(
        document(Kind::Markdown, text).text,
        "Stores\n\n3. Oil\n\n4. Wicks\n\nlong\n\nshort\n\nShip, Tons\n\nAda, 90\n\nThe Gull!\n\nlog:\nwind NW\n\nrain"
    );
}

#[test]
fn headings_make_chapters() {
    let text = "# The Book\n\n## One\n\nText.\n\n### Inside\n\nMore.\n\n## Two\n\nText.\n";
    let document = document(Kind::Markdown, text);
    assert_eq!(document.title.as_deref(), Some("The Book"));
    assert_eq!(titles(&document), ["One", "Two"]);
    assert_eq!(document.chapters[0].start, 0);
    let levels: Vec<u8> = document.headings.iter().map(|heading| heading.level).collect();
    assert_eq!(levels, [1, 2, 3, 2]);
}

#[test]
fn front_matter_says_what_it_is() {
    let text = "---\ntitle: \"A Small Light\"\nauthor:\n  - Ada Marsh\n  - Ben Holt\nlang: en_GB\n\
                rights: \"© 1901 Ada Marsh\"\ndate: 1901-01-01\n---\n\nText.\n";
    let document = document(Kind::Markdown, text);
    assert_eq!(document.title.as_deref(), Some("A Small Light"));
    assert_eq!(document.author.as_deref(), Some("Ada Marsh, Ben Holt"));
    assert_eq!(document.copyright.as_deref(), Some("© 1901 Ada Marsh"));
    assert_eq!(document.language.as_deref(), Some("en-GB"));
    assert_eq!(document.text, "Text.");
}

#[test]
fn html_inside_is_read_as_html() {
    let text = "# A\n\n<div align=\"center\"><b>Bold</b> text<script>alert(1)</script></div>\n\nEnd<br>line <i>x</i>.\n";
    assert_eq!(document(Kind::Markdown, text).text, "A\n\nBold text\n\nEnd\nline x.");
}

/// Accepts `[word](/ipa/)` as markup if it contains a phonetic letter.
struct Phonetic;

impl SpeechRules for Phonetic {
    fn is_speakable(&self, text: &str) -> bool {
        text.contains(char::is_alphanumeric)
    }

    fn characters(&self, text: &str) -> usize {
        let ipa = text.split_once("](").is_some_and(|(_, target)| target.contains('ə'));
        text.chars().count() - usize::from(ipa)
    }

    fn duration_ms(&self, text: &str, language: Option<&str>) -> u64 {
        PlainRules.duration_ms(text, language)
    }

    fn cut_at(&self, text: &str, at: usize) -> usize {
        PlainRules.cut_at(text, at)
    }
}

/// Seen to fail when every plausible target was kept: "(/bob's-page/)" and "(/été/)" were text.
#[test]
fn only_what_speech_takes_for_a_pronunciation_stays_as_it_is_written() {
    let source = "[Bob's *page*](/bob's-page/), [été](/été/) and [tomato](/təˈmeɪtəʊ/), [a\nb](/ə/).";
    let text = |spoken: &dyn SpeechRules| {
        let read = extract_with(Kind::Markdown, source.as_bytes(), &Limits::default(), spoken).unwrap();
        (read.text, read.chunks[0].characters)
    };
    assert_eq!(text(&Phonetic).0, "Bob's page, été and [tomato](/təˈmeɪtəʊ/), [a b](/ə/).");
    assert_eq!(text(&PlainRules), ("Bob's page, été and tomato, a b.".to_owned(), 32));
}

#[test]
fn lines_that_name_a_speaker_stay_lines() {
    let text = "# Chapter\n\nShe came\nin.\n[speaker Ines]\nGood\nday.\n[speaker Old Tom]\n\nAye.\n\n> [speaker A]\n> Quoted.\n\nA [speaker B]\nline.\n";
    let expected = "Chapter\n\nShe came in.\n[speaker Ines]\nGood day.\n[speaker Old Tom]\n\nAye.\n\n[speaker A]\nQuoted.\n\nA [speaker B] line.";
    assert_eq!(document(Kind::Markdown, text).text, expected);
}
