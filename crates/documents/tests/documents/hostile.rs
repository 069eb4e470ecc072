//! Hostile files: each is refused with a reason, soon and without much memory.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use lectern_documents::{Kind, Limits, Reason, detect, read};

use crate::book::{Book, zipped};

/// Reads a file as the service does and returns the reason of the refusal.
fn refused(bytes: &[u8]) -> Option<Reason> {
    let began = Instant::now();
    let outcome = detect(bytes, bytes).and_then(|kind| read(kind, bytes, &Limits::default()));
    // The limit allows for an unoptimized build on a busy machine.
    assert!(began.elapsed() < Duration::from_secs(100), "it took {:?}", began.elapsed());
    match outcome {
        Ok(_) => None,
        Err(unreadable) => {
            assert!(unreadable.message.ends_with('.') && unreadable.message.len() < 200, "{unreadable}");
            Some(unreadable.reason)
        }
    }
}

fn text_of(book: &Book) -> String {
    read(Kind::Epub, &book.epub(), &Limits::default()).unwrap().text
}

#[test]
fn zip_bombs_are_too_large_whether_they_say_so_or_not() {
    let limits = Limits { part_bytes: 1 << 20, unpacked_bytes: 3 << 20, ..Limits::default() };
    let reason = |bytes: &[u8]| read(Kind::Epub, bytes, &limits).err().map(|error| error.reason);
    // Three megabytes of one letter, compressed to three kilobytes.
    let bomb = format!("<html><body><p>{}</p></body></html>", "a".repeat(3 << 20));
    let declared = Book::default().raw_page("one.xhtml", bomb.as_bytes()).epub();
    assert!(declared.len() < 20_000, "{}", declared.len());
    assert_eq!(reason(&declared), Some(Reason::TooLarge));
    // Replace the declared size by 100 bytes wherever it occurs.
    let size = u32::try_from(bomb.len()).unwrap().to_le_bytes();
    let lying = replaced(&declared, &size, &100_u32.to_le_bytes());
    assert_ne!(lying, declared, "the size is in the directory");
    assert!(matches!(reason(&lying), Some(Reason::TooLarge | Reason::Damaged)));
    // Many members, each within the limit.
    let part = format!("<html><body><!--{}--><p>b</p></body></html>", " ".repeat(900_000));
    let few = |count| {
        (0..count).fold(Book::default(), |book, n| book.raw_page(&format!("{n}.xhtml"), part.as_bytes()))
    };
    assert_eq!(reason(&few(2).epub()), None);
    assert_eq!(reason(&few(5).epub()), Some(Reason::TooLarge));
}

#[test]
fn an_archive_of_very_many_members_is_too_large() {
    let names: Vec<String> = (0..30_000).map(|n| format!("OEBPS/{n}")).collect();
    let mut members: Vec<(&str, &[u8])> = vec![("mimetype", b"application/epub+zip")];
    members.extend(names.iter().map(|name| (name.as_str(), &b""[..])));
    assert_eq!(refused(&zipped(&members)), Some(Reason::TooLarge));
}

#[test]
fn names_that_climb_out_lead_nowhere() {
    let book = Book {
        items: "<item id=\"x\" href=\"../../../../etc/passwd\" media-type=\"application/xhtml+xml\"/>\
                <item id=\"y\" href=\"/etc/passwd\" media-type=\"application/xhtml+xml\"/>\
                <item id=\"z\" href=\"file:///etc/passwd\" media-type=\"application/xhtml+xml\"/>"
            .to_owned(),
        spine: Some(
            "<itemref idref=\"x\"/><itemref idref=\"y\"/><itemref idref=\"z\"/><itemref idref=\"c1\"/>"
                .to_owned(),
        ),
        ..Book::default()
    }
    .page("one.xhtml", "<p>Only this.</p>")
    .member("../../../etc/passwd", b"<p>root</p>")
    .member("/etc/passwd", b"<p>root</p>");
    assert_eq!(text_of(&book), "Only this.");
}

#[test]
fn a_book_without_its_parts_is_damaged() {
    let one = || Book::default().page("one.xhtml", "<p>One.</p>");
    let spine = |spine: &str| Book { spine: Some(spine.to_owned()), ..one() }.epub();
    assert_eq!(refused(&spine("")), Some(Reason::Damaged));
    assert_eq!(refused(&spine("<itemref idref=\"nothing\"/>")), Some(Reason::Damaged));
    let missing = Book::default().raw_page("one.xhtml", b"x").epub();
    assert_eq!(refused(&replaced(&missing, b"OEBPS/one.xhtml", b"OEBPS/two.xhtml")), Some(Reason::Damaged));
    let epub = one().epub();
    assert_eq!(refused(&epub[..epub.len() / 2]), Some(Reason::Damaged));
    // A book with one package is read without its container; without both it is not.
    let lost = replaced(&epub, b"META-INF/container.xml", b"META-INF/contained.xml");
    assert_eq!(refused(&lost), None);
    assert_eq!(refused(&replaced(&lost, b"OEBPS/content.opf", b"OEBPS/content.opt")), Some(Reason::Damaged));
}

fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut bytes = bytes.to_vec();
    for at in 0..bytes.len() - old.len() {
        if &bytes[at..at + old.len()] == old {
            bytes[at..at + old.len()].copy_from_slice(new);
        }
    }
    bytes
}

