//! The roles, levels and titles of chapters, as tables: whether a chapter is read unless someone
//! chooses otherwise, its role, its level, its title, and how its text begins.

use std::fmt::Write as _;

use lectern_documents::{ChapterRole, Document, Kind, Limits, NotesMode, read};

use crate::{book::Book, cases::document, docx};

/// A line for each chapter, and one for each note.
fn table(document: &Document) -> String {
    let mut table = String::new();
    for (index, chapter) in document.chapters.iter().enumerate() {
        let end = document.chapters.get(index + 1).map_or(document.text.len(), |next| next.start);
        let begins: String = document.text[chapter.start..end].chars().take(32).collect();
        writeln!(
            table,
            "{} | {} | {} | {} | {}",
            if chapter.role.is_included_by_default() { "read" } else { "left out" },
            chapter.role,
            chapter.level,
            chapter.title.as_deref().unwrap_or("-"),
            begins.replace('\n', " ").trim_end()
        )
        .unwrap();
    }
    for note in &document.notes {
        let before: String = document.text[..note.at].chars().rev().take(16).collect();
        let before: String = before.chars().rev().collect();
        writeln!(table, "note | …{} | {}", before.replace('\n', " "), note.text).unwrap();
    }
    table
}

fn prose(sentence: &str) -> String {
    format!("<p>{}</p>", format!("{sentence} ").repeat(12)).repeat(14)
}

fn epub(book: &Book) -> Document {
    read(Kind::Epub, &book.epub(), &Limits::default()).unwrap()
}

fn nav(items: &str) -> Vec<u8> {
    format!("<html xmlns:epub=\"http://www.idpf.org/2007/ops\"><body><nav epub:type=\"toc\"><ol>{items}</ol></nav></body></html>")
        .into_bytes()
}

const NAV_ITEM: &str =
    "<item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>";

fn entry(path: &str, title: &str, inside: &str) -> String {
    let inside = if inside.is_empty() { String::new() } else { format!("<ol>{inside}</ol>") };
    format!("<li><a href=\"{path}\">{title}</a>{inside}</li>")
}

#[test]
fn an_epub_3_says_what_its_parts_are() {
    let section =
        |types: &str, inside: &str| format!("<body><section epub:type=\"{types}\">{inside}</section></body>");
    let chapter = |title: &str| {
        section("bodymatter chapter", &format!("<h3>{title}</h3>{}", prose("The lamp burned.")))
    };
    let chapters = entry("3.xhtml", "I: The Lamp", "") + &entry("4.xhtml", "II: The Storm", "");
    let second = entry("6.xhtml", "I: The Boat", "");
    let whole = entry("part-1.xhtml", "Book I: The Light", &chapters)
        + &entry("part-2.xhtml", "Book II: The Sea", &second);
    let toc = entry("title.xhtml", "Titlepage", "")
        + &entry("imprint.xhtml", "Imprint", "")
        + &entry("epigraph.xhtml", "Epigraph", "")
        + &entry("half.xhtml", "The Keeper", &whole)
        + &entry("words.xhtml", "Words", "")
        + &entry("end.xhtml", "Colophon", "")
        + &entry("free.xhtml", "Uncopyright", "");
    let book = Book {
        metadata: "<dc:title>The Keeper</dc:title><dc:creator>Ada Marlow</dc:creator><dc:language>en</dc:language>".to_owned(),
        items: NAV_ITEM.to_owned(),
        ..Book::default()
    }
    .page("title.xhtml", &section("titlepage", "<h1>The Keeper</h1><p>By Ada Marlow.</p><div epub:type=\"epigraph\"><p>“All is light.”</p></div>"))
    .page("imprint.xhtml", &section("imprint", "<h2>Imprint</h2><p>Made by volunteers.</p>"))
    .page("dedication.xhtml", &section("dedication", "<p>To my brother.</p>"))
    .page("epigraph.xhtml", &section("epigraph", "<p>Let there be light.</p>"))
    .page("half.xhtml", &section("halftitlepage", "<h2>The Keeper</h2>"))
    .page("part-1.xhtml", &section("part", "<h2>Book I</h2><p>The Light</p>"))
    .page("3.xhtml", &chapter("I<p>The Lamp</p>"))
    .page("4.xhtml", &chapter("II"))
    .page("part-2.xhtml", &section("part", "<h2>Book II</h2>"))
    .page("6.xhtml", &chapter("I"))
    .page("words.xhtml", &section("glossary", "<h2>Words</h2><dl><dt>Lamp</dt><dd>A light.</dd></dl>"))
    .page("end.xhtml", &section("backmatter colophon", "<h2>Colophon</h2><p>Set in type.</p>"))
    .page("free.xhtml", &section("backmatter copyright-page", "<h2>Uncopyright</h2><p>Free.</p>"))
    .member("OEBPS/nav.xhtml", &nav(&toc));
    insta::assert_snapshot!("epub_3", table(&epub(&book)));
}

