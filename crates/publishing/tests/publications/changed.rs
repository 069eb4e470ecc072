//! What an owner changed is in an EPUB that keeps its source's files: metadata, cover, titles of chapters,
//! and which chapters there are. `scripts/published_epubs.py` has the same for the service; it was seen to fail
//! for each of them with the program of before.

use std::{
    collections::BTreeMap,
    io::{self, Cursor, Read},
};

use lectern_publishing::{
    Book, Contents, Cover, SpokenText,
    epub::{self, Granularity},
};

use crate::{
    epub::check_package,
    fixture::{Spoken, book, parse, text, unzip},
    source::zipped,
};

const CONTAINER: &str = "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container' version='1.0'>\
    <rootfiles><rootfile full-path='OPS/book.opf' media-type='application/oebps-package+xml'/></rootfiles></container>";

const PACKAGE: &str = "<?xml version=\"1.0\"?>
<package xmlns='http://www.idpf.org/2007/opf' version='3.0' unique-identifier='id'>
  <metadata xmlns:d='http://purl.org/dc/elements/1.1/'>
    <d:identifier id='id'>urn:isbn:9780306406157</d:identifier>
    <d:identifier id='print'>urn:isbn:0306406152</d:identifier>
    <d:title id='t'>Old &amp; Title</d:title>
    <meta refines='#t' property='file-as'>Title, Old</meta>
    <d:title id='s'>A Subtitle</d:title><meta refines='#s' property='title-type'>subtitle</meta>
    <d:creator id='a'>First Author</d:creator><meta refines='#a' property='role'>aut</meta>
    <meta refines='#a' property='file-as'>Author, First</meta>
    <d:creator id='b'>Second Author</d:creator><meta refines='#b' property='role'>aut</meta>
    <d:creator id='p'>The Painter</d:creator><meta refines='#p' property='role'>ill</meta>
    <d:language>en</d:language><d:publisher>Old House</d:publisher><d:date>1901-02-03</d:date>
    <d:description/>
    <meta property='belongs-to-collection' id='c'>Old Series</meta><meta refines='#c' property='group-position'>9</meta>
    <meta name='calibre:series' content='Old Series'/>
    <meta name='cover' content='picture'/>
    <meta property='dcterms:modified'>2001-01-01T00:00:00Z</meta>
  </metadata>
  <manifest>
    <item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>
    <item id='ncx' href='toc.ncx' media-type='application/x-dtbncx+xml'/>
    <item id='picture' href='cover.png' media-type='image/png' properties='cover-image'/>
    <item id='shown' href='text/cover.xhtml' media-type='application/xhtml+xml'/>
    <item id='imprint' href='text/imprint.xhtml' media-type='application/xhtml+xml'/>
    <item id='credits' href='text/credits.xhtml' media-type='application/xhtml+xml'/>
    <item id='one' href='text/one.xhtml' media-type='application/xhtml+xml'/>
    <item id='two' href='text/two.xhtml' media-type='application/xhtml+xml'/>
  </manifest>
  <spine toc='ncx'><itemref idref='shown'/><itemref idref='imprint' id='place'/><itemref idref='credits' linear='yes'/>
    <itemref idref='one'/><itemref idref='two'/></spine>
  <guide><reference type='copyright-page' title='Imprint' href='text/imprint.xhtml'/></guide>
</package>";

const NAVIGATION: &str = "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/ops'><head><title>x</title></head><body>
<nav epub:type='toc'><ol><li><a href='text/imprint.xhtml'>Imprint</a><ol><li><a href='text/one.xhtml'>I. <em>The Old Night</em></a></li></ol></li>
<li><a href='text/credits.xhtml'>Credits</a></li><li><a href='text/two.xhtml#start'>II. The Day</a></li></ol></nav>
<nav epub:type='landmarks'><ol><li><a epub:type='copyright-page' href='text/imprint.xhtml'>Imprint</a></li></ol></nav>
</body></html>";

