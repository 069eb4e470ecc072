//! CSS Speech in HTML and EPUB: what style sheets say about silence, spelling, pauses and voices.

use lectern_documents::{CHUNK_CHARACTERS, Document, Kind, Limits, NotesMode, chunks, read};

use crate::book::Book;

fn page(head: &str, body: &str) -> Document {
    let page = format!("<html lang=en><head>{head}</head><body>{body}</body></html>");
    read(Kind::Html, page.as_bytes(), &Limits::default()).unwrap()
}

fn pauses(document: &Document) -> Vec<(&str, u32)> {
    let before = |at: usize| document.text[..at].split_whitespace().next_back().unwrap();
    document.pauses.iter().map(|pause| (before(pause.at), pause.pause_ms)).collect()
}

// Negative control: without `is_silent`, "hidden" is read.
#[test]
fn what_is_silent_is_left_out() {
    let style = "<style>.x { speak: none } p.kept { speak: auto } .x { color: red } #n > i { -epub-speak: none }</style>";
    let body = "<p class=x>hidden</p><p class='x kept'>kept</p><p id=n>One <i>two</i> <b><i>three</i></b>.</p>\
        <p>Four <span style='speak: none'>five</span> six.</p><div class=x>seven <p class=kept>eight</p></div>";
    assert_eq!(page(style, body).text, "kept\n\nOne three.\n\nFour six.");
}

// Negative control: without `is_of_spoken_media` the paragraph is silent.
#[test]
fn sheets_for_other_media_say_nothing_about_speech() {
    for (media, text) in [("media=print", "kept\n\nread"), ("media='screen, speech'", "read"), ("", "read")] {
        let style = format!("<style {media}>.x {{ speak: never }}</style>");
        assert_eq!(page(&style, "<p class=x>kept</p><p>read</p>").text, text, "{media}");
    }
}

#[test]
fn what_is_spelled_is_written_apart() {
    let style =
        "<style>abbr { speak-as: spell-out } .n { -epub-speak-as: digits } .w { speak-as: normal }</style>";
    let body = "<p>The <abbr>NASA</abbr>, <abbr>U<b>S</b>A <span class=w>now</span></abbr>, room <i class=n>1204b</i>.</p>";
    assert_eq!(page(style, body).text, "The N A S A, U S A now, room 1 2 0 4b.");
}

// Negative control: without `add_asked`, chunks have the text's own pauses alone.
#[test]
fn pauses_are_at_least_as_long_as_they_are_asked_for() {
    let style = "<style>.b { pause: 2s; rest-after: 500ms } p { pause-after: 100ms } i { rest-before: 300ms }</style>";
    let body = "<p>One.</p><p class=b>Two <i>three</i> four.</p><p>Five.</p>";
    let document = page(style, body);
    // The pause before a paragraph is the one after the paragraph before it.
    assert_eq!(pauses(&document), [("One.", 2_000), ("Two", 300), ("four.", 2_500), ("Five.", 100)]);
    let chunks = chunks(&document, CHUNK_CHARACTERS);
    let [chunk] = chunks.as_slice() else { panic!("{chunks:?}") };
    let inside: Vec<u32> = chunk.pauses.iter().map(|pause| pause.pause_ms).collect();
    assert_eq!((inside, chunk.pause_after_ms), (vec![2_000, 300, 2_500], 0));
    assert!(chunk.pauses.iter().all(|pause| document.text.is_char_boundary(pause.at)));
}

#[test]
fn a_pause_at_the_end_of_a_chunk_comes_after_it() {
    let style = "<style>p.b { pause-after: 4s }</style>";
    let sentence = "The lamp was lit before the rain came over the hill. ".repeat(3);
    let body = format!("<p class=b>{sentence}</p><p>{sentence}</p>");
    let chunks = chunks(&page(style, &body), 170);
    assert_eq!(chunks.iter().map(|chunk| chunk.pause_after_ms).collect::<Vec<_>>(), [4_000, 0]);
}

#[test]
fn named_voices_are_stretches_of_somebody() {
    let style = "<style>q { voice-family: female } .ines { voice-family: Ines, female } .n { voice-family: male }</style>";
    let body =
        "<p class=ines>Nobody came, <span class=n>she said,</span> nobody ever does.</p><p><q>Yes.</q></p>";
    let document = page(style, body);
    let said: Vec<(&str, &str)> = document
        .voices
        .iter()
        .map(|voiced| (&document.text[voiced.range.clone()], voiced.name.as_str()))
        .collect();
    assert_eq!(said, [("Nobody came,", "Ines"), ("nobody ever does.", "Ines")]);
    let cut = chunks(&document, CHUNK_CHARACTERS);
    assert_eq!(cut[0].voices.len(), 2);
}

#[test]
fn an_epub_is_spoken_by_its_own_style_sheets() {
    let body = |inside: &str| {
        format!(
            "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/>\
             <link rel=\"stylesheet\" href=\"../css/a%20b.css\"/><link rel=\"alternate stylesheet\" href=\"../css/no.css\"/>\
             <style>.y {{ pause-after: 3s }}</style></head><body>{inside}</body></html>"
        )
    };
    let book = Book::default()
        .raw_page(
            "text/1.xhtml",
            body("<p>One <span class=\"x\">two</span> three.</p><p class=\"y\">Four.</p>").as_bytes(),
        )
        .raw_page(
            "text/2.xhtml",
            body("<p class=\"z\">Five <a href=\"#n\">1</a>.</p><p class=\"x\" id=\"n\">six</p>").as_bytes(),
        )
        .member("OEBPS/css/a b.css", b"@charset \"utf-8\"; .x { -epub-speak: none } .z { cue: url(x.mp3) }")
        .member("OEBPS/css/no.css", b".z, p { speak: none }");
    let document = read(Kind::Epub, &book.epub(), &Limits::default()).unwrap();
    assert_eq!(document.text.split_whitespace().collect::<Vec<_>>().join(" "), "One three. Four. Five 1.");
    assert_eq!(pauses(&document), [("Four.", 3_000)]);
    assert!(document.is_consistent());
}

#[test]
fn notes_move_voices_and_pauses() {
    let style = "<style>.ines { voice-family: Ines; pause-after: 3s }</style>";
    let body = "<p class=ines>Nobody came.<a href='#n1' id=r1 role=doc-noteref>1</a> Nobody ever does.</p><p>The end.</p>\
        <aside id=n1 role=doc-footnote><p><a href='#r1'>1</a> She was wrong.</p></aside>";
    let document = page(style, body);
    assert_eq!(document.notes.len(), 1, "{document:?}");
    let inline = document.with_notes(NotesMode::Inline);
    assert!(inline.is_consistent(), "{inline:?}");
    let said: Vec<&str> =
        inline.voices.iter().map(|voiced| inline.text[voiced.range.clone()].trim()).collect();
    assert_eq!(said, ["Nobody came.", "Nobody ever does."], "{}", inline.text);
    assert_eq!(pauses(&inline), [("does.", 3_000)]);
}
