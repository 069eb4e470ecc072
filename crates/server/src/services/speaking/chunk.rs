//! A chunk of a book, spoken into the files that are stored of it. Whose credits pay for it, and where the files go, is not
//! known here.

use std::{sync::Arc, time::Duration};

use lectern_speech::{
    audio::captions,
    chunk::{ChunkOptions, ChunkRecorder, pause_at_end},
    phonemes::Lexicon,
    pool::{Break, Priority, Request},
};
use lectern_types::{AccountId, AudioFormat, WordTimestamp};

use super::{Speaker, file_format, fixed_gain_db, note_phases, refused, unrecorded, word_timestamps};
use crate::{
    error::{Error, Result},
    services::synthesis::phase,
};

/// A chunk's text and how it is to be spoken.
#[derive(Debug, Clone)]
pub struct ChunkPassage {
    /// The chunk's text.
    pub text: Arc<str>,
    /// Where in it the voice pauses.
    pub breaks: Arc<[Break]>,
    /// The silence between this chunk and the next, in milliseconds: the chunk's audio ends with it.
    pub pause_after_ms: u32,
    /// The title in the files.
    pub title: Option<String>,
    /// The engine's word.
    pub engine: String,
    /// The engine's own name of the voice.
    pub voice: String,
    /// BCP 47.
    pub language: String,
    /// The same passage and seed give the same bytes.
    pub seed: u64,
    /// The form of the audio beside the lossless one.
    pub format: AudioFormat,
    /// Samples a second of both files; the e-reader's.
    pub sample_rate_hz: u32,
    /// Whose turn it is.
    pub account: AccountId,
    /// The book's id: the books of an account take turns.
    pub material: String,
}

/// A chunk that was spoken.
#[derive(Debug)]
pub struct ChunkRecording {
    /// The FLAC file.
    pub lossless: Vec<u8>,
    /// The file of the format asked for; `None` when that is FLAC.
    pub encoded: Option<Vec<u8>>,
    /// When each word of the chunk's text is spoken, from the start of the chunk's audio.
    pub words: Vec<WordTimestamp>,
    /// Samples a second.
    pub sample_rate_hz: u32,
    /// How many samples there are, the silence at the end included.
    pub samples: u64,
    /// Its length in milliseconds: exact, and the same for both files.
    pub duration_ms: u64,
}

impl Speaker {
    /// Speaks a chunk into its files, behind everything that is not a book. Dropping the future stops the work. A chunk
    /// with nothing in it to say is silence: as long as the pauses in its text, or half a second and the pause after it.
    ///
    /// # Errors
    /// A full queue, a failed engine or a failed encoder.
    pub async fn record_chunk(&self, passage: ChunkPassage) -> Result<ChunkRecording> {
        let mut recorder = ChunkRecorder::new(ChunkOptions {
            format: file_format(passage.format),
            title: passage.title,
            sample_rate_hz: passage.sample_rate_hz,
            voice_gain_db: fixed_gain_db(&passage.engine, &passage.voice),
        });
        let request = Request {
            account: passage.account.to_string(),
            work: passage.material,
            priority: Priority::Background,
            engine: passage.engine,
            voice: passage.voice,
            language: passage.language,
            text: Arc::clone(&passage.text),
            breaks: Arc::clone(&passage.breaks),
            speed: 1.0,
            seed: passage.seed,
            lexicon: Arc::new(Lexicon::default()),
        };
        let mut narrating = self.pool.submit(request).map_err(refused)?;
        let mut encoding = Duration::ZERO;
        while let Some(said) = narrating.next().await {
            let said = said.map_err(|error| Error::Engine(Arc::new(error)))?;
            let push = move || {
                let pushed = recorder.push(said);
                (pushed, recorder)
            };
            let (spent, (pushed, back)) = self.encode(push).await?;
            pushed.map_err(unrecorded)?;
            (recorder, encoding) = (back, encoding + spent);
        }
        note_phases(recorder.phases(), narrating.waited());
        let pause_ms = pause_at_end(&passage.breaks, narrating.reached(), passage.pause_after_ms);
        let text = passage.text;
        let finish = move || {
            let audio = recorder.finish(&text, pause_ms)?;
            let words = captions::timestamps(&text, &audio.words, audio.sample_rate_hz);
            Ok((audio, words))
        };
        let (spent, finished) = self.encode(finish).await?;
        let (audio, words) = finished.map_err(unrecorded)?;
        phase("encode", (encoding + spent).as_secs_f64());
        Ok(ChunkRecording {
            lossless: audio.lossless,
            encoded: audio.encoded,
            words: word_timestamps(words),
            sample_rate_hz: audio.sample_rate_hz,
            samples: audio.samples,
            duration_ms: audio.duration_ms,
        })
    }
}
