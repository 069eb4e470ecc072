//! The level that a text wants of single words, and the tone that covers what must not be heard.
//!
//! Pace and pitch are the business of an engine, which knows them before there is sound; the level of
//! what it said is changed here, for all engines alike.

use std::f32::consts::TAU;

use super::{Speech, WordTiming};
use crate::spec::{Delivery, NarrationSpec};

/// Levels change over this time, so that no step is heard.
const RAMP_MS: u32 = 8;

/// The tone that covers a word.
const TONE_HZ: f32 = 1_000.0;

/// The least level of that tone.
const QUIETEST_TONE: f32 = 0.05;

/// Gives each word of a piece, which was said from this byte of the text on, its level.
pub(crate) fn level(speech: &mut Speech, spec: &NarrationSpec, from: usize) {
    if spec.deliveries.is_empty() {
        return;
    }
    if speech.words.is_empty() {
        // Without times of words a piece has one level.
        let length = speech.samples.len() as u64;
        let whole = WordTiming { source: from..from + 1, start_sample: 0, end_sample: length };
        speech.words.push(whole);
        level_words(speech, spec);
        speech.words.clear();
    } else {
        level_words(speech, spec);
    }
}

fn level_words(speech: &mut Speech, spec: &NarrationSpec) {
    let wanted: Vec<Delivery> = speech.words.iter().map(|word| spec.delivery_at(word.source.start)).collect();
    if wanted.iter().all(|one| one.volume_db == 0.0 && !one.bleep) {
        return;
    }
    let gain = |delivery: &Delivery| if delivery.bleep { 0.0 } else { decibels(delivery.volume_db) };
    let length = speech.samples.len();
    let ramp = (speech.sample_rate_hz * RAMP_MS / 1000).max(1) as usize;
    let loudness = rms(&speech.samples).max(QUIETEST_TONE);
    // From the middle between two words to the next middle: words touch, or have silence between them.
    let mut gains = vec![0.0_f32; length];
    let mut start = 0;
    for (at, delivery) in wanted.iter().enumerate() {
        let own_end = speech.words[at].end_sample as usize;
        let end = speech
            .words
            .get(at + 1)
            .map_or(length, |next| usize::midpoint(own_end, next.start_sample as usize));
        let end = end.clamp(start, length);
        gains[start..end].fill(gain(delivery));
        start = end;
    }
    for (sample, gain) in speech.samples.iter_mut().zip(ramped(&gains, ramp)) {
        *sample *= gain;
    }
    for (word, _) in speech.words.iter().zip(&wanted).filter(|(_, delivery)| delivery.bleep) {
        let end = (word.end_sample as usize).min(length);
        let start = (word.start_sample as usize).min(end);
        tone(&mut speech.samples[start..end], speech.sample_rate_hz, loudness, ramp);
    }
}

/// The factor on a sample; minus infinity is silence.
fn decibels(level: f32) -> f32 {
    10.0_f32.powf(level / 20.0)
}

fn rms(samples: &[f32]) -> f32 {
    let energy: f32 = samples.iter().map(|sample| sample * sample).sum();
    (energy / samples.len().max(1) as f32).sqrt()
}

/// Gains that move to the next value at most this fast.
fn ramped(gains: &[f32], ramp: usize) -> impl Iterator<Item = f32> + '_ {
    let mut now = gains.first().copied().unwrap_or(1.0);
    let mut step = 0.0;
    let mut target = now;
    gains.iter().map(move |&wanted| {
        if wanted.to_bits() != target.to_bits() {
            target = wanted;
            step = (target - now) / ramp as f32;
        }
        now = if (target - now).abs() <= step.abs() { target } else { now + step };
        now
    })
}

/// Adds a tone with soft ends.
fn tone(samples: &mut [f32], sample_rate_hz: u32, loudness: f32, ramp: usize) {
    let length = samples.len();
    let ramp = ramp.min(length / 2).max(1);
    for (at, sample) in samples.iter_mut().enumerate() {
        let edge = (at.min(length - 1 - at) as f32 / ramp as f32).min(1.0);
        *sample += edge * loudness * (TAU * TONE_HZ * at as f32 / sample_rate_hz as f32).sin();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{language::Language, spec::Delivered};

    /// Two words of half a second each at 1 kHz, all samples the same.
    fn said(delivery: Delivery) -> Vec<f32> {
        let word = |at: u64| WordTiming {
            source: at as usize * 4..at as usize * 4 + 3,
            start_sample: at * 500,
            end_sample: at * 500 + 500,
        };
        let mut speech = Speech {
            samples: vec![0.1; 1_000],
            sample_rate_hz: 1_000,
            words: vec![word(0), word(1)],
            ..Speech::default()
        };
        let spec = NarrationSpec {
            deliveries: [Delivered { range: 4..7, delivery }].into(),
            ..NarrationSpec::new("any", "any", Language::EN_US, "one two")
        };
        level(&mut speech, &spec, 0);
        speech.samples
    }

    #[test]
    fn a_word_has_its_level_and_its_neighbors_keep_theirs() {
        let louder = said(Delivery { volume_db: 6.0, ..Delivery::default() });
        assert!(louder[..495].iter().all(|sample| (sample - 0.1).abs() < 1e-6));
        assert!(louder[520..].iter().all(|sample| (sample / 0.1 - 1.995).abs() < 0.01));
        let silent = said(Delivery { volume_db: f32::NEG_INFINITY, ..Delivery::default() });
        assert!(silent[520..].iter().all(|sample| *sample == 0.0));
    }

    #[test]
    fn a_tone_covers_a_word() {
        let covered = said(Delivery { bleep: true, ..Delivery::default() });
        assert!(covered[..495].iter().all(|sample| (sample - 0.1).abs() < 1e-6));
        // Nothing of the word is left: at 1 kHz the tone is always at the same point of its wave.
        assert!(covered[520..980].iter().all(|sample| sample.abs() < 0.01));
    }
}
