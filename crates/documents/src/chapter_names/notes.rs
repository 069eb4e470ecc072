//! The words for notes that a text gets when its notes are read: "Note: …" in a sentence's place, and
//! "Notes" as the title of a chapter.

use lectern_types::language::primary;

/// The words of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoteWords {
    /// What comes before a note in the text, with the space after it if the language has one.
    pub label: &'static str,
    /// The title of a chapter of notes.
    pub title: &'static str,
}

/// The words in the language of a BCP 47 tag; English for languages that are not known.
pub(crate) fn note_words(tag: Option<&str>) -> NoteWords {
    let (label, title) = match tag.map(primary).as_deref() {
        Some("de") => ("Anmerkung: ", "Anmerkungen"),
        Some("fr") => ("Note : ", "Notes"),
        Some("es" | "pt") => ("Nota: ", "Notas"),
        Some("it") => ("Nota: ", "Note"),
        Some("nl") => ("Noot: ", "Noten"),
        Some("ru") => ("Примечание: ", "Примечания"),
        Some("ja") => ("注：", "注"),
        Some("zh") => ("注：", "注释"),
        Some("hi") => ("टिप्पणी: ", "टिप्पणियाँ"),
        _ => ("Note: ", "Notes"),
    };
    NoteWords { label, title }
}
