//! Joins an engine's speech, piece by piece, into one sequence of samples with pauses and word
//! timings.
//!
//! It neither levels nor encodes, which the other recorders do with `audio`.

use crate::{
    audio::{AudioError, resample::resample},
    engines::{EngineError, Phases, Speech, WordTiming},
};

/// The speech of a whole text.
#[derive(Debug, Clone, Default)]
pub struct Narration {
    /// Mono samples, nominally within ±1, neither leveled nor limited; without the samples already
    /// taken.
    pub samples: Vec<f32>,
    /// The sample rate; 0 before the first piece.
    pub sample_rate_hz: u32,
    /// Words in order of time, with positions from the first sample.
    pub words: Vec<WordTiming>,
    /// The time spent in each phase, summed over the pieces (and over threads, so it may exceed the
    /// elapsed time).
    pub phases: Phases,
    /// The number of pieces.
    pub utterances: usize,
    /// Silence to add before the next piece.
    pause_samples: u64,
    /// The silence requested before the next piece, or at the end, in milliseconds from sound to
    /// sound.
    asked_ms: u64,
    /// Whether that silence replaces a longer natural one.
    exact: bool,
    /// Samples of silence at the end of the last piece; they are a part of a requested pause.
    ends_silent: u64,
    /// The number of samples already taken.
    taken: u64,
}

impl Narration {
    /// An empty narration.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a piece, after the pause requested by the previous one.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when its sample rate differs from that of the previous pieces.
    pub fn push(&mut self, speech: Speech) -> Result<(), EngineError> {
        let silence = self.silence_before(&speech)?;
        self.add_silence(silence);
        self.append(speech);
        Ok(())
    }

    /// The samples of silence to add before a piece. A caller that adds them separately, to buffer
    /// less, calls [`Self::add_silence`] and then [`Self::append`] instead of [`Self::push`].
    ///
    /// # Errors
    /// [`EngineError::Failed`] when its sample rate differs from that of the previous pieces.
    pub(crate) fn silence_before(&mut self, speech: &Speech) -> Result<u64, EngineError> {
        if speech.samples.is_empty() {
            return Ok(0);
        }
        if self.sample_rate_hz != 0 && self.sample_rate_hz != speech.sample_rate_hz {
            return Err(EngineError::Failed(format!(
                "the engine changed its sample rate from {} to {} Hz",
                self.sample_rate_hz, speech.sample_rate_hz
            )));
        }
        self.sample_rate_hz = speech.sample_rate_hz;
        let (silent_front, _) = silent_ends(&speech.samples, speech.sample_rate_hz);
        let natural = if self.length() > 0 && !self.exact { self.pause_samples } else { 0 };
        let asked_ms = self.asked_ms + u64::from(speech.asked.before_ms);
        Ok(natural.max(self.samples_of(asked_ms).saturating_sub(self.ends_silent + silent_front)))
    }

    /// Appends a piece directly after the last one.
    pub(crate) fn append(&mut self, speech: Speech) {
        self.phases += speech.phases;
        if speech.samples.is_empty() {
            self.pause_samples = self.pause_samples.max(speech.pause_samples);
            self.asked_ms += u64::from(speech.asked.before_ms) + u64::from(speech.asked.after_ms);
            return;
        }
        self.utterances += 1;
        let (_, silent_end) = silent_ends(&speech.samples, speech.sample_rate_hz);
        let before = self.length();
        self.samples.extend_from_slice(&speech.samples);
        self.words.extend(speech.words.into_iter().map(|word| WordTiming {
            source: word.source,
            start_sample: word.start_sample + before,
            end_sample: word.end_sample + before,
        }));
        self.pause_samples = speech.pause_samples;
        self.asked_ms = u64::from(speech.asked.after_ms);
        self.exact = speech.asked.exact;
        self.ends_silent = silent_end;
    }

    /// Samples of silence requested after the last piece, beyond the silence that it ends with.
    pub fn asked_at_end(&self) -> u64 {
        if self.length() == 0 { 0 } else { self.samples_of(self.asked_ms).saturating_sub(self.ends_silent) }
    }

    /// Adds the silence requested after the last piece.
    pub fn finish(&mut self) {
        let silence = self.end();
        self.add_silence(silence);
    }

    /// Ends the recording, and returns the samples of silence that the caller must add, which
    /// [`Self::finish`] would add itself.
    pub(crate) fn end(&mut self) -> u64 {
        let silence = self.asked_at_end();
        self.asked_ms = 0;
        silence
    }

    pub(crate) fn add_silence(&mut self, samples: u64) {
        self.samples.resize(self.samples.len() + samples as usize, 0.0);
    }

    /// Counts samples of silence that are written elsewhere, as if they had been added here and
    /// taken.
    pub(crate) fn skip_silence(&mut self, samples: u64) {
        self.taken += samples;
    }

    fn samples_of(&self, milliseconds: u64) -> u64 {
        milliseconds * u64::from(self.sample_rate_hz) / 1000
    }

    /// Takes the samples out, so that a long text need not be kept in memory; positions still count
    /// them.
    pub fn take(&mut self) -> Vec<f32> {
        self.taken += self.samples.len() as u64;
        std::mem::take(&mut self.samples)
    }

    /// The number of samples, including those already taken.
    pub fn length(&self) -> u64 {
        self.taken + self.samples.len() as u64
    }

    /// The duration in milliseconds, rounded.
    pub fn duration_ms(&self) -> u64 {
        let rate = u64::from(self.sample_rate_hz).max(1);
        (self.length() * 1000 + rate / 2) / rate
    }
}

