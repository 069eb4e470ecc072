//! From a passage to a recording: the model threads, their queue, and what becomes of their pieces. Prices, accounts
//! and storage are not known here.

use std::{sync::Arc, time::Instant};

use lectern_speech::{
    audio::{self, EncodeOptions, Format, captions, loudness},
    engines::hibari,
    narration::Narration,
    phonemes::Lexicon,
    pool::{self, Pool, PoolError, Request},
};
use lectern_types::{AccountId, AudioFormat, WordTimestamp};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub use lectern_speech::pool::Priority;

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
    /// The same passage and seed give the same samples.
    pub seed: u64,
    /// Whose turn it is.
    pub account: AccountId,
    /// Live work goes first.
    pub priority: Priority,
}

/// What was spoken.
#[derive(Debug)]
pub struct Recording {
    narration: Narration,
    title: String,
    gain_db: f64,
    /// Samples a second.
    pub sample_rate_hz: u32,
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

    /// Takes no new work and waits for what is under way, at most `patience`. Blocks.
    pub fn close(&self, patience: std::time::Duration) {
        self.pool.close(patience);
    }

    /// Speaks a passage. When `abandoned` is cancelled before the first piece is done, the rest is dropped;
    /// afterwards it is finished.
    ///
    /// # Errors
    /// A full queue, a failed engine, or `validation_failed` when there is nothing in the text that the
    /// engine can say.
    pub async fn speak(&self, passage: Passage, abandoned: &CancellationToken) -> Result<Recording> {
        let title = title(&passage.text);
        let (characters, speed) = (passage.text.chars().count(), passage.speed);
        let gain_db = fixed_gain_db(&passage.engine, &passage.voice);
        let request = Request {
            account: passage.account.to_string(),
            priority: passage.priority,
            engine: passage.engine,
            voice: passage.voice,
            language: passage.language,
            text: passage.text,
            speed: passage.speed,
            seed: passage.seed,
            lexicon: Arc::new(Lexicon::default()),
        };
        let mut narrating = self.pool.submit(request).map_err(refused)?;
        let mut next = tokio::select! {
            biased;
            first = narrating.next() => first,
            () = abandoned.cancelled() => {
                return Err(Error::Unavailable { what: "the client went away", retry_after_seconds: 1 });
            }
        };
        let mut narration = Narration::new();
        // Growing by doubling would hold a long recording up to three times while it is copied; what is reserved and
        // never written costs no memory.
        narration.samples.reserve_exact((characters as f32 * SAMPLES_A_CHARACTER / speed) as usize);
        while let Some(piece) = next {
            let piece = piece.map_err(|error| Error::Engine(Arc::new(error)))?;
            narration.push(piece).map_err(|error| Error::Engine(Arc::new(error)))?;
            next = narrating.next().await;
        }
        note_phases(&narration, narrating.waited());
        if narration.samples.is_empty() {
            return Err(Error::invalid("text", "has nothing in it that this e-reader can speak"));
        }
        let sample_rate_hz = narration.sample_rate_hz;
        Ok(Recording { narration, title, gain_db, sample_rate_hz })
    }
}

impl Speaker {
    /// Levels and encodes a recording on a thread that may block, as many at a time as there are cores.
    ///
    /// # Errors
    /// When the codec fails.
    pub async fn encode(&self, recording: Recording, format: AudioFormat) -> Result<Vec<u8>> {
        let stopped = |what: &dyn std::fmt::Display| Error::Internal(format!("the encoder stopped: {what}"));
        let _permit = self.encoders.acquire().await.map_err(|error| stopped(&error))?;
        let started = Instant::now();
        let encoded = tokio::task::spawn_blocking(move || recording.encode(format)).await;
        phase("encode", started.elapsed().as_secs_f64());
        encoded.map_err(|error| stopped(&error))?
    }
}

impl Recording {
    /// The length in milliseconds.
    pub fn duration_ms(&self) -> u64 {
        self.narration.duration_ms()
    }

    /// When each word of `text`, which is the passage's, is spoken.
    pub fn timestamps(&self, text: &str) -> Vec<WordTimestamp> {
        captions::timestamps(text, &self.narration.words, self.sample_rate_hz)
            .into_iter()
            .map(|word| WordTimestamp {
                text: word.text,
                // At most 5,000 characters were taken.
                start_char: word.start_char as u32,
                end_char: word.end_char as u32,
                start_ms: word.start_ms,
                end_ms: word.end_ms,
            })
            .collect()
    }

    /// Levels and encodes it; takes a while and blocks.
    fn encode(mut self, format: AudioFormat) -> Result<Vec<u8>> {
        let failed = |error: audio::AudioError| Error::Internal(format!("encoding failed: {error}"));
        loudness::level(&mut self.narration.samples, self.sample_rate_hz, self.gain_db).map_err(failed)?;
        let format = match format {
            AudioFormat::Mp3 => Format::Mp3,
            AudioFormat::Wav => Format::Wav,
            AudioFormat::Flac => Format::Flac,
            AudioFormat::Opus => Format::Opus,
        };
        let options =
            EncodeOptions { title: Some(self.title), ..EncodeOptions::new(format, self.sample_rate_hz) };
        audio::encode(&self.narration.samples, &options).map_err(failed)
    }
}

/// The gain of clips too short to be levelled, in dB; unknown for voices of other servers, which keep theirs.
fn fixed_gain_db(engine: &str, voice: &str) -> f64 {
    let known = if engine == HIBARI { hibari::voice(voice) } else { None };
    known.map_or(0.0, |voice| f64::from(voice.gain_db))
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

fn note_phases(narration: &Narration, waited: Option<std::time::Duration>) {
    let phases = narration.phases;
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
