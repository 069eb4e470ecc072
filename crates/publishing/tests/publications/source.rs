use std::{
    collections::BTreeMap,
    io::{Cursor, Write},
};

use lectern_publishing::epub::{self, FromScratch, Granularity, SourceOutcome};
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

use crate::{
    epub::{check_package, pars},
    fixture::{Spoken, book, parse, text, unzip},
};

const CONTAINER: &str = "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container' version='1.0'>\
    <rootfiles><rootfile full-path='My Book/package.opf' media-type='application/oebps-package+xml'/></rootfiles>\
    </container>";

const PACKAGE: &str = "<?xml version=\"1.0\"?>
<opf:package xmlns:opf='http://www.idpf.org/2007/opf' version='3.0' unique-identifier='id'>
  <opf:metadata xmlns:dc='http://purl.org/dc/elements/1.1/'>
    <dc:identifier id='id'>urn:x:1</dc:identifier>
    <dc:title>A&#233;</dc:title><dc:language>en</dc:language>
    <opf:meta property='dcterms:modified'>2001-01-01T00:00:00Z</opf:meta>
    <opf:meta property='schema:accessMode'>textual</opf:meta>
    <!-- spoken-1 -->
  </opf:metadata>
  <opf:manifest>
    <opf:item id='spoken' href='text%20files/one.xhtml' media-type='application/xhtml+xml'/>
    <opf:item href='two.xhtml' media-type='application/xhtml+xml' id='two' ></opf:item>
    <opf:item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>
    <opf:item id='font' href='spoken/font.otf' media-type='font/otf'/>
  </opf:manifest>
  <opf:spine><opf:itemref idref='nav'/><opf:itemref idref='spoken'/><opf:itemref idref='two'/></opf:spine>
</opf:package>
";

pub(crate) const NAVIGATION: &str = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body>\
    <nav><ol><li><a href='text%20files/one.xhtml'>The Long Night</a></li></ol></nav></body></html>";