const NCX: &str = "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/' version='2005-1'><navMap>
<navPoint id='p0'><navLabel><text>Imprint</text></navLabel><content src='text/imprint.xhtml'/>
<navPoint id='p1'><navLabel><text>I. The Old Night</text></navLabel><content src='text/one.xhtml'/></navPoint></navPoint>
<navPoint id='p2'><navLabel><text>II. The Day</text></navLabel><content src='text/two.xhtml#start'/></navPoint></navMap></ncx>";

const SHOWN: &str = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body><p><img alt='' src='../cover.png'/></p>
<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'><image xlink:href=\"../cover.png\"/></svg></body></html>";

const ONE_TEXT: &str = "The Old Night

It was dark in the harbour, and nobody was on the long pier to see it.";

const TWO_TEXT: &str = "The Day

When it was light again the boats had gone, and so had the gulls.";

const IMPRINT_TEXT: &str =
    "Printed by nobody in particular at the old press near the river, in the year of the flood.";
const CREDITS_TEXT: &str = "Lettering was done by a machine that has no name and wants none at all.";

fn page(text: &str, link: &str) -> String {
    let (title, rest) = text.split_once("\n\n").unwrap_or(("", text));
    let heading = if title.is_empty() { String::new() } else { format!("<h1>{title}</h1>") };
    format!(
        "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body id='start'>{heading}<p>{rest}{link}</p></body></html>"
    )
}

fn files() -> BTreeMap<String, Vec<u8>> {
    [
        ("META-INF/container.xml", CONTAINER.to_owned()),
        ("OPS/book.opf", PACKAGE.to_owned()),
        ("OPS/nav.xhtml", NAVIGATION.to_owned()),
        ("OPS/toc.ncx", NCX.to_owned()),
        ("OPS/cover.png", "an old picture".to_owned()),
        ("OPS/text/cover.xhtml", SHOWN.to_owned()),
        ("OPS/text/imprint.xhtml", page(IMPRINT_TEXT, "")),
        ("OPS/text/credits.xhtml", page(CREDITS_TEXT, "")),
        ("OPS/text/one.xhtml", page(ONE_TEXT, "")),
        ("OPS/text/two.xhtml", page(TWO_TEXT, "<a href='credits.xhtml'>*</a>")),
    ]
    .into_iter()
    .map(|(name, text)| (name.to_owned(), text.into_bytes()))
    .collect()
}

/// A book and what is not in it, before its first chapter.
struct Without(Spoken, &'static str);

impl Contents for Without {
    fn text(&mut self, chapter: usize) -> io::Result<SpokenText> {
        self.0.text(chapter)
    }

    fn omitted(&mut self, chapter: usize) -> io::Result<String> {
        Ok(if chapter == 0 { self.1.to_owned() } else { String::new() })
    }

    fn audio(&mut self, chapter: usize) -> io::Result<Box<dyn Read + '_>> {
        self.0.audio(chapter)
    }
}

/// The publication of a book that says what its source does, but for a change.
fn made(omitted: &'static str, change: impl Fn(&mut Book)) -> BTreeMap<String, Vec<u8>> {
    made_from(&files(), omitted, change)
}

fn made_from(
    source: &BTreeMap<String, Vec<u8>>,
    omitted: &'static str,
    change: impl Fn(&mut Book),
) -> BTreeMap<String, Vec<u8>> {
    let (mut book, spoken) = book(&[(Some("I. The Old Night"), ONE_TEXT), (Some("II. The Day"), TWO_TEXT)]);
    "Old & Title".clone_into(&mut book.title);
    book.author = Some("First Author, Second Author".to_owned());
    (book.year, book.isbn) = (None, None);
    book.cover = Some(Cover { media_type: "image/png".to_owned(), bytes: b"an old picture".to_vec() });
    change(&mut book);
    let (source, out) = (Cursor::new(zipped(source)), Cursor::new(Vec::new()));
    let mut contents = Without(spoken, omitted);
    let (out, outcome) =
        epub::write_with_source(&book, &mut contents, Granularity::Sentence, source, out).unwrap();
    assert_eq!(outcome.from_scratch, None);
    let files = unzip(out.get_ref());
    for name in files.keys().filter(|name| [".xhtml", ".opf", ".ncx"].iter().any(|end| name.ends_with(end))) {
        parse(text(&files, name));
    }
    check_package(&files, "OPS/book.opf");
    files
}

