//! Records a chunk of a book: spoken once, leveled once, encoded once for each file.
//!
//! The chunks of a book are recorded separately, on any thread or machine, and played as if they
//! were one. So a chunk is leveled by the voice's gain, not by a measurement of its own (the
//! figures are in `docs/adr/0006-sound-across-chunks.md`); it includes the silence that follows it;
//! and its duration is a multiple of [`TICK_MS`], so that the book's length in milliseconds is the
//! sum of its chunks'. `file` records whole texts.

use super::{
    LEVELED_AT_ONCE_S, RecordingError,
    narration::{self, Narration},
};
use crate::{
    audio::{
        AudioError, AudioFormat, EncodeOptions, Encoder, Layout,
        book::{self, BookFormat, ChunkEncoder},
        loudness::{StreamLeveler, level},
        resample::resample,
    },
    engines::{Phases, Speech, WordTiming},
    markup,
    spec::PauseAt,
};

/// A chunk's duration is a multiple of this, in milliseconds, at every rate at which this is a
/// whole number of samples. At rates such as 22,050 Hz, it is a multiple of the smallest multiple
/// of this with a whole number of samples.
pub const TICK_MS: u64 = 10;

/// The duration of a chunk without speech and without pauses of its own, in milliseconds, before
/// the pause that follows it.
pub const SILENT_CHUNK_MS: u64 = 500;

/// How a chunk is recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkOptions {
    /// The format of the second file; with FLAC, the format of the lossless file, there is no
    /// second one.
    pub format: AudioFormat,
    /// The title in the files.
    pub title: Option<String>,
    /// The sample rate of the files; speech at another rate is converted.
    pub sample_rate_hz: u32,
    /// The gain of the voice, in dB. With `None`, the chunk's first two minutes determine it.
    pub voice_gain_db: Option<f64>,
    /// Whether the chunk is encoded for whole books, too: see [`ChunkAudio::mp3`] and [`ChunkAudio::aac`].
    pub is_part_of_book: bool,
}

/// A chunk's recording in progress.
pub struct ChunkRecorder {
    options: ChunkOptions,
    narration: Narration,
    files: Option<Box<Files>>,
}

/// The leveler, and the files that it feeds, once the gain is known.
struct Files {
    leveler: StreamLeveler,
    sound: Sound,
}

/// What is encoded of the leveled samples.
struct Sound {
    lossless: File,
    wanted: Option<File>,
    /// For whole books.
    mp3: Option<ChunkEncoder>,
    aac: Option<ChunkEncoder>,
}

struct File {
    encoder: Encoder,
    bytes: Vec<u8>,
    /// Of a file with another rate: all samples so far, which are converted at the end, so that it
    /// lasts as long as the lossless one. Only telephony's formats have one, whose chunks are small.
    other_rate: Option<OtherRate>,
}

struct OtherRate {
    samples: Vec<f32>,
    from_hz: u32,
    to_hz: u32,
}

/// A recorded chunk.
#[derive(Debug)]
pub struct ChunkAudio {
    /// The FLAC file.
    pub lossless: Vec<u8>,
    /// The file in the requested format; `None` when that is FLAC.
    pub encoded: Option<Vec<u8>>,
    /// An MP3 of the chunk without the silence at its end, from which whole books are joined; `None` when `encoded` is
    /// an MP3, which serves as well, or MP3 does not have this rate.
    pub mp3: Option<Vec<u8>>,
    /// The same as AAC in ADTS; `None` when this build or this rate has no AAC.
    pub aac: Option<Vec<u8>>,
    /// When each word is spoken.
    pub words: Vec<WordTiming>,
    /// The sample rate.
    pub sample_rate_hz: u32,
    /// The number of samples, including the silence at the end.
    pub samples: u64,
    /// The exact duration in milliseconds.
    pub duration_ms: u64,
}

impl std::fmt::Debug for ChunkRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChunkRecorder").field("options", &self.options).finish_non_exhaustive()
    }
}

impl ChunkRecorder {
    /// An empty recording.
    pub fn new(options: ChunkOptions) -> Self {
        Self { options, narration: Narration::new(), files: None }
    }

