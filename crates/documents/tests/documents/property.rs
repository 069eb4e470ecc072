//! Properties of the chunks of any text.

use lectern_documents::{Document, Kind, Limits, chunks, read};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

/// Texts of words, marks, spaces and line ends in many scripts, with chapters and ornaments.
fn texts() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => "[a-zA-Z]{1,12}",
        2 => "[a-zäöüßéñ]{1,9}[.!?…]\"?",
        1 => "[a-z]{20,60}",
        1 => "[一-十]{1,30}[。！？、]?",
        1 => "[а-яА-Я]{1,9}[.,;]?",
        1 => "[อักษรไทย]{1,30}",
        1 => "(👩‍👩‍👧‍👦|🇩🇪|🏳️‍🌈|é|각|क्षि){1,9}",
        1 => "[ぁ-ん一-十]{1,20}(。」|」と|！？|…)?",
        1 => "(« )?[a-zé]{1,9}( !| »|\u{A0}? »)?",
        1 => "(क|ष|त|्|ि|।|॥){1,12}",
        1 => Just("* * *".to_owned()),
        1 => Just("CHAPTER IV".to_owned()),
        1 => Just("Dr.".to_owned()),
        1 => "\\PC{1,12}",
    ];
    let gap = prop_oneof![
        10 => Just(" ".to_owned()),
        2 => Just("\n".to_owned()),
        3 => Just("\n\n".to_owned()),
        1 => "[ \n\t]{1,9}",
        1 => Just("\r\n\r\n".to_owned()),
        1 => Just(String::new()),
    ];
    prop::collection::vec((word, gap), 1..120)
        .prop_map(|parts| parts.into_iter().map(|(word, gap)| word + &gap).collect())
}

fn document(text: &str) -> Option<Document> {
    read(Kind::PlainText, text.as_bytes(), &Limits::default()).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunks_are_the_text_and_cut_nothing_in_two(
        text in texts(),
        cap in 20_usize..200,
        language in prop::sample::select(vec![None, Some("en"), Some("de"), Some("ja-JP"), Some("hi"), Some("fr"), Some("es"), Some("zh"), Some("zxx")]),
    ) {
        let Some(mut document) = document(&text) else { return Ok(()) };
        document.language = language.map(str::to_owned);
        let text = &document.text;
        // A grapheme longer than a chunk must be cut somewhere.
        prop_assume!(text.graphemes(true).all(|letter| letter.chars().count() <= cap / 2));
        let longest_space = text.split(|c: char| !c.is_whitespace()).map(|run| run.chars().count()).max().unwrap_or(0);
        prop_assume!(longest_space < cap / 2);
        let cut = chunks(&document, cap);
        let joined: String = cut.iter().map(|chunk| &text[chunk.range.clone()]).collect();
        prop_assert_eq!(&joined, text);
        prop_assert_eq!(&chunks(&document, cap), &cut);
        let words: std::collections::HashSet<usize> = text.split_word_bound_indices().map(|(at, _)| at).collect();
        let letters: std::collections::HashSet<usize> =
            text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
        let mut at = 0;
        for (index, chunk) in cut.iter().enumerate() {
            let own = &text[chunk.range.clone()];
            prop_assert_eq!(chunk.range.start, at);
            at = chunk.range.end;
            prop_assert_eq!(own.chars().count(), chunk.characters as usize);
            prop_assert!(own.chars().count() <= cap, "over the cap: {:?}", own);
            prop_assert!(!own.trim().is_empty(), "chunk {} of {:?} is blank", index, text);
            prop_assert!(letters.contains(&chunk.range.end), "a letter is cut after {:?}", own);
            prop_assert!(chunk.pauses.is_sorted_by_key(|rest| rest.at));
            for rest in &chunk.pauses {
                prop_assert!(rest.at > 0 && rest.at < own.trim_end().len() && own.is_char_boundary(rest.at));
                prop_assert!(rest.pause_ms >= 600);
            }
            // A cut inside a word is allowed only where there is no space nearby.
            let inside = at < text.len() && !words.contains(&at) && !own.ends_with(char::is_whitespace);
            if inside {
                // A space that combines with a mark is not a place to cut.
                let (mut before, mut spaced) = (None, false);
                for (at, c) in own.char_indices().skip_while(|(_, c)| c.is_whitespace()) {
                    let behind_space = before.is_some_and(char::is_whitespace) && !c.is_whitespace();
                    spaced |= behind_space && letters.contains(&(chunk.range.start + at));
                    before = Some(c);
                }
                prop_assert!(!spaced, "a word is cut after {:?}", own);
            }
            prop_assert_eq!(chunk.pause_after_ms == 0 || index + 1 < cut.len(), true);
        }
        for chapter in &document.chapters {
            prop_assert!(cut.iter().any(|chunk| chunk.range.start == chapter.start), "a chapter starts inside a chunk");
        }
    }

    #[test]
    fn nothing_that_is_sent_makes_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..3_000), start in 0_usize..12) {
        let kindle = [&[0; 60][..], b"BOOKMOBI", &[0; 9], b"\x01\0\0\0\x20"].concat();
        let starts: [&[u8]; 12] =
            [b"", b"<html><p>", b"# a\n\n", b"PK\x03\x04", b"%PDF-1.4", b"\xFF\xFE", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", b"<?xml?><", b"<FictionBook><body><p>", b"{\\rtf1 ", b"<office:document ", &kindle];
        let bytes = [starts[start], &bytes].concat();
        let _ = lectern_documents::detect(&bytes, &bytes);
        for kind in [Kind::PlainText, Kind::Markdown, Kind::Html, Kind::Fb2, Kind::Docx, Kind::Odt, Kind::Rtf, Kind::Kindle] {
            if let Ok(document) = read(kind, &bytes, &Limits::default()) {
                let cut = chunks(&document, 50);
                let joined: String = cut.iter().map(|chunk| &document.text[chunk.range.clone()]).collect();
                prop_assert_eq!(joined, document.text);
            }
        }
    }

    #[test]
    fn no_page_makes_the_reader_of_pages_panic(page in "(<(/?)(p|div|li|ul|table|tr|td|a href='#x'|sup|h2|pre|nav|br|title|b|q|svg|math)>| |word|1|\n){0,200}") {
        if let Ok(document) = read(Kind::Html, page.as_bytes(), &Limits::default()) {
            prop_assert_eq!(document.text.trim(), document.text.as_str());
            prop_assert!(!document.text.contains("\n\n\n") && !document.text.contains("  "));
        }
    }
}
