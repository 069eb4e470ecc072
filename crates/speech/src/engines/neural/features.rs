//! What a network gives a decoder: features, pitch and lengths, in half frames of 12.5 ms.

/// What a network says of a row of phonemes before its decoder makes sound of it.
#[derive(Debug, Default)]
pub(in crate::engines) struct Features {
    /// `[feature][half frame]`, what the decoder starts from.
    pub(in crate::engines) values: Vec<f32>,
    /// Pitch of each half frame.
    pub(in crate::engines) pitch_hz: Vec<f32>,
    /// Half frames, of 12.5 ms, of each phoneme; they sum up to all.
    pub(in crate::engines) lengths: Vec<usize>,
}

impl Features {
    /// The same in this share of the time; with 1 it is left alone.
    pub(in crate::engines) fn in_share(self, share: f32) -> Self {
        if (share - 1.0).abs() > f32::EPSILON { self.stretched(share) } else { self }
    }

    /// The same with each phoneme in its own share of its time, at the same pitch.
    pub(in crate::engines) fn in_shares(self, shares: &[f32]) -> Self {
        let mut all = 0.0_f32;
        let mut edges = Vec::with_capacity(self.lengths.len());
        for (&length, share) in self.lengths.iter().zip(shares) {
            all += length as f32 * share;
            edges.push(all.round() as usize);
        }
        let mut places = Vec::new();
        let (mut start, mut before) = (0, 0);
        let mut lengths = Vec::with_capacity(edges.len());
        for (&edge, &length) in edges.iter().zip(&self.lengths) {
            let count = edge - start;
            let place = |at: usize| before as f32 + (at as f32 + 0.5) * length as f32 / count as f32 - 0.5;
            places.extend((0..count).map(|at| self.place(place(at))));
            lengths.push(count);
            start = edge;
            before += length;
        }
        if places.is_empty() { self } else { self.at(&places, lengths) }
    }

    /// The same in a share of the time, at the same pitch.
    pub(in crate::engines) fn stretched(&self, share: f32) -> Self {
        let before = self.pitch_hz.len();
        let count = ((before as f32 * share).round() as usize).max(1);
        let place = |at: usize| self.place((at as f32 + 0.5) * before as f32 / count as f32 - 0.5);
        let lengths = rescaled(&self.lengths, before, count);
        self.at(&(0..count).map(place).collect::<Vec<_>>(), lengths)
    }

    /// The frames around a place, and how far it is from the first to the second.
    fn place(&self, place: f32) -> (usize, usize, f32) {
        let last = self.pitch_hz.len().saturating_sub(1);
        let from = (place.max(0.0) as usize).min(last);
        (from, (from + 1).min(last), (place - from as f32).clamp(0.0, 1.0))
    }

    /// Frames at these places. Features change slowly from one half frame to the next, so between two of
    /// them lies their mean.
    fn at(&self, places: &[(usize, usize, f32)], lengths: Vec<usize>) -> Self {
        let between = |values: &[f32], &(from, to, along): &(usize, usize, f32)| {
            values[from] + (values[to] - values[from]) * along
        };
        // Silence has no pitch: there is none between it and another.
        let pitch = |&(from, to, along): &(usize, usize, f32)| {
            let (start, end) = (self.pitch_hz[from], self.pitch_hz[to]);
            if start > 0.0 && end > 0.0 {
                start + (end - start) * along
            } else if along < 0.5 {
                start
            } else {
                end
            }
        };
        let channels = self.values.chunks_exact(self.pitch_hz.len().max(1));
        Self {
            values: channels
                .flat_map(|values| places.iter().map(move |place| between(values, place)))
                .collect(),
            pitch_hz: places.iter().map(pitch).collect(),
            lengths,
        }
    }
}

/// Lengths that add up to `from`, scaled to add up to `to`. Each end is rounded, so errors do not add up.
pub(in crate::engines) fn rescaled(lengths: &[usize], from: usize, to: usize) -> Vec<usize> {
    let mut all = 0;
    let edge = |all: usize| (all as f64 * to as f64 / from.max(1) as f64).round() as usize;
    let mut length = |length: &usize| {
        let start = edge(all);
        all += length;
        edge(all) - start
    };
    lengths.iter().map(&mut length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stretched_keeps_its_course_and_its_pitch() {
        let ramp = |from: f32| (0..100).map(move |at| from + at as f32);
        let features = Features {
            values: ramp(0.0).chain(ramp(1000.0)).collect(),
            pitch_hz: (0..100).map(|at| if at < 50 { 0.0 } else { 200.0 }).collect(),
            lengths: vec![10, 40, 25, 25],
        };
        let half = features.stretched(0.5);
        assert_eq!(half.lengths, [5, 20, 13, 12]);
        assert_eq!((half.pitch_hz.len(), half.values.len()), (50, 100));
        assert!((half.values[10] - 20.5).abs() < 0.01 && (half.values[60] - 1020.5).abs() < 0.01);
        assert!(half.pitch_hz.iter().all(|pitch| [0.0, 200.0].contains(pitch)));
        assert_eq!(half.lengths.iter().sum::<usize>(), 50);
        let same = features.stretched(1.0);
        assert_eq!((same.values, same.lengths), (features.values, features.lengths));
    }
}