    /// Adds a piece, after the pause requested by the previous one. Levels and encodes it, which
    /// takes a few per cent of the time of synthesis.
    ///
    /// # Errors
    /// [`RecordingError`].
    pub fn push(&mut self, speech: Speech) -> Result<(), RecordingError> {
        let speech = narration::at_rate(speech, self.options.sample_rate_hz)?;
        let silence = self.narration.silence_before(&speech)?;
        for slice in narration::silence(silence) {
            self.narration.add_silence(slice.len() as u64);
            self.encode_if_enough(&speech.samples)?;
        }
        self.narration.append(speech);
        self.encode_if_enough(&[])
    }

    /// The time spent in each phase so far.
    pub fn phases(&self) -> Phases {
        self.narration.phases
    }

    /// Ends the files with a silence of `pause_after_ms`, extended so that the duration is a
    /// multiple of [`TICK_MS`]. A chunk without speech lasts as long as the pauses in its `text`
    /// together, or as `pause_after_ms` if that is longer. Without such pauses, it is
    /// [`SILENT_CHUNK_MS`] of silence and its pause.
    ///
    /// # Errors
    /// [`RecordingError::Audio`].
    pub fn finish(mut self, text: &str, pause_after_ms: u32) -> Result<ChunkAudio, RecordingError> {
        let sample_rate_hz = self.options.sample_rate_hz;
        let mut files = *self.files(&[])?;
        files.push(&self.narration.take())?;
        let said = self.narration.length();
        let asked_ms = if said == 0 {
            // No utterance carries these pauses.
            markup::pauses_ms(text)
        } else {
            self.narration.asked_at_end() * 1000 / u64::from(sample_rate_hz.max(1))
        };
        let silent_ms = if said == 0 && asked_ms == 0 { SILENT_CHUNK_MS } else { 0 };
        // A pause at the end of the text replaces a shorter one.
        let pause_ms = asked_ms.max(u64::from(pause_after_ms));
        let (samples, duration_ms) = whole_ticks(said, silent_ms + pause_ms, sample_rate_hz);
        // The limiter's remaining samples are kept: silence follows them instead of cutting them
        // off.
        let held = files.leveler.finish();
        files.sound.push(&held)?;
        let Sound { mut lossless, mut wanted, mp3, aac } = files.sound;
        // What a book is joined from needs no silence at the end.
        for slice in narration::silence(samples - said) {
            lossless.push(&slice)?;
            if let Some(file) = &mut wanted {
                file.push(&slice)?;
            }
        }
        Ok(ChunkAudio {
            lossless: lossless.finish()?,
            encoded: wanted.map(File::finish).transpose()?,
            mp3: mp3.map(ChunkEncoder::finish).transpose()?,
            aac: aac.map(ChunkEncoder::finish).transpose()?,
            words: self.narration.words,
            sample_rate_hz,
            samples,
            duration_ms,
        })
    }

    /// Levels and encodes the buffered speech, once the gain is known. `next` is the next speech.
    fn encode_if_enough(&mut self, next: &[f32]) -> Result<(), RecordingError> {
        let held = self.narration.samples.len();
        let enough = LEVELED_AT_ONCE_S * self.options.sample_rate_hz as usize;
        if self.files.is_some() || self.options.voice_gain_db.is_some() || held > enough {
            let mut files = self.files(next)?;
            files.push(&self.narration.take())?;
            self.files = Some(files);
        }
        Ok(())
    }

    /// The files, started with the buffered speech if necessary. If that is only silence, `next`
    /// determines the gain.
    fn files(&mut self, next: &[f32]) -> Result<Box<Files>, AudioError> {
        match self.files.take() {
            Some(files) => Ok(files),
            None if self.narration.utterances == 0 => Ok(Box::new(Files::new(&self.options, next)?)),
            None => Ok(Box::new(Files::new(&self.options, &self.narration.samples)?)),
        }
    }
}