#[test]
fn an_epub_2_without_types_is_known_by_its_guide_titles_and_text() {
    let contents: String = (1..6).map(|n| format!("<p><a href=\"{n}.xhtml\">Kapitel {n}</a></p>")).collect();
    let toc = entry("vorwort.xhtml", "Vorwort", "")
        + &entry("1.xhtml", "Erstes Kapitel", "")
        + &entry("2.xhtml", "Zweites Kapitel", "")
        + &entry("anhang.xhtml", "Anhang: Die Karten", "")
        + &entry("register.xhtml", "Register", "")
        + &entry("weitere.xhtml", "Weitere Bücher von Ada Marlow", "");
    let index: String = ["Lampe, 12, 44", "Licht, siehe Lampe", "Meer, 3", "Schiff, 8", "Sturm, 9, 10"]
        .iter()
        .map(|line| format!("<p>{line}</p>"))
        .collect();
    let book = Book {
        metadata:
            "<dc:title>Der Wärter</dc:title><dc:creator>Ada Marlow</dc:creator><dc:language>de</dc:language>"
                .to_owned(),
        items: NAV_ITEM.to_owned(),
        guide: "<reference type=\"cover\" href=\"cover.xhtml\"/>".to_owned(),
        ..Book::default()
    }
    .page("cover.xhtml", "<p>Der Wärter. Roman</p>")
    .page("titel.xhtml", "<h1>Der Wärter</h1><p>Roman</p><p>von Ada Marlow</p>")
    .page(
        "rechte.xhtml",
        "<p>Copyright © 2020 Ada Marlow</p><p>Alle Rechte vorbehalten.</p><p>ISBN 978-3-000</p>",
    )
    .page("inhalt.xhtml", &format!("<h2>Inhaltsverzeichnis</h2>{contents}"))
    .page(
        "vorwort.xhtml",
        &format!(
            "<h2>Vorwort</h2>{}",
            "<p>Dies ist ein Buch über das Licht, und es war lange in Arbeit.</p>".repeat(4)
        ),
    )
    .page("1.xhtml", &format!("<h2>Erstes Kapitel</h2>{}", prose("Die Lampe brannte.")))
    .page("2.xhtml", &format!("<h2>Zweites Kapitel</h2>{}", prose("Der Sturm kam.")))
    .page("anhang.xhtml", "<h2>Anhang: Die Karten</h2><p>Karten gibt es keine, denn das Meer ist leer.</p>")
    .page("register.xhtml", &format!("<h2>Register</h2>{index}"))
    .page("weitere.xhtml", "<h2>Weitere Bücher von Ada Marlow</h2><p>Das Boot</p><p>Die Bucht</p>")
    .member("OEBPS/nav.xhtml", &nav(&toc));
    insta::assert_snapshot!("epub_2", table(&epub(&book)));
}

#[test]
fn the_licence_of_a_gutenberg_text_is_no_chapter_of_it() {
    let text = format!(
        "The Project Gutenberg EBook of The Keeper, by Ada Marlow\n\nThis eBook is for the use of anyone anywhere.\n\n\
         Title: The Keeper\n\nAuthor: Ada Marlow\n\nLanguage: English\n\n*** START OF THIS PROJECT GUTENBERG EBOOK THE KEEPER ***\n\n\n\
         Produced by A. Reader\n\n\nTHE KEEPER\n\nBy Ada Marlow\n\n\nCONTENTS\n\nCHAPTER I.\nCHAPTER II.\n\n\nCHAPTER I.\n\n{0}\n\n\
         CHAPTER II.\n\nOn my return, I found the following letter from my father:--\n\n{0}\n\n\
         *** END OF THIS PROJECT GUTENBERG EBOOK THE KEEPER ***\n\n*** START: FULL LICENSE ***\n\nSection 1. General Terms of Use\n\n\
         You may use it.\n\nSection 2. Information about the Mission\n\nIt is free.\n",
        "The lamp was lit, and the keeper went down to the sea.\n".repeat(90)
    );
    insta::assert_snapshot!("gutenberg", table(&document(Kind::PlainText, text)));
}

