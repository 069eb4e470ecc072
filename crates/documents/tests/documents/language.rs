//! The language of documents: declared, else detected. The texts are the first article of the
//! Universal Declaration of Human Rights and sentences written for this test; see ADR 19.

use lectern_documents::{Kind, Limits, extract, language};
use lectern_types::LanguageSource;
use lectern_types::language::is_same;
use serde_json::Value;

struct Texts {
    foreign: Vec<(String, String)>,
    english: Vec<String>,
}

fn texts() -> Texts {
    let all: Value = serde_json::from_str(include_str!("../fixtures/language/texts.json")).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Texts {
        foreign: all["texts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| (text(&entry["language"]), text(&entry["text"])))
            .collect(),
        english: all["english"].as_array().unwrap().iter().map(text).collect(),
    }
}

/// Languages that the detector does not know. It may return anything for them but English.
const UNKNOWN: [&str; 5] = ["is", "ga", "eu", "sw", "sq"];

fn letters(text: &str) -> usize {
    text.chars().filter(|character| character.is_alphabetic()).count()
}

#[test]
fn long_texts_are_told_and_short_ones_are_told_or_left_open() {
    let (mut long, mut told) = (0, 0);
    for (tag, text) in texts().foreign {
        let found = language::detect(&text);
        assert_ne!(found, Some("en"), "{tag}: {text}");
        if UNKNOWN.contains(&tag.as_str()) {
            continue;
        }
        let latin = !language::is_in_foreign_script(&text, "en");
        if letters(&text) >= if latin { 200 } else { 60 } {
            long += 1;
            assert_eq!(found, Some(tag.as_str()), "{text}");
        } else {
            told += usize::from(found == Some(tag.as_str()));
            assert!(found.is_none() || found == Some(tag.as_str()), "{tag} taken for {found:?}: {text}");
        }
    }
    assert!(long >= 40 && told >= 15, "{long} long texts, {told} short ones told");
}

// Negative control: with `MIN_CONFIDENCE` at 0.2, lists and verses are taken for other languages.
#[test]
fn no_english_text_is_taken_for_another_language() {
    let texts = texts();
    for text in &texts.english {
        let found = language::detect(text);
        assert!(matches!(found, None | Some("en")), "taken for {found:?}: {text}");
    }
    // All together, as a book.
    assert_eq!(language::detect(&texts.english.join("\n\n")), Some("en"));
}

#[test]
fn a_document_in_another_language_says_so_whether_or_not_it_declares_one() {
    let mut seen = 0;
    for (tag, text) in
        texts().foreign.iter().filter(|(tag, text)| letters(text) >= 60 && !UNKNOWN.contains(&&**tag))
    {
        let body = format!("<h1>1</h1><p>{text}</p><p>{text}</p>");
        let declared = format!("<html lang=\"{tag}-XA\"><body>{body}</body></html>");
        let silent = format!("<html><body>{body}</body></html>");
        let of =
            |html: &str| extract(Kind::Html, html.as_bytes(), &Limits::default()).unwrap().language.unwrap();
        let (declared, silent) = (of(&declared), of(&silent));
        assert_eq!(
            (declared.tag.as_str(), declared.source),
            (&*format!("{tag}-XA"), LanguageSource::Declared)
        );
        assert_eq!((silent.tag.as_str(), silent.source), (tag.as_str(), LanguageSource::Detected));
        assert!(!is_same(&declared.tag, "en-US") && !is_same(&silent.tag, "en-US"));
        seen += 1;
    }
    assert!(seen >= 40, "{seen}");
}

#[test]
fn a_declared_language_that_the_text_cannot_be_in_counts_for_none() {
    let hebrew = "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.";
    let html = format!("<html lang=\"en\"><body><p>{hebrew}</p></body></html>");
    let found = extract(Kind::Html, html.as_bytes(), &Limits::default()).unwrap().language.unwrap();
    assert_eq!((found.tag.as_str(), found.source), ("he", LanguageSource::Detected));
    let plain = extract(Kind::PlainText, b"Yes.", &Limits::default()).unwrap();
    assert_eq!(plain.language, None);
}

#[test]
fn the_documents_of_this_project_are_english() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    let files = [docs.to_owned(), format!("{docs}/adr")].map(|folder| std::fs::read_dir(folder).unwrap());
    let pages = files.into_iter().flatten().map(|entry| entry.unwrap().path());
    let pages: Vec<_> = pages.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    assert!(pages.len() >= 20, "{pages:?}");
    for page in pages {
        let read = extract(Kind::Markdown, &std::fs::read(&page).unwrap(), &Limits::default()).unwrap();
        assert_eq!(read.language.map(|found| found.tag).as_deref(), Some("en"), "{}", page.display());
    }
}
