//! Word timings for people and programs: the list of words with their times, and captions as SRT
//! and `WebVTT`.
//!
//! Engines speak of byte ranges and samples; what leaves here speaks of Unicode scalar values and
//! milliseconds. A word that is read as several ("1984") appears once. [`cues`] groups words into
//! captions, [`BookCaptions`] does so for one chunk of a book after the other. No audio is looked
//! at.

use std::{fmt::Write as _, ops::Range};

use super::WordTiming;
use crate::markup::Hidden;

mod book;
mod layout;
mod lines;
mod marks;
mod scripts;
mod sentences;
mod timing;

pub use book::BookCaptions;
pub use layout::cues;
pub use lectern_types::{CaptionFormat, WordTimestamp};
pub use scripts::{as_shown, of_script, words_of_script};

/// One caption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cue {
    /// When it appears, in milliseconds from the start of the audio.
    pub start_ms: u64,
    /// When it goes, in milliseconds from the start of the audio.
    pub end_ms: u64,
    /// One or two lines.
    pub lines: Vec<String>,
}

/// The words with times and character offsets, in order of time.
pub fn timestamps(text: &str, words: &[WordTiming], sample_rate_hz: u32) -> Vec<WordTimestamp> {
    let spoken = spoken(text, words, sample_rate_hz);
    // Words come in the order of time, which need not be that of the text: sort the places once,
    // then count once.
    let mut places: Vec<usize> =
        spoken.iter().flat_map(|word| [word.source.start, word.source.end]).collect();
    places.sort_unstable();
    places.dedup();
    let mut counted = Vec::with_capacity(places.len());
    let (mut at, mut characters) = (0, 0_u32);
    for place in places {
        characters = characters.saturating_add(text[at..place].chars().count() as u32);
        at = place;
        counted.push((place, characters));
    }
    let count = |place: usize| {
        counted.binary_search_by_key(&place, |&(place, _)| place).map_or(0, |index| counted[index].1)
    };
    let hidden = Hidden::of(text);
    spoken
        .iter()
        .map(|word| WordTimestamp {
            text: hidden.strip(word.source.clone()).into_owned(),
            start_char: count(word.source.start),
            end_char: count(word.source.end),
            start_ms: word.start_ms,
            end_ms: word.end_ms,
        })
        .collect()
}

/// The text before the first caption of a file.
const fn front(format: CaptionFormat) -> &'static str {
    match format {
        CaptionFormat::Srt => "",
        CaptionFormat::Vtt => "WEBVTT\n\n",
    }
}

/// Captions as a `SubRip` file.
pub fn srt(cues: &[Cue]) -> String {
    let mut file = front(CaptionFormat::Srt).to_owned();
    for (index, cue) in cues.iter().enumerate() {
        write_srt(&mut file, index + 1, cue);
    }
    file
}

/// Captions as a `WebVTT` file.
pub fn vtt(cues: &[Cue]) -> String {
    let mut file = front(CaptionFormat::Vtt).to_owned();
    for cue in cues {
        write_vtt(&mut file, cue);
    }
    file
}

fn write_srt(file: &mut String, number: usize, cue: &Cue) {
    // SubRip has no escapes; an arrow inside a caption would look like a time line.
    let text = cue.lines.join("\n").replace("-->", "→");
    let (start, end) = (clock(cue.start_ms, ','), clock(cue.end_ms, ','));
    let _ = write!(file, "{number}\n{start} --> {end}\n{text}\n\n");
}

fn write_vtt(file: &mut String, cue: &Cue) {
    let text = cue.lines.join("\n").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let (start, end) = (clock(cue.start_ms, '.'), clock(cue.end_ms, '.'));
    let _ = write!(file, "{start} --> {end}\n{text}\n\n");
}

fn clock(ms: u64, point: char) -> String {
    let (s, m, h) = (ms / 1_000 % 60, ms / 60_000 % 60, ms / 3_600_000);
    format!("{h:02}:{m:02}:{s:02}{point}{:03}", ms % 1_000)
}

/// Thirty thousand years: sums of times do not overflow.
const MAX_MS: u128 = 1_000_000_000_000_000;

/// A stretch of text that is spoken, in bytes on character boundaries.
struct Spoken {
    source: Range<usize>,
    start_ms: u64,
    end_ms: u64,
}

/// Timings made safe: within the text, on boundaries, not empty, and neighbors that overlap made
/// one.
fn spoken(text: &str, words: &[WordTiming], sample_rate_hz: u32) -> Vec<Spoken> {
    let rate = u128::from(sample_rate_hz.max(1));
    let ms = |sample: u64| ((u128::from(sample) * 1_000 + rate / 2) / rate).min(MAX_MS) as u64;
    let mut spoken: Vec<Spoken> = Vec::with_capacity(words.len());
    for word in words {
        let start = text.floor_char_boundary(word.source.start);
        let end = text.ceil_char_boundary(word.source.end);
        if start >= end {
            continue;
        }
        let (start_ms, end_ms) = (ms(word.start_sample), ms(word.end_sample.max(word.start_sample)));
        match spoken.last_mut() {
            Some(last) if start < last.source.end && end > last.source.start => {
                last.source = start.min(last.source.start)..end.max(last.source.end);
                last.end_ms = last.end_ms.max(end_ms);
            }
            _ => spoken.push(Spoken { source: start..end, start_ms, end_ms }),
        }
    }
    spoken
}
