//! Hostile documents take little time and stack, and end as text or as a clear refusal. The time
//! limits are far above those of an unoptimized build on a busy machine, and far below those of
//! quadratic work.

use std::time::{Duration, Instant};

use lectern_documents::{CHUNK_CHARACTERS, Kind, Limits, Reason, chunks, extract, read};

use crate::pdf_hostile::processor_time;

#[track_caller]
fn within<T>(seconds: u64, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let done = work();
    let took = started.elapsed();
    assert!(took < Duration::from_secs(seconds), "took {took:?}");
    done
}

fn html(page: &str) -> Result<lectern_documents::Document, lectern_documents::Unreadable> {
    read(Kind::Html, page.as_bytes(), &Limits::default())
}

#[test]
fn a_million_tags_are_read() {
    let page = "<p>a<b>b</b>".repeat(250_000);
    assert_eq!(within(60, || html(&page)).unwrap().text.len(), 250_000 * 4 - 2);
    let page = format!("<html><body>{}lamp", "<b><i>".repeat(500_000));
    assert_eq!(within(60, || html(&page)).unwrap().text, "lamp");
}

#[test]
fn a_hundred_thousand_levels_are_walked() {
    for tag in
        ["div", "p", "ul><li", "table><tr><td", "span", "b", "a href='#x'", "sup", "form", "blockquote"]
    {
        let close: String =
            tag.split('>').rev().map(|tag| format!("</{}>", tag.split(' ').next().unwrap())).collect();
        let page = format!("{}deep{}<p>after", format!("<{tag}>").repeat(100_000), close.repeat(100_000));
        let text = within(60, || html(&page)).unwrap().text;
        assert!(text.starts_with("deep") || text.starts_with("1. deep"), "{tag}: {text:?}");
        assert!(text.ends_with("after"), "{tag}: {text:?}");
    }
}

#[test]
fn stray_end_tags_cost_no_search() {
    let page = format!("{}{}text", "<div><i>".repeat(4_000), "</b></p></nav>".repeat(200_000));
    assert_eq!(within(60, || html(&page)).unwrap().text, "text");
}

#[test]
fn an_element_with_a_flood_of_attributes_is_refused() {
    let attributes: String = (0..200_000).map(|n| format!("a{n}=1 ")).collect();
    let refused = within(20, || html(&format!("<p {attributes}>text"))).unwrap_err();
    assert_eq!(refused.reason, Reason::Damaged);
    // Negative control: these pages were read when the bound was tens of thousands, or when quotes
    // and comments were misread.
    let few: String = (0..2_000).map(|n| format!("a{n} ")).collect();
    for before in ["<p x= \">\" ", "</p ", "<!--<p x=\"--><p "] {
        let refused = within(20, || html(&format!("text{before}{few}>").repeat(50))).unwrap_err();
        assert_eq!(refused.reason, Reason::Damaged, "{before}");
    }
    let style = format!("<p style=\"{}\">text", "color: red; ".repeat(100_000));
    assert_eq!(html(&style).unwrap().text, "text");
    let script = format!("<script>if (a <b && c) {{ {} }}</script><p>text", "call(); ".repeat(10_000));
    assert_eq!(html(&script).unwrap().text, "text");
}

#[test]
fn markdown_that_nests_is_walked() {
    for (what, text) in [
        ("quotes", format!("# A\n\n{}deep\n", ">".repeat(50_000))),
        ("lists", format!("# A\n\n{}deep\n", "- ".repeat(50_000))),
        ("stars", format!("# A\n\n{}deep\n", "*a ".repeat(50_000))),
        ("brackets", format!("# A\n\n{}deep\n", "[".repeat(50_000))),
        ("links", format!("# A\n\n{}deep\n", "[a](".repeat(50_000))),
        ("code", format!("# A\n\n{}deep\n", "`a``".repeat(20_000))),
    ] {
        let document = within(60, || read(Kind::Markdown, text.as_bytes(), &Limits::default())).unwrap();
        assert!(document.text.starts_with("A\n\n"), "{what}");
    }
}

#[test]
fn a_text_without_any_stop_is_cut_quickly() {
    let words = "lamp ".repeat(40_000);
    let letters = "x".repeat(200_000);
    let kanji = "灯".repeat(200_000);
    for text in [words, letters, kanji] {
        let document = read(Kind::PlainText, text.as_bytes(), &Limits::default()).unwrap();
        let cut = within(20, || chunks(&document, CHUNK_CHARACTERS));
        // The first one is short.
        assert_eq!(cut.len(), 41);
        assert!(cut.iter().all(|chunk| chunk.characters as usize <= CHUNK_CHARACTERS));
    }
}

