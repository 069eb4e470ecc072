//! Limits on the memory and work that a hostile file of an allowed size could otherwise demand.

/// Limits on what a document may expand to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Characters of the text, not bytes: a letter of Devanagari has three bytes.
    pub text_characters: usize,
    /// Unpacked bytes of all parts read from a ZIP container (DOCX, EPUB, ODT).
    pub unpacked_bytes: u64,
    /// Unpacked bytes of one part, or of the text of a Kindle book.
    pub part_bytes: u64,
    pub entries: usize,
    /// Nesting of an XML part, or of the groups of an RTF file whose state is kept.
    pub depth: usize,
    /// Pages of a PDF.
    pub pages: usize,
    /// Chunks; also chapters, as each has at least one chunk.
    pub chunks: usize,
    /// Bytes of a cover; a larger one is dropped.
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
