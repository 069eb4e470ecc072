//! The courses of the pitch that a text asks for, as far as they lie in a row of phonemes.

use std::{ops::Range, sync::Arc};

use crate::{
    phonemes::{PhonemeIds, PhonemeWord},
    spec::{Pitch, PitchTarget, Prosody},
};

/// No target is lower.
const LOWEST_TARGET_HZ: f32 = 20.0;

/// A contour's part in a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RowContour {
    /// The ids from the first word to the last.
    pub(super) ids: Range<usize>,
    /// The shares of the whole contour at which the row begins and ends it.
    from: f32,
    to: f32,
    targets: Arc<[PitchTarget]>,
}

/// The contours of a row; inner ones stand behind outer ones. One that reaches beyond the row is shared
/// out by the bytes of its text.
pub(super) fn of_row(text: Prosody<'_>, words: &[PhonemeWord], phonemes: &PhonemeIds) -> Vec<RowContour> {
    let part = |course: &crate::spec::Course| {
        let own = || {
            words.iter().zip(&phonemes.words).filter(|(word, _)| course.range.contains(&word.source.start))
        };
        let mut said = own().filter(|(word, ids)| !word.punctuation && !ids.is_empty());
        let first = said.next()?;
        let last = said.next_back().unwrap_or(first);
        // A mark at its end belongs to it.
        let end = own().map(|(word, _)| word.source.end).max()?.min(course.range.end);
        let share = |byte: usize| (byte - course.range.start) as f32 / course.range.len() as f32;
        Some(RowContour {
            ids: first.1.start..last.1.end.max(first.1.start + 1),
            from: share(first.0.source.start),
            to: share(end),
            targets: Arc::clone(&course.contour),
        })
    };
    text.contours().filter_map(part).collect()
}

impl RowContour {
    /// The pitch at a share of the row's part, of a voice that speaks around `center`: straight in
    /// semitones from one target to the next.
    pub(super) fn hertz_at(&self, share: f32, center: f32) -> f32 {
        let at = self.from + share * (self.to - self.from);
        let hertz = |target: &PitchTarget| {
            let Pitch { base_hertz, semitones, hertz } = target.pitch;
            (base_hertz.unwrap_or(center) * (semitones / 12.0).exp2() + hertz).max(LOWEST_TARGET_HZ)
        };
        let next = self.targets.partition_point(|target| target.at <= at);
        match (next.checked_sub(1).and_then(|before| self.targets.get(before)), self.targets.get(next)) {
            (Some(before), Some(after)) => {
                let along = (at - before.at) / (after.at - before.at);
                hertz(before) * (hertz(after) / hertz(before)).powf(along)
            }
            // The nearest target holds before the first and after the last.
            (Some(only), None) | (None, Some(only)) => hertz(only),
            (None, None) => center,
        }
    }
}
