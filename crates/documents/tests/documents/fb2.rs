//! FictionBook: the text that is read aloud, chapters, metadata and the cover.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use lectern_documents::{Document, Kind, Limits, Reason, read};

use crate::{
    cases::{document, titles},
    covers::picture,
};

fn book(title_info: &str, rest: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><FictionBook xmlns:l=\"http://www.w3.org/1999/xlink\">\
         <description><title-info>{title_info}</title-info></description>{rest}</FictionBook>"
    )
}

fn body(content: &str) -> Document {
    document(Kind::Fb2, book("", &format!("<body>{content}</body>")))
}

fn refusal(file: &[u8], limits: &Limits) -> Option<Reason> {
    read(Kind::Fb2, file, limits).err().map(|refused| refused.reason)
}

#[test]
fn the_authors_are_those_of_the_book() {
    let info = "<author><first-name> Ada </first-name><middle-name>B.</middle-name><last-name>Marsh</last-name>\
                <nickname>abm</nickname></author><author><nickname>Gull</nickname></author><author/>\
                <book-title>A Small\n Light</book-title><lang>en</lang><src-lang>de</src-lang>\
                <translator><first-name>Nobody</first-name></translator></title-info>\
                <src-title-info><book-title>Ein kleines Licht</book-title></src-title-info>\
                <document-info><author><nickname>maker</nickname></author></document-info><title-info>";
    let document = document(Kind::Fb2, book(info, "<body><p>He lit the lamp.</p></body>"));
    assert_eq!(document.title.as_deref(), Some("A Small Light"));
    assert_eq!(document.author.as_deref(), Some("Ada B. Marsh, Gull"));
    assert_eq!(document.language.as_deref(), Some("en"));
    assert_eq!(document.text, "He lit the lamp.");
}

#[test]
fn sections_are_headings_by_their_depth_and_chapters_by_their_titles() {
    let section = |title: &str, inside: &str| {
        format!("<section><title><p>{title}</p></title>{inside}<p>He lit the lamp.</p></section>")
    };
    let document = body(&format!(
        "<title><p>The Book</p></title>{}{}",
        section("One", &section("Inside", "")),
        section("Two", "")
    ));
    let levels: Vec<u8> = document.headings.iter().map(|heading| heading.level).collect();
    assert_eq!(levels, [1, 2, 3, 2]);
    assert_eq!(titles(&document), ["One", "Two"]);
}

#[test]
fn notes_and_references_to_them_are_not_in_the_text() {
    let file = book(
        "",
        "<body><p>Lit<a l:href='#n' type='note'>[1]</a> the <a l:href='#x'>lamp</a>.</p></body>\
         <body name='notes'><section id='n'><p>No.</p></section></body><body name='comments'><p>Why?</p></body>",
    );
    let document = document(Kind::Fb2, file);
    // Nothing refers to the comment.
    assert_eq!(document.text, "Lit the lamp.\n\nWhy?");
    assert_eq!((document.notes[0].at, document.notes[0].text.as_str()), ("Lit".len(), "No."));
}

#[test]
fn verses_are_lines_and_rows_of_tables_are_paragraphs() {
    let document = body(
        "<poem><stanza><v>One</v><v>Two</v></stanza><stanza><v>Three</v></stanza></poem>\
         <table><tr><td>8</td><td>W</td></tr><tr><td>12</td><td>NW</td></tr></table>",
    );
    assert_eq!(document.text, "One\nTwo\n\nThree\n\n8, W\n\n12, NW");
}

#[test]
fn the_cover_is_the_binary_that_the_description_names() {
    let image = picture(40, 60, [200, 30, 30], image::ImageFormat::Png);
    let data = STANDARD.encode(&image);
    let lines: String =
        data.as_bytes().chunks(76).map(|line| format!("{}\n", str::from_utf8(line).unwrap())).collect();
    let binary = |id: &str, data: &str| format!("<binary id='{id}' content-type='image/png'>{data}</binary>");
    let cover = |id: &str, binaries: &str| {
        let info = format!("<coverpage><image l:href='#{id}'/></coverpage>");
        let file = book(&info, &format!("<body><p>He lit the lamp.</p></body>{binaries}"));
        document(Kind::Fb2, file).cover.map(|cover| cover.bytes)
    };
    let both = binary("other", "AAAA") + &binary("cover", &lines);
    assert_eq!(cover("cover", &both), Some(image));
    assert_eq!(cover("other", &both), None, "not a picture");
    assert_eq!(cover("missing", &both), None);
    assert_eq!(cover("cover", &binary("cover", "not base64!")), None);
}

#[test]
fn the_encoding_is_the_declared_one() {
    let mut file = b"<?xml version=\"1.0\" encoding=\"windows-1251\"?><FictionBook><body><p>".to_vec();
    file.extend([0xCC, 0xE0, 0xFF, 0xEA]);
    file.extend(b"</p></body></FictionBook>");
    assert_eq!(document(Kind::Fb2, file).text, "Маяк");
}

#[test]
fn a_file_that_is_cut_short_or_too_deep_is_damaged() {
    let whole = book("", "<body><section><p>He lit the lamp.</p></section></body>");
    let limits = Limits::default();
    assert_eq!(refusal(whole.as_bytes(), &limits), None);
    assert_eq!(refusal(&whole.as_bytes()[..whole.len() - 20], &limits), Some(Reason::Damaged));
    // Negative control: with `Events::lenient` both were read.
    let deep =
        book("", &format!("<body>{}x{}</body>", "<section>".repeat(3_000), "</section>".repeat(3_000)));
    assert_eq!(refusal(deep.as_bytes(), &limits), Some(Reason::Damaged));
}

#[test]
fn a_book_without_text_or_with_too_much_is_refused() {
    let limits = Limits { text_characters: 100, ..Limits::default() };
    assert_eq!(refusal(book("", "<body><p> </p></body>").as_bytes(), &limits), Some(Reason::NoText));
    assert_eq!(refusal(book("", "").as_bytes(), &limits), Some(Reason::NoText));
    let long = book("", &format!("<body><p>{}</p></body>", "light ".repeat(50)));
    assert_eq!(refusal(long.as_bytes(), &limits), Some(Reason::TooLarge));
}

#[test]
fn declared_entities_are_not_expanded() {
    let bomb = "<!DOCTYPE x [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;\">]>".to_owned()
        + "<FictionBook><body><p>He lit &b; the lamp &amp; left.</p></body></FictionBook>";
    let document = read(Kind::Fb2, bomb.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(document.text, "He lit the lamp & left.");
}
