//! Bytes to text to chunks: what kind of document this is (by content, never by name), its text with title and
//! chapters, and the chunks that are converted one by one. Pure and deterministic.
//!
//! Empty until the issue that brings materials; the crate stands here so that its place in the direction of
//! imports is fixed: it may know `lectern-types` and nothing else of ours.
