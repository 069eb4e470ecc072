//! The silence at dashes and brackets, which the networks make as short as that of a comma, or leave out.
//!
//! What is missing is put in where the sound is quietest between the two words, so it does not matter how
//! a network says the mark.

use std::ops::Range;

use super::timing::Grid;
use crate::phonemes::{PhonemeIds, PhonemeWord};

/// The least silence at a break, at pace 1.
const LEAST_MS: f32 = 160.0;

/// The stretch of sound that is looked at as one.
const STEP_MS: u32 = 5;

/// The quietest place is sought this far past the ends that the lengths give to the two words.
const MARGIN_MS: u32 = 40;

/// This share of the row's level is silence: −30 dB.
const QUIET: f32 = 0.032;

/// The sound around a silence fades out and in over this time.
const FADE_MS: u32 = 10;

/// Whether a row has breaks.
pub(in crate::engines) fn has_any(words: &[PhonemeWord], phonemes: &PhonemeIds) -> bool {
    !breaks(words, phonemes).is_empty()
}

/// The sound of a row and the frames of its ids, with silence at the breaks.
pub(in crate::engines) fn widen(
    mut samples: Vec<f32>,
    words: &[PhonemeWord],
    phonemes: &PhonemeIds,
    lengths: &[usize],
    pace: f32,
    grid: Grid,
) -> (Vec<f32>, Vec<usize>) {
    let mut lengths = lengths.to_vec();
    let breaks = breaks(words, phonemes);
    if breaks.is_empty() {
        return (samples, lengths);
    }
    let quiet = QUIET * rms(&samples);
    // From the last one on, so that what is before keeps its place.
    for Break { mark, between } in breaks.into_iter().rev() {
        let edge = |id: usize| (lengths[..id].iter().sum::<usize>() * grid.hop).saturating_sub(grid.ahead);
        let margin = grid.samples(MARGIN_MS);
        let from = edge(between.start).saturating_sub(margin);
        let to = (edge(between.end) + margin).min(samples.len());
        let Some(silence) = silence(&samples, from..to, quiet, grid.samples(STEP_MS)) else { continue };
        let least = (LEAST_MS / 1000.0 / pace * grid.rate_hz as f32) as usize;
        let frames = least.saturating_sub(silence.len()).div_ceil(grid.hop);
        if frames > 0 {
            insert(
                &mut samples,
                silence.start.midpoint(silence.end),
                frames * grid.hop,
                grid.samples(FADE_MS),
            );
            lengths[mark] += frames;
        }
    }
    (samples, lengths)
}

/// A mark between two words.
struct Break {
    /// The id that the silence is counted to.
    mark: usize,
    /// The ids between the words.
    between: Range<usize>,
}

/// The dashes and the brackets of a row that stand between spoken words, the ends of which are apart.
fn breaks(words: &[PhonemeWord], phonemes: &PhonemeIds) -> Vec<Break> {
    let is_said = |at: &usize| !words[*at].punctuation && !phonemes.words[*at].is_empty();
    let said: Vec<usize> = (0..words.len()).filter(is_said).collect();
    let between = |pair: &[usize]| {
        let [first, second] = [pair[0], pair[1]];
        let marks = &words[first + 1..second];
        let is = |signs: &[char]| marks.iter().any(|mark| mark.phonemes.contains(signs));
        // "f(x)" and "word(s)" have no space.
        let spaced = words[first..second].iter().any(|word| word.space_after);
        if !(is(&['—']) || (spaced && is(&['(', ')']))) {
            return None;
        }
        let between = phonemes.words[first].end..phonemes.words[second].start;
        (!between.is_empty()).then_some(Break { mark: between.start, between })
    };
    said.windows(2).filter_map(between).collect()
}

/// The silence around the quietest place of a range; an empty one where nothing is as quiet.
fn silence(samples: &[f32], range: Range<usize>, quiet: f32, step: usize) -> Option<Range<usize>> {
    let level = |at: usize| samples.get(at..at + step).map(rms);
    let places = range.clone().step_by(step).filter_map(|at| Some((at, level(at)?)));
    let (at, lowest) = places.min_by(|one, other| one.1.total_cmp(&other.1))?;
    if lowest >= quiet {
        return Some(at..at);
    }
    let is_quiet = |at: usize| level(at).is_some_and(|level| level < quiet);
    let (mut start, mut end) = (at, at + step);
    while start >= step && is_quiet(start - step) {
        start -= step;
    }
    while is_quiet(end) {
        end += step;
    }
    Some(start..end)
}

/// Puts silence in at a place, with the sound fading around it.
fn insert(samples: &mut Vec<f32>, at: usize, count: usize, fade: usize) {
    for step in 0..fade {
        let gain = (step as f32 + 0.5) / fade as f32;
        if let Some(sample) = at.checked_sub(step + 1).and_then(|at| samples.get_mut(at)) {
            *sample *= gain;
        }
        if let Some(sample) = samples.get_mut(at + step) {
            *sample *= gain;
        }
    }
    let at = at.min(samples.len());
    samples.splice(at..at, std::iter::repeat_n(0.0, count));
}

fn rms(samples: &[f32]) -> f32 {
    let power: f32 = samples.iter().map(|sample| sample * sample).sum();
    (power / samples.len().max(1) as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid { hop: 300, ahead: 1350, rate_hz: 24_000 };

    fn word(phonemes: &str, space_after: bool, punctuation: bool) -> PhonemeWord {
        let phonemes = phonemes.to_owned();
        PhonemeWord { phonemes, source: 0..1, space_after, punctuation, starts_phrase: false }
    }

    /// Two words with a mark between them, twenty frames each, and 20 ms of silence at the mark.
    fn said(mark: &str, spaced: bool, pace: f32) -> (usize, Vec<usize>) {
        let words = [word("a", spaced, false), word(mark, spaced, true), word("a", false, false)];
        let phonemes = PhonemeIds { ids: vec![0; 5], words: vec![1..2, 2..3, 3..4] };
        let mut samples = vec![0.2; 5 * 20 * GRID.hop];
        samples[13_200..13_680].fill(0.0);
        let (samples, lengths) = widen(samples, &words, &phonemes, &[20; 5], pace, GRID);
        assert_eq!(samples.len(), lengths.iter().sum::<usize>() * GRID.hop);
        (samples.iter().filter(|sample| sample.abs() < 1e-6).count(), lengths)
    }

    // Negative control: with nothing put in, 480 samples of silence are left.
    #[test]
    fn silence_is_put_in_at_dashes_and_brackets_alone() {
        for mark in ["—", "(", ")"] {
            let (silent, lengths) = said(mark, true, 1.0);
            assert!((3_800..4_400).contains(&silent), "{mark}: {silent} samples are silent");
            assert_eq!(lengths, [20, 20, 32, 20, 20]);
        }
        assert!(said("—", true, 2.0).0 < 2_500, "half as long at twice the pace");
        assert!(said("—", false, 1.0).0 > 3_800, "a dash needs no space");
        for (mark, spaced) in [(",", true), ("(", false)] {
            assert_eq!(said(mark, spaced, 1.0), (480, vec![20; 5]), "{mark}");
        }
    }

    #[test]
    fn sound_without_silence_fades_where_it_is_put_in() {
        let mut samples = vec![0.5; 2_400];
        insert(&mut samples, 1_200, 600, 240);
        assert_eq!(samples.len(), 3_000);
        let steps = samples.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        assert!(steps.fold(0.0, f32::max) < 0.01);
        insert(&mut samples, 5_000, 10, 240);
        insert(&mut Vec::new(), 0, 10, 240);
    }
}
