//! The stretches of a chapter's audio that belong to its words or sentences.
//!
//! A player that goes from one stretch to another that does not follow at once jumps, and the pause
//! between them is lost. So each stretch lasts until the next one begins, the first begins with the
//! chapter, and the last ends with it. So a player that plays all of them plays the whole chapter.

/// A stretch of a chapter's audio. It is never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clip {
    pub(crate) begin_ms: u64,
    pub(crate) end_ms: u64,
}

/// The clips of units that start at these times; `None` for a unit that would have an empty one.
/// Times before the previous one, or after the end, are corrected.
pub(crate) fn of_starts(starts: impl IntoIterator<Item = u64>, duration_ms: u64) -> Vec<Option<Clip>> {
    let (mut begins, mut last) = (Vec::new(), 0);
    for start in starts {
        last = if begins.is_empty() { 0 } else { start.clamp(last, duration_ms) };
        begins.push(last);
    }
    let ends = begins.iter().skip(1).copied().chain([duration_ms]);
    let clip = |(&begin_ms, end_ms)| (end_ms > begin_ms).then_some(Clip { begin_ms, end_ms });
    begins.iter().zip(ends).map(clip).collect()
}
