//! Kindle books, built record by record.

use std::time::{Duration, Instant};

use lectern_documents::{ChapterRole, Document, Kind, Limits, Reason, detect, read};

use crate::{
    cases::{document, titles},
    kindle_files::{Kindle, Packed, database, filepos, index, link, number},
};

fn page(body: &str) -> String {
    format!("<html><head><title>x</title></head><body>{body}</body></html>")
}

/// An old book of two chapters, with a guide and a note.
pub(crate) fn old() -> Kindle {
    let guide =
        format!("<guide><reference title=\"Contents\" type=\"toc\" filepos={} /></guide>", filepos("toc"));
    let text = format!(
        "<html><head>{guide}</head><body><p id=\"toc\">Contents</p><p><a filepos={}>The Lamp</a></p><p><a filepos={}>The Storm</a></p>\
         <mbp:pagebreak/><p id=\"one\"><b>The Lamp</b></p><p id=\"back\">Holt lit the lämp<a filepos={}><sup>1</sup></a> at dusk.</p>\
         <mbp:pagebreak/><p id=\"two\"><b>The Storm</b></p><p>It came at night, and it came from the west.</p>\
         <mbp:pagebreak/><p id=\"note\"><a filepos={}>1</a>. With whale oil.</p></body></html>",
        filepos("one"),
        filepos("two"),
        filepos("note"),
        filepos("back"),
    );
    Kindle {
        pages: vec![text],
        contents: vec![("The Lamp", 0, "one"), ("The Storm", 0, "two")],
        ..Kindle::default()
    }
}

/// A new book of the same story, in fragments.
pub(crate) fn new() -> Kindle {
    Kindle {
        is_kf8: true,
        pages: vec![
            page("<h1 id=\"title\">A Small Light</h1><p>Ada Marsh</p>"),
            page(&format!(
                "<h2 id=\"one\">The Lamp</h2><p id=\"back\">Holt lit the lämp<a href=\"{}\"><sup>1</sup></a> at dusk.</p>",
                link("note")
            )),
            page("<h2 id=\"two\">The Storm</h2><p>It came at night, and it came from the west.</p>"),
            page(&format!("<p id=\"note\"><a href=\"{}\">1</a>. With whale oil.</p>", link("back"))),
        ],
        contents: vec![("The Lamp", 0, "one"), ("The Storm", 0, "two")],
        guide: vec![("title-page", "title")],
        ..Kindle::default()
    }
}

fn picture() -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(2, 3).write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

fn refused(bytes: &[u8]) -> (Reason, String) {
    let began = Instant::now();
    let refused = detect(bytes, bytes).and_then(|kind| read(kind, bytes, &Limits::default())).unwrap_err();
    assert!(began.elapsed() < Duration::from_mins(1), "it took {:?}", began.elapsed());
    assert!(refused.message.ends_with('.') && refused.message.len() < 200, "{refused}");
    (refused.reason, refused.message)
}

fn of(kindle: &Kindle) -> Document {
    document(Kind::Kindle, kindle.file())
}

#[test]
fn an_old_book_is_divided_at_the_places_of_its_contents() {
    let document = of(&old());
    assert_eq!(document.title.as_deref(), Some("A Small Light"));
    assert_eq!(document.language.as_deref(), Some("en-GB"));
    assert_eq!(titles(&document), ["-", "The Lamp", "The Storm"]);
    assert_eq!(document.chapters[0].role, ChapterRole::Toc);
    assert_eq!(
        document.text,
        "Contents\n\nThe Lamp\n\nThe Storm\n\nThe Lamp\n\nHolt lit the lämp at dusk.\n\nThe Storm\n\n\
         It came at night, and it came from the west."
    );
    let [note] = document.notes.as_slice() else { panic!("{:?}", document.notes) };
    assert_eq!(note.text, "With whale oil.");
    assert!(document.text[..note.at].ends_with("lämp"));
}

