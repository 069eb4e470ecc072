//! Records a text into an audio file: pieces in, leveled and encoded bytes out, in bounded memory.
//!
//! Audio of up to [`LEVELED_AT_ONCE_S`] is leveled exactly, as one clip. Longer audio gets the gain
//! that its beginning needs, and is encoded while the rest is spoken: two minutes of one narrator
//! represent the rest well, and forty minutes of samples need not be buffered, nor a long silence.
//! The caller stores the bytes.

use super::{
    RecordOptions,
    narration::{self, Narration},
};
use crate::{
    audio::{
        AudioError, Encoder, Finished, Layout, Loudness,
        loudness::{LevelReport, StreamLeveler, level_to},
        room_tone::RoomTone,
    },
    engines::{EngineError, Phases, Speech, WordTiming},
};

/// The seconds of audio that are buffered and leveled as one clip.
pub const LEVELED_AT_ONCE_S: usize = 120;

/// A reason why a recording failed.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The engine's pieces do not fit together.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Leveling or encoding failed.
    #[error(transparent)]
    Audio(#[from] AudioError),
    /// No piece had any samples.
    #[error("there is nothing in the text that this voice can say")]
    Silent,
}

/// The room tone of [`Loudness::Acx`] before and after the speech, in milliseconds. ACX takes 0.5 to
/// 1 s and 1 to 5 s.
const HEAD_MS: u64 = 600;
const TAIL_MS: u64 = 1_200;

/// A recording in progress.
pub struct Recorder {
    options: RecordOptions,
    narration: Narration,
    streaming: Option<Box<Streaming>>,
}

/// The state of a recording that is too long to be buffered.
struct Streaming {
    leveler: StreamLeveler,
    output: Output,
}

/// The encoder, and the noise that is under all that it gets.
struct Output {
    encoder: Encoder,
    tone: Option<RoomTone>,
}

impl Output {
    fn push(&mut self, samples: &[f32]) -> Result<Vec<u8>, AudioError> {
        match &mut self.tone {
            Some(tone) => self.encoder.push(&tone.under(samples)),
            None => self.encoder.push(samples),
        }
    }
}

/// A finished recording.
#[derive(Debug)]
pub struct Recorded {
    /// The last bytes, and the bytes to write over the header.
    pub end: Finished,
    /// When each word is spoken.
    pub words: Vec<WordTiming>,
    /// The sample rate.
    pub sample_rate_hz: u32,
    /// The duration in milliseconds, rounded.
    pub duration_ms: u64,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("audio", &self.options.audio).finish_non_exhaustive()
    }
}

impl Recorder {
    /// An empty recording.
    pub fn new(options: RecordOptions) -> Self {
        Self { options, narration: Narration::new(), streaming: None }
    }

    /// Reserves memory for `samples` samples when the length can be estimated: growth by doubling
    /// would take up to three times as much during a copy.
    pub fn reserve(&mut self, samples: usize) {
        let at_most = LEVELED_AT_ONCE_S * 24_000;
        self.narration.samples.reserve_exact(samples.min(at_most));
    }

    /// Whether pushing a piece will level and encode, which takes a while, or only buffer.
    pub fn encodes_at(&mut self, speech: &Speech) -> bool {
        if self.options.audio.rate_hz(speech.sample_rate_hz) != speech.sample_rate_hz {
            return true;
        }
        let silence = self.narration.silence_before(speech).unwrap_or(0) as usize;
        self.streaming.is_some() || self.narration.samples.len() + silence > self.most_held()
    }

    /// Adds a piece, after the pause requested by the previous one. Returns the bytes of the file
    /// that are ready.
    ///
    /// # Errors
    /// [`RecordingError`].
    pub fn push(&mut self, speech: Speech) -> Result<Vec<u8>, RecordingError> {
        let rate_hz = self.options.audio.rate_hz(speech.sample_rate_hz);
        let speech = narration::at_rate(speech, rate_hz)?;
        let mut silence = self.narration.silence_before(&speech)?;
        if self.narration.length() == 0 && !speech.samples.is_empty() {
            silence = silence.max(self.room(HEAD_MS));
        }
        let mut bytes = self.stream(&speech.samples)?;
        for slice in narration::silence(silence) {
            self.narration.add_silence(slice.len() as u64);
            bytes.extend(self.stream(&speech.samples)?);
        }
        self.narration.append(speech);
        Ok(bytes)
    }

    /// The time spent in each phase so far.
    pub fn phases(&self) -> Phases {
        self.narration.phases
    }