#[test]
fn circles_are_walked_once() {
    // A spine that repeats itself, and circular fallbacks.
    let book = Book {
        items: "<item id=\"a\" href=\"a.svg\" media-type=\"image/svg+xml\" fallback=\"b\"/>\
                <item id=\"b\" href=\"b.svg\" media-type=\"image/svg+xml\" fallback=\"a\"/>\
                <item id=\"d\" href=\"d.svg\" media-type=\"image/svg+xml\" fallback=\"c2\"/>"
            .to_owned(),
        spine: Some(format!(
            "{}<itemref idref=\"a\"/><itemref idref=\"d\"/>",
            "<itemref idref=\"c1\"/>".repeat(1_000)
        )),
        ..Book::default()
    }
    .page("one.xhtml", "<p>One.</p>")
    .page("two.xhtml", "<p>Two.</p>");
    assert_eq!(text_of(&book), "One.\n\nTwo.");
}

/// Negative control: with each reference checked separately this took over a minute.
#[test]
fn a_page_that_is_called_a_list_ten_thousand_times_is_measured_once() {
    let guide = "<reference type=\"toc\" href=\"one.xhtml\"/><reference type=\"cover\" href=\"one.xhtml\"/>";
    let book = Book { guide: guide.repeat(5_000), ..Book::default() };
    let page = format!("<p>{}</p><!--{}-->", "All of the book. ".repeat(100), " ".repeat(4 << 20));
    assert_eq!(refused(&book.page("one.xhtml", &page).epub()), None);
}

/// Negative control: with chains walked to their ends this took over a minute.
#[test]
fn a_long_chain_of_fallbacks_is_given_up() {
    let items: String = (0..40_000)
        .map(|n| {
            let next = n + 1;
            format!("<item id=\"i{n}\" href=\"{n}.svg\" media-type=\"image/svg+xml\" fallback=\"i{next}\"/>")
        })
        .collect();
    let spine: String = (0..40_000).map(|n| format!("<itemref idref=\"i{n}\"/>")).collect();
    let book = Book { items, spine: Some(spine + "<itemref idref=\"c1\"/>"), ..Book::default() };
    assert_eq!(text_of(&book.page("one.xhtml", "<p>One.</p>")), "One.");
}

#[test]
fn entities_are_not_unfolded() {
    let mut bomb = String::from("<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY l0 \"lol lol lol lol\">");
    for n in 1..40 {
        let _ = write!(bomb, "<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10));
    }
    let page = format!("{bomb}]><html><body><p>before &l39; after</p></body></html>");
    let text = text_of(&Book::default().raw_page("one.xhtml", page.as_bytes()));
    assert!(text.starts_with("before") && text.ends_with("after") && text.len() < 100, "{text}");
    // The same in the table of contents.
    let ncx = format!(
        "{bomb}]><ncx><navMap><navPoint><navLabel><text>A &l39; title</text></navLabel><content src=\"one.xhtml\"/>\
         </navPoint></navMap></ncx>"
    );
    let book = Book {
        items: "<item id=\"ncx\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>".to_owned(),
        ncx: Some("ncx"),
        ..Book::default()
    };
    let book = book.page("one.xhtml", "<p>One.</p>").member("OEBPS/toc.ncx", ncx.as_bytes()).epub();
    let document = read(Kind::Epub, &book, &Limits::default()).unwrap();
    assert_eq!(document.chapters[0].title.as_deref(), Some("A title"));
}

#[test]
fn a_million_tags_and_a_million_levels_are_read_in_time() {
    let flat = format!("<html><body>{}</body></html>", "<p>a</p>".repeat(250_000));
    assert_eq!(refused(&Book::default().raw_page("one.xhtml", flat.as_bytes()).epub()), None);
    let deep = format!("<html><body>{}deep</body></html>", "<div><span><b>".repeat(340_000));
    assert_eq!(refused(&Book::default().raw_page("one.xhtml", deep.as_bytes()).epub()), None);
    let list =
        format!("<nav epub:type=\"toc\">{}</nav>", "<ol><li><a href=\"one.xhtml\">x</a>".repeat(100_000));
    let book = Book {
        items:
            "<item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>"
                .to_owned(),
        ..Book::default()
    };
    let book = book.page("one.xhtml", "<p>One.</p>").member("OEBPS/nav.xhtml", list.as_bytes());
    assert_eq!(refused(&book.epub()), None);
}

#[test]
fn a_book_that_says_nothing_has_no_text() {
    let empty = Book::default().raw_page("one.xhtml", b"").page("two.xhtml", "<p> </p><img src=\"x.png\"/>");
    assert_eq!(refused(&empty.epub()), Some(Reason::NoText));
}

#[test]
fn what_a_name_or_a_label_says_does_not_matter() {
    // A wrong label does not matter, not even in the archive.
    let book = Book::default().page("one.xhtml", "<p>One.</p>").epub();
    let mislabelled = replaced(&book, b"application/epub+zip", b"application/epub-zip");
    assert_eq!(refused(&mislabelled), None);
    assert_eq!(detect(&book, &book), Ok(Kind::Epub));
    for foreign in [
        zipped(&[("a.txt", b"text")]),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(),
        b"ID3\x04\0\0\0\0\0\0".to_vec(),
    ] {
        assert_eq!(refused(&foreign), Some(Reason::UnknownKind));
    }
    assert_eq!(refused(b""), Some(Reason::Empty));
}

#[test]
fn a_title_of_ten_thousand_characters_is_cut() {
    let metadata = format!("<dc:title>{}</dc:title>", "Title ".repeat(1_700));
    let book = Book { metadata, ..Book::default() }.page("one.xhtml", "<p>One.</p>");
    let document = read(Kind::Epub, &book.epub(), &Limits::default()).unwrap();
    assert!(document.title.unwrap().chars().count() <= 300);
}
