//! What a text wants of single words: their pace, their pitch and how far it moves.
//!
//! The networks predict lengths and pitch before they make sound of them, so both are changed there, and
//! the voice stays the same person. The level is changed afterwards, in `engines::delivery`.

use super::{
    contours::{self, RowContour},
    features::Features,
    timing::Grid,
};
use crate::{
    phonemes::{PhonemeIds, PhonemeWord},
    spec::{Delivery, Pitch, Prosody},
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
    contours: Vec<RowContour>,
    /// Frames that sounds come before the place that the lengths add up to.
    ahead: usize,
}

impl Default for Deliveries {
    fn default() -> Self {
        Self { pace: 1.0, each: None, contours: Vec::new(), ahead: 0 }
    }
}

impl Deliveries {
    /// The deliveries of a row, with those of the text that it is from.
    pub(in crate::engines) fn of(
        text: Prosody<'_>,
        words: &[PhonemeWord],
        phonemes: &PhonemeIds,
        grid: Grid,
    ) -> Self {
        let contours = contours::of_row(text, words, phonemes);
        let asked = |word: &PhonemeWord| text.delivery_at(word.source.start);
        if contours.is_empty() && words.iter().all(|word| asked(word) == Delivery::default()) {
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
        let pace = if is_even { first } else { 1.0 };
        Self { pace, each: Some(each), contours, ahead: grid.ahead / grid.hop }
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

    /// Whether they say nothing about the pitch.
    pub(in crate::engines) fn leave_pitch_alone(&self) -> bool {
        let is_own = |one: &Delivery| one.pitch == Pitch::default() && (one.range - 1.0).abs() < 1e-6;
        self.contours.is_empty() && self.each.iter().flatten().all(is_own)
    }

    /// The factor on the pitch of each frame, with one for all of them. `pitch_hz` is what the voice would
    /// do. One value stands for all frames.
    pub(in crate::engines) fn pitch_factors(
        &self,
        lengths: &[usize],
        pitch_hz: &[f32],
        all: f32,
    ) -> Vec<f32> {
        let Some(each) = self.each.as_ref().filter(|_| !self.leave_pitch_alone()) else {
            return vec![all];
        };
        let center = median(pitch_hz);
        let edges = edges(lengths, self.ahead);
        let mut logs = vec![0.0; pitch_hz.len()];
        for (id, (delivery, frames)) in each.iter().zip(edges.windows(2)).enumerate() {
            for frame in frames[0]..frames[1].min(pitch_hz.len()) {
                let target = self.target_at(id, frame, &edges, center);
                logs[frame] = factor(delivery, target, pitch_hz[frame], center).ln();
            }
        }
        smooth(&logs).into_iter().map(|log| (all * log.exp()).clamp(1.0 / MOST, MOST)).collect()
    }
}

impl Deliveries {
    /// What a contour wants in a frame of an id.
    fn target_at(&self, id: usize, frame: usize, edges: &[usize], center: f32) -> Option<f32> {
        let contour = self.contours.iter().rfind(|contour| contour.ids.contains(&id))?;
        let (start, end) = (edges.get(contour.ids.start)?, edges.get(contour.ids.end)?);
        Some(contour.hertz_at((frame - start) as f32 / (end - start) as f32, center))
    }
}

/// The factor on the pitch of a frame, of those that [`Deliveries::pitch_factors`] gave.
pub(in crate::engines) fn factor_at(factors: &[f32], frame: usize) -> f32 {
    factors.get(frame).or(factors.last()).copied().unwrap_or(1.0)
}

/// The share of its own movement that a voice keeps around a contour, so that its words stay alive.
const KEPT_MOVEMENT: f32 = 0.25;

/// The first frame that each id is heard in, and where the last one ends.
fn edges(lengths: &[usize], ahead: usize) -> Vec<usize> {
    let mut at = 0_usize;
    let mut edges = vec![0];
    edges.extend(lengths.iter().map(|length| {
        at += length;
        at.saturating_sub(ahead)
    }));
    edges
}

/// What makes this pitch the one that is asked for, of a voice that speaks around `center`. A contour's
/// target takes the place of the center, but not of a pitch in Hertz that stands inside it.
fn factor(delivery: &Delivery, target_hz: Option<f32>, hertz: f32, center: f32) -> f32 {
    if hertz < LOWEST_HZ || center < LOWEST_HZ {
        return (delivery.pitch.semitones / 12.0).exp2();
    }
    let base = delivery.pitch.base_hertz.or(target_hz).unwrap_or(center);
    let range = if target_hz.is_some() { KEPT_MOVEMENT * delivery.range } else { delivery.range };
    let moved = base * (hertz / center).powf(range) * (delivery.pitch.semitones / 12.0).exp2();
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
    use crate::spec::{Course, Delivered, PitchTarget};

    /// Nothing is heard ahead of its frames here.
    const GRID: Grid = Grid { hop: 300, ahead: 0, rate_hz: 24_000 };

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
        let prosody = Prosody { deliveries: text, courses: &[] };
        Deliveries::of(prosody, &[word(0..2), word(3..5)], &phonemes, GRID)
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
        assert_eq!(row(&[]), Deliveries::default());
        assert_eq!(row(&[delivered(7..9, slow)]), Deliveries::default());
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

    #[test]
    fn a_pitch_changes_where_its_word_is_heard() {
        let phonemes = PhonemeIds { ids: vec![0, 1, 2, 16, 1, 2, 0], words: vec![1..3, 4..6] };
        let high = Delivery { pitch: Pitch { semitones: 12.0, ..Pitch::default() }, ..Delivery::default() };
        let deliveries = [delivered(3..5, high)];
        let prosody = Prosody { deliveries: &deliveries, courses: &[] };
        let grid = Grid { ahead: 4 * GRID.hop + 150, ..GRID };
        let row = Deliveries::of(prosody, &[word(0..2), word(3..5)], &phonemes, grid);
        let factors = row.pitch_factors(&[10; 7], &[200.0; 70], 1.0);
        // The second word's frames begin at 40.
        let first = factors.iter().position(|factor| *factor > 1.5);
        assert_eq!(first, Some(36));
    }

    #[test]
    fn a_contour_is_followed_and_keeps_a_quarter_of_the_voices_own_course() {
        let target =
            |at: f32, semitones: f32| PitchTarget { at, pitch: Pitch { semitones, ..Pitch::default() } };
        let contour = vec![target(0.0, 0.0), target(0.5, 6.0), target(1.0, -6.0)].into();
        let courses = [Course { range: 0..5, contour, duration_ms: None }];
        let phonemes = PhonemeIds { ids: vec![0, 1, 2, 16, 1, 2, 0], words: vec![1..3, 4..6] };
        let prosody = Prosody { deliveries: &[], courses: &courses };
        let row = Deliveries::of(prosody, &[word(0..2), word(3..5)], &phonemes, GRID);
        let semitones_at = |pitch_hz: &[f32], frame: usize| {
            let factors = row.pitch_factors(&[10; 7], pitch_hz, 1.0);
            12.0 * (factors[frame] * pitch_hz[frame] / 200.0).log2()
        };
        // The words sound from frame 10 to frame 60.
        let even = [200.0; 70];
        for (frame, wanted) in [(12, 0.5), (22, 2.9), (35, 5.5), (47, 0.2), (57, -4.6)] {
            let found = semitones_at(&even, frame);
            assert!((found - wanted).abs() < 0.5, "{found} at {frame}, not {wanted}");
        }
        assert!((semitones_at(&even, 5)).abs() < 0.01, "what is before stays");
        let mut moving = even;
        moving[40..].fill(200.0 * (4.0_f32 / 12.0).exp2());
        moving[..5].fill(0.0);
        assert!((semitones_at(&moving, 47) - semitones_at(&even, 47) - 1.0).abs() < 0.01);
    }
}
