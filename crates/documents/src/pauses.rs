//! The lengths of a book's pauses in milliseconds, all in one place. Where several apply, the
//! longest counts. Pauses between the sentences of a paragraph are the voice's own.

use serde::{Deserialize, Serialize};

/// A pause inside a chunk, longer than a voice's own pause between sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseAt {
    /// The byte of the chunk's text after the last character spoken before the pause.
    pub at: usize,
    /// The minimum length in milliseconds.
    pub pause_ms: u32,
}

/// At the end of a chapter.
pub const CHAPTER_MS: u32 = 1_500;
/// Before a heading inside a chapter.
pub const BEFORE_HEADING_MS: u32 = 1_000;
/// At a scene break: `* * *`, a rule, an ornament.
pub const SCENE_MS: u32 = 1_000;
/// After a heading.
pub const AFTER_HEADING_MS: u32 = 800;
/// Between paragraphs.
pub const PARAGRAPH_MS: u32 = 600;
/// Where a chunk ends with a sentence inside a paragraph: about the voice's own pause.
pub const SENTENCE_MS: u32 = 350;
/// Where a chunk ends inside a sentence.
pub const NONE_MS: u32 = 0;
