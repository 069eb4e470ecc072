//! Notes in the text: after their sentences or as a chapter, with everything that points into the text.

use lectern_documents::{
    Chapter, ChapterRole, Document, Heading, Limits, MarkedLanguage, Note, NotesMode, PlainRules, Reason, cut,
};
use proptest::prelude::*;

fn chapter(title: &str, start: usize, role: ChapterRole) -> Chapter {
    Chapter { title: Some(title.to_owned()), level: 1, role, start }
}

/// A document whose notes stand in its text as `{note}`.
fn document(marked: &str, language: &str) -> Document {
    let (mut text, mut notes) = (String::new(), Vec::new());
    for part in marked.split_inclusive('}') {
        let (before, note) = part.split_once('{').unwrap_or((part, ""));
        text.push_str(before);
        if !note.is_empty() {
            notes.push(Note { at: text.len(), text: note.trim_end_matches('}').to_owned() });
        }
    }
    Document {
        text,
        notes,
        language: Some(language.to_owned()),
        chapters: vec![chapter("One", 0, ChapterRole::Body)],
        ..Document::default()
    }
}

fn inline(marked: &str, language: &str) -> String {
    document(marked, language).with_notes(NotesMode::Inline).text
}

#[test]
fn a_note_is_read_after_its_sentence() {
    for (marked, language, expected) in [
        ("A lamp{Of oil.} burned. It was late.", "en", "A lamp burned. Note: Of oil. It was late."),
        (
            "It was late.{About ten} Mr. Hale{A keeper} slept.",
            "en",
            "It was late. Note: About ten. Mr. Hale slept. Note: A keeper.",
        ),
        ("He said “No.”{Twice!} They left.", "en-GB", "He said “No.” Note: Twice! They left."),
        ("One{a} and two{b} ended.\n\nNext.", "en", "One and two ended. Note: a. Note: b.\n\nNext."),
        (
            "Die Lampe{Aus Öl} brannte. Es war spät.",
            "de",
            "Die Lampe brannte. Anmerkung: Aus Öl. Es war spät.",
        ),
        (
            "La lampe{à huile} brûlait. Il était tard.",
            "fr-CA",
            "La lampe brûlait. Note : à huile. Il était tard.",
        ),
        ("灯台{油の}が光る。夜だ。", "ja", "灯台が光る。注：油の。夜だ。"),
        ("No stop{here}\n\nNext", "en", "No stop Note: here.\n\nNext"),
    ] {
        assert_eq!(inline(marked, language), expected);
    }
}

#[test]
fn a_note_to_a_heading_follows_it_as_a_paragraph() {
    let mut own = document("The Lamp{Of oil}\n\nIt burned.", "en");
    own.headings = vec![Heading { range: 0..8, level: 1 }];
    let read = own.with_notes(NotesMode::Inline);
    assert_eq!(read.text, "The Lamp\n\nNote: Of oil.\n\nIt burned.");
    assert_eq!(&read.text[read.headings[0].range.clone()], "The Lamp");
    assert!(read.is_consistent());
}

#[test]
fn notes_at_the_end_are_a_chapter_before_the_licence() {
    let mut own = document("One{a}.\n\nTwo{b?}.\n\nLicence.", "es");
    own.chapters.push(chapter("Licence", 12, ChapterRole::Licence));
    let read = own.with_notes(NotesMode::End);
    assert_eq!(read.text, "One.\n\nTwo.\n\nNotas\n\n1. a.\n\n2. b?\n\nLicence.");
    let chapters: Vec<_> = read
        .chapters
        .iter()
        .map(|chapter| (chapter.title.as_deref().unwrap(), chapter.role, &read.text[chapter.start..][..4]))
        .collect();
    assert_eq!(
        chapters,
        [
            ("One", ChapterRole::Body, "One."),
            ("Notas", ChapterRole::Notes, "Nota"),
            ("Licence", ChapterRole::Licence, "Lice")
        ]
    );
    own.chapters.pop();
    let read = own.with_notes(NotesMode::End);
    assert!(read.text.ends_with("Licence.\n\nNotas\n\n1. a.\n\n2. b?"), "{}", read.text);
    assert!(read.is_consistent());
}

#[test]
fn marked_languages_do_not_hold_the_notes_inside_them() {
    let mut own = document("Il dit{He says}. Il dort{He sleeps}. Oui.", "en");
    own.languages = vec![MarkedLanguage { range: 0..own.text.len(), tag: "fr".to_owned() }];
    let read = own.with_notes(NotesMode::Inline);
    let french: Vec<&str> = read.languages.iter().map(|marked| &read.text[marked.range.clone()]).collect();
    assert_eq!(french, ["Il dit.", " Il dort.", " Oui."]);
    assert_eq!(read.text, "Il dit. Note: He says. Il dort. Note: He sleeps. Oui.");
}

