//! From a passage to a recording: the model threads, their queue, and what becomes of their pieces. Prices, accounts
//! and storage are not known here.

mod chunk;
mod live;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lectern_speech::{
    audio::{Format, captions},
    engines::{Phases, Speech, WordTiming, hibari},
    phonemes::Lexicon,
    pool::{self, Narrating, Pool, PoolError, Request},
    recording::{Recorder, RecordingError},
};
use lectern_types::{AccountId, AudioFormat, WordTimestamp};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub use chunk::{ChunkPassage, ChunkRecording};
pub use lectern_speech::{live::LiveFormat, pool::Priority};
pub use live::{Live, LivePiece};

use super::{catalogue::HIBARI, synthesis::phase};
use crate::error::{Error, Result};

/// What a file's title is cut to, in characters.
const TITLE_CHARACTERS: usize = 60;

/// Samples that a character of prose takes at most, as a rule, at speed 1.
const SAMPLES_A_CHARACTER: f32 = 1_700.0;

/// Seconds after which a full queue may have room again.
const FULL_RETRY_SECONDS: u64 = 2;

/// The voices of this process.
#[derive(Debug, Clone)]
pub struct Speaker {
    pool: Arc<Pool>,
    /// One for each core: an encoder needs several times its recording, and more of them are no faster.
    encoders: Arc<Semaphore>,
}

/// A text and how it is to be spoken.
#[derive(Debug, Clone)]
pub struct Passage {
    /// The text as sent.
    pub text: Arc<str>,
    /// The engine's word.
    pub engine: String,
    /// The engine's own name of the voice.
    pub voice: String,
    /// BCP 47.
    pub language: String,
    /// 0.5 to 2.
    pub speed: f32,
    /// The same passage and seed give the same bytes.
    pub seed: u64,
    /// The form of the audio.
    pub format: AudioFormat,
    /// Whose turn it is.
    pub account: AccountId,
    /// Live work goes first.
    pub priority: Priority,
}

/// What was spoken.
#[derive(Debug)]
pub struct Recording {
    /// The audio file.
    pub bytes: Vec<u8>,
    /// Samples a second.
    pub sample_rate_hz: u32,
    /// Its length in milliseconds.
    pub duration_ms: u64,
    words: Vec<WordTiming>,
}

impl Speaker {
    /// The voices of `pool`.
    pub fn new(pool: Pool) -> Self {
        Self { pool: Arc::new(pool), encoders: Arc::new(Semaphore::new(pool::cores())) }
    }

    /// Whether at least one engine can be asked.
    pub fn is_ready(&self) -> bool {
        self.pool.engines().next().is_some()
    }

    /// Whether an engine of this name can be asked.
    pub fn has_engine(&self, name: &str) -> bool {
        self.pool.engines().any(|engine| engine == name)
    }

    /// Requests that wait for their first turn.
    pub fn queued(&self) -> usize {
        self.pool.state().iter().map(|lane| lane.waiting).sum()
    }

    /// Requests that are not said to their end.
    pub fn requests(&self) -> usize {
        self.pool.state().iter().map(|lane| lane.waiting + lane.running).sum()
    }

    /// Takes no new work and waits for what is under way, at most `patience`. Blocks.
    pub fn close(&self, patience: Duration) {
        self.pool.close(patience);
    }