    /// Ends the file. [`Recorded::end`] holds its last bytes. The bytes returned with it come
    /// before those, after the bytes of the pushes.
    ///
    /// # Errors
    /// [`RecordingError`]; [`RecordingError::Silent`] when nothing was said.
    pub fn finish(mut self) -> Result<(Vec<u8>, Recorded), RecordingError> {
        if self.narration.length() == 0 {
            return Err(RecordingError::Silent);
        }
        let sample_rate_hz = self.narration.sample_rate_hz;
        let mut bytes = self.stream(&[])?;
        // The silence at the end is not part of the leveled clip, but where it counts for its level.
        let silence = self.narration.end();
        let tail = self.room(TAIL_MS).saturating_sub(silence);
        let mut output = if let Some(streaming) = self.streaming.take() {
            let Streaming { leveler, mut output } = *streaming;
            bytes.extend(output.push(&leveler.finish())?);
            bytes.extend(output.push(&vec![0.0; tail as usize])?);
            self.narration.skip_silence(tail);
            output
        } else {
            self.narration.add_silence(tail);
            let mut samples = self.narration.take();
            self.level(&mut samples)?;
            let mut output = self.output()?;
            bytes.extend(output.push(&samples)?);
            output
        };
        for slice in narration::silence(silence) {
            bytes.extend(output.push(&slice)?);
        }
        self.narration.skip_silence(silence);
        let recorded = Recorded {
            end: output.encoder.finish()?,
            sample_rate_hz,
            duration_ms: self.narration.duration_ms(),
            words: self.narration.words,
        };
        Ok((bytes, recorded))
    }

    /// Samples of room tone, where there is any.
    fn room(&self, milliseconds: u64) -> u64 {
        let is_acx = self.options.loudness == Loudness::Acx;
        if is_acx { milliseconds * u64::from(self.narration.sample_rate_hz) / 1000 } else { 0 }
    }

    fn level(&self, samples: &mut [f32]) -> Result<LevelReport, AudioError> {
        let gain_db = self.options.voice_gain_db.unwrap_or(0.0);
        level_to(self.options.loudness, samples, self.narration.sample_rate_hz, gain_db)
    }

    fn most_held(&self) -> usize {
        LEVELED_AT_ONCE_S * self.narration.sample_rate_hz as usize
    }

    /// Levels and encodes the buffered speech, if there is enough. `next` is the next speech, which
    /// is measured when only silence is buffered.
    fn stream(&mut self, next: &[f32]) -> Result<Vec<u8>, RecordingError> {
        if self.streaming.is_none() && self.narration.samples.len() <= self.most_held() {
            return Ok(Vec::new());
        }
        let samples = self.narration.take();
        if self.streaming.is_none() {
            // Leveled only to find its gain, which compensates for the limiter's reduction of the
            // loudest parts. A gain computed from the loudness alone would not.
            let mut measured = if self.narration.utterances == 0 { next.to_vec() } else { samples.clone() };
            let gain_db = self.level(&mut measured)?.gain_db;
            let rate_hz = self.narration.sample_rate_hz;
            let leveler = StreamLeveler::with_gain(self.options.loudness, rate_hz, gain_db);
            self.streaming = Some(Box::new(Streaming { leveler, output: self.output()? }));
        }
        match &mut self.streaming {
            Some(streaming) => Ok(streaming.output.push(&streaming.leveler.push(&samples))?),
            None => Ok(Vec::new()),
        }
    }

    fn output(&self) -> Result<Output, AudioError> {
        let encoder = Encoder::new(&self.options.encoding(self.narration.sample_rate_hz), Layout::File)?;
        let tone = (self.options.loudness == Loudness::Acx).then(RoomTone::new);
        Ok(Output { encoder, tone })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        audio::{AudioFormat, AudioParams, decode::decode, loudness::measure},
        engines::AskedPauses,
    };

    const RATE: u32 = 24_000;

    fn recorder(format: AudioFormat, gain_db: f64) -> Recorder {
        let audio = AudioParams::of(format);
        Recorder::new(RecordOptions { voice_gain_db: Some(gain_db), ..RecordOptions::new(audio) })
    }

    /// A tone that swells and fades, `seconds` long, with a measurable loudness.
    fn piece(seconds: usize) -> Speech {
        let samples = (0..seconds * RATE as usize)
            .map(|at| {
                let t = at as f32 / RATE as f32;
                0.05 * (1.0 + (t * 9.0).sin()) * (t * 1400.0).sin()
            })
            .collect();
        let words = vec![WordTiming { source: 0..1, start_sample: 0, end_sample: 100 }];
        Speech { samples, sample_rate_hz: RATE, words, pause_samples: 2_400, ..Speech::default() }
    }

    fn record(pieces: usize, seconds: usize) -> (Vec<u8>, Recorded) {
        let mut making = recorder(AudioFormat::Flac, 0.0);
        let mut file = Vec::new();
        for _ in 0..pieces {
            file.extend(making.push(piece(seconds)).unwrap());
        }
        let (rest, outcome) = making.finish().unwrap();
        file.extend(rest);
        file.extend(&outcome.end.bytes);
        if let Some(patch) = &outcome.end.front_patch {
            patch.apply(&mut file);
        }
        (file, outcome)
    }

