//! The chapters of a material in requests and responses.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ChunkStatus, Name, OrNull, request, text_enum};

text_enum! {
    /// What a chapter is in its book, as the document says or as its title, place and text show.
    #[derive(Default, ToSchema)]
    ChapterRole {
        Cover "cover",
        /// The title page, and the half title before it.
        TitlePage "title_page",
        /// Who made this edition and how: imprint and colophon.
        Imprint "imprint",
        Copyright "copyright",
        Dedication "dedication",
        /// The table of contents, and lists of illustrations and tables.
        Toc "toc",
        /// A preface, or a foreword by another author.
        Foreword "foreword",
        /// The text itself, and everything that is not surely something else.
        #[default]
        Body "body",
        /// Footnotes or endnotes.
        Notes "notes",
        Appendix "appendix",
        Glossary "glossary",
        Bibliography "bibliography",
        Index "index",
        /// The terms under which the text may be used, such as Project Gutenberg's.
        Licence "licence",
        /// Other books of the author or publisher.
        Advertisement "advertisement",
    }
}

impl ChapterRole {
    /// Whether a chapter of this role belongs to the book unless its owner decides otherwise.
    pub const fn is_included_by_default(self) -> bool {
        !matches!(
            self,
            Self::Cover
                | Self::TitlePage
                | Self::Imprint
                | Self::Copyright
                | Self::Toc
                | Self::Index
                | Self::Licence
                | Self::Advertisement
        )
    }
}

/// A chapter of a material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Chapter {
    /// The index, from 0 without gaps.
    pub index: u32,
    /// The title; null if it has none.
    #[schema(example = "The Lamp")]
    pub title: Option<String>,
    /// Its depth in the book: 1 for a part or a chapter of its own, 2 for a chapter of a part, up to 6.
    #[schema(minimum = 1, maximum = 6)]
    pub level: u32,
    pub role: ChapterRole,
    /// Whether it belongs to the book: only such chapters are converted by default, and whole-book files
    /// hold exactly these.
    pub included: bool,
    /// The length of its text in Unicode scalar values.
    pub characters: u64,
    /// Its chunks.
    pub chunk_indexes: Vec<u32>,
    /// The length of its audio; null until all its chunks have audio.
    pub duration_ms: Option<u64>,
    /// `completed` when all its chunks are; else what the furthest of the others are: `converting`, `queued`, `failed` or
    /// `pending`.
    pub status: ChunkStatus,
}

/// The chapters of a material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Chapters {
    /// In the order of the text; empty until the text is extracted.
    pub data: Vec<Chapter>,
}

/// The title of a chapter.
pub type ChapterTitle = Name<500>;

request! {
    /// Changes to a chapter. Absent fields do not change.
    #[example({ "included": false })]
    pub struct UpdateChapterRequest {
        /// A title of 1 to 500 characters: not only white space, no control characters. Null removes it.
        pub title: Option<OrNull<ChapterTitle>>,
        /// Whether it belongs to the book.
        pub included: Option<bool>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_in_json_are_the_words_of_the_store() {
        for role in ChapterRole::ALL {
            assert_eq!(serde_json::to_value(role).ok(), Some(role.as_str().into()));
        }
        let left_out = ChapterRole::ALL.iter().copied().filter(|role| !role.is_included_by_default());
        let names: Vec<&str> = left_out.map(ChapterRole::as_str).collect();
        assert_eq!(names.join(" "), "cover title_page imprint copyright toc index licence advertisement");
    }
}
