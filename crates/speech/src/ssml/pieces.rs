//! What a text in SSML consists of: pieces of text, pauses and marks, in order, each with its style.

use std::ops::Range;

use super::say_as::SayAs;
use crate::{
    front_end::Pause,
    language::Language,
    spec::{Delivery, PitchTarget},
};

/// Why a text in SSML is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct SsmlError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong, and what would be right.
    pub problem: String,
}

/// A voice that a text asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceName {
    /// What it is called.
    pub name: String,
    /// The line of its first use.
    pub line: u32,
    /// The column of its first use.
    pub column: u32,
}

/// An element that not every engine can follow, where it first stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// `phoneme`, `prosody`, `emphasis` or `lang`; `prosody pitch` for one that changes the pitch.
    pub element: &'static str,
    /// The voice that speaks there, by its index in [`Ssml::voices`]; `None` for the text's own.
    pub voice: Option<usize>,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}

/// A checked text in SSML.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ssml {
    pub(super) pieces: Vec<Piece>,
    pub(super) styles: Vec<Style>,
    pub(super) courses: Vec<CourseOfPieces>,
    pub(super) voices: Vec<VoiceName>,
    pub(super) features: Vec<Feature>,
    pub(super) language: Option<Language>,
    pub(super) pauses_ms: u64,
}

/// How the elements around a piece want it spoken.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Style {
    /// Index of the voice; `None` for the text's own.
    pub(super) voice: Option<usize>,
    /// The language, where an element says one.
    pub(super) language: Option<Language>,
    pub(super) delivery: Delivery,
}

/// Pieces whose pitch takes a course, or that last a time. Inner ones stand behind outer ones.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CourseOfPieces {
    /// Indices of the pieces.
    pub(super) pieces: Range<usize>,
    pub(super) contour: Vec<PitchTarget>,
    pub(super) duration_ms: Option<u32>,
}

/// One piece in its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    pub(super) content: Content,
    /// Index of its style.
    pub(super) style: usize,
    /// Its bytes in the text as sent.
    pub(super) source: Range<usize>,
    /// The characters that are paid.
    pub(super) paid: u32,
}

/// What a piece is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content {
    /// Characters as they were sent.
    Text(String),
    /// An entity, or another text in place of what was sent.
    Instead {
        /// What is read.
        read: String,
        /// What people see.
        shown: String,
    },
    /// Text whose kind the author says.
    SayAs { text: String, kind: SayAs, format: Option<String> },
    /// Text with its pronunciation in IPA.
    Phoneme { text: String, ipa: String },
    /// A silence of exactly this length.
    Break { ms: u32 },
    /// A sentence or a paragraph ends here.
    End(Pause),
    /// A name for this place.
    Mark(String),
}

impl Ssml {
    /// The voices that the text names, in the order of their first use.
    pub fn voices(&self) -> &[VoiceName] {
        &self.voices
    }

    /// The elements that only some engines can follow: the first of each kind and voice.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The language of the whole text, where it says one.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// The characters that are paid: of the text after parsing, or of what is said in its place.
    pub fn paid(&self) -> usize {
        self.pieces.iter().map(|piece| piece.paid as usize).sum()
    }

    /// Whether there is nothing to say: only pauses, marks and white space.
    pub fn is_empty(&self) -> bool {
        self.pieces.iter().all(|piece| match &piece.content {
            Content::Text(text)
            | Content::Instead { read: text, .. }
            | Content::SayAs { text, .. }
            | Content::Phoneme { text, .. } => text.chars().all(char::is_whitespace),
            Content::Break { .. } | Content::End(_) | Content::Mark(_) => true,
        })
    }

    /// All pauses together, in milliseconds.
    pub fn pauses_ms(&self) -> u64 {
        self.pauses_ms
    }
}
