//! EPUB: the text that is read aloud, and where chapters start.

use lectern_documents::{ChapterRole, Document, Kind, Limits, PhonemeAlphabet, Reason, chunks, detect, read};

use crate::{book::Book, cases::document, covers};

/// A small picture; each number makes a different one.
fn png(number: u8) -> Vec<u8> {
    covers::picture(number.into(), 1, [0, 0, 0], image::ImageFormat::Png)
}

fn opened(book: &Book) -> Document {
    let bytes = book.epub();
    assert_eq!(detect(&bytes, &bytes), Ok(Kind::Epub));
    read(Kind::Epub, &bytes, &Limits::default()).unwrap()
}

/// The title and the start of the text of each chapter.
fn chapters(document: &Document) -> Vec<(Option<&str>, &str)> {
    let chapters = document.chapters.iter();
    chapters
        .map(|chapter| {
            (chapter.title.as_deref(), document.text[chapter.start..].lines().next().unwrap_or_default())
        })
        .collect()
}

fn nav(items: &str) -> String {
    format!(
        "<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\"><body>\
         <nav epub:type=\"toc\"><h1>Contents</h1><ol>{items}</ol></nav></body></html>"
    )
}

const NAV_ITEM: &str =
    "<item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>";
const NCX_ITEM: &str = "<item id=\"ncx\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>";

#[test]
fn a_licence_in_the_place_of_rights_is_cut() {
    let metadata = format!("<dc:rights>{}</dc:rights>", "All of it is free. ".repeat(40));
    let book = Book { metadata, ..Book::default() }.page("a.xhtml", "<p>It rained.</p>");
    let copyright = opened(&book).copyright.unwrap();
    assert!(copyright.starts_with("All of it is free.") && copyright.ends_with('…'), "{copyright}");
    assert!((490..=500).contains(&copyright.chars().count()), "{copyright}");
}

#[test]
fn an_epub_3_is_read_in_the_order_of_its_spine_with_the_chapters_of_its_navigation() {
    let book = Book {
        metadata: "<dc:title id=\"t2\">A Subtitle</dc:title><dc:title id=\"t1\">The Tide\n Tables &amp; Birds</dc:title>\
                   <meta refines=\"#t1\" property=\"title-type\">main</meta>\
                   <meta refines=\"#t2\" property=\"title-type\">subtitle</meta>\
                   <dc:creator id=\"a\">Ada Marlow</dc:creator><dc:creator id=\"b\">Jonas Perrin</dc:creator>\
                   <dc:creator id=\"c\">I. Llustrator</dc:creator>\
                   <meta refines=\"#a\" property=\"role\">aut</meta><meta refines=\"#b\" property=\"role\">aut</meta>\
                   <meta refines=\"#c\" property=\"role\">ill</meta><dc:language>en-gb</dc:language>\
                   <dc:rights> </dc:rights><dc:rights>© 2020\n Ada Marlow</dc:rights><dc:rights>Free.</dc:rights>"
            .to_owned(),
        items: format!(
            "{NAV_ITEM}<item id=\"cover\" href=\"pictures/cover.png\" properties=\"cover-image\" media-type=\"image/png\"/>"
        ),
        spine: Some("<itemref idref=\"nav\"/><itemref idref=\"c2\"/><itemref idref=\"c1\"/>\
                     <itemref idref=\"c3\" linear=\"no\"/><itemref idref=\"c2\"/>".to_owned()),
        ..Book::default()
    }
    .page("b.xhtml", "<h1>Second</h1><p>The second begins.</p><section id=\"mid\"><h2>Third</h2><p>In the same file.</p></section>")
    .page("a%20one.xhtml", "<p>Words before any chapter.</p><h1 id=\"first\">First</h1><p>The <em>first</em> begins.</p>")
    .page("extra.xhtml", "<p>Supplementary.</p>")
    .member("OEBPS/a one.xhtml", b"<html><head><title/></head><body><p>Words before any chapter.</p>\
             <h1 id='first'>First</h1><p>The <em>first</em> begins.</p></body></html>")
    .member("OEBPS/pictures/cover.png", &png(1))
    .member("OEBPS/nav.xhtml", nav(
        "<li><a href=\"a%20one.xhtml#first\">1. First</a></li><li><a href=\"b.xhtml\">2. <i>Second</i></a>\
         <ol><li><a href=\"b.xhtml#nowhere\">A section</a></li></ol></li><li><a href=\"b.xhtml#mid\">3. Third</a></li>\
         <li><a href=\"https://example.org\">Elsewhere</a></li><li><a href=\"extra.xhtml\">Extra</a></li>").as_bytes());
    let document = opened(&book);
    assert_eq!(document.title.as_deref(), Some("The Tide Tables & Birds"));
    assert_eq!(document.author.as_deref(), Some("Ada Marlow, Jonas Perrin"));
    assert_eq!(document.copyright.as_deref(), Some("© 2020 Ada Marlow"));
    assert_eq!(document.language.as_deref(), Some("en-GB"));
    let cover = document.cover.as_ref().unwrap();
    assert_eq!((cover.media_type.as_str(), &cover.bytes), ("image/png", &png(1)));
    assert_eq!(
        document.text,
        "Words before any chapter.\n\nFirst\n\nThe first begins.\n\nSecond\n\nThe second begins.\n\nThird\n\nIn the same file."
    );
    assert_eq!(
        chapters(&document),
        [
            (None, "Words before any chapter."),
            (Some("1. First"), "First"),
            (Some("2. Second"), "Second"),
            (Some("3. Third"), "Third")
        ]
    );
}

