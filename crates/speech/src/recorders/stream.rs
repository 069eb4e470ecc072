//! A stream of speech: each piece is leveled, encoded and returned as soon as it is spoken.
//!
//! A stream cannot be leveled as a whole, because its end is not known when its beginning is sent.
//! It keeps one gain from its first sample to its last: the voice's own or, for unmeasured voices,
//! the one that the first piece needs. The limiter is the same as for files, which `file` records.

use super::{
    RecordOptions, RecordingError,
    narration::{self, Narration},
};
use crate::{
    audio::{
        AudioError, Encoder, Layout,
        loudness::{StreamLeveler, level_to},
    },
    engines::{Phases, Speech, WordTiming},
};

/// A stream in progress.
pub struct StreamRecorder {
    options: RecordOptions,
    narration: Narration,
    running: Option<Box<Running>>,
}

/// The state after the first sample.
struct Running {
    leveler: StreamLeveler,
    encoder: Encoder,
}

impl std::fmt::Debug for StreamRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StreamRecorder").field("audio", &self.options.audio).finish_non_exhaustive()
    }
}

impl StreamRecorder {
    /// An empty stream. If the voice has no gain, the first piece is measured.
    pub fn new(options: RecordOptions) -> Self {
        Self { options, narration: Narration::new(), running: None }
    }

    /// Adds a piece, after the pause requested by the previous one, and returns the bytes that are
    /// ready: nearly all of the piece. A few milliseconds stay in the limiter and the encoder until
    /// the next piece.
    ///
    /// # Errors
    /// [`RecordingError`].
    pub fn push(&mut self, speech: Speech) -> Result<Vec<u8>, RecordingError> {
        let rate_hz = self.options.audio.rate_hz(speech.sample_rate_hz);
        let speech = narration::at_rate(speech, rate_hz)?;
        let silence = self.narration.silence_before(&speech)?;
        self.narration.skip_silence(silence);
        self.narration.append(speech);
        let samples = self.narration.take();
        if samples.is_empty() {
            return Ok(Vec::new());
        }
        let running = match &mut self.running {
            Some(running) => running,
            empty => {
                empty.insert(Box::new(Running::new(&self.options, self.narration.sample_rate_hz, &samples)?))
            }
        };
        let mut bytes = Vec::new();
        for slice in narration::silence(silence) {
            bytes.extend(running.push(&slice)?);
        }
        bytes.extend(running.push(&samples)?);
        Ok(bytes)
    }

    /// Adds silence, which pushes what was said before it out of the limiter and the encoder. Nothing before the first
    /// piece.
    ///
    /// # Errors
    /// [`RecordingError::Audio`].
    pub fn pause(&mut self, duration_ms: u64) -> Result<Vec<u8>, RecordingError> {
        let Some(running) = &mut self.running else { return Ok(Vec::new()) };
        let samples = duration_ms * u64::from(self.narration.sample_rate_hz) / 1000;
        self.narration.skip_silence(samples);
        let mut bytes = Vec::new();
        for slice in narration::silence(samples) {
            bytes.extend(running.push(&slice)?);
        }
        Ok(bytes)
    }

    /// The words since the last call, with positions from the first sample of the stream.
    pub fn take_words(&mut self) -> Vec<WordTiming> {
        std::mem::take(&mut self.narration.words)
    }

    /// The time spent in each phase so far.
    pub fn phases(&self) -> Phases {
        self.narration.phases
    }

    /// The sample rate; 0 before the first piece.
    pub fn sample_rate_hz(&self) -> u32 {
        self.narration.sample_rate_hz
    }

    /// The duration of all pieces so far, in milliseconds, rounded.
    pub fn duration_ms(&self) -> u64 {
        self.narration.duration_ms()
    }

    /// Ends the stream and returns its last bytes.
    ///
    /// # Errors
    /// [`RecordingError`]; [`RecordingError::Silent`] when nothing was said.
    pub fn finish(mut self) -> Result<Vec<u8>, RecordingError> {
        let Some(running) = self.running else { return Err(RecordingError::Silent) };
        Ok(running.finish(self.narration.end())?)
    }
}

impl Running {
    fn new(options: &RecordOptions, sample_rate_hz: u32, first: &[f32]) -> Result<Self, AudioError> {
        let loudness = options.loudness;
        let leveler = if let Some(gain_db) = options.voice_gain_db {
            StreamLeveler::of_voice(loudness, sample_rate_hz, gain_db)
        } else {
            // Leveled only to find its gain, which compensates for the limiter.
            let gain_db = level_to(loudness, &mut first.to_vec(), sample_rate_hz, 0.0)?.gain_db;
            StreamLeveler::with_gain(loudness, sample_rate_hz, gain_db)
        };
        let encoder = Encoder::new(&options.encoding(sample_rate_hz), Layout::Stream)?;
        Ok(Self { leveler, encoder })
    }

    fn push(&mut self, samples: &[f32]) -> Result<Vec<u8>, AudioError> {
        self.encoder.push(&self.leveler.push(samples))
    }

    /// Ends with `silence` samples of silence.
    fn finish(mut self, silence: u64) -> Result<Vec<u8>, AudioError> {
        let mut bytes = Vec::new();
        for slice in narration::silence(silence) {
            bytes.extend(self.push(&slice)?);
        }
        bytes.extend(self.encoder.push(&self.leveler.finish())?);
        bytes.extend(self.encoder.finish()?.bytes);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        audio::{
            AudioFormat, AudioParams,
            decode::decode,
            loudness::{CEILING_DBTP, TARGET_LUFS, measure},
        },
        engines::AskedPauses,
    };

