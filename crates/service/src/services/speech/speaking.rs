//! Turns a passage into a recording, with the model threads and their queue. Prices and storage are
//! not known here, and an account is only a key for fair turns.

mod chunk;
mod continuous;
mod live;

use std::{
    collections::HashMap,
    ops::RangeInclusive,
    sync::Arc,
    time::{Duration, Instant},
};

use lectern_speech::{
    audio::captions,
    engines::{self, InstalledVoice, Phases, Speech, WordTiming, piper},
    language::Language,
    pool::{self, EngineState, Pool, PoolError, Reading, Request, Said},
    recorders::{RecordOptions, Recorder, RecordingError},
    script::Script,
    spec::NarrationSpec,
};
use lectern_store::ereaders::Ereader;
use lectern_types::{AccountId, AudioParams, Loudness, SpokenTimestamp};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub use chunk::{ChunkPassage, ChunkRecording};
pub use continuous::{Continuous, ContinuousPiece, Utterance};
pub use lectern_speech::{estimate::CHARACTERS_A_SECOND, pool::Priority};
pub use live::{Live, LivePiece};

use crate::error::{Error, Result};

/// The longest title of a file, in characters.
const TITLE_CHARACTERS: usize = 60;

/// How much more room a recording gets than its samples are likely to take, as half of them take
/// more.
const MARGIN: f64 = 1.1;

/// `Retry-After` of a full queue, in seconds: what the estimate says, within these limits.
const FULL_RETRY_SECONDS: RangeInclusive<u64> = 1..=300;

/// `Retry-After` of a process that is shutting down, in seconds.
const CLOSED_RETRY_SECONDS: u64 = 2;

/// `Retry-After` where another process may have the engine, or this one may recover, in seconds.
const MISSING_RETRY_SECONDS: u64 = 10;

/// The voices of this process.
#[derive(Debug, Clone)]
pub struct Speaker {
    pool: Arc<Pool>,
    /// One encoder for each core: each needs several times the memory of its recording, and more
    /// are not faster.
    encoders: Arc<Semaphore>,
    /// The gain of each voice that a user brought.
    gains: Arc<HashMap<String, f32>>,
}

/// A passage that waits in the queue.
#[derive(Debug)]
pub struct Admitted {
    reading: Reading,
    levels: Levels,
    specs: Vec<Arc<NarrationSpec>>,
    options: RecordOptions,
}

/// A request to synthesize a text.
#[derive(Debug, Clone)]
pub struct Passage {
    /// What each voice says; the first one's level is that of the recording.
    pub specs: Vec<Arc<NarrationSpec>>,
    /// Who says the text up to which byte, as places in `specs`.
    pub turns: Vec<(usize, usize)>,
    /// The title of the file.
    pub title: String,
    /// Format, sample rate and bit rate of the audio.
    pub audio: AudioParams,
    /// How loud it is made.
    pub loudness: Loudness,
    /// The account whose turn it takes.
    pub account: AccountId,
    /// Live work goes first.
    pub priority: Priority,
}

/// The result of a synthesis.
#[derive(Debug)]
pub struct Recording {
    pub bytes: Vec<u8>,
    /// Samples a second.
    pub sample_rate_hz: u32,
    /// Its length in milliseconds.
    pub duration_ms: u64,
    words: Vec<WordTiming>,
}

impl Passage {
    /// A text that one voice says.
    pub fn of(spec: NarrationSpec, audio: AudioParams, account: AccountId, priority: Priority) -> Self {
        Self {
            title: title(&spec.text),
            specs: vec![Arc::new(spec)],
            turns: vec![(0, usize::MAX)],
            audio,
            loudness: Loudness::Standard,
            account,
            priority,
        }
    }
}

impl Speaker {
    /// The voices of `pool`.
    pub fn new(pool: Pool) -> Self {
        Self {
            pool: Arc::new(pool),
            encoders: Arc::new(Semaphore::new(pool::cores())),
            gains: Arc::default(),
        }
    }

    /// The same, which knows how loud these voices are.
    #[must_use]
    pub fn with_gains(self, voices: Vec<InstalledVoice>) -> Self {
        let gains = voices.into_iter().map(|one| (one.voice.name, one.voice.gain_db)).collect();
        Self { gains: Arc::new(gains), ..self }
    }

    /// The gain in dB of streams and of clips too short to be levelled; unknown for voices of other
    /// servers.
    fn fixed_gain_db(&self, spec: &NarrationSpec) -> Option<f64> {
        if spec.engine == piper::NAME {
            return self.gains.get(&spec.voice).copied().map(f64::from);
        }
        let voice = engines::local(&spec.engine)?.resolve(&spec.voice).ok()?;
        Some(f64::from(voice.gain_db))
    }

    /// Whether at least one engine is available and answers.
    pub fn is_ready(&self) -> bool {
        self.pool.answers()
    }

    /// Whether an engine of this name is available.
    pub fn has_engine(&self, name: &str) -> bool {
        self.pool.engines().any(|engine| engine == name)
    }