/// Negative control: without a bound on the text read after a chunk's end, the rest of the run was
/// walked again for each stop, which took half a minute, and the rest of the word for each chunk,
/// which took a minute and a half.
#[test]
fn a_run_that_fills_a_chapter_is_walked_once() {
    for (what, text) in [
        ("stops", format!("a{}", "。".repeat(1_000_000))),
        ("letters", "x".repeat(8 << 20)),
        ("stops with what closes them", format!("a{}", "。****".repeat(400_000))),
        ("closing marks", format!("a。{}", "*".repeat(2_000_000))),
        ("flags", format!("a{}", "🇩🇪".repeat(200_000))),
    ] {
        let document = read(Kind::PlainText, text.as_bytes(), &Limits::default()).unwrap();
        let cut = within(20, || chunks(&document, CHUNK_CHARACTERS));
        assert_eq!(cut.iter().map(|chunk| chunk.range.len()).sum::<usize>(), text.len(), "{what}");
        let longest = cut.iter().map(|chunk| chunk.characters as usize).max();
        assert!(longest.is_some_and(|longest| longest <= CHUNK_CHARACTERS), "{what}");
    }
}

/// Unpaired quotation marks, and stops inside one endless word, took quadratic time in each chunk.
/// Negative control: with `would_be_slow` returning `false`, growing runs of backticks took 85
/// times as long as prose.
#[test]
fn marks_without_number_cost_no_more_than_prose() {
    let cost = |text: &str| {
        let document = read(Kind::PlainText, text.as_bytes(), &Limits::default()).unwrap();
        // Take the shortest of three runs, because other programs disturb the caches.
        (0..3).map(|_| cut_time(&document)).min().unwrap()
    };
    let prose = cost(&"He lit the lamp, and \"it burned\" for hours. ".repeat(4_000));
    let growing: String = (1..500).map(|n| format!("{} a ", "`".repeat(n))).collect();
    for flood in
        [growing, "« ".repeat(60_000), "a‘a".repeat(40_000), "'".repeat(120_000), "![".repeat(60_000)]
    {
        let flooded = cost(&format!("He. {flood}"));
        assert!(flooded < prose * 20, "{:?}: {flooded:?}, prose {prose:?}", flood.chars().next());
    }
}

fn cut_time(document: &lectern_documents::Document) -> Duration {
    let started = processor_time();
    assert!(!chunks(document, CHUNK_CHARACTERS).is_empty());
    processor_time().saturating_sub(started)
}

#[test]
fn five_megabytes_in_one_paragraph_are_cut_quickly() {
    let text = "The lamp burned, and the sea rose; Dr. Marsh slept. ".repeat(100_000);
    let document = read(Kind::PlainText, text.as_bytes(), &Limits::default()).unwrap();
    let cut = within(60, || chunks(&document, CHUNK_CHARACTERS));
    assert!(cut[0].characters > 600 && cut[0].pause_after_ms == 350);
    assert!(
        cut[1..cut.len() - 1].iter().all(|chunk| chunk.characters > 4_900 && chunk.pause_after_ms == 350)
    );
}

#[test]
fn the_longest_text_is_read_and_cut_quickly() {
    let limits = Limits::default();
    let paragraph =
        "The lamp burned, and the sea rose. Nobody saw it, for nobody was awake.\nSo it went.\n\n";
    let text = paragraph.repeat(limits.text_characters / paragraph.len());
    let document = within(60, || read(Kind::PlainText, text.as_bytes(), &limits)).unwrap();
    let cut = within(60, || chunks(&document, CHUNK_CHARACTERS));
    assert_eq!(cut.iter().map(|chunk| chunk.range.len()).sum::<usize>(), text.len());
    assert!(cut.len() < 3_450);
    let page = format!("<h1>A</h1>{}", "<p>The lamp burned, and the sea rose.</p>".repeat(300_000));
    assert_eq!(within(60, || html(&page)).unwrap().text.len(), 300_000 * 36 + 1);
}

/// Negative control: without the limit on chapters, the first document was read; without the limit
/// on chunks, the last.
#[test]
fn a_document_of_very_many_chapters_is_too_large() {
    let chapters = |count: usize| "# A\n\nb\n\n".repeat(count);
    let refused = within(60, || read(Kind::Markdown, chapters(300_000).as_bytes(), &Limits::default()));
    assert_eq!(refused.unwrap_err().reason, Reason::TooLarge);
    let limits = Limits { chunks: 10, ..Limits::default() };
    let extracted = extract(Kind::Markdown, chapters(10).as_bytes(), &limits).unwrap();
    assert_eq!(extracted.chunks.len(), 10);
    let eleven = extract(Kind::Markdown, chapters(11).as_bytes(), &limits).unwrap_err();
    assert_eq!(eleven.reason, Reason::TooLarge);
    assert!(eleven.message.ends_with('.') && eleven.message.len() < 200, "{eleven}");
    let long = extract(Kind::PlainText, "lamp ".repeat(12_000).as_bytes(), &limits).unwrap_err();
    assert_eq!(long, eleven);
}

#[test]
fn titles_are_cut_short() {
    let title = "word ".repeat(2_000);
    for (kind, text) in [
        (Kind::Html, format!("<title>{title}</title><h1>{title}</h1><p>Text.")),
        (Kind::Markdown, format!("# {title}\n\nText.\n")),
    ] {
        let document = read(kind, text.as_bytes(), &Limits::default()).unwrap();
        let length = document.title.unwrap().chars().count();
        assert!((200..=300).contains(&length), "{length}");
        let length = document.chapters[0].title.as_ref().unwrap().chars().count();
        assert!((150..=200).contains(&length), "{length}");
    }
}