    const RATE: u32 = 24_000;

    fn recorder(format: AudioFormat, voice_gain_db: Option<f64>) -> StreamRecorder {
        let title = Some("Three".to_owned());
        StreamRecorder::new(RecordOptions {
            title,
            voice_gain_db,
            ..RecordOptions::new(AudioParams::of(format))
        })
    }

    /// A tone that swells and fades, `seconds` long.
    fn piece(seconds: usize, amplitude: f32) -> Speech {
        let samples = (0..seconds * RATE as usize)
            .map(|at| {
                let t = at as f32 / RATE as f32;
                amplitude * (1.0 + (t * 9.0).sin()) * (t * 1400.0).sin()
            })
            .collect();
        Speech { samples, sample_rate_hz: RATE, pause_samples: 2_400, ..Speech::default() }
    }

    /// The bytes of three pieces of 5 s, and the number of bytes that each push returned.
    fn stream(format: AudioFormat, gain_db: Option<f64>, amplitude: f32) -> (Vec<u8>, Vec<usize>) {
        let mut live = recorder(format, gain_db);
        let (mut bytes, mut lengths) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            let ready = live.push(piece(5, amplitude)).unwrap();
            lengths.push(ready.len());
            bytes.extend(ready);
        }
        assert_eq!((live.duration_ms(), live.sample_rate_hz()), (15_200, RATE));
        bytes.extend(live.finish().unwrap());
        (bytes, lengths)
    }

    const SAMPLES: usize = 15 * RATE as usize + 2 * 2_400;

    #[test]
    fn every_format_gives_each_piece_at_once_and_decodes_to_all_of_it() {
        for &format in AudioFormat::FILES {
            let (bytes, lengths) = stream(format, Some(6.0), 0.05);
            for (at, length) in lengths.iter().enumerate() {
                assert!(
                    *length * 7 > bytes.len() * 2,
                    "{format}: piece {at} gave {length} of {}",
                    bytes.len()
                );
            }
            let decoded = decode(&bytes).unwrap();
            let rate = decoded.sample_rate_hz as usize;
            let late = (decoded.samples.len() * RATE as usize / rate).abs_diff(SAMPLES);
            // An MP3 stream keeps its start-up delay and fills its last frame.
            assert!(late <= if format == AudioFormat::Mp3 { 2_500 } else { 24 }, "{format} is off by {late}");
        }
        let (bytes, _) = stream(AudioFormat::Pcm, Some(6.0), 0.05);
        assert_eq!(bytes.len(), 2 * SAMPLES);
    }

    #[test]
    fn silences_that_were_asked_for_are_streamed_whole() {
        for gain in [Some(6.0), None] {
            let mut live = recorder(AudioFormat::Pcm, gain);
            let mut bytes = Vec::new();
            for asked in [(200_000, 40_000), (0, 60_000)] {
                let asked = AskedPauses { before_ms: asked.0, after_ms: asked.1, exact: false };
                bytes.extend(live.push(Speech { asked, ..piece(5, 0.05) }).unwrap());
            }
            bytes.extend(live.finish().unwrap());
            let seconds = bytes.len() as f64 / f64::from(2 * RATE);
            assert!((seconds - 310.0).abs() < 0.05, "{seconds} s");
            let samples: Vec<f32> = bytes
                .chunks_exact(2)
                .map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0)
                .collect();
            assert!(samples[..RATE as usize * 199].iter().all(|sample| *sample == 0.0));
            if gain.is_none() {
                let loudness = measure(&samples, RATE).unwrap();
                assert!((loudness.lufs - TARGET_LUFS).abs() < 1.0, "{loudness:?}");
            }
        }
    }

    #[test]
    fn raw_samples_are_those_of_the_wav() {
        let (wav, _) = stream(AudioFormat::Wav, Some(6.0), 0.05);
        let (raw, _) = stream(AudioFormat::Pcm, Some(6.0), 0.05);
        assert_eq!(wav[44..], raw[..]);
    }

    #[test]
    fn one_gain_holds_for_the_whole_stream_and_peaks_stay_below_the_ceiling() {
        let heard = |gain, amplitude| {
            let (bytes, _) = stream(AudioFormat::Wav, gain, amplitude);
            measure(&decode(&bytes).unwrap().samples, RATE).unwrap()
        };
        // The voice's own gain applies, whatever the level.
        let (faint, louder) = (heard(Some(6.0), 0.02), heard(Some(6.0), 0.04));
        assert!((louder.lufs - faint.lufs - 6.02).abs() < 0.2, "{faint:?} {louder:?}");
        // A voice without a gain is leveled to the files' target, by its first piece.
        for amplitude in [0.02, 0.3] {
            let leveled = heard(None, amplitude);
            assert!((leveled.lufs - TARGET_LUFS).abs() < 1.0, "{leveled:?}");
        }
        assert!(heard(Some(20.0), 0.4).true_peak_dbtp <= CEILING_DBTP);
    }

    #[test]
    fn a_stream_of_nothing_says_so() {
        let mut live = recorder(AudioFormat::Pcm, None);
        assert!(live.push(Speech { sample_rate_hz: RATE, ..Speech::default() }).unwrap().is_empty());
        assert!(matches!(live.finish(), Err(RecordingError::Silent)));
    }
}