    /// The names of the engines of this process.
    pub fn engines(&self) -> impl Iterator<Item = &str> {
        self.pool.engines()
    }

    /// What each engine of this process is doing and has done.
    pub fn engine_states(&self) -> Vec<EngineState> {
        self.pool.state().into_iter().flat_map(|lane| lane.engines).collect()
    }

    /// The number of requests that wait for their first turn.
    pub fn queued(&self) -> usize {
        self.pool.state().iter().map(|lane| lane.waiting).sum()
    }

    /// The number of unfinished requests.
    pub fn requests(&self) -> usize {
        self.pool.state().iter().map(|lane| lane.waiting + lane.running).sum()
    }

    /// Stops taking requests and waits at most `patience` for those in progress. Blocks.
    pub fn close(&self, patience: Duration) {
        self.pool.close(patience);
    }

    /// Takes a passage to synthesize into a file.
    ///
    /// # Errors
    /// `service_unavailable`: a full queue, or an engine that this process does not have.
    pub fn admit(&self, passage: Passage) -> Result<Admitted> {
        let (options, levels) = (self.options(&passage), self.levels(&passage.specs));
        let (reading, specs) = (self.submit(&passage, false)?, passage.specs);
        Ok(Admitted { reading, levels, specs, options })
    }

    /// Synthesizes a passage into a file. If `abandoned` is cancelled before the first piece is
    /// done, the work is dropped; after that it is finished.
    ///
    /// # Errors
    /// A failed engine, or `validation_failed` when the text holds nothing that the engine can say.
    pub async fn record(&self, admitted: Admitted, abandoned: &CancellationToken) -> Result<Recording> {
        let Admitted { mut reading, levels, specs, options } = admitted;
        let mut next = tokio::select! {
            biased;
            first = reading.next() => first,
            () = abandoned.cancelled() => {
                return Err(gone());
            }
        };
        let mut recorder = Recorder::new(options);
        let expected: usize = specs.iter().map(|spec| self.pool.expected_samples(spec)).sum();
        recorder.reserve((expected as f64 * MARGIN) as usize);
        let (mut file, mut encoding) = (Vec::new(), Duration::ZERO);
        while let Some(piece) = next {
            let piece = levels.even(piece.map_err(|error| Error::Engine(Arc::new(error)))?);
            if recorder.encodes_at(&piece) {
                let (spent, pushed) = self.encode(move || pushed(recorder, piece)).await?;
                let (bytes, back) = pushed?;
                (recorder, encoding) = (back, encoding + spent);
                file.extend(bytes);
            } else {
                file.extend(recorder.push(piece).map_err(unrecorded)?);
            }
            next = reading.next().await;
        }
        note_phases(engine_of(&specs), recorder.phases(), reading.waited());
        let (spent, outcome) = self.encode(move || recorder.finish()).await?;
        let (bytes, finished) = outcome.map_err(unrecorded)?;
        phase("encode", (encoding + spent).as_secs_f64());
        file.extend(bytes);
        file.extend(finished.end.bytes);
        if let Some(patch) = finished.end.front_patch {
            patch.apply(&mut file);
        }
        Ok(Recording {
            bytes: file,
            sample_rate_hz: finished.sample_rate_hz,
            duration_ms: finished.duration_ms,
            words: finished.words,
        })
    }

    /// How a passage is recorded.
    fn options(&self, passage: &Passage) -> RecordOptions {
        RecordOptions {
            audio: passage.audio,
            loudness: passage.loudness,
            title: Some(passage.title.clone()),
            voice_gain_db: passage.specs.first().and_then(|spec| self.fixed_gain_db(spec)),
        }
    }

    /// How much louder each voice must be to be as loud as the first one.
    fn levels(&self, specs: &[Arc<NarrationSpec>]) -> Levels {
        let gains = specs.iter().map(|spec| self.fixed_gain_db(spec).unwrap_or(0.0) as f32);
        let gains: Vec<f32> = gains.collect();
        let first = gains.first().copied().unwrap_or(0.0);
        Levels(gains.into_iter().map(|gain| 10.0_f32.powf((gain - first) / 20.0)).collect())
    }

    /// Puts a passage into the queue.
    fn submit(&self, passage: &Passage, early: bool) -> Result<Reading> {
        let request = |spec: &Arc<NarrationSpec>| Request {
            account: passage.account.to_string(),
            work: String::new(),
            priority: passage.priority,
            spec: Arc::clone(spec),
            early,
        };
        let requests = passage.specs.iter().map(request).collect();
        self.pool.read(requests, &passage.turns).map_err(refused)
    }

    /// Levels and encodes a piece on a blocking thread, at most one for each core at a time.
    async fn encode<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<(Duration, T)> {
        let stopped = |what: &dyn std::fmt::Display| Error::Internal(format!("the encoder stopped: {what}"));
        let _permit = self.encoders.acquire().await.map_err(|error| stopped(&error))?;
        let started = Instant::now();
        let done = tokio::task::spawn_blocking(work).await.map_err(|error| stopped(&error))?;
        Ok((started.elapsed(), done))
    }
}

