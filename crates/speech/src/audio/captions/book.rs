//! Captions of a whole book, chunk by chunk: each chunk's cues are laid out separately and then
//! shifted to the chunk's start.

use std::ops::Range;

use super::{CaptionFormat, Cue, Spoken, WordTimestamp, front, layout, write_srt, write_vtt};

/// A caption file that is being written. Each call returns the next part of it.
#[derive(Debug)]
pub struct BookCaptions {
    format: CaptionFormat,
    cues: usize,
}

impl BookCaptions {
    /// A file without captions, and its header.
    pub fn new(format: CaptionFormat) -> (Self, String) {
        (Self { format, cues: 0 }, front(format).to_owned())
    }

    /// The captions of the next chunk. `words` are timed from the chunk's start, which is
    /// `start_ms` after the start of the book. No caption lasts beyond the chunk's end,
    /// `duration_ms`.
    pub fn chunk(&mut self, text: &str, words: &[WordTimestamp], start_ms: u64, duration_ms: u64) -> String {
        let mut part = String::new();
        for cue in layout::cues_of(text, &spoken(text, words)) {
            self.cues += 1;
            let cue = Cue {
                start_ms: start_ms + cue.start_ms.min(duration_ms),
                end_ms: start_ms + cue.end_ms.min(duration_ms),
                lines: cue.lines,
            };
            match self.format {
                CaptionFormat::Srt => write_srt(&mut part, self.cues, &cue),
                CaptionFormat::Vtt => write_vtt(&mut part, &cue),
            }
        }
        part
    }
}

/// Converts words with positions in characters to byte ranges.
fn spoken(text: &str, words: &[WordTimestamp]) -> Vec<Spoken> {
    // Words are in the order of time, which is nearly always that of the text, so the search
    // continues from the last position.
    let mut at = Place::default();
    let mut spoken: Vec<Spoken> = Vec::with_capacity(words.len());
    for word in words {
        let source =
            Range { start: at.go(text, word.start_char as usize), end: at.go(text, word.end_char as usize) };
        if source.start < source.end {
            spoken.push(Spoken { source, start_ms: word.start_ms, end_ms: word.end_ms.max(word.start_ms) });
        }
    }
    spoken
}

/// A position in a text, as the number of characters and bytes before it.
#[derive(Default)]
struct Place {
    characters: usize,
    bytes: usize,
}

impl Place {
    /// Moves to the position after `characters` characters, or to the end; returns the bytes before
    /// it.
    fn go(&mut self, text: &str, characters: usize) -> usize {
        if characters < self.characters {
            *self = Self::default();
        }
        for c in text[self.bytes..].chars().take(characters - self.characters) {
            self.bytes += c.len_utf8();
            self.characters += 1;
        }
        self.bytes
    }
}