const ONE: &str = "\u{FEFF}<?xml version='1.0' encoding='UTF-8'?>
<!DOCTYPE html [<!ENTITY own \"x\">]>
<!-- kept -->
<html xmlns=\"http://www.w3.org/1999/xhtml\"  xmlns:epub='http://www.idpf.org/2007/ops'>
<head><title>The Long Night</title><style>p > b { x: y }</style></head >
<body id='lt1'>
<h1>The Long Night</h1>
<p class=\"a\"><span class='drop'>I</span>t was&#160;dark, she sai<b>d</b>; <i>very dark, and very late.</i><a
 href='#n'><sup>1</sup></a> &#8220;Caf&eacute;?&#x201D; he asked&mdash;twice.</p>
<table><tr><td>one</td><td>two</td></tr></table><hr/>
<ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby> was <em>written <strong>there. And</strong> nothing</em> else.
<svg xmlns=\"http://www.w3.org/2000/svg\"><text>nothing else</text></svg>
<![CDATA[kept <as> it is]]>
<aside id='n'><p>It was the note of nothing.</p></aside>
</body></html>";

const TWO: &str = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body>\
    <ul><li>Soft hy\u{AD}phens do</li><li>not matter at all.</li></ul>\
    <p>in <time>May 1895</time> and <time datetime='1'>then</time></p></body></html>";

const TEXT: &str = "The Long Night

It was dark, she said; very dark, and very late. “Café?” he asked—twice.

漢字 was written there. And nothing else.

Soft hyphens do

not matter at all.

in May 1895 and then";

pub(crate) fn files() -> BTreeMap<String, Vec<u8>> {
    [
        ("META-INF/container.xml", CONTAINER),
        ("My Book/package.opf", PACKAGE),
        ("My Book/nav.xhtml", NAVIGATION),
        ("My Book/text files/one.xhtml", ONE),
        ("My Book/two.xhtml", TWO),
        ("My Book/spoken/font.otf", "\0font"),
    ]
    .into_iter()
    .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
    .collect()
}

pub(crate) fn zipped(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    zip.start_file("mimetype", options.compression_method(CompressionMethod::Stored)).unwrap();
    zip.write_all(b"application/epub+zip").unwrap();
    for (name, bytes) in files {
        zip.start_file(name.as_str(), options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn made_of(source: &[u8], read_aloud: &str, granularity: Granularity) -> (Vec<u8>, SourceOutcome) {
    let (book, mut contents): (_, Spoken) = book(&[(None, read_aloud)]);
    let (source, out) = (Cursor::new(source), Cursor::new(Vec::new()));
    let (out, outcome) = epub::write_with_source(&book, &mut contents, granularity, source, out).unwrap();
    (out.into_inner(), outcome)
}

/// The document without what was added.
fn restored(text: &str, prefix: &str) -> String {
    let mut rest = text.to_owned();
    let link = rest.find("<link rel=\"stylesheet\" type=\"text/css\" href=\"").unwrap();
    let end = link + rest[link..].find("/>").unwrap() + 2;
    rest.replace_range(link..end, "");
    while let Some(start) = rest.find(&format!("<span id=\"{prefix}")) {
        let end = start + rest[start..].find('>').unwrap() + 1;
        // The end tag of the same element: added elements hold each other never.
        let (mut depth, mut at) = (1, end);
        while depth > 0 {
            let next = at + rest[at..].find("span").unwrap();
            depth = if rest[..next].ends_with("</") { depth - 1 } else { depth + 1 };
            at = next + 4;
        }
        rest.replace_range(at - 6..=at, "");
        rest.replace_range(start..end, "");
    }
    rest
}

// Negative control: with `id_prefix` always "lt", this fails.
#[test]
fn everything_but_the_additions_stays_as_it_is() {
    let before = files();
    let source = zipped(&before);
    for granularity in [Granularity::Word, Granularity::Sentence] {
        let (bytes, outcome) = made_of(&source, TEXT, granularity);
        assert_eq!(outcome.from_scratch, None);
        assert_eq!(outcome.found_words, outcome.spoken_words);
        let after = unzip(&bytes);
        assert_eq!(restored(text(&after, "My Book/text files/one.xhtml"), "ltt"), ONE);
        assert_eq!(restored(text(&after, "My Book/two.xhtml"), "lt"), TWO);
        for name in ["META-INF/container.xml", "My Book/nav.xhtml", "My Book/spoken/font.otf"] {
            assert_eq!(after[name], before[name], "{name}");
        }
        let mut zip = ZipArchive::new(Cursor::new(bytes.as_slice())).unwrap();
        assert_eq!(zip.by_index(0).unwrap().name().unwrap(), "mimetype");
        for name in after.keys().filter(|name| name.ends_with("xhtml")) {
            parse(
                text(&after, name)
                    .trim_start_matches('\u{FEFF}')
                    .replace("&eacute;", "é")
                    .replace("&mdash;", "—")
                    .as_str(),
            );
        }
    }
}

#[test]
fn words_are_where_they_are_read_and_nowhere_else() {
    let (bytes, _) = made_of(&zipped(&files()), TEXT, Granularity::Word);
    let files = unzip(&bytes);
    let page = text(&files, "My Book/text files/one.xhtml");
    for part in [
        "<h1><span id=\"ltt1\">The</span> <span id=\"ltt2\">Long</span> <span id=\"ltt3\">Night</span></h1>",
        "<p class=\"a\"><span id=\"ltt4\"><span class='drop'>I</span>t</span> <span id=\"ltt5\">was</span>&#160;",
        "<span id=\"ltt8\">sai<b>d</b></span>; <i><span id=\"ltt9\">very</span>",
        "&#8220;<span id=\"ltt14\">Caf&eacute;</span>?",
        "<td>one</td><td>two</td>",
        "<ruby><span id=\"ltt17\">漢</span><rt>kan</rt><span id=\"ltt18\">字</span><rt>ji</rt></ruby>",
        "<text>nothing else</text>",
        "<aside id='n'><p>It was the note of nothing.</p></aside>",
        "href=\"../spoken-/highlight.css\"",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    let second = text(&files, "My Book/two.xhtml");
    assert!(
        second.contains("<li><span id=\"lt1\">Soft</span> <span id=\"lt2\">hy\u{AD}phens</span>"),
        "{second}"
    );
    // Negative control: with `time` as any other phrase, this fails (and EPUBCheck finds errors).
    let date =
        "<span id=\"lt9\"><time>May 1895</time></span> <span id=\"lt10\">and</span> <time datetime='1'><span";
    assert!(second.contains(date), "{second}");
    let clips = pars(&files, "My Book/spoken-/c0003.smil");
    assert!(clips.windows(2).all(|pair| pair[0].2 == pair[1].1), "nothing is skipped");
    // The two letters of one word share its time.
    let clips = pars(&files, "My Book/spoken-/c0002.smil");
    let (first, last) = (&clips[16], &clips[17]);
    assert_eq!((first.2, last.2 - first.1), (last.1, 400));
}

#[test]
fn sentences_have_their_marks_and_as_few_elements_as_markup_allows() {
    let (bytes, _) = made_of(&zipped(&files()), TEXT, Granularity::Sentence);
    let files = unzip(&bytes);
    let page = text(&files, "My Book/text files/one.xhtml");
    for part in [
        // Elements that begin before the words and end inside are taken in.
        "<span id=\"ltt2\"><span class='drop'>I</span>t was&#160;dark, she sai<b>d</b>; <i>very dark, and very late.</i></span>",
        "<span id=\"ltt3\">&#8220;Caf&eacute;?&#x201D; he asked&mdash;twice.</span></p>",
        // A sentence that ends inside an element it did not begin in has several.
        "<span id=\"ltt4\"><ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby> was</span> <em><span id=\"ltt5\">written</span> ",
        "<strong><span id=\"ltt6\">there.</span> <span id=\"ltt7\">And</span></strong> <span id=\"ltt8\">nothing</span></em>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    check_package(&files, "My Book/package.opf");
}

#[test]
fn the_package_gains_overlays_and_keeps_the_rest() {
    let (bytes, _) = made_of(&zipped(&files()), TEXT, Granularity::Word);
    let files = unzip(&bytes);
    let package = text(&files, "My Book/package.opf");
    for part in [
        "<opf:item media-overlay=\"spoken--oc0002\" id='spoken' href='text%20files/one.xhtml'",
        "<opf:item media-overlay=\"spoken--oc0003\" href='two.xhtml' media-type='application/xhtml+xml' id='two' >",
        "<opf:meta property='dcterms:modified'>2023-11-14T22:13:21Z</opf:meta>",
        "<opf:meta property=\"media:narrator\">A Voice</opf:meta>",
        "<opf:meta property=\"schema:accessMode\">auditory</opf:meta>",
        "<dc:title>The &lt;Sea&gt; &amp; the Land</dc:title><dc:language>en</dc:language>",
        "<opf:item id='nav' href='nav.xhtml'",
    ] {
        assert!(package.contains(part), "{part}\n{package}");
    }
    assert_eq!(package.matches("textual").count(), 1);
    assert!(text(&files, "My Book/spoken-/c0002.smil").contains("src=\"../text%20files/one.xhtml#ltt1\""));
}

/// Changes one file of the source and tells why it is not kept.
fn refused(name: &str, change: impl Fn(&str) -> String) -> Option<FromScratch> {
    let mut files = files();
    let text = files.get(name).map(|bytes| String::from_utf8(bytes.clone()).unwrap()).unwrap_or_default();
    files.insert(name.to_owned(), change(&text).into_bytes());
    let (bytes, outcome) = made_of(&zipped(&files), TEXT, Granularity::Word);
    if outcome.from_scratch.is_some() {
        check_package(&unzip(&bytes), "EPUB/package.opf");
    }
    outcome.from_scratch
}

#[test]
fn a_source_that_cannot_be_kept_is_made_anew() {
    let package = "My Book/package.opf";
    let older = refused(package, |text| text.replace("version='3.0'", "version='2.0'"));
    assert_eq!(older, Some(FromScratch::OlderVersion));
    let overlaid = refused(package, |text| text.replace("id='nav'", "id='nav' media-overlay='x'"));
    assert_eq!(overlaid, Some(FromScratch::HasOverlays));
    let narrated =
        refused(package, |text| text.replace("schema:accessMode'>textual", "media:narrator'>Somebody"));
    assert_eq!(narrated, Some(FromScratch::HasOverlays));
    let signed = refused("META-INF/signatures.xml", |_| "<signatures/>".to_owned());
    assert_eq!(signed, Some(FromScratch::Protected));
    assert_eq!(refused(package, |text| text.replace("</opf:metadata>", "")), Some(FromScratch::Unreadable));
    assert_eq!(refused("META-INF/container.xml", |_| "<x/>".to_owned()), Some(FromScratch::Unreadable));
    let broken = refused("My Book/text files/one.xhtml", |text| text.replace("</p>", ""));
    assert_eq!(broken, Some(FromScratch::OtherText));
    let other = refused("My Book/text files/one.xhtml", |_| NAVIGATION.to_owned());
    assert_eq!(other, Some(FromScratch::OtherText));
    let latin = refused("My Book/text files/one.xhtml", |text| text.replace("'UTF-8'", "'ISO-8859-1'"));
    assert_eq!(latin, Some(FromScratch::OtherText));
    let (_, outcome) = made_of(b"no ZIP at all", TEXT, Granularity::Word);
    assert_eq!(outcome.from_scratch, Some(FromScratch::Unreadable));
}

// Negative control: with the reference taken as the file's name, the book is made from scratch.
#[test]
fn a_package_is_found_by_its_reference_and_by_its_bare_name() {
    let name = "META-INF/container.xml";
    assert_eq!(refused(name, |text| text.replace("My Book", "My%20Book")), None);
    assert_eq!(refused(name, |text| text.replace("My Book", "./My Book")), None);
    assert_eq!(refused(name, |text| text.replace("My Book", "../My Book")), Some(FromScratch::Unreadable));
}

#[test]
fn encrypted_fonts_are_kept_and_encrypted_text_is_not() {
    let encryption = |path: &str| {
        format!(
            "<encryption xmlns:e='http://www.w3.org/2001/04/xmlenc#'><e:CipherReference URI='{path}'/></encryption>"
        )
    };
    let name = "META-INF/encryption.xml";
    assert_eq!(refused(name, |_| encryption("My%20Book/spoken/font.otf")), None);
    assert_eq!(refused(name, |_| encryption("My%20Book/two.xhtml")), Some(FromScratch::Protected));
}

#[test]
fn hostile_documents_end_soon() {
    let deep = format!("<body>{}{}</body>", "<b>".repeat(100_000), "</b>".repeat(100_000));
    let same = format!("<body><p>{}</p></body>", "a ".repeat(100_000));
    let quotes = format!("<body><p>{}</p></body>", "\"".repeat(200_000));
    for body in [deep, same, quotes] {
        let changed = refused("My Book/text files/one.xhtml", |_| {
            format!("<html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head>{body}</html>")
        });
        assert_eq!(changed, Some(FromScratch::OtherText));
    }
}

#[test]
fn a_note_that_is_read_after_its_sentence_is_followed_where_it_stands() {
    let read_aloud = TEXT.replace("very late.", "very late. Note: It was the note of nothing.");
    for granularity in [Granularity::Word, Granularity::Sentence] {
        let (bytes, outcome) = made_of(&zipped(&files()), &read_aloud, granularity);
        assert_eq!(outcome.from_scratch, None);
        let files = unzip(&bytes);
        let page = text(&files, "My Book/text files/one.xhtml");
        let note = page.split_once("<aside id='n'><p>").unwrap().1;
        assert!(note.starts_with("<span id=\"ltt"), "{note}");
        let id = note.split('"').nth(1).unwrap();
        let clips = pars(&files, "My Book/spoken-/c0002.smil");
        assert!(clips.windows(2).all(|pair| pair[0].2 == pair[1].1), "{clips:?}");
        let at = clips.iter().position(|(found, ..)| found.ends_with(id)).unwrap();
        assert!(at > 0 && at + 1 < clips.len(), "{clips:?}");
        check_package(&files, "My Book/package.opf");
    }
}