#[test]
fn what_nobody_changed_stays_as_it_is() {
    let (before, after) = (files(), made("", |_| {}));
    for name in
        ["OPS/nav.xhtml", "OPS/toc.ncx", "OPS/cover.png", "OPS/text/cover.xhtml", "OPS/text/imprint.xhtml"]
    {
        assert_eq!(text(&after, name), text(&before, name), "{name}");
    }
    let package = text(&after, "OPS/book.opf");
    let description = PACKAGE.split_once("<meta name='cover'").unwrap().0;
    assert!(package.starts_with(description), "{package}");
}

#[test]
fn metadata_that_was_changed_replaces_the_sources() {
    let after = made("", |book| {
        book.title = "New <Title>".to_owned();
        book.author = Some("A. Nother".to_owned());
        book.publisher = Some("New House".to_owned());
        book.year = Some(2026);
        book.description = Some("About it.".to_owned());
        book.series = Some("New Series".to_owned());
        book.series_index = Some("2".to_owned());
        book.isbn = Some("978-3-16-148410-0".to_owned());
        book.copyright = Some("© 2026".to_owned());
        book.language = Some("de-DE".to_owned());
    });
    let package = text(&after, "OPS/book.opf");
    for part in [
        "<d:title id='t'>New &lt;Title&gt;</d:title>",
        "<d:title id='s'>A Subtitle</d:title>",
        "<d:creator id='a'>A. Nother</d:creator><meta refines='#a' property='role'>aut</meta>",
        "<d:creator id='p'>The Painter</d:creator>",
        "<d:publisher>New House</d:publisher>",
        "<d:date>2026</d:date>",
        ">About it.</dc:description>",
        ">© 2026</dc:rights>",
        "<d:language>de-DE</d:language>",
        "property=\"belongs-to-collection\" id=\"spoken-series\">New Series</meta>",
        "refines=\"#spoken-series\" property=\"group-position\">2</meta>",
        ">urn:isbn:9783161484100</dc:identifier>",
        "<d:identifier id='id'>urn:isbn:9780306406157</d:identifier>",
    ] {
        assert!(package.contains(part), "{part}\n{package}");
    }
    for part in ["Old &amp;", "First", "Second", "Old House", "1901", "Old Series", "#c", "#b", "0306406152<"]
    {
        assert!(!package.contains(part), "{part}\n{package}");
    }
}

// Negative control: when only texts that are the same count as unchanged, the cut ones take their place.
#[test]
fn long_texts_that_are_cut_in_the_book_stay_whole() {
    let (author, rights) = ("A. Nother ".repeat(40), "Nobody may read this aloud. ".repeat(30));
    let (author, rights) = (author.trim(), rights.trim());
    let authors = format!("First Author, {author}");
    let package = PACKAGE
        .replace("Second Author", author)
        .replace("<d:description/>", &format!("<d:rights>{rights}</d:rights>"));
    let mut source = files();
    source.insert("OPS/book.opf".to_owned(), package.into_bytes());
    let cut = |book: &mut Book| {
        book.author = Some(format!("{}…", &authors[..297]));
        book.copyright = Some(format!("{}…", &rights[..497]));
    };
    let after = made_from(&source, "", cut);
    let package = text(&after, "OPS/book.opf");
    assert!(package.contains(&format!("<d:creator id='b'>{author}</d:creator>")), "{package}");
    assert!(package.contains(&format!("<d:rights>{rights}</d:rights>")), "{package}");
    let after = made_from(&source, "", |book| {
        cut(book);
        book.copyright = Some("© 2026".to_owned());
    });
    let package = text(&after, "OPS/book.opf");
    assert!(package.contains("<d:rights>© 2026</d:rights>"), "{package}");
}