impl Files {
    fn new(options: &ChunkOptions, beginning: &[f32]) -> Result<Self, AudioError> {
        let gain_db = match options.voice_gain_db {
            Some(gain_db) => gain_db,
            // Leveled only to find its gain, which compensates for the limiter.
            None => level(&mut beginning.to_vec(), options.sample_rate_hz, 0.0)?.gain_db,
        };
        let leveler = StreamLeveler::new(options.sample_rate_hz, gain_db);
        Ok(Self { leveler, sound: Sound::new(options)? })
    }

    fn push(&mut self, samples: &[f32]) -> Result<(), AudioError> {
        let leveled = self.leveler.push(samples);
        self.sound.push(&leveled)
    }
}

impl Sound {
    fn new(options: &ChunkOptions) -> Result<Self, AudioError> {
        let file = |format: AudioFormat| File::new(options, format);
        let part = |format: BookFormat| ChunkEncoder::new(format, options.sample_rate_hz);
        let (is_part, is_mp3) = (options.is_part_of_book, options.format == AudioFormat::Mp3);
        let has_aac = is_part && book::has_rate(BookFormat::M4b, options.sample_rate_hz);
        let has_mp3 = is_part && !is_mp3 && book::has_rate(BookFormat::Mp3, options.sample_rate_hz);
        Ok(Self {
            lossless: file(AudioFormat::Flac)?,
            wanted: (options.format != AudioFormat::Flac).then(|| file(options.format)).transpose()?,
            mp3: has_mp3.then(|| part(BookFormat::Mp3)).transpose()?,
            aac: has_aac.then(|| part(BookFormat::M4b)).transpose()?,
        })
    }

    fn push(&mut self, samples: &[f32]) -> Result<(), AudioError> {
        for file in [Some(&mut self.lossless), self.wanted.as_mut()].into_iter().flatten() {
            file.push(samples)?;
        }
        for file in [self.mp3.as_mut(), self.aac.as_mut()].into_iter().flatten() {
            file.push(samples)?;
        }
        Ok(())
    }
}

impl File {
    fn new(options: &ChunkOptions, format: AudioFormat) -> Result<Self, AudioError> {
        let (title, from_hz) = (options.title.clone(), options.sample_rate_hz);
        let to_hz = format.default_rate_hz(from_hz);
        let options = EncodeOptions { title, ..EncodeOptions::new(format, to_hz) };
        let other_rate = (to_hz != from_hz).then(|| OtherRate { samples: Vec::new(), from_hz, to_hz });
        Ok(Self { encoder: Encoder::new(&options, Layout::File)?, bytes: Vec::new(), other_rate })
    }

