//! A reader of compiled MeCab dictionaries: which words a text may be made of (`lexicon`, `unknown`),
//! what it costs that one follows another (`matrix`), and the cheapest row of words (`lattice`).
//!
//! The files are used where they lie, mapped into memory, so that only the parts that a text needs
//! are read. Nothing in them is trusted: every position is checked where it is used, and a damaged
//! file gives an error or no words, never a panic. The format is MeCab 0.996's, little endian.

mod bytes;
mod categories;
mod lattice;
mod lexicon;
mod matrix;
#[cfg(test)]
pub(super) mod tests;

use std::{fs::File, io, ops::Deref, path::Path};

pub(super) use lattice::{Fixed, Node, Source};
pub(super) use lexicon::Entry;

use categories::Categories;
use lexicon::Lexicon;
use matrix::Matrix;

/// The names of a dictionary's files.
pub(super) const WORDS: &str = "sys.dic";
pub(super) const COSTS: &str = "matrix.bin";
pub(super) const CATEGORIES: &str = "char.bin";
pub(super) const UNKNOWN: &str = "unk.dic";

/// Why a file is not part of a dictionary.
#[derive(Debug, thiserror::Error)]
pub(super) enum DictionaryError {
    /// It cannot be opened.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It is shorter than it says that it is.
    #[error("it is cut off")]
    Truncated,
    /// It says of itself that it is something else.
    #[error("it is no compiled MeCab dictionary in UTF-8")]
    Format,
    /// It was made for another dictionary.
    #[error("it does not fit the other files")]
    Mismatch,
}

/// A file's bytes: mapped into memory, or held by a test.
pub(super) enum Bytes {
    Mapped(memmap2::Mmap),
    #[cfg(test)]
    Held(Vec<u8>),
}

impl Bytes {
    /// Maps a file.
    pub(super) fn map(path: &Path) -> Result<Self, io::Error> {
        let file = File::open(path)?;
        #[expect(
            unsafe_code,
            reason = "the file is only ever replaced by renaming, so what is mapped does not change"
        )]
        // SAFETY: `pack::install` writes a file under another name and renames it, as with the weights of
        // the networks (`engines/kokoro/network.rs`).
        let mapped = unsafe { memmap2::Mmap::map(&file) }?;
        Ok(Self::Mapped(mapped))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(mapped) => mapped,
            #[cfg(test)]
            Self::Held(bytes) => bytes,
        }
    }
}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

/// The files of a dictionary.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) words: Bytes,
    pub(super) costs: Bytes,
    pub(super) categories: Bytes,
    pub(super) unknown: Bytes,
}

/// A dictionary.
#[derive(Debug)]
pub(super) struct Dictionary {
    words: Lexicon,
    costs: Matrix,
    categories: Categories,
    /// The words that a run of characters of each category may be, by the category's number.
    unknown: Lexicon,
    unknown_entries: Vec<Vec<Entry>>,
}

impl Dictionary {
    /// Checks that files are those of one dictionary.
    ///
    /// # Errors
    /// The name of the first file that is not, and why.
    pub(super) fn new(files: Files) -> Result<Self, (&'static str, DictionaryError)> {
        let words = Lexicon::new(files.words).map_err(|error| (WORDS, error))?;
        let unknown = Lexicon::new(files.unknown).map_err(|error| (UNKNOWN, error))?;
        let costs = Matrix::new(files.costs).map_err(|error| (COSTS, error))?;
        let categories = Categories::new(files.categories).map_err(|error| (CATEGORIES, error))?;
        for (name, lexicon) in [(WORDS, &words), (UNKNOWN, &unknown)] {
            if lexicon.contexts() != costs.contexts() {
                return Err((name, DictionaryError::Mismatch));
            }
        }
        let entries = |name: &String| unknown.exact(name.as_bytes()).collect();
        let unknown_entries = categories.names().iter().map(entries).collect();
        Ok(Self { words, costs, categories, unknown, unknown_entries })
    }

    /// The words that are written exactly so.
    pub(super) fn exact(&self, written: &str) -> impl Iterator<Item = Entry> + '_ {
        self.words.exact(written.as_bytes())
    }

    /// What the dictionary says of a word: part of speech, forms and readings, with commas between
    /// them.
    pub(super) fn feature(&self, node: &Node) -> &str {
        match node.source {
            Source::Word(entry) => self.words.feature(entry),
            Source::Unknown(entry) => self.unknown.feature(entry),
            Source::Fixed(_) => "",
        }
    }

    /// What the dictionary says of one of its words.
    pub(super) fn feature_of(&self, entry: Entry) -> &str {
        self.words.feature(entry)
    }
}
