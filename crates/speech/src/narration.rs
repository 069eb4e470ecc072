//! Collects what an engine said, piece by piece, into one stretch of samples with pauses and word timings.
//!
//! Levelling and encoding are `audio`'s; a stream needs none of this.

use crate::engines::{EngineError, Phases, Speech, WordTiming};

/// A whole text, said.
#[derive(Debug, Clone, Default)]
pub struct Narration {
    /// Mono samples, nominally within ±1, neither levelled nor limited; without those that were taken.
    pub samples: Vec<f32>,
    /// Samples a second; 0 while nothing was said.
    pub sample_rate_hz: u32,
    /// Words in order of time, counted from the first sample.
    pub words: Vec<WordTiming>,
    /// How long each phase took, added up over the pieces (and over threads: more than the clock saw).
    pub phases: Phases,
    /// Pieces.
    pub utterances: usize,
    /// Silence to add before the next piece.
    pause_samples: u64,
    /// Samples that were taken out.
    taken: u64,
}

impl Narration {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a piece, after the pause that the one before it asked for.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when its sample rate is not that of the pieces before.
    pub fn push(&mut self, speech: Speech) -> Result<(), EngineError> {
        self.phases += speech.phases;
        if speech.samples.is_empty() {
            self.pause_samples = self.pause_samples.max(speech.pause_samples);
            return Ok(());
        }
        if self.sample_rate_hz != 0 && self.sample_rate_hz != speech.sample_rate_hz {
            return Err(EngineError::Failed(format!(
                "the engine changed its sample rate from {} to {} Hz",
                self.sample_rate_hz, speech.sample_rate_hz
            )));
        }
        self.sample_rate_hz = speech.sample_rate_hz;
        self.utterances += 1;
        if self.length() > 0 {
            let silent = self.samples.len() + self.pause_samples as usize;
            self.samples.resize(silent, 0.0);
        }
        let before = self.length();
        self.samples.extend_from_slice(&speech.samples);
        self.words.extend(speech.words.into_iter().map(|word| WordTiming {
            source: word.source,
            start_sample: word.start_sample + before,
            end_sample: word.end_sample + before,
        }));
        self.pause_samples = speech.pause_samples;
        Ok(())
    }

    /// Takes the samples out, so that a long text need not be held in memory; times go on counting them.
    pub fn take(&mut self) -> Vec<f32> {
        self.taken += self.samples.len() as u64;
        std::mem::take(&mut self.samples)
    }

    /// How many samples were said, those that were taken included.
    pub fn length(&self) -> u64 {
        self.taken + self.samples.len() as u64
    }

    /// How long it lasts, in milliseconds, rounded.
    pub fn duration_ms(&self) -> u64 {
        let rate = u64::from(self.sample_rate_hz).max(1);
        (self.length() * 1000 + rate / 2) / rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(samples: usize, pause_samples: u64, words: &[(u64, u64)]) -> Speech {
        let words = words
            .iter()
            .map(|(start, end)| WordTiming { source: 0..1, start_sample: *start, end_sample: *end })
            .collect();
        Speech {
            samples: vec![1.0; samples],
            sample_rate_hz: 1000,
            words,
            pause_samples,
            ..Speech::default()
        }
    }

    fn starts(narration: &Narration) -> Vec<(u64, u64)> {
        narration.words.iter().map(|word| (word.start_sample, word.end_sample)).collect()
    }

    #[test]
    fn pauses_lie_between_pieces_and_shift_the_words_after_them() {
        let mut narration = Narration::new();
        narration.push(piece(10, 5, &[(0, 4), (5, 10)])).unwrap();
        narration.push(piece(20, 7, &[(2, 20)])).unwrap();
        assert_eq!(narration.samples.len(), 10 + 5 + 20, "no pause after the last piece");
        assert!(narration.samples[10..15].iter().all(|sample| *sample == 0.0));
        assert_eq!(starts(&narration), [(0, 4), (5, 10), (17, 35)]);
        assert_eq!((narration.utterances, narration.duration_ms()), (2, 35));
    }

    #[test]
    fn a_piece_that_says_nothing_keeps_the_longer_pause() {
        let mut narration = Narration::new();
        narration.push(piece(10, 5, &[])).unwrap();
        narration.push(piece(0, 9, &[])).unwrap();
        narration.push(piece(1, 0, &[])).unwrap();
        assert_eq!(narration.samples.len(), 10 + 9 + 1);
    }

    #[test]
    fn silence_before_the_first_piece_is_left_out() {
        let mut narration = Narration::new();
        narration.push(piece(0, 9, &[])).unwrap();
        narration.push(piece(3, 0, &[])).unwrap();
        assert_eq!(narration.samples.len(), 3);
    }

    #[test]
    fn times_and_pauses_go_on_after_samples_were_taken() {
        let mut narration = Narration::new();
        narration.push(piece(10, 5, &[(0, 4)])).unwrap();
        assert_eq!(narration.take().len(), 10);
        narration.push(piece(20, 7, &[(2, 20)])).unwrap();
        assert_eq!(narration.samples.len(), 5 + 20);
        assert_eq!(starts(&narration), [(0, 4), (17, 35)]);
        assert_eq!((narration.length(), narration.duration_ms()), (35, 35));
    }

    #[test]
    fn a_changed_sample_rate_is_refused() {
        let mut narration = Narration::new();
        narration.push(piece(10, 0, &[])).unwrap();
        let other = Speech { sample_rate_hz: 48_000, ..piece(10, 0, &[]) };
        assert!(narration.push(other).is_err());
    }
}
