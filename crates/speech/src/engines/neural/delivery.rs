//! What a text wants of single words: their pace, their pitch and how far it moves.
//!
//! The networks predict lengths and pitch before they make sound of them, so both are changed there, and
//! the voice stays the same person. The level is changed afterwards, in `engines::delivery`.

use super::{SAMPLE_RATE_HZ, features::Features};
use crate::{
    phonemes::{PhonemeIds, PhonemeWord},
    spec::{Delivered, Delivery},
};

/// Below this pitch a network means silence.
pub(super) const LOWEST_HZ: f32 = 40.0;

/// The pitch changes over this many frames of 12.5 ms, so that no step is heard.
const SMOOTHED: usize = 5;

/// No pitch is changed by more than this factor.
const MOST: f32 = 2.0;

/// The deliveries of a row of phonemes.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::engines) struct Deliveries {
    /// The pace of the whole row, where all of it has the same.
    pace: f32,
    /// One for each id, where they differ from what the voice does by itself.
    each: Option<Vec<Delivery>>,
}

impl Default for Deliveries {
    fn default() -> Self {
        Self { pace: 1.0, each: None }
    }
}

impl Deliveries {
    /// The deliveries of a row, with those of the text that it is from.
    pub(in crate::engines) fn of(text: &[Delivered], words: &[PhonemeWord], phonemes: &PhonemeIds) -> Self {
        let asked = |word: &PhonemeWord| Delivery::at(text, word.source.start);
        if text.is_empty() || words.iter().all(|word| asked(word) == Delivery::default()) {
            return Self::default();
        }
        // What stands between two words goes with the one before it.
        let mut each = vec![Delivery::default(); phonemes.ids.len()];
        let mut last = words.iter().find(|word| !word.punctuation).map(&asked).unwrap_or_default();
        let mut from = 0;
        for (word, ids) in words.iter().zip(&phonemes.words) {
            if ids.is_empty() {
                continue;
            }
            each[from..ids.start].fill(last);
            if !word.punctuation {
                last = asked(word);
            }
            each[ids.clone()].fill(last);
            from = ids.end;
        }
        each[from..].fill(last);
        let first = each.first().map_or(1.0, |one| one.rate);
        let is_even = each.iter().all(|one| (one.rate - first).abs() < 1e-6);
        if is_even {
            for one in &mut each {
                one.rate = 1.0;
            }
        }
        Self { pace: if is_even { first } else { 1.0 }, each: Some(each) }
    }

    /// What the pace of the whole row is multiplied by.
    pub(in crate::engines) fn pace(&self) -> f32 {
        self.pace
    }

    /// What the network says, with the pace of each phoneme.
    pub(in crate::engines) fn paced(&self, features: Features) -> Features {
        match &self.each {
            Some(each) if each.iter().any(|one| (one.rate - 1.0).abs() > 1e-6) => {
                let shares: Vec<f32> = each.iter().map(|one| 1.0 / one.rate).collect();
                features.in_shares(&shares)
            }
            _ => features,
        }
    }

    /// The factor on the pitch of each frame, with one for all of them. `pitch_hz` is what the voice would
    /// do. One value stands for all frames.
    pub(in crate::engines) fn pitch_factors(
        &self,
        lengths: &[usize],
        pitch_hz: &[f32],
        all: f32,
    ) -> Vec<f32> {
        let Some(each) = &self.each else { return vec![all] };
        let is_own =
            |one: &Delivery| one.pitch == crate::spec::Pitch::default() && (one.range - 1.0).abs() < 1e-6;
        if each.iter().all(is_own) {
            return vec![all];
        }
        let center = median(pitch_hz);
        let mut logs = Vec::with_capacity(pitch_hz.len());
        for (delivery, &length) in each.iter().zip(lengths) {
            for &hertz in pitch_hz.get(logs.len()..logs.len() + length).unwrap_or_default() {
                logs.push(factor(delivery, hertz, center).ln());
            }
        }
        logs.resize(pitch_hz.len(), 0.0);
        smooth(&logs).into_iter().map(|log| (all * log.exp()).clamp(1.0 / MOST, MOST)).collect()
    }
}

/// The factor on the pitch of a frame, of those that [`Deliveries::pitch_factors`] gave.
pub(in crate::engines) fn factor_at(factors: &[f32], frame: usize) -> f32 {
    factors.get(frame).or(factors.last()).copied().unwrap_or(1.0)
}

/// The stretch of sound whose level is compared: 50 ms.
const LEVEL_WINDOW: usize = SAMPLE_RATE_HZ as usize / 20;

/// The least power of a stretch that has a level: −80 dB.
const LEAST_POWER: f32 = 1e-8;

/// The gain that makes up for a change of the pitch is at most this, and at least its inverse.
const MOST_GAIN: f32 = 8.0;

/// Gives sound with another pitch the level of the same sound without: harmonics that come to lie on a
/// formant are many times as strong.
pub(in crate::engines) fn at_level_of(plain: &[f32], raised: &mut [f32]) {
    let power =
        |samples: &[f32]| samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len() as f32;
    let gain = |(plain, raised): (&[f32], &[f32])| {
        let ratio = (power(plain) + LEAST_POWER) / (power(raised) + LEAST_POWER);
        ratio.sqrt().clamp(1.0 / MOST_GAIN, MOST_GAIN)
    };
    let gains: Vec<f32> = plain.chunks(LEVEL_WINDOW).zip(raised.chunks(LEVEL_WINDOW)).map(gain).collect();
    // Straight from the middle of a stretch to the middle of the next.
    for (at, sample) in raised.iter_mut().enumerate() {
        let place = (at as f32 + 0.5) / LEVEL_WINDOW as f32 - 0.5;
        let from = place.max(0.0) as usize;
        let (Some(&first), next) = (gains.get(from).or(gains.last()), gains.get(from + 1)) else { return };
        let along = (place - from as f32).clamp(0.0, 1.0);
        *sample *= first + (next.unwrap_or(&first) - first) * along;
    }
}