    fn push(&mut self, samples: &[f32]) -> Result<(), AudioError> {
        match &mut self.other_rate {
            Some(other) => other.samples.extend_from_slice(samples),
            None => self.bytes.extend(self.encoder.push(samples)?),
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<u8>, AudioError> {
        let Self { mut encoder, mut bytes, other_rate } = self;
        if let Some(OtherRate { samples, from_hz, to_hz }) = other_rate {
            bytes.extend(encoder.push(&resample(&samples, from_hz, to_hz)?)?);
        }
        let end = encoder.finish()?;
        bytes.extend(end.bytes);
        if let Some(patch) = end.front_patch {
            patch.apply(&mut bytes);
        }
        Ok(bytes)
    }
}

/// The silence that ends a chunk, in milliseconds: its own pauses after the last speech, which ends
/// at byte `reached` of its text, or the pause before the next chunk. The longer one counts,
/// because it is the same silence.
pub fn pause_at_end(pauses: &[PauseAt], reached: usize, pause_after_ms: u32) -> u32 {
    let after = pauses.iter().filter(|pause| pause.at >= reached);
    after.map(|pause| pause.pause_ms).fold(pause_after_ms, u32::max)
}

/// `samples` plus at least `then_ms` milliseconds, rounded up to a whole tick: in samples and in
/// milliseconds.
fn whole_ticks(samples: u64, then_ms: u64, sample_rate_hz: u32) -> (u64, u64) {
    let rate = u64::from(sample_rate_hz.max(1));
    let (tick_samples, tick_ms) = tick(rate);
    let wanted = samples + (then_ms * rate).div_ceil(1000);
    let ticks = wanted.div_ceil(tick_samples);
    (ticks * tick_samples, ticks * tick_ms)
}

/// The shortest duration that is a whole number of samples and a multiple of [`TICK_MS`].
fn tick(rate: u64) -> (u64, u64) {
    let mut ticks = 1;
    while !(ticks * TICK_MS * rate).is_multiple_of(1000) {
        ticks += 1;
    }
    (ticks * TICK_MS * rate / 1000, ticks * TICK_MS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audio::{
        decode::decode,
        loudness::{CEILING_DBTP, TARGET_LUFS, measure},
    };

    const RATE: u32 = 24_000;

    fn options(format: AudioFormat) -> ChunkOptions {
        ChunkOptions {
            format,
            title: None,
            sample_rate_hz: RATE,
            voice_gain_db: Some(6.0),
            is_part_of_book: false,
        }
    }

    /// A tone at a given rate that ends abruptly.
    fn tone(samples: usize, amplitude: f32, sample_rate_hz: u32) -> Speech {
        let step = 1_400.0 / sample_rate_hz as f32;
        let samples = (0..samples).map(|at| amplitude * (at as f32 * step).sin()).collect();
        let words = vec![WordTiming { source: 0..1, start_sample: 10, end_sample: 20 }];
        let pause_samples = u64::from(sample_rate_hz) / 10;
        Speech { samples, sample_rate_hz, words, pause_samples, ..Speech::default() }
    }

    fn record(options: ChunkOptions, pieces: &[Speech], pause_ms: u32) -> ChunkAudio {
        let mut recorder = ChunkRecorder::new(options);
        for piece in pieces {
            recorder.push(piece.clone()).unwrap();
        }
        recorder.finish("", pause_ms).unwrap()
    }

    #[test]
    fn a_chunk_ends_with_its_pause_and_is_whole_ticks_long_in_every_format() {
        for &format in AudioFormat::FILES {
            let audio = record(options(format), &[tone(10_001, 0.1, RATE), tone(5_003, 0.1, RATE)], 600);
            let said = 10_001 + 2_400 + 5_003;
            assert!(audio.samples >= said + 14_400 && audio.samples < said + 14_400 + 240);
            assert_eq!(audio.samples % 240, 0);
            assert_eq!(audio.duration_ms, audio.samples / 24);
            let files = std::iter::once(&audio.lossless).chain(&audio.encoded);
            assert_eq!(files.clone().count(), if format == AudioFormat::Flac { 1 } else { 2 });
            for file in files {
                let decoded = decode(file).unwrap();
                let wanted = audio.samples * u64::from(decoded.sample_rate_hz) / u64::from(RATE);
                assert_eq!(decoded.samples.len() as u64, wanted, "{format}");
            }
            let lossless = decode(&audio.lossless).unwrap().samples;
            assert!(lossless[said as usize..].iter().all(|sample| *sample == 0.0), "the rest is silence");
            assert!(lossless[said as usize - 4..said as usize].iter().any(|sample| sample.abs() > 0.01));
            assert_eq!(audio.words[1].start_sample, 10_001 + 2_400 + 10);
        }
    }

    #[test]
    fn rates_without_whole_samples_in_ten_milliseconds_get_the_next_multiple() {
        assert_eq!(tick(24_000), (240, 10));
        assert_eq!(tick(44_100), (441, 10));
        assert_eq!(tick(22_050), (441, 20));
        assert_eq!(tick(11_025), (441, 40));
        assert_eq!(whole_ticks(1, 0, 24_000), (240, 10));
        assert_eq!(whole_ticks(240, 10, 24_000), (480, 20));
        assert_eq!(whole_ticks(441, 1, 22_050), (882, 40));
    }

    #[test]
    fn a_chunk_that_says_nothing_is_silence_and_its_pause() {
        let silent = Speech { sample_rate_hz: RATE, pause_samples: 99, ..Speech::default() };
        for pieces in [&[][..], &[silent]] {
            let audio = record(options(AudioFormat::Mp3), pieces, 1_500);
            assert_eq!(audio.duration_ms, SILENT_CHUNK_MS + 1_500);
            let decoded = decode(&audio.encoded.unwrap()).unwrap();
            assert_eq!(decoded.samples.len() as u64, audio.samples);
            assert!(decoded.samples.iter().all(|sample| sample.abs() < 1e-3));
            let unmeasured = ChunkOptions { voice_gain_db: None, ..options(AudioFormat::Flac) };
            assert_eq!(record(unmeasured, pieces, 0).duration_ms, SILENT_CHUNK_MS);
        }
    }

    // Negative control: without the pauses of the text, the first of these lasted 2 s instead of 8
    // s.
    #[test]
    fn a_chunk_of_nothing_but_pauses_lasts_as_long_as_they_do() {
        let silent = Speech { sample_rate_hz: RATE, ..Speech::default() };
        for (text, pause_ms, wanted) in [
            ("[pause 8s]", 1_500, 8_000),
            ("[pause 10s]\n[pause 2.5s]\n", 600, 12_500),
            ("[pause 300ms]", 1_500, 1_500),
            // More than the buffer for leveling and a slice of silence hold.
            ("[pause 10s]\n".repeat(84).as_str(), 0, 840_000),
        ] {
            for pieces in [&[][..], std::slice::from_ref(&silent)] {
                for voice_gain_db in [Some(6.0), None] {
                    let options = ChunkOptions { voice_gain_db, ..options(AudioFormat::Flac) };
                    let mut recorder = ChunkRecorder::new(options);
                    for piece in pieces {
                        recorder.push(piece.clone()).unwrap();
                    }
                    let audio = recorder.finish(text, pause_ms).unwrap();
                    assert_eq!((audio.duration_ms, audio.samples), (wanted, wanted * 24));
                    assert_eq!(decode(&audio.lossless).unwrap().samples.len() as u64, audio.samples);
                }
            }
        }
    }

    #[test]
    fn a_measured_voice_keeps_its_gain_and_an_unmeasured_one_is_leveled() {
        let lufs = |gain: Option<f64>, amplitude: f32| {
            let options = ChunkOptions { voice_gain_db: gain, ..options(AudioFormat::Flac) };
            let audio = record(options, &[tone(RATE as usize * 8, amplitude, RATE)], 0);
            let loudness = measure(&decode(&audio.lossless).unwrap().samples, RATE).unwrap();
            assert!(loudness.true_peak_dbtp <= CEILING_DBTP + 0.01, "{loudness:?}");
            loudness.lufs
        };
        assert!((lufs(Some(6.0), 0.04) - lufs(Some(6.0), 0.02) - 6.02).abs() < 0.1);
        assert!((lufs(None, 0.04) - TARGET_LUFS).abs() < 0.5);
        assert!((lufs(None, 0.2) - TARGET_LUFS).abs() < 0.5);
        lufs(Some(20.0), 0.5);
    }

    #[test]
    fn an_engine_of_another_rate_is_converted() {
        let audio =
            record(options(AudioFormat::Flac), &[tone(48_000, 0.1, 48_000), tone(16_000, 0.1, 16_000)], 0);
        assert_eq!(audio.sample_rate_hz, RATE);
        assert_eq!(audio.samples, 24_000 + 2_400 + 24_000);
        let starts: Vec<u64> = audio.words.iter().map(|word| word.start_sample).collect();
        assert_eq!(starts, [5, 24_000 + 2_400 + 15]);
    }

    #[test]
    fn the_end_pauses_as_long_as_its_longest_pause() {
        let pauses = [PauseAt { at: 5, pause_ms: 900 }, PauseAt { at: 12, pause_ms: 700 }];
        assert_eq!(pause_at_end(&pauses, 10, 600), 700);
        assert_eq!(pause_at_end(&pauses, 10, 1_500), 1_500);
        assert_eq!(pause_at_end(&pauses, 13, 0), 0);
    }
}