    /// Speaks a passage into a file. When `abandoned` is cancelled before the first piece is done, the rest is dropped;
    /// afterwards it is finished.
    ///
    /// # Errors
    /// A full queue, a failed engine, or `validation_failed` when there is nothing in the text that the
    /// engine can say.
    pub async fn speak(&self, passage: Passage, abandoned: &CancellationToken) -> Result<Recording> {
        let title = title(&passage.text);
        let (characters, speed) = (passage.text.chars().count(), passage.speed);
        let gain_db = fixed_gain_db(&passage.engine, &passage.voice).unwrap_or(0.0);
        let format = file_format(passage.format);
        let mut narrating = self.submit(passage)?;
        let mut next = tokio::select! {
            biased;
            first = narrating.next() => first,
            () = abandoned.cancelled() => {
                return Err(gone());
            }
        };
        let mut recorder = Recorder::new(format, Some(title), gain_db);
        recorder.reserve((characters as f32 * SAMPLES_A_CHARACTER / speed) as usize);
        let (mut file, mut encoding) = (Vec::new(), Duration::ZERO);
        while let Some(piece) = next {
            let piece = piece.map_err(|error| Error::Engine(Arc::new(error)))?;
            if recorder.encodes_at(&piece) {
                let (spent, pushed) = self.encode(move || pushed(recorder, piece)).await?;
                let (bytes, back) = pushed?;
                (recorder, encoding) = (back, encoding + spent);
                file.extend(bytes);
            } else {
                file.extend(recorder.push(piece).map_err(unrecorded)?);
            }
            next = narrating.next().await;
        }
        note_phases(recorder.phases(), narrating.waited());
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

    /// Puts a passage into the queue.
    fn submit(&self, passage: Passage) -> Result<Narrating> {
        let request = Request {
            account: passage.account.to_string(),
            work: String::new(),
            breaks: Arc::default(),
            priority: passage.priority,
            engine: passage.engine,
            voice: passage.voice,
            language: passage.language,
            text: passage.text,
            speed: passage.speed,
            seed: passage.seed,
            lexicon: Arc::new(Lexicon::default()),
        };
        self.pool.submit(request).map_err(refused)
    }

    /// Does a piece of levelling and encoding on a thread that may block, as many at a time as there are cores.
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

/// A recorder with a piece more, and the bytes that became ready.
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
    /// When each word of `text`, which is the passage's, is spoken.
    pub fn timestamps(&self, text: &str) -> Vec<WordTimestamp> {
        word_timestamps(captions::timestamps(text, &self.words, self.sample_rate_hz))
    }
}

/// The words as the API has them.
fn word_timestamps(words: Vec<captions::WordTimestamp>) -> Vec<WordTimestamp> {
    let words = words.into_iter().map(|word| WordTimestamp {
        text: word.text,
        // At most 5,000 characters were taken.
        start_char: word.start_char as u32,
        end_char: word.end_char as u32,
        start_ms: word.start_ms,
        end_ms: word.end_ms,
    });
    words.collect()
}

/// The gain of clips too short to be levelled and of streams, in dB; unknown for voices of other servers.
fn fixed_gain_db(engine: &str, voice: &str) -> Option<f64> {
    let known = if engine == HIBARI { hibari::voice(voice) } else { None };
    known.map(|voice| f64::from(voice.gain_db))
}

/// The speech crate's word for a format.
pub fn file_format(format: AudioFormat) -> Format {
    match format {
        AudioFormat::Mp3 => Format::Mp3,
        AudioFormat::Wav => Format::Wav,
        AudioFormat::Flac => Format::Flac,
        AudioFormat::Opus => Format::Opus,
    }
}

/// What becomes of work whose client left before it began; nobody reads it.
pub(super) fn gone() -> Error {
    Error::Unavailable { what: "the client went away", retry_after_seconds: 1 }
}

fn refused(error: PoolError) -> Error {
    match error {
        PoolError::Full => {
            Error::Unavailable { what: "the speech queue is full", retry_after_seconds: FULL_RETRY_SECONDS }
        }
        PoolError::Closed => Error::Unavailable {
            what: "the service is shutting down",
            retry_after_seconds: FULL_RETRY_SECONDS,
        },
        error @ (PoolError::UnknownEngine(_) | PoolError::Threads(_)) => Error::Engine(Arc::new(error)),
    }
}

fn note_phases(phases: Phases, waited: Option<Duration>) {
    for (name, time) in [
        ("queue", waited.unwrap_or_default()),
        ("normalise", phases.normalise),
        ("phonemise", phases.phonemise),
        ("infer", phases.infer),
        ("vocode", phases.vocode),
    ] {
        phase(name, time.as_secs_f64());
    }
}

/// The beginning of a text, cut at a word where one ends, as a file's title.
fn title(text: &str) -> String {
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
