//! How long a book rests where its text does, in milliseconds. The one place that says so; where several rules meet
//! the longest wins. Rests between the sentences of a paragraph are the voice's own.

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
/// Where a chunk ends with a sentence in the middle of a paragraph: what the voice rests there anyway.
pub const SENTENCE_MS: u32 = 350;
/// Where a chunk ends inside a sentence.
pub const NONE_MS: u32 = 0;