#[test]
fn an_epub_2_has_the_chapters_of_its_ncx_and_parts_stand_above_them() {
    let ncx = "<?xml version=\"1.0\"?><!DOCTYPE ncx PUBLIC \"-//NISO//DTD ncx 2005-1//EN\" \"x\"><ncx><docTitle>\
        <text>No chapter</text></docTitle><navMap>\
        <navPoint id=\"p\"><navLabel><text>Part One</text></navLabel><content src=\"part.xhtml\"/>\
        <navPoint><navLabel><text>Spring &amp; rain</text></navLabel><content src=\"one.xhtml\"/>\
        <navPoint><navLabel><text>A section</text></navLabel><content src=\"one.xhtml#s\"/></navPoint></navPoint>\
        <navPoint><navLabel><text>Summer</text></navLabel><content src=\"two.xhtml\"/></navPoint></navPoint></navMap>\
        <pageList><pageTarget><navLabel><text>7</text></navLabel><content src=\"two.xhtml#p7\"/></pageTarget></pageList></ncx>";
    let book = Book {
        metadata: "<dc:title>Seasons</dc:title><dc:creator opf:role=\"aut\">A. Author</dc:creator>"
            .to_owned(),
        items: NCX_ITEM.to_owned(),
        ncx: Some("ncx"),
        ..Book::default()
    }
    .page("part.xhtml", "<h1>Part One</h1>")
    .page("one.xhtml", "<h2>Spring</h2><p>It rained.</p><h3 id=\"s\">Later</h3><p>It rained more.</p>")
    .page("two.xhtml", "<h2>Summer</h2><p>It did<a id=\"p7\"/> not.</p>")
    .member("OEBPS/toc.ncx", ncx.as_bytes());
    let document = opened(&book);
    assert_eq!(
        chapters(&document),
        [(Some("Part One"), "Part One"), (Some("Spring & rain"), "Spring"), (Some("Summer"), "Summer")]
    );
    let levels: Vec<u8> = document.chapters.iter().map(|chapter| chapter.level).collect();
    assert_eq!(levels, [1, 2, 2]);
    assert!(document.text.ends_with("Summer\n\nIt did not."), "{}", document.text);
}