#[test]
fn a_document_can_be_cut_again_with_its_notes() {
    let own = document("One{a}. Two.", "en");
    let stored = serde_json::to_string(&own).unwrap();
    let own: Document = serde_json::from_str(&stored).unwrap();
    let text = |mode| {
        let cut = cut(&own, mode, None, &PlainRules, &Limits::default()).unwrap();
        let joined: String = cut.chunks.iter().map(|chunk| &cut.text[chunk.range.clone()]).collect();
        assert_eq!(joined, cut.text);
        for chunk in &cut.chunks {
            assert_eq!(cut.chapters[chunk.chapter as usize].title, chunk.title);
        }
        (cut.text, cut.chapters.len())
    };
    assert_eq!(text(NotesMode::Skip), ("One. Two.".to_owned(), 1));
    assert_eq!(text(NotesMode::Inline), ("One. Note: a. Two.".to_owned(), 1));
    assert_eq!(text(NotesMode::End), ("One. Two.\n\nNotes\n\n1. a.".to_owned(), 2));
}

/// A stored document may have been changed by hand; slices of its text must not panic.
#[test]
fn an_inconsistent_document_is_refused() {
    let broken = |change: fn(&mut Document)| {
        let mut own = document("É{a}. Two.", "en");
        change(&mut own);
        cut(&own, NotesMode::Inline, None, &PlainRules, &Limits::default()).map_err(|error| error.reason)
    };
    assert!(broken(|_| ()).is_ok());
    for change in [
        (|own| own.notes[0].at = 1) as fn(&mut Document),
        |own| own.notes[0].at = 99,
        |own| own.notes.push(Note { at: 0, text: "b".to_owned() }),
        |own| own.chapters.clear(),
        |own| own.chapters[0].start = 2,
        |own| own.chapters.push(own.chapters[0].clone()),
        |own| own.headings.push(Heading { range: 1..2, level: 1 }),
        |own| own.languages.push(MarkedLanguage { range: 2..99, tag: "fr".to_owned() }),
    ] {
        assert_eq!(broken(change), Err(Reason::Damaged));
    }
}

/// The sentences of one long paragraph are found once for all its notes.
#[test]
fn many_notes_of_one_long_paragraph_are_placed_soon() {
    let started = std::time::Instant::now();
    let own = document(&"A lamp{Of oil.} burned late. ".repeat(10_000), "en");
    let read = own.with_notes(NotesMode::Inline);
    assert_eq!(read.text.matches("late. Note: Of oil.").count(), 10_000);
    let endless = document(&"lamp{Of oil} ".repeat(10_000), "en");
    assert_eq!(endless.with_notes(NotesMode::Inline).text.matches("Note: Of oil.").count(), 10_000);
    assert!(started.elapsed().as_secs() < 20, "it took {:?}", started.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// The text with notes is the text without them and the notes, each once, whatever the text.
    #[test]
    fn notes_neither_lose_nor_double_text(
        parts in prop::collection::vec(
            ("[a-zA-Zé ]{0,30}[.!?]?( |\n\n|»|)", prop::option::of("[a-z]{1,3}")),
            1..30,
        ),
        mode in prop::sample::select(vec![NotesMode::Skip, NotesMode::Inline, NotesMode::End]),
    ) {
        let marked: String = parts.iter().enumerate().map(|(index, (text, note))| {
            let note = note.as_ref().map(|note| format!("{{<{index}{note}>}}")).unwrap_or_default();
            text.clone() + &note
        }).collect();
        let mut own = document(&marked, "en");
        prop_assume!(!own.text.is_empty());
        let second = own.text.len() / 2;
        if second > 0 && own.text.is_char_boundary(second) {
            own.chapters.push(chapter("Two", second, ChapterRole::Body));
        }
        let read = own.with_notes(mode);
        prop_assert!(read.is_consistent());
        prop_assert!(read.notes.is_empty());
        let mut rest = read.text.clone();
        if mode != NotesMode::Skip {
            for (index, note) in own.notes.iter().enumerate() {
                prop_assert_eq!(rest.matches(&note.text).count(), 1);
                let inserted = if mode == NotesMode::Inline {
                    format!(" Note: {}.", note.text)
                } else {
                    format!("\n\n{}. {}.", index + 1, note.text)
                };
                let before = rest.len();
                rest = rest.replace(&inserted, "");
                prop_assert_eq!(before - rest.len(), inserted.len());
            }
        }
        if mode == NotesMode::End && !own.notes.is_empty() {
            prop_assert!(rest.ends_with("Notes"));
            rest.truncate(rest.len() - "Notes".len());
            rest.truncate(rest.trim_end().len());
            prop_assert_eq!(rest, own.text.trim_end());
        } else {
            prop_assert_eq!(&rest, &own.text);
        }
    }
}
