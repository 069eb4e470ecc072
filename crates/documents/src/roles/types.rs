//! The words with which files say what a part is: EPUB's structural semantics, DPUB-ARIA, and EPUB
//! 2's guide.

use crate::ChapterRole;

/// What a type says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypedRole {
    Role(ChapterRole),
    /// Its notes may be referred to one by one.
    Notes,
}

/// The role that the first known one of several types names; they are separated by white space.
pub(crate) fn of_types(types: &str) -> Option<TypedRole> {
    types.split_ascii_whitespace().take(16).find_map(of_type)
}

fn of_type(name: &str) -> Option<TypedRole> {
    let name = name.to_ascii_lowercase();
    let role = match name.strip_prefix("doc-").unwrap_or(&name) {
        "cover" => ChapterRole::Cover,
        "titlepage" | "halftitlepage" | "title-page" | "halftitle" | "seriespage" => ChapterRole::TitlePage,
        "imprint" | "imprimatur" | "colophon" => ChapterRole::Imprint,
        "copyright-page" => ChapterRole::Copyright,
        "dedication" => ChapterRole::Dedication,
        "toc" | "toc-brief" | "loi" | "lot" | "loa" | "lov" => ChapterRole::Toc,
        "foreword" | "preface" | "introduction" | "preamble" => ChapterRole::Foreword,
        "footnotes" | "endnotes" | "rearnotes" | "notes" => return Some(TypedRole::Notes),
        "appendix" => ChapterRole::Appendix,
        "glossary" => ChapterRole::Glossary,
        "bibliography" => ChapterRole::Bibliography,
        "index" => ChapterRole::Index,
        "chapter" | "part" | "volume" | "prologue" | "epilogue" | "afterword" | "conclusion" | "epigraph"
        | "acknowledgments" | "acknowledgements" | "errata" | "contributors" | "other-credits" => {
            ChapterRole::Body
        }
        _ => return None,
    };
    Some(TypedRole::Role(role))
}