#[test]
fn what_nobody_wants_to_hear_is_left_out() {
    let contents: String =
        (0..9).map(|n| format!("<p><a href=\"one.xhtml#{n}\">Chapter {n}</a></p>")).collect();
    let book = Book {
        guide: "<reference type=\"cover\" href=\"cover.xhtml\"/><reference type=\"toc\" href=\"contents.xhtml\"/>\
                <reference type=\"notes\" href=\"notes.xhtml\"/>"
            .to_owned(),
        ..Book::default()
    }
    .page("cover.xhtml", "<p>Cover of the first edition</p><img src=\"c.png\" alt=\"Cover\"/>")
    .page("title.xhtml", "<div><svg><image href=\"t.png\"/></svg></div>")
    .page("contents.xhtml", &contents)
    .page(
        "one.xhtml",
        "<p>It was late<a epub:type=\"noteref\" href=\"#n1\">1</a> and<span epub:type=\"pagebreak\" title=\"12\">12</span> \
         dark.<sup><a href=\"notes.xhtml#n2\">*</a></sup></p><aside epub:type=\"footnote\" id=\"n1\"><p>Quite.</p></aside>\
         <p hidden=\"hidden\">Unseen.</p><script>alert(1)</script><style>p { }</style><span role=\"doc-pagebreak\">13</span>\
         <p>Good night.</p><section epub:type=\"rearnotes\"><p>2. Not aloud.</p></section>",
    )
    .page("notes.xhtml", "<p id=\"n2\">* Not aloud either.</p>");
    let document = opened(&book);
    let chapters: Vec<_> = document.chapters.iter().map(|chapter| (chapter.role, chapter.start)).collect();
    let start = |text: &str| document.text.find(text).unwrap();
    assert_eq!(
        chapters,
        [
            (ChapterRole::Cover, 0),
            (ChapterRole::Toc, start("Chapter 0")),
            (ChapterRole::Body, start("It was")),
            (ChapterRole::Notes, start("2. Not"))
        ]
    );
    assert!(document.text.contains("Chapter 8\n\nIt was late and dark.\n\nGood night.\n\n2. Not aloud."));
    let notes: Vec<&str> = document.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(notes, ["Quite.", "Not aloud either."]);
}

#[test]
fn a_book_that_calls_its_text_a_cover_or_a_list_of_contents_is_read_all_the_same() {
    let guide = "<reference type=\"cover\" href=\"all.xhtml\"/><reference type=\"toc\" href=\"all.xhtml\"/>";
    let book = Book { guide: guide.to_owned(), ..Book::default() };
    let document = opened(&book.page("all.xhtml", &"<p>A whole book in one file.</p>".repeat(200)));
    assert!(document.text.len() > 5_000);
}

#[test]
fn a_book_without_a_table_of_contents_has_the_chapters_of_its_headings_or_files() {
    let book = Book::default()
        .page("one.xhtml", "<h1>One</h1><p>Text one.</p>")
        .page("two.xhtml", "<h1>Two</h1><p>Text two.</p>");
    assert_eq!(chapters(&opened(&book)), [(Some("One"), "One"), (Some("Two"), "Two")]);
    let book = Book::default().page("one.xhtml", "<p>Text one.</p>").page("two.xhtml", "<p>Text two.</p>");
    assert_eq!(chapters(&opened(&book)), [(None, "Text one."), (None, "Text two.")]);
}

#[test]
fn the_package_is_the_rendition_that_the_container_calls_one() {
    let container = "<container><rootfiles><rootfile full-path=\"other.pdf\" media-type=\"application/pdf\"/><rootfile \
        full-path=\"OEBPS/content.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>";
    let book = Book::default().page("one.xhtml", "<p>One.</p>").container(container);
    assert_eq!(opened(&book).text, "One.");
}

#[test]
fn a_broken_navigation_falls_back_to_the_ncx() {
    let ncx = "<ncx><navMap><navPoint><navLabel><text>From the NCX</text></navLabel><content src=\"one.xhtml\"/></navPoint>";
    let book = Book { items: format!("{NAV_ITEM}{NCX_ITEM}"), ncx: Some("ncx"), ..Book::default() }
        .page("one.xhtml", "<p>Text.</p>")
        .member("OEBPS/nav.xhtml", b"<html><body><nav epub:type='toc'><ol></ol></nav>")
        .member("OEBPS/toc.ncx", ncx.as_bytes());
    assert_eq!(chapters(&opened(&book)), [(Some("From the NCX"), "Text.")]);
}