#[test]
fn parts_stand_above_chapters_in_markdown_and_word() {
    let chapter = |title: &str| format!("## {title}\n\n{}\n\n", "The lamp burned late. ".repeat(30));
    let text = format!(
        "# Part One\n\n{}{}# Part Two\n\n{}# Appendix A: Maps\n\nNo maps.\n",
        chapter("Chapter 1"),
        chapter("Chapter 2"),
        chapter("Chapter 3")
    );
    insta::assert_snapshot!("markdown_parts", table(&document(Kind::Markdown, text)));
    let body = || "The lamp burned late. ".repeat(30);
    let file = docx::of(&[
        docx::styled("Titel", "The Keeper"),
        docx::styled("berschrift1", "Preface"),
        docx::para("This is a book about light."),
        docx::styled("berschrift1", "Part One"),
        docx::styled("berschrift2", "The Lamp"),
        docx::para(&body()),
        docx::styled("berschrift2", "The Storm"),
        docx::para(&body()),
        docx::styled("berschrift1", "Bibliography"),
        docx::para("Marlow, A.: Lamps."),
    ]);
    insta::assert_snapshot!("word_parts", table(&file));
}

#[test]
fn a_web_page_says_what_its_parts_are() {
    let page = format!(
        "<html lang=\"en\"><head><title>The Keeper</title></head><body><main><h1>The Keeper</h1>\
         <section role=\"doc-dedication\"><p>To my brother.</p></section>\
         <section role=\"doc-preface\"><h2>Why</h2><p>This is a book about light.</p></section>\
         <h2>The Lamp</h2>{}<section role=\"doc-appendix\"><h2>Maps</h2><p>No maps.</p></section></main></body></html>",
        prose("The lamp burned.")
    );
    insta::assert_snapshot!("web_page", table(&document(Kind::Html, page)));
}

/// What must not happen: a part of the text that nobody hears.
#[test]
fn chapters_of_the_text_are_body_whatever_they_are_called() {
    let names = [
        "Cover",
        "Contents",
        "Index",
        "Copyright",
        "Imprint",
        "Title Page",
        "License",
        "Also by the Sea",
        "Advertisements",
        "Colophon",
        "The Keeper",
        "Ada Marlow",
        "Books by the Window",
    ];
    let toc: String =
        names.iter().enumerate().map(|(n, title)| entry(&format!("{n}.xhtml"), title, "")).collect();
    let metadata = "<dc:title>The Keeper</dc:title><dc:creator>Ada Marlow</dc:creator>";
    let mut book = Book { metadata: metadata.to_owned(), items: NAV_ITEM.to_owned(), ..Book::default() };
    for (n, title) in names.iter().enumerate() {
        let text = prose("She spoke of copyright, of an index and of a license, and the lamp burned late.");
        book = book.page(&format!("{n}.xhtml"), &format!("<h2>{title}</h2>{text}"));
    }
    let document = epub(&book.member("OEBPS/nav.xhtml", &nav(&toc)));
    assert_eq!(document.chapters.len(), names.len());
    for chapter in &document.chapters {
        assert!(chapter.role.is_included_by_default(), "{chapter:?}");
    }
    // The same without a table of contents, as Markdown.
    let text: String = names
        .iter()
        .map(|title| {
            format!(
                "# {title}\n\n{}\n\n",
                "She spoke of copyright and of an index, and the lamp burned late. ".repeat(60)
            )
        })
        .collect();
    for chapter in &document_of(&text).chapters {
        assert!(chapter.role.is_included_by_default(), "{chapter:?}");
    }
}

fn document_of(markdown: &str) -> Document {
    document(Kind::Markdown, markdown)
}

/// Some books mark their only document as the cover.
#[test]
fn a_role_that_a_file_gives_to_the_text_itself_is_not_believed() {
    for types in ["cover", "toc", "index", "titlepage", "copyright-page", "imprint"] {
        let text =
            "<p>The lamp was lit, and the keeper went down to the sea before anyone woke.</p>".repeat(400);
        let page = format!("<body epub:type=\"{types}\"><h1>One</h1>{text}</body>");
        let document = epub(&Book::default().page("one.xhtml", &page));
        let roles: Vec<ChapterRole> = document.chapters.iter().map(|chapter| chapter.role).collect();
        assert_eq!(roles, [ChapterRole::Body], "{types}");
    }
}

