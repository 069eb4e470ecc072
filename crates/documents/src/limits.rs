//! How much of a document is read before it is given up. Bounds on memory and work that a hostile file of an allowed
//! size could otherwise ask for.

/// Bounds on what a document may unfold into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Characters of the text that is read: a letter of Devanagari is three bytes, and counts as one.
    pub text_characters: usize,
    /// Bytes that all parts read from a ZIP container (DOCX, EPUB) may unpack to together.
    pub unpacked_bytes: u64,
    /// Bytes that one of its parts may unpack to.
    pub part_bytes: u64,
    /// Entries of a ZIP container.
    pub entries: usize,
    /// Levels of nesting of a part that is XML.
    pub depth: usize,
    /// Pages of a PDF.
    pub pages: usize,
    /// Chunks, and chapters, of which each is one chunk at least.
    pub chunks: usize,
    /// Bytes of a cover; a larger one is left out.
    pub cover_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            text_characters: 16 << 20,
            unpacked_bytes: 256 << 20,
            part_bytes: 64 << 20,
            entries: 20_000,
            depth: 2_000,
            pages: 10_000,
            chunks: 20_000,
            cover_bytes: 10 << 20,
        }
    }
}