/// The engine of the first voice.
fn engine_of(specs: &[Arc<NarrationSpec>]) -> &str {
    specs.first().map_or("", |spec| &spec.engine)
}

/// Factors on the samples of each voice, so that all are as loud as the first one.
#[derive(Debug, Clone)]
pub(super) struct Levels(Vec<f32>);

impl Levels {
    /// What a voice said, as loud as the first one.
    fn even(&self, Said { voice, mut speech }: Said) -> Speech {
        let factor = self.0.get(voice).copied().unwrap_or(1.0);
        if (factor - 1.0).abs() > 1e-3 {
            speech.samples.iter_mut().for_each(|sample| *sample *= factor);
        }
        speech
    }
}

/// A recorder after one more piece, and the bytes that became ready.
fn pushed(mut recorder: Recorder, piece: Speech) -> Result<(Vec<u8>, Recorder)> {
    let bytes = recorder.push(piece).map_err(unrecorded)?;
    Ok((bytes, recorder))
}

fn unrecorded(error: RecordingError) -> Error {
    match error {
        RecordingError::Engine(error) => Error::Engine(Arc::new(error)),
        RecordingError::Audio(error) => Error::Internal(format!("encoding failed: {error}")),
        RecordingError::Silent => Error::invalid("text", "has nothing in it that this e-reader can speak"),
    }
}

impl Recording {
    /// The times of the words and marks of a script, with their places in the text as it was sent.
    pub fn timestamps(&self, script: &Script, sent: &str) -> Vec<SpokenTimestamp> {
        captions::of_script(script, sent, &self.words, self.sample_rate_hz)
    }
}

/// The specification of a text in one of the e-reader's languages, at speed 1 and the voice's own
/// pitch with seed 0.
pub fn narration(ereader: &Ereader, language: &str, text: impl Into<Arc<str>>) -> NarrationSpec {
    // E-readers of an upstream may name languages in their own way; the upstream ignores the
    // language.
    let language = language.parse().unwrap_or(Language::UNDETERMINED);
    NarrationSpec::new(&ereader.engine, &ereader.voice, language, text)
}

/// The error of work whose client left before it began; nobody receives it.
pub(super) fn gone() -> Error {
    Error::Unavailable { what: "the client went away", retry_after_seconds: 1 }
}

fn refused(error: PoolError) -> Error {
    match error {
        PoolError::Full { retry_after } => {
            let seconds = retry_after.as_secs_f64().ceil() as u64;
            let (least, most) = FULL_RETRY_SECONDS.into_inner();
            Error::Unavailable {
                what: "the speech queue is full",
                retry_after_seconds: seconds.clamp(least, most),
            }
        }
        PoolError::Closed => Error::Unavailable {
            what: "the service is shutting down",
            retry_after_seconds: CLOSED_RETRY_SECONDS,
        },
        PoolError::UnknownEngine(_) => Error::Unavailable {
            what: "the engine of this voice is not loaded on this server",
            retry_after_seconds: MISSING_RETRY_SECONDS,
        },
        PoolError::Hanging => Error::Unavailable {
            what: "the speech engine does not answer",
            retry_after_seconds: MISSING_RETRY_SECONDS,
        },
        error @ PoolError::Threads(_) => Error::Engine(Arc::new(error)),
    }
}

fn note_phases(engine: &str, phases: Phases, waited: Option<Duration>) {
    let queue = waited.unwrap_or_default();
    metrics::histogram!("lectern_engine_queue_seconds", "engine" => engine.to_owned())
        .record(queue.as_secs_f64());
    for (name, time) in [
        ("queue", queue),
        ("normalise", phases.normalize),
        ("phonemise", phases.phonemize),
        ("infer", phases.infer),
        ("vocode", phases.vocode),
    ] {
        phase(name, time.as_secs_f64());
    }
}

/// The beginning of a text, cut at a word boundary, as a file's title.
pub(super) fn title(text: &str) -> String {
    let mut title = String::new();
    for word in text.split_whitespace() {
        let room = TITLE_CHARACTERS.saturating_sub(title.chars().count() + 1);
        if word.chars().count() > room {
            if title.is_empty() {
                title.extend(word.chars().take(TITLE_CHARACTERS - 1));
            }
            title.push('…');
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    title
}

/// Records how long a phase of a synthesis took.
pub(super) fn phase(name: &'static str, seconds: f64) {
    metrics::histogram!("lectern_synthesis_phase_seconds", "phase" => name).record(seconds);
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn a_title_is_the_beginning_of_the_text_cut_at_a_word() {
        assert_eq!(title(" One\n two "), "One two");
        let long = title(&"word ".repeat(40));
        assert!(long.ends_with("word…") && long.chars().count() <= 60, "{long}");
        assert_eq!(title(&"é".repeat(100)).chars().count(), 60);
    }
}