#[test]
fn marked_and_unmarked_notes_are_found_with_their_places() {
    let book = Book { metadata: "<dc:language>en</dc:language>".to_owned(), ..Book::default() }
        .page(
            "one.xhtml",
            "<h1>One</h1><p>Oil<a epub:type=\"noteref\" href=\"#n1\">1</a> burned. Twice<a epub:type=\"noteref\" href=\"#n1\">1</a>.</p>\
             <p>Far<sup><a id=\"r2\" href=\"two.xhtml#n2\">2</a></sup> away. A <a epub:type=\"noteref\" href=\"two.xhtml#n3\">long word</a> stays.</p>\
             <aside epub:type=\"footnote\" id=\"n1\"><p>1. Of the whale.</p></aside>\
             <p>Near.<a id=\"r4\" href=\"#n4\">[4]</a></p><p><a id=\"n4\" href=\"#r4\">[4]</a> A mile.</p><p>The end.</p>",
        )
        .page(
            "two.xhtml",
            "<h1>Notes</h1><ol><li id=\"n2\"><p>Ten miles. <a href=\"one.xhtml#r2\">↩</a></p></li><li id=\"n3\"><p>Longer.</p><p>Much.</p></li></ol>",
        );
    insta::assert_snapshot!("notes_epub", table(&epub(&book)));
}

#[test]
fn notes_that_nothing_refers_to_are_a_chapter() {
    let book = Book::default()
        .page("one.xhtml", &format!("<h1>One</h1>{}", prose("The lamp burned.")))
        .page(
            "notes.xhtml",
            "<body><section epub:type=\"endnotes\"><h1>Notes</h1><p>Line 20. Cf. Ezekiel 2:7.</p><p>Line 23. Cf. Ecclesiastes 12:5.</p></section></body>",
        );
    insta::assert_snapshot!("notes_unreferenced", table(&epub(&book)));
}

/// Numbers in a list of contents and in headings link to each other as notes and references do.
#[test]
fn links_between_contents_and_chapters_are_no_notes() {
    let contents: String =
        (1..9).map(|n| format!("<p><a id=\"c{n}\" href=\"one.xhtml#h{n}\">{n}</a> The Lamp</p>")).collect();
    let chapters: String = (1..9)
        .map(|n| format!("<p><a id=\"h{n}\" href=\"toc.xhtml#c{n}\">{n}</a> The Lamp</p><p>It burned.</p>"))
        .collect();
    let book = Book::default().page("toc.xhtml", &contents).page("one.xhtml", &chapters);
    let document = epub(&book);
    assert_eq!(document.notes, []);
    assert_eq!(document.text.matches("The Lamp").count(), 16);
}

#[test]
fn notes_of_other_formats_have_their_places_too() {
    let html = "<html><body><h1>One</h1><p>Oil<sup id=\"r1\"><a href=\"#n1\">[1]</a></sup> burned.</p><h2>Notes</h2>\
        <ol><li id=\"n1\"><a href=\"#r1\">^</a> Of the whale.</li></ol></body></html>";
    let markdown =
        "# One\n\nOil[^a] burned.[^b]\n\n[^a]: Of the whale.\n\n    And more.\n[^b]: Late.\n\nThe end.\n";
    let fb2 = "<?xml version=\"1.0\"?><FictionBook xmlns:l=\"x\"><body><title><p>One</p></title><p>Oil<a type=\"note\" l:href=\"#n1\">1</a> burned.</p></body>\
        <body name=\"notes\"><title><p>Notes</p></title><section id=\"n1\"><title><p>1</p></title><p>Of the whale.</p></section>\
        <section id=\"n2\"><title><p>2</p></title><p>Nobody asks.</p></section></body></FictionBook>";
    insta::assert_snapshot!("notes_html", table(&document(Kind::Html, html)));
    insta::assert_snapshot!("notes_markdown", table(&document(Kind::Markdown, markdown)));
    insta::assert_snapshot!("notes_fb2", table(&document(Kind::Fb2, fb2)));
}