/// What makes this pitch the one that is asked for, of a voice that speaks around `center`.
fn factor(delivery: &Delivery, hertz: f32, center: f32) -> f32 {
    if hertz < LOWEST_HZ || center < LOWEST_HZ {
        return (delivery.pitch.semitones / 12.0).exp2();
    }
    let base = delivery.pitch.base_hertz.unwrap_or(center);
    let moved = base * (hertz / center).powf(delivery.range) * (delivery.pitch.semitones / 12.0).exp2();
    ((moved + delivery.pitch.hertz) / hertz).clamp(1.0 / MOST, MOST)
}

/// The middle of all pitches that are heard; 0 when none is.
fn median(pitch_hz: &[f32]) -> f32 {
    let mut heard: Vec<f32> = pitch_hz.iter().copied().filter(|hertz| *hertz >= LOWEST_HZ).collect();
    heard.sort_by(f32::total_cmp);
    heard.get(heard.len() / 2).copied().unwrap_or(0.0)
}

/// The mean of each value and its neighbors.
fn smooth(values: &[f32]) -> Vec<f32> {
    let half = SMOOTHED / 2;
    let mean = |at: usize| {
        let near = &values[at.saturating_sub(half)..(at + half + 1).min(values.len())];
        near.iter().sum::<f32>() / near.len() as f32
    };
    (0..values.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Pitch;

    fn word(source: std::ops::Range<usize>) -> PhonemeWord {
        PhonemeWord {
            phonemes: "ab".to_owned(),
            source,
            space_after: true,
            punctuation: false,
            starts_phrase: false,
        }
    }

    /// Two words of two symbols with a space between them.
    fn row(text: &[Delivered]) -> Deliveries {
        let phonemes = PhonemeIds { ids: vec![0, 1, 2, 16, 1, 2, 0], words: vec![1..3, 4..6] };
        Deliveries::of(text, &[word(0..2), word(3..5)], &phonemes)
    }

    fn delivered(range: std::ops::Range<usize>, delivery: Delivery) -> Delivered {
        Delivered { range, delivery }
    }

    #[test]
    fn one_pace_is_the_rows_and_different_ones_are_the_words() {
        let slow = Delivery { rate: 0.8, ..Delivery::default() };
        assert!((row(&[delivered(0..5, slow)]).pace() - 0.8).abs() < 1e-6);
        let second = row(&[delivered(3..5, slow)]);
        assert!((second.pace() - 1.0).abs() < 1e-6);
        let features = Features { values: vec![1.0; 70], pitch_hz: vec![100.0; 70], lengths: vec![10; 7] };
        let lengths = second.paced(features).lengths;
        assert_eq!((lengths[1], lengths[3]), (10, 10));
        // Rounded together: two phonemes and the silence after them take 1.25 of their time.
        assert!(lengths[4..].iter().sum::<usize>().abs_diff(38) <= 1, "{lengths:?}");
        assert_eq!(row(&[]), Deliveries { pace: 1.0, each: None });
        assert_eq!(row(&[delivered(7..9, slow)]), Deliveries { pace: 1.0, each: None });
    }

    #[test]
    fn sound_gets_the_level_of_other_sound_all_along() {
        let sound = |amplitude: fn(usize) -> f32| -> Vec<f32> {
            (0..24_000).map(|at| amplitude(at) * (at as f32 * 0.1).sin()).collect()
        };
        let plain = sound(|at| if at < 12_000 { 0.1 } else { 0.2 });
        let mut raised = sound(|at| if at < 12_000 { 0.3 } else { 0.1 });
        at_level_of(&plain, &mut raised);
        let level = |samples: &[f32]| samples.iter().map(|sample| sample * sample).sum::<f32>();
        for part in [0..10_000, 14_000..24_000] {
            let ratio = level(&raised[part.clone()]) / level(&plain[part]);
            assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
        }
        at_level_of(&[], &mut []);
    }

    #[test]
    fn the_pitch_moves_by_semitones_by_hertz_and_around_the_voices_middle() {
        let pitch_hz: Vec<f32> = (0..70).map(|at| if at < 35 { 180.0 } else { 220.0 }).collect();
        let lengths = vec![10; 7];
        let with =
            |delivery: Delivery| row(&[delivered(0..5, delivery)]).pitch_factors(&lengths, &pitch_hz, 1.0);
        let higher =
            with(Delivery { pitch: Pitch { semitones: 12.0, ..Pitch::default() }, ..Delivery::default() });
        assert!(higher.iter().all(|factor| (factor - 2.0).abs() < 1e-4));
        let more = with(Delivery { pitch: Pitch { hertz: 18.0, ..Pitch::default() }, ..Delivery::default() });
        assert!((more[0] - 1.1).abs() < 1e-4, "{}", more[0]);
        let flat = with(Delivery { range: 0.0, ..Delivery::default() });
        assert!((flat[0] * 180.0 - flat[69] * 220.0).abs() < 0.1, "monotonous");
        let at = with(Delivery {
            pitch: Pitch { base_hertz: Some(240.0), ..Pitch::default() },
            range: 0.0,
            ..Delivery::default()
        });
        assert!((at[0] * 180.0 - 240.0).abs() < 0.1);
        assert_eq!(row(&[]).pitch_factors(&lengths, &pitch_hz, 1.5), [1.5]);
    }
}