/// Samples of silence in memory at a time: 5 s at 24 kHz. A text may ask for minutes of silence.
const SILENCE_AT_ONCE: u64 = 120_000;

/// Samples of silence, in slices.
pub(crate) fn silence(samples: u64) -> impl Iterator<Item = Vec<f32>> {
    let slices = samples.div_ceil(SILENCE_AT_ONCE);
    (0..slices).map(move |at| vec![0.0; SILENCE_AT_ONCE.min(samples - at * SILENCE_AT_ONCE) as usize])
}

/// Sound below this level for 5 ms is silence: −60 dBFS.
const SILENCE_RMS: f32 = 0.001;

/// The samples of silence before the first sound and after the last.
fn silent_ends(samples: &[f32], sample_rate_hz: u32) -> (u64, u64) {
    let step = (sample_rate_hz as usize / 200).max(1);
    let sounds = |chunk: &[f32]| {
        let energy: f32 = chunk.iter().map(|sample| sample * sample).sum();
        energy > SILENCE_RMS * SILENCE_RMS * chunk.len() as f32
    };
    let Some(first) = samples.chunks(step).position(sounds) else { return (0, 0) };
    let last = samples.chunks(step).rposition(sounds).unwrap_or(first);
    ((first * step) as u64, (samples.len() - ((last + 1) * step).min(samples.len())) as u64)
}

/// Speech converted to another rate: samples, words and pause.
pub(super) fn at_rate(speech: Speech, sample_rate_hz: u32) -> Result<Speech, AudioError> {
    let from = speech.sample_rate_hz;
    if from == sample_rate_hz {
        return Ok(speech);
    }
    let scaled = |samples: u64| samples * u64::from(sample_rate_hz) / u64::from(from.max(1));
    let words = speech.words.into_iter().map(|word| WordTiming {
        source: word.source,
        start_sample: scaled(word.start_sample),
        end_sample: scaled(word.end_sample),
    });
    Ok(Speech {
        words: words.collect(),
        pause_samples: scaled(speech.pause_samples),
        // No samples mean no speech, whatever the rate.
        samples: if speech.samples.is_empty() {
            Vec::new()
        } else {
            resample(&speech.samples, from, sample_rate_hz)?
        },
        sample_rate_hz,
        phases: speech.phases,
        asked: speech.asked,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::AskedPauses;

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
        assert_eq!(narration.samples.len(), 10 + 5 + 20, "there is a pause after the last piece");
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

    /// A piece at 1 kHz with 20 ms of silence at the start and 30 ms at the end.
    fn quiet_ends(pause_samples: u64, before_ms: u32, after_ms: u32) -> Speech {
        let mut speech = piece(100, pause_samples, &[(20, 70)]);
        speech.samples[..20].fill(0.0);
        speech.samples[70..].fill(0.0);
        Speech { asked: AskedPauses { before_ms, after_ms, exact: false }, ..speech }
    }

    // Negative control: if the silence at the ends is not subtracted from the requested pause, the
    // first pause had 500 samples between sounds.
    #[test]
    fn a_pause_that_was_asked_for_lasts_from_sound_to_sound_and_replaces_a_shorter_one() {
        for (asked_ms, natural, between) in [(450, 300, 450), (100, 300, 350), (20, 0, 50), (0, 10, 60)] {
            let mut narration = Narration::new();
            narration.push(quiet_ends(natural, 0, asked_ms)).unwrap();
            narration.push(quiet_ends(0, 0, 0)).unwrap();
            let [first, second] = starts(&narration)[..] else { panic!("two words") };
            assert_eq!(second.0 - first.1, between, "{asked_ms} requested, {natural} natural");
            assert_eq!(narration.asked_at_end(), 0);
        }
    }

    // Negative control: when the silence at the end counted only after a piece that asked for a pause itself, there
    // were 480 samples.
    #[test]
    fn a_pause_that_a_later_text_asks_for_at_its_start_lasts_as_long() {
        let mut narration = Narration::new();
        narration.push(quiet_ends(0, 0, 0)).unwrap();
        narration.push(quiet_ends(0, 450, 0)).unwrap();
        let [first, second] = starts(&narration)[..] else { panic!("two words") };
        assert_eq!(second.0 - first.1, 450);
    }

    #[test]
    fn an_exact_pause_replaces_a_longer_one() {
        for (exact, between) in [(false, 350), (true, 100)] {
            let mut narration = Narration::new();
            let mut first = quiet_ends(300, 0, 100);
            first.asked.exact = exact;
            narration.push(first).unwrap();
            narration.push(quiet_ends(0, 0, 0)).unwrap();
            let [first, second] = starts(&narration)[..] else { panic!("two words") };
            assert_eq!(second.0 - first.1, between, "exact: {exact}");
        }
    }

    #[test]
    fn pauses_that_were_asked_for_stay_at_the_start_and_the_end_and_add_up() {
        let mut narration = Narration::new();
        narration.push(quiet_ends(0, 200, 300)).unwrap();
        assert_eq!(starts(&narration), [(200, 250)]);
        narration
            .push(Speech {
                asked: AskedPauses { before_ms: 0, after_ms: 100, exact: false },
                ..piece(0, 0, &[])
            })
            .unwrap();
        assert_eq!(narration.asked_at_end(), 370);
        narration.finish();
        assert_eq!((narration.samples.len(), narration.asked_at_end()), (250 + 400, 0));
    }
}
