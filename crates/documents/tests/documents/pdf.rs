//! PDF: pages become running text. Golden files contain the whole text; a person compared them with
//! the texts in `fixtures/make.py`.

use lectern_documents::{Document, Kind, Limits, Reason, detect, read};

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/pdf/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn opened(name: &str) -> Document {
    let bytes = fixture(name);
    assert_eq!(detect(&bytes, &bytes), Ok(Kind::Pdf));
    read(Kind::Pdf, &bytes, &Limits::default()).unwrap()
}

/// Chapter titles, headings and the text.
fn told(document: &Document) -> String {
    let titles: Vec<String> = document
        .chapters
        .iter()
        .map(|chapter| format!("{} at {}", chapter.title.as_deref().unwrap_or("-"), chapter.start))
        .collect();
    let headings: Vec<String> = document
        .headings
        .iter()
        .map(|heading| format!("{} {}", heading.level, &document.text[heading.range.clone()]))
        .collect();
    format!("chapters: {}\nheadings: {}\n\n{}", titles.join("; "), headings.join("; "), document.text)
}

#[test]
fn columns_are_read_one_after_the_other_and_words_are_whole() {
    let document = opened("columns.pdf");
    assert_eq!(document.title.as_deref(), Some("Field Notes on Rivers"));
    assert_eq!(document.author.as_deref(), Some("Ada Marlow"));
    assert_eq!(document.language.as_deref(), Some("en-GB"));
    insta::assert_snapshot!("columns", told(&document));
}

#[test]
fn paragraphs_go_on_over_pages_and_chapters_are_the_bookmarks() {
    let document = opened("novel.pdf");
    assert_eq!(document.author.as_deref(), Some("Jonas Perrin"));
    insta::assert_snapshot!("novel", told(&document));
}

#[test]
fn heads_numbers_notes_and_hyphens_of_an_untagged_file_are_gone() {
    let document = opened("journal.pdf");
    assert_eq!(document.title, None, "a file name is not a title");
    for gone in ["Proceedings", "42", "quarrel", "replaced a year"] {
        assert!(!document.text.contains(gone), "{gone}");
    }
    assert_eq!(document.text.matches("Rivers and Harbours").count(), 1, "only the heading stays");
    assert!(
        document.text.contains("a well-known hydrologist") && document.text.contains("in the north-east.")
    );
    insta::assert_snapshot!("journal", told(&document));
}

#[test]
fn a_letter_has_paragraphs_and_a_heading_and_no_silly_title() {
    let document = opened("letter.pdf");
    assert_eq!((document.title.as_deref(), document.author.as_deref()), (None, Some("Harbour Office")));
    insta::assert_snapshot!("letter", told(&document));
}

#[test]
fn a_password_keeps_it_shut_and_a_mere_restriction_does_not() {
    let refused = |name: &str| read(Kind::Pdf, &fixture(name), &Limits::default()).unwrap_err().reason;
    assert_eq!(refused("password.pdf"), Reason::Encrypted);
    assert_eq!(opened("restricted.pdf").text, opened("letter.pdf").text);
    assert_eq!(refused("picture.pdf"), Reason::ImageOnly);
}

#[test]
fn a_file_of_very_many_pages_is_too_large() {
    let limits = Limits { pages: 4, ..Limits::default() };
    assert_eq!(read(Kind::Pdf, &fixture("novel.pdf"), &limits).unwrap_err().reason, Reason::TooLarge);
    let limits = Limits { text_characters: 500, ..Limits::default() };
    assert_eq!(read(Kind::Pdf, &fixture("novel.pdf"), &limits).unwrap_err().reason, Reason::TooLarge);
}