/// Seen to fail while items were in a hash map: the choice was random.
#[test]
fn of_several_that_would_do_the_first_in_the_manifest_is_taken() {
    let several = |name: &str, properties: &str, media_type: &str| -> String {
        let item = |n: u32| {
            format!(
                "<item id=\"{name}{n}\" href=\"{name}{n}\" properties=\"{properties}\" media-type=\"{media_type}\"/>"
            )
        };
        (1..=8).map(item).collect()
    };
    let items = several("nav", "nav", "application/xhtml+xml")
        + &several("ncx", "", "application/x-dtbncx+xml")
        + &several("cover", "cover-image", "image/png");
    for of_nav in [true, false] {
        let mut book = Book { items: items.clone(), ..Book::default() }.page("one.xhtml", "<p>Text.</p>");
        for n in 1..=8 {
            let entry = format!("<li><a href=\"one.xhtml\">Nav {n}</a></li>");
            let ncx = format!(
                "<ncx><navMap><navPoint><navLabel><text>NCX {n}</text></navLabel><content src=\"one.xhtml\"/></navPoint></navMap></ncx>"
            );
            if of_nav {
                book = book.member(&format!("OEBPS/nav{n}"), nav(&entry).as_bytes());
            }
            book = book.member(&format!("OEBPS/ncx{n}"), ncx.as_bytes());
            let cover = png(n);
            book = book.member(&format!("OEBPS/cover{n}"), &cover);
        }
        let document = opened(&book);
        let title = if of_nav { "Nav 1" } else { "NCX 1" };
        assert_eq!(document.chapters[0].title.as_deref(), Some(title));
        assert_eq!(document.cover.unwrap().bytes, png(1));
    }
}

#[test]
fn pages_are_decoded_and_forgiven() {
    let utf_16 = |text: &str, mark: &[u8], bytes: fn(u16) -> [u8; 2]| {
        let mut encoded = mark.to_vec();
        encoded.extend(text.encode_utf16().flat_map(bytes));
        encoded
    };
    let page = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><html><head><title>x</title></head><body><p>Größe</p></body></html>";
    let book = Book::default()
        .raw_page("little.xhtml", &utf_16(page, b"\xFF\xFE", u16::to_le_bytes))
        .raw_page("big.xhtml", &utf_16(page, b"\xFE\xFF", u16::to_be_bytes))
        .raw_page(
            "latin.xhtml",
            b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><html><body><p>caf\xE9</p></body></html>",
        )
        .raw_page("empty.xhtml", b"")
        .raw_page(
            "broken.xhtml",
            b"<html><body><p>never <b>closed<p>a & b &nbsp; <br>c</div></p>d &bogus; e<p",
        )
        .raw_page("data.xhtml", b"<html><body><p><![CDATA[1 < 2]]></p></body></html>")
        .raw_page(
            "prefixed.xhtml",
            b"<h:html xmlns:h=\"http://www.w3.org/1999/xhtml\"><h:head><h:title>no</h:title></h:head>\
                  <h:body><h:p>with a prefix</h:p></h:body></h:html>",
        );
    let text = opened(&book).text;
    for part in ["Größe\n\nGröße\n\ncafé\n\n", "never closed", "1 < 2", "with a prefix"] {
        assert!(text.contains(part), "{part:?} in {text:?}");
    }
    assert!(!text.contains("no\n"), "{text}");
}

#[test]
fn scrambled_fonts_are_no_lock_and_a_locked_chapter_is() {
    let encryption = |algorithm: &str, member: &str| {
        format!(
            "<encryption xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\" xmlns:enc=\"http://www.w3.org/2001/04/xmlenc#\">\
             <enc:EncryptedData><enc:EncryptionMethod Algorithm=\"{algorithm}\"/><enc:CipherData>\
             <enc:CipherReference URI=\"{member}\"/></enc:CipherData></enc:EncryptedData></encryption>"
        )
    };
    let aes = "http://www.w3.org/2001/04/xmlenc#aes256-cbc";
    for (algorithm, member, reason) in [
        ("http://www.idpf.org/2008/embedding", "OEBPS/font.otf", None),
        ("http://ns.adobe.com/pdf/enc#RC", "OEBPS/font.otf", None),
        (aes, "OEBPS/font.otf", None),
        (aes, "OEBPS/one.xhtml", Some(Reason::Encrypted)),
        (aes, "OEBPS/two%2Exhtml", Some(Reason::Encrypted)),
    ] {
        let book = Book::default()
            .page("one.xhtml", "<p>One.</p>")
            .page("two.xhtml", "<p>Two.</p>")
            .member("META-INF/encryption.xml", encryption(algorithm, member).as_bytes());
        let outcome = read(Kind::Epub, &book.epub(), &Limits::default());
        assert_eq!(outcome.as_ref().err().map(|error| error.reason), reason, "{algorithm} {member}");
    }
}