#[test]
fn notes_of_word_have_their_places_too() {
    let part = |name: &str, note: &str| {
        format!(
            "<w:{name}s xmlns:w=\"w\"><w:{name} w:id=\"-1\" w:type=\"separator\"><w:p/></w:{name}><w:{name} w:id=\"1\"><w:p><w:r>\
             <w:{name}Ref/><w:t xml:space=\"preserve\"> {note}</w:t></w:r></w:p><w:p><w:r><w:t>Twice.</w:t></w:r></w:p></w:{name}>\
             <w:{name} w:id=\"2\"><w:p><w:r><w:t>Deleted.</w:t></w:r></w:p></w:{name}></w:{name}s>"
        )
    };
    let body = "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>Oil</w:t></w:r><w:r><w:footnoteReference w:id=\"1\"/></w:r>\
        <w:r><w:t xml:space=\"preserve\"> burned.</w:t><w:endnoteReference w:id=\"1\"/></w:r><w:del><w:r><w:footnoteReference w:id=\"2\"/></w:r></w:del></w:p>\
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Cell</w:t><w:footnoteReference w:id=\"9\"/></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>";
    let (feet, ends) = (part("footnote", "Of the whale."), part("endnote", "Late."));
    let file = docx::zip(&[
        ("[Content_Types].xml", b"<Types/>".as_slice()),
        ("word/document.xml", body.as_bytes()),
        ("word/footnotes.xml", feet.as_bytes()),
        ("word/endnotes.xml", ends.as_bytes()),
    ]);
    let document = read(Kind::Docx, &file, &Limits::default()).unwrap();
    insta::assert_snapshot!("notes_word", table(&document));
    let read = document.with_notes(NotesMode::Inline).text;
    assert_eq!(read, "Oil burned. Note: Of the whale. Twice. Note: Late. Twice.\n\nCell");
}

/// Hostile and large books: notes and chapters by the thousand, circles of links, deep nesting.
#[test]
fn ten_thousand_notes_and_chapters_and_loops_of_links_are_read_soon() {
    let started = std::time::Instant::now();
    let text: String = (0..10_000)
        .map(|n| format!("<h2>Chapter {n}</h2><p>Oil<sup><a id=\"r{n}\" href=\"notes.xhtml#n{n}\">{n}</a></sup> burned.</p>"))
        .collect();
    let notes: String = (0..10_000)
        .map(|n| format!("<p id=\"n{n}\"><a href=\"text.xhtml#r{n}\">{n}</a> Note {n}.</p>"))
        .collect();
    let book = Book::default().page("text.xhtml", &text).page("notes.xhtml", &notes);
    let document = epub(&book);
    assert_eq!((document.notes.len(), document.chapters.len()), (10_000, 10_000));
    assert_eq!(document.notes[77].text, "Note 77.");
    let read = document.with_notes(NotesMode::Inline);
    assert!(read.is_consistent() && read.text.contains("Oil burned. Note: Note 9999."));
    // Each paragraph refers to the next one, the last to the first, and all to themselves.
    let circle: String = (0..3_000)
        .map(|n| {
            let next = (n + 1) % 3_000;
            format!("<p id=\"p{n}\">Oil<sup><a id=\"a{n}\" href=\"#p{next}\">1</a><a href=\"#p{n}\">2</a></sup> burned {n}.</p>")
        })
        .collect();
    let document = epub(&Book::default().page("circle.xhtml", &circle));
    let all =
        document.text.clone() + &document.notes.iter().map(|note| note.text.clone()).collect::<String>();
    assert_eq!(all.matches("burned").count(), 3_000);
    // Notes in notes, and sections with roles in each other.
    let nested = format!(
        "<p>Oil<a epub:type=\"noteref\" href=\"#x\">1</a>.</p>{}deep{}",
        "<aside epub:type=\"footnote\" id=\"x\"><section epub:type=\"toc\">".repeat(900),
        "</section></aside>".repeat(900)
    );
    let document = epub(&Book::default().page("deep.xhtml", &nested));
    assert_eq!(document.with_notes(NotesMode::Inline).text.matches("deep").count(), 1);
    assert!(started.elapsed().as_secs() < 30, "it took {:?}", started.elapsed());
}

#[test]
fn a_page_about_rights_says_who_has_them_when_the_file_does_not() {
    let document = docx::of(&[
        docx::styled("Titel", "The Keeper"),
        docx::para("Cover photograph © 2019 Bo Holm"),
        docx::para("Copyright © 2020 Ada Marlow"),
        docx::para("All rights reserved. First published in 2020."),
        docx::styled("berschrift1", "The Lamp"),
        docx::para(&"The lamp burned all night. It was © 1901 by nobody. ".repeat(60)),
        docx::styled("berschrift1", "The Storm"),
        docx::para(&"© 2001 was written on the wall. The storm went on. ".repeat(60)),
    ]);
    assert_eq!(document.copyright.as_deref(), Some("Copyright © 2020 Ada Marlow"), "{}", table(&document));
    let without = docx::of(&[
        docx::styled("berschrift1", "The Lamp"),
        docx::para(&"© 2001 was written on the wall. The storm went on. ".repeat(60)),
    ]);
    assert_eq!(without.copyright, None);
}