#[test]
fn a_new_book_is_put_together_from_its_fragments() {
    let document = of(&new());
    assert_eq!(titles(&document), ["A Small Light", "The Lamp", "The Storm"]);
    assert_eq!(
        document.text,
        "A Small Light\n\nAda Marsh\n\nThe Lamp\n\nHolt lit the lämp at dusk.\n\nThe Storm\n\n\
         It came at night, and it came from the west."
    );
    assert_eq!(document.chapters[0].role, ChapterRole::TitlePage);
    let [note] = document.notes.as_slice() else { panic!("{:?}", document.notes) };
    assert_eq!(note.text, "With whale oil.");
    assert!(document.text[..note.at].ends_with("lämp"));
}

#[test]
fn a_text_is_the_same_however_it_is_packed() {
    let text = of(&old()).text;
    for packed in [Packed::Plain, Packed::Huffman] {
        assert_eq!(of(&Kindle { packed, ..old() }).text, text);
        // A record may end inside a character.
        for record_bytes in [1, 7, 64, 4_096] {
            assert_eq!(of(&Kindle { packed, record_bytes, ..old() }).text, text);
            assert_eq!(of(&Kindle { record_bytes, ..old() }).text, text);
        }
    }
    assert_eq!(of(&Kindle { is_utf8: false, ..old() }).text, text);
    // Phrases of phrases.
    let phrases = vec![(1, b"the l\xC3\xA4mp".to_vec()), (2, b"lit \x01".to_vec())];
    let pages = vec!["<p>Holt \x02 and \x02.</p>".to_owned()];
    let book = Kindle { packed: Packed::Huffman, phrases, pages, ..Kindle::default() };
    assert_eq!(of(&book).text, "Holt lit the lämp and lit the lämp.");
}

#[test]
fn the_publisher_names_title_author_copyright_language_and_cover() {
    let properties = vec![
        (100, b"Ada Marsh".to_vec()),
        (100, b"Bo Holt".to_vec()),
        (109, b"(c) 2020 Ada Marsh".to_vec()),
        (503, b"The Light".to_vec()),
        (524, b"fr".to_vec()),
        (201, 1_u32.to_be_bytes().to_vec()),
    ];
    let picture = picture();
    let book = Kindle { properties, pictures: vec![b"other".to_vec(), picture.clone()], ..old() };
    let document = of(&book);
    assert_eq!(document.title.as_deref(), Some("The Light"));
    assert_eq!(document.author.as_deref(), Some("Ada Marsh, Bo Holt"));
    assert_eq!(document.copyright.as_deref(), Some("(c) 2020 Ada Marsh"));
    assert_eq!(document.language.as_deref(), Some("fr"));
    assert_eq!(document.cover.unwrap().bytes, picture);
    // A cover that is no picture, or no record, is none.
    let of_cover = |at: u32| {
        let properties = vec![(201, at.to_be_bytes().to_vec())];
        of(&Kindle { properties, pictures: vec![b"other".to_vec()], ..old() }).cover
    };
    assert_eq!([0, 1, 100, u32::MAX - 1, u32::MAX].map(of_cover), [const { None }; 5]);
}

#[test]
fn of_two_books_in_a_file_the_new_one_is_read() {
    let properties = vec![(201, 0_u32.to_be_bytes().to_vec())];
    let picture = picture();
    let first = Kindle { properties, pictures: vec![picture.clone()], name: "Old", ..old() };
    let both = document(Kind::Kindle, first.joint(&new()));
    assert_eq!(both.text, of(&new()).text);
    assert_eq!(both.title.as_deref(), Some("A Small Light"));
    // Both share the pictures of the first.
    assert_eq!(both.cover.unwrap().bytes, picture);
    // Without the mark between them, there is no second book.
    let file = replaced(&first.joint(&new()), b"BOUNDARY", b"BOUNDARX");
    assert_eq!(document(Kind::Kindle, file).title.as_deref(), Some("Old"));
}

fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = bytes.windows(old.len()).position(|window| window == old).unwrap();
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}

#[test]
fn without_contents_headings_make_chapters() {
    let book = Kindle { contents: Vec::new(), guide: Vec::new(), ..new() };
    assert_eq!(titles(&of(&book)), ["A Small Light", "The Lamp", "The Storm"]);
    // Without headings, pages do.
    let pages = vec!["<p>One.</p><mbp:pagebreak/><p>Two.</p><mbp:pagebreak/><p>Three.</p>".to_owned()];
    let document = of(&Kindle { pages, ..Kindle::default() });
    assert_eq!(document.chapters.len(), 3);
    assert_eq!(document.text, "One.\n\nTwo.\n\nThree.");
}

#[test]
fn a_locked_book_says_so() {
    let (reason, message) = refused(&Kindle { encryption: 2, ..old() }.file());
    assert_eq!(reason, Reason::Encrypted);
    assert!(message.contains("DRM"), "{message}");
    assert_eq!(refused(&old().joint(&Kindle { encryption: 1, ..new() })).0, Reason::Encrypted);
}

#[test]
fn a_book_that_is_cut_off_is_damaged() {
    for kindle in [old(), new()] {
        let file = kindle.file();
        let header = 78 + 8 * kindle.records().len();
        for end in [68, 77, 100, header + 20, header + 400, header + 600] {
            assert_eq!(refused(&file[..end]).0, Reason::Damaged, "{end}");
        }
    }
    assert_eq!(refused(&database(&[])).0, Reason::Damaged);
    assert_eq!(refused(&database(&[b"\0\x02".to_vec()])).0, Reason::Damaged);
}

/// In any order, each of 65,535 records could be most of the file. Negative control: without the check,
/// the book was read without its last record.
#[test]
fn records_that_are_not_in_order_are_damaged() {
    let mut file = old().file();
    let last = 78 + 8 * (old().records().len() - 1);
    file[last..last + 4].copy_from_slice(&78_u32.to_be_bytes());
    assert_eq!(refused(&file).0, Reason::Damaged);
}

/// A book with indexes that numbers of its header name.
fn with_indexes(kindle: &Kindle, indexes: &[(usize, Vec<Vec<u8>>)]) -> Vec<u8> {
    let mut records = kindle.records();
    for (at, index) in indexes {
        let place = u32::try_from(records.len()).unwrap();
        records[0][*at..at + 4].copy_from_slice(&place.to_be_bytes());
        records.extend(index.iter().cloned());
    }
    database(&records)
}

/// Negative control: without the bound of depth, they were unpacked until the work was too much.
#[test]
fn phrases_that_hold_themselves_are_damaged() {
    let book = |phrases| Kindle {
        packed: Packed::Huffman,
        phrases,
        pages: vec!["<p>\x01</p>".to_owned()],
        ..Kindle::default()
    };
    assert_eq!(refused(&book(vec![(1, b"\x01".to_vec())]).file()).0, Reason::Damaged);
    assert_eq!(
        refused(&book(vec![(1, b"a\x02".to_vec()), (2, b"b\x01".to_vec())]).file()).0,
        Reason::Damaged
    );
}

/// Negative control: without the bound of the work, the second did not end in two minutes.
#[test]
fn phrases_that_unfold_without_end_are_too_large() {
    let book = |last: &[u8]| {
        // Each phrase is sixteen of the next.
        let mut phrases: Vec<(u8, Vec<u8>)> = (1..30_u8).map(|byte| (byte, vec![byte + 1; 16])).collect();
        phrases.push((30, last.to_vec()));
        Kindle {
            packed: Packed::Huffman,
            phrases,
            pages: vec!["<p>\x01</p>".to_owned()],
            ..Kindle::default()
        }
    };
    assert_eq!(refused(&book(b"text").file()).0, Reason::TooLarge);
    assert_eq!(refused(&book(b"").file()).0, Reason::TooLarge);
}