#[test]
fn titles_of_chapters_are_those_of_the_lists_of_contents() {
    let after = made("", |book| book.chapters[0].title = Some("The <New> Night".to_owned()));
    let list = text(&after, "OPS/nav.xhtml");
    assert!(list.contains("<a href='text/one.xhtml'>The &lt;New&gt; Night</a>"), "{list}");
    assert!(list.contains(">II. The Day</a>") && list.contains(">Imprint</a><ol>"), "{list}");
    let list = text(&after, "OPS/toc.ncx");
    assert!(
        list.contains("<text>The &lt;New&gt; Night</text>") && list.contains("<text>Imprint</text>"),
        "{list}"
    );
}

#[test]
fn a_cover_of_the_same_kind_takes_the_place_of_the_old_one() {
    let after = made("", |book| book.cover.as_mut().unwrap().bytes = b"new".to_vec());
    assert_eq!(text(&after, "OPS/cover.png"), "new");
    assert_eq!(text(&after, "OPS/text/cover.xhtml"), SHOWN);
}

#[test]
fn a_cover_of_another_kind_is_shown_where_the_old_one_was() {
    let after = made("", |book| {
        book.cover = Some(Cover { media_type: "image/jpeg".to_owned(), bytes: b"new".to_vec() });
    });
    assert_eq!(text(&after, "OPS/spoken/cover.jpg"), "new");
    let page = text(&after, "OPS/text/cover.xhtml");
    assert_eq!(page, SHOWN.replace("../cover.png", "../spoken/cover.jpg"));
    let package = text(&after, "OPS/book.opf");
    let item = "<item id=\"spoken-cover\" href=\"spoken/cover.jpg\" media-type=\"image/jpeg\" properties=\"cover-image\"/>";
    assert!(package.contains(item), "{package}");
    assert_eq!(package.matches("cover-image").count(), 1);
    assert!(!package.contains("name='cover'"), "{package}");
}

#[test]
fn a_cover_that_was_taken_away_is_no_cover() {
    let package = made("", |book| book.cover = None);
    assert!(!text(&package, "OPS/book.opf").contains("cover-image"));
}

#[test]
fn documents_of_chapters_that_are_left_out_go() {
    // The credits are linked to from the second chapter.
    let after = made(IMPRINT_TEXT, |_| {});
    assert!(!after.contains_key("OPS/text/imprint.xhtml"));
    let package = text(&after, "OPS/book.opf");
    for part in ["imprint", "guide", "id='place'"] {
        assert!(!package.contains(part), "{part}\n{package}");
    }
    assert!(package.contains("<itemref idref='credits' linear='yes'/>"), "{package}");
    let list = text(&after, "OPS/nav.xhtml");
    assert!(!list.contains("href='text/imprint.xhtml'") && !list.contains("landmarks"), "{list}");
    // An entry with others below it becomes their heading.
    assert!(list.contains("<li><span>Imprint</span><ol>"), "{list}");
    let list = text(&after, "OPS/toc.ncx");
    assert!(list.contains("<text>Imprint</text></navLabel><content src='text/one.xhtml'/>"), "{list}");
}

#[test]
fn a_document_that_is_linked_to_leaves_the_reading_order_alone() {
    let after = made(CREDITS_TEXT, |_| {});
    assert!(after.contains_key("OPS/text/credits.xhtml"));
    let package = text(&after, "OPS/book.opf");
    assert!(package.contains("<itemref idref='credits' linear='no'/>"), "{package}");
    assert!(!text(&after, "OPS/nav.xhtml").contains("credits"));
}
