//! One short story (written for these tests) in each format, and the text that is read. A changed
//! snapshot changes what people hear: check it before accepting it.

use lectern_documents::Kind;

use crate::{
    cases::{document, page},
    docx, kindle, odt, rtf,
};

#[test]
fn plain_text() {
    let document = document(Kind::PlainText, include_bytes!("fixtures/light.txt"));
    insta::assert_snapshot!(page(Kind::PlainText, &document));
}

#[test]
fn markdown() {
    let document = document(Kind::Markdown, include_bytes!("fixtures/light.md"));
    insta::assert_snapshot!(page(Kind::Markdown, &document));
}

#[test]
fn html() {
    let document = document(Kind::Html, include_bytes!("fixtures/light.html"));
    insta::assert_snapshot!(page(Kind::Html, &document));
}

#[test]
fn fb2() {
    let document = document(Kind::Fb2, include_bytes!("fixtures/light.fb2"));
    insta::assert_snapshot!(page(Kind::Fb2, &document));
}

/// The parts are separate files; the container is built here.
#[test]
fn docx() {
    let file = docx::zip(&[
        ("[Content_Types].xml", include_bytes!("fixtures/light.docx/types.xml")),
        ("_rels/.rels", include_bytes!("fixtures/light.docx/relations.xml")),
        ("docProps/core.xml", include_bytes!("fixtures/light.docx/core.xml")),
        ("word/styles.xml", include_bytes!("fixtures/light.docx/styles.xml")),
        ("word/footnotes.xml", include_bytes!("fixtures/light.docx/footnotes.xml")),
        ("word/header1.xml", include_bytes!("fixtures/light.docx/header.xml")),
        ("word/document.xml", include_bytes!("fixtures/light.docx/document.xml")),
    ]);
    let document = document(Kind::Docx, file);
    insta::assert_snapshot!(page(Kind::Docx, &document));
}

#[test]
fn odt() {
    insta::assert_snapshot!(page(Kind::Odt, &document(Kind::Odt, odt::story())));
}

#[test]
fn rtf() {
    insta::assert_snapshot!(page(Kind::Rtf, &document(Kind::Rtf, rtf::STORY)));
}

/// Part of the story, in both formats of Kindle books.
#[test]
fn kindle() {
    let old = document(Kind::Kindle, kindle::old().file());
    let new = document(Kind::Kindle, kindle::new().file());
    insta::assert_snapshot!(page(Kind::Kindle, &old) + "\n\n" + &page(Kind::Kindle, &new));
}