    #[test]
    fn a_long_recording_is_as_loud_and_as_long_as_a_short_one() {
        for pieces in [2, 15] {
            let (file, outcome) = record(pieces, 20);
            let decoded = decode(&file).unwrap();
            let wanted = pieces * 20 * RATE as usize + (pieces - 1) * 2_400;
            assert_eq!(decoded.samples.len(), wanted);
            assert_eq!(outcome.duration_ms, (wanted as u64 * 1000).div_ceil(u64::from(RATE)));
            let last = outcome.words.last().unwrap();
            assert_eq!(last.start_sample, ((pieces - 1) * (20 * RATE as usize + 2_400)) as u64);
            let loudness = measure(&decoded.samples, RATE).unwrap();
            assert!((loudness.lufs + 16.0).abs() < 1.0, "{pieces} pieces have {} LUFS", loudness.lufs);
            assert!(loudness.true_peak_dbtp <= -1.0 + 0.01);
        }
    }

    #[test]
    fn no_more_than_the_limit_and_a_piece_is_held() {
        let mut recorder = recorder(AudioFormat::Wav, 0.0);
        let mut bytes = 0;
        for _ in 0..20 {
            bytes += recorder.push(piece(20)).unwrap().len();
            let held = recorder.narration.samples.len() / RATE as usize;
            assert!(held <= LEVELED_AT_ONCE_S + 21, "{held} s are buffered");
        }
        assert!(bytes > 15 * 20 * RATE as usize * 2, "{bytes} bytes came out");
    }

    fn after(asked_ms: u32, piece: Speech) -> Speech {
        Speech { asked: AskedPauses { before_ms: 0, after_ms: asked_ms, exact: false }, ..piece }
    }

    // Negative control: with the silence added all at once, 340 s were buffered.
    #[test]
    fn a_long_silence_is_not_held() {
        let mut recorder = recorder(AudioFormat::Wav, 0.0);
        let mut bytes = recorder.push(after(300_000, piece(20))).unwrap().len();
        assert!(recorder.encodes_at(&piece(20)), "it takes a while");
        bytes += recorder.push(after(300_000, piece(20))).unwrap().len();
        let held = recorder.narration.samples.len() / RATE as usize;
        assert!(held <= LEVELED_AT_ONCE_S + 21, "{held} s are buffered");
        assert!(recorder.narration.samples.capacity() <= 2 * (LEVELED_AT_ONCE_S + 21) * RATE as usize);
        let (rest, outcome) = recorder.finish().unwrap();
        bytes += rest.len() + outcome.end.bytes.len();
        let expected_ms = 2 * (20_000 + 300_000);
        assert!(outcome.duration_ms.abs_diff(expected_ms) <= 20, "{} ms", outcome.duration_ms);
        assert_eq!(bytes, 44 + outcome.duration_ms as usize * 48);
    }

    // Negative control: with the silence measured instead of the following speech, the loudness was
    // −28.2 LUFS.
    #[test]
    fn what_is_said_after_a_long_silence_is_as_loud_as_ever() {
        let mut recorder = recorder(AudioFormat::Flac, 0.0);
        let asked = AskedPauses { before_ms: 200_000, after_ms: 0, exact: false };
        let mut file = recorder.push(Speech { asked, ..piece(10) }).unwrap();
        let (rest, outcome) = recorder.finish().unwrap();
        file.extend(rest);
        file.extend(&outcome.end.bytes);
        if let Some(patch) = &outcome.end.front_patch {
            patch.apply(&mut file);
        }
        let samples = decode(&file).unwrap().samples;
        assert!(samples.len().abs_diff(210 * RATE as usize) <= RATE as usize / 50, "{}", samples.len());
        let loudness = measure(&samples, RATE).unwrap();
        assert!((loudness.lufs + 16.0).abs() < 1.0, "{} LUFS", loudness.lufs);
    }

    // Negative control: with the silence leveled as part of the clip, the speech had another
    // loudness.
    #[test]
    fn a_pause_at_the_end_leaves_the_loudness_as_it_is() {
        let said = |asked_ms: u32| {
            let mut recorder = recorder(AudioFormat::Flac, 6.0);
            let mut file = recorder.push(after(asked_ms, piece(1))).unwrap();
            let (rest, outcome) = recorder.finish().unwrap();
            file.extend(rest);
            file.extend(&outcome.end.bytes);
            if let Some(patch) = &outcome.end.front_patch {
                patch.apply(&mut file);
            }
            decode(&file).unwrap().samples
        };
        let (alone, paused) = (said(0), said(3_000));
        assert!(paused.len() >= 4 * RATE as usize - RATE as usize / 50);
        assert!(alone[..] == paused[..alone.len()], "the pause changed the speech");
        assert!(paused[alone.len()..].iter().all(|sample| *sample == 0.0));
    }

    #[test]
    fn a_recording_of_nothing_says_so() {
        assert!(matches!(recorder(AudioFormat::Mp3, 0.0).finish(), Err(RecordingError::Silent)));
    }
}