#[test]
fn a_text_that_is_larger_than_a_part_may_be_is_too_large() {
    let pages = vec![format!("<p>{}</p>", "a".repeat(200_000))];
    let file = Kindle { pages, record_bytes: 4_096, ..Kindle::default() }.file();
    assert!(file.len() < 70_000, "{}", file.len());
    let limits = Limits { part_bytes: 100_000, ..Limits::default() };
    assert_eq!(read(Kind::Kindle, &file, &limits).unwrap_err().reason, Reason::TooLarge);
    assert!(read(Kind::Kindle, &file, &Limits::default()).is_ok());
}

/// Negative control: without the check of their order, the two that overlap were read.
#[test]
fn skeletons_and_fragments_that_do_not_fit_are_damaged() {
    let skeletons = |entries: &[(usize, usize, usize)]| {
        let entry = |(count, start, length): &(usize, usize, usize)| {
            let numbers = [number(*count), number(*start), number(*length)].concat();
            ("SKEL".to_owned(), vec![0b11], numbers)
        };
        let entries: Vec<_> = entries.iter().map(entry).collect();
        index(&[(1, 1, 1, 0), (6, 2, 2, 0), (0, 0, 0, 1)], &entries, &[])
    };
    let fragments = |entries: &[(&str, usize)]| {
        let entry = |(place, length): &(&str, usize)| {
            ((*place).to_owned(), vec![1], [number(0), number(*length)].concat())
        };
        let entries: Vec<_> = entries.iter().map(entry).collect();
        index(&[(6, 2, 1, 0), (0, 0, 0, 1)], &entries, &[])
    };
    let read_as = |skeletons: Vec<Vec<u8>>, fragments: Vec<Vec<u8>>| {
        let book = Kindle { pages: vec!["<p>0123456789</p>".to_owned()], is_kf8: true, ..Kindle::default() };
        let file = with_indexes(&book, &[(252, skeletons), (248, fragments)]);
        read(Kind::Kindle, &file, &Limits::default()).map_err(|error| error.reason)
    };
    let none = || fragments(&[]);
    let text = |outcome: Result<Document, Reason>| outcome.map(|document| document.text);
    assert_eq!(text(read_as(skeletons(&[(0, 0, 17)]), none())), Ok("0123456789".to_owned()));
    // What follows the skeleton belongs after its second figure.
    let moved = read_as(skeletons(&[(1, 0, 9)]), fragments(&[("5", 8)]));
    assert_eq!(text(moved), Ok("016789\n\n2345".to_owned()));
    for (skeleton, fragment) in [
        (&[(0, 0, 18)][..], &[][..]),
        (&[(0, 5, usize::MAX >> 40)], &[]),
        (&[(0, 0, 10), (0, 5, 10)], &[]),
        (&[(2, 0, 3)], &[("3", 4)]),
        (&[(1, 0, 3)], &[("3", 400)]),
        (&[(1, 4, 3)], &[("3", 4)]),
        (&[(1, 0, 3)], &[("x", 4)]),
    ] {
        assert_eq!(text(read_as(skeletons(skeleton), fragments(fragment))), Err(Reason::Damaged));
    }
}

#[test]
fn other_kindle_books_are_named() {
    for (bytes, word) in [
        (b"TPZ3\0\0".to_vec(), "Topaz"),
        (b"CONT\x02\0\0\0".to_vec(), "KFX"),
        (b"\xEADRMION\xEE\0".to_vec(), "KFX"),
        ([vec![0; 60], b"TEXtREAd".to_vec()].concat(), "PalmDOC"),
        (Kindle { pages: vec!["%MOP".to_owned()], ..Kindle::default() }.file(), "Print Replica"),
    ] {
        let (reason, message) = refused(&bytes);
        assert_eq!(reason, Reason::UnknownKind);
        assert!(message.contains(word), "{message}");
    }
}