/// Seen to fail: a book of drawings with text was refused as damaged.
#[test]
fn pages_that_are_drawings_are_read_as_far_as_there_is_text() {
    let book = |inside: &str| {
        let page = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inside}</svg>");
        let book = Book {
            items: "<item id=\"s\" href=\"page.svg\" media-type=\"image/svg+xml\"/>".to_owned(),
            spine: Some("<itemref idref=\"s\"/>".to_owned()),
            ..Book::default()
        };
        read(Kind::Epub, &book.member("OEBPS/page.svg", page.as_bytes()).epub(), &Limits::default())
    };
    let drawn = book(
        "<title>The Crane</title><desc>A paper bird.</desc><style>text { fill: red }</style><defs><text>no</text></defs>\
         <g><text x='1'>Fo<tspan dx='1'>ld</tspan><tspan y='9'>here.</tspan></text><path d='M0 0'/></g>",
    );
    assert_eq!(drawn.unwrap().text, "The Crane\n\nA paper bird.\n\nFold here.");
    let refused = book("<image href='page.jpg'/>").unwrap_err();
    assert_eq!(refused.reason, Reason::ImageOnly);
    assert!(refused.message.contains("pictures"), "{}", refused.message);
    // The fallback of a drawing is read instead of it.
    let fallback = Book {
        items: "<item id=\"s\" href=\"page.svg\" media-type=\"image/svg+xml\" fallback=\"c1\"/>".to_owned(),
        spine: Some("<itemref idref=\"s\"/>".to_owned()),
        ..Book::default()
    };
    assert_eq!(document(Kind::Epub, fallback.page("one.xhtml", "<p>One.</p>").epub()).text, "One.");
}

#[test]
fn formulas_in_books_are_read_in_words() {
    let book = Book::default().page(
        "one.xhtml",
        "<p>So <math xmlns=\"http://www.w3.org/1998/Math/MathML\" alttext=\"Alternative text not available\"><msqrt><mi>x</mi>\
         </msqrt><mspace/></math>.</p>",
    );
    assert_eq!(document(Kind::Epub, book.epub()).text, "So the square root of x.");
}

// Negative control: without the alphabets of open elements, all three are taken as IPA.
#[test]
fn pronunciations_and_lexicons_of_the_publisher_come_with_the_text() {
    let page = "<body ssml:alphabet=\"x-sampa\"><p>The <span ssml:ph=\" t@meIt@U \">tomato\n</span> and \
        <b ssml:alphabet=\"ipa\"><i ssml:ph=\"pəˈteɪtəʊ\">po<u ssml:ph=\"x\">ta</u>to</i></b> and \
        <b ssml:alphabet=\"x-other\"><i ssml:ph=\"y\">leek</i></b>.</p></body>";
    let item = "<item id=\"l\" href=\"words.pls\" media-type=\"application/pls+xml\"/>\
        <item id=\"gone\" href=\"gone.pls\" media-type=\"application/pls+xml\"/>\
        <item id=\"large\" href=\"large.pls\" media-type=\"application/pls+xml\"/>";
    let book = Book { items: item.to_owned(), ..Book::default() }
        .page("a.xhtml", page)
        .member("OEBPS/words.pls", b"<lexicon/>")
        .member("OEBPS/large.pls", " ".repeat(3 * 1024 * 1024).as_bytes());
    let document = opened(&book);
    assert_eq!(document.text, "The tomato and potato and leek.");
    let found: Vec<(&str, &str, PhonemeAlphabet)> = document
        .pronounced
        .iter()
        .map(|one| (&document.text[one.range.clone()], one.phonemes.as_str(), one.alphabet))
        .collect();
    assert_eq!(
        found,
        [("tomato", "t@meIt@U", PhonemeAlphabet::XSampa), ("potato", "pəˈteɪtəʊ", PhonemeAlphabet::Ipa)]
    );
    assert_eq!(document.lexicons, ["<lexicon/>"]);
    let chunks = chunks(&document, 12);
    let cut: Vec<&str> = chunks
        .iter()
        .flat_map(|chunk| {
            chunk.pronounced.iter().map(|one| &document.text[chunk.range.clone()][one.range.clone()])
        })
        .collect();
    assert_eq!(cut, ["tomato", "potato"]);
}
