//! Synthesizes a chunk of a book into its files. Credits and storage are not known here.

use std::{sync::Arc, time::Duration};

use lectern_speech::{
    audio::captions,
    pool::{Priority, Request},
    recorders::{ChunkOptions, ChunkRecorder, pause_at_end},
    script::Script,
    spec::NarrationSpec,
};
use lectern_types::{AccountId, AudioFormat, WordTimestamp};

use super::{Speaker, engine_of, note_phases, phase, refused, unrecorded};
use crate::error::{Error, Result};

/// A request to synthesize a chunk.
#[derive(Debug, Clone)]
pub struct ChunkPassage {
    /// What is said of the chunk's text.
    pub script: Arc<Script>,
    /// The chunk's text, of which the word times give places.
    pub text: String,
    /// What each voice says; the first one's level is that of the book.
    pub specs: Vec<Arc<NarrationSpec>>,
    /// Who says the text up to which byte, as places in `specs`.
    pub turns: Vec<(usize, usize)>,
    /// The silence between this chunk and the next, in milliseconds: the chunk's audio ends with
    /// it.
    pub pause_after_ms: u32,
    /// The title in the files.
    pub title: Option<String>,
    /// The audio format in addition to the lossless one.
    pub format: AudioFormat,
    /// The sample rate of both files: the e-reader's.
    pub sample_rate_hz: u32,
    /// Whose turn it is.
    pub account: AccountId,
    /// The book's id: the books of an account take turns.
    pub material: String,
}

/// A synthesized chunk.
#[derive(Debug)]
pub struct ChunkRecording {
    pub lossless: Vec<u8>,
    /// The file in the requested format; `None` when that is FLAC.
    pub encoded: Option<Vec<u8>>,
    /// What whole books are joined from; no MP3 when `encoded` is one.
    pub mp3: Option<Vec<u8>>,
    pub aac: Option<Vec<u8>>,
    /// The times of the words, from the start of the chunk's audio.
    pub words: Vec<WordTimestamp>,
    /// Samples a second.
    pub sample_rate_hz: u32,
    /// The number of samples, including the final silence.
    pub samples: u64,
    /// The exact length in milliseconds, the same for both files.
    pub duration_ms: u64,
}

impl Speaker {
    /// Synthesizes a chunk into its files, with lower priority than everything that is not a book.
    /// Dropping the future stops the work. A chunk with nothing to say becomes silence: as long as
    /// the pauses in its text, or half a second and the pause after it.
    ///
    /// # Errors
    /// A full queue, a failed engine or a failed encoder.
    pub async fn record_chunk(&self, passage: ChunkPassage) -> Result<ChunkRecording> {
        let mut recorder = ChunkRecorder::new(ChunkOptions {
            format: passage.format,
            title: passage.title,
            sample_rate_hz: passage.sample_rate_hz,
            voice_gain_db: passage.specs.first().and_then(|spec| self.fixed_gain_db(spec)),
            is_part_of_book: true,
        });
        let levels = self.levels(&passage.specs);
        let request = |spec: &Arc<NarrationSpec>| Request {
            account: passage.account.to_string(),
            work: passage.material.clone(),
            priority: Priority::Background,
            spec: Arc::clone(spec),
            early: false,
        };
        let requests = passage.specs.iter().map(request).collect();
        let mut reading = self.pool.read(requests, &passage.turns).map_err(refused)?;
        let mut encoding = Duration::ZERO;
        while let Some(said) = reading.next().await {
            let speech = levels.even(said.map_err(|error| Error::Engine(Arc::new(error)))?);
            let push = move || {
                let pushed = recorder.push(speech);
                (pushed, recorder)
            };
            let (spent, (pushed, back)) = self.encode(push).await?;
            pushed.map_err(unrecorded)?;
            (recorder, encoding) = (back, encoding + spent);
        }
        note_phases(engine_of(&passage.specs), recorder.phases(), reading.waited());
        let (script, text) = (passage.script, passage.text);
        let pause_ms = pause_at_end(&script.pauses, reading.reached(), passage.pause_after_ms);
        let finish = move || {
            let audio = recorder.finish(&script.text, pause_ms)?;
            let words = captions::words_of_script(&script, &text, &audio.words, audio.sample_rate_hz);
            Ok((audio, words))
        };
        let (spent, finished) = self.encode(finish).await?;
        let (audio, words) = finished.map_err(unrecorded)?;
        phase("encode", (encoding + spent).as_secs_f64());
        Ok(ChunkRecording {
            lossless: audio.lossless,
            encoded: audio.encoded,
            mp3: audio.mp3,
            aac: audio.aac,
            words,
            sample_rate_hz: audio.sample_rate_hz,
            samples: audio.samples,
            duration_ms: audio.duration_ms,
        })
    }
}
