//! Speaks the missing chunks, one more at a time than there are model threads, so that one is
//! always ready while others are written.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use lectern_speech::{
    audio::{AudioFormat, captions::words_of_script},
    lexicons::Words,
    pool::{EngineEntry, Pool, Priority},
    recorders::{ChunkOptions, ChunkRecorder, pause_at_end},
    script::Script,
    spec::NarrationSpec,
};
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    cast::Voices,
    encoding::Encoding,
    progress::Progress,
    reader,
    source::Source,
    speakers::Cast,
    state::{Done, State},
};

/// What to speak, and how.
pub(super) struct Speaking<'a> {
    pub(super) source: &'a Source,
    pub(super) state: &'a State,
    pub(super) voices: Voices<'a>,
    pub(super) cast: &'a Cast,
    /// How the narrator says every chunk; text, pauses and seed are the chunk's own.
    pub(super) spec: NarrationSpec,
    pub(super) words: &'a Words,
    pub(super) encoding: &'a Encoding,
    pub(super) stop: &'a CancellationToken,
}

impl Speaking<'_> {
    /// Speaks the chunks with these indexes.
    pub(super) fn run(
        &self,
        engines: Vec<EngineEntry>,
        threads: Option<u16>,
        missing: &[usize],
    ) -> Result<(), CommandError> {
        let at_once = reader::threads(threads) + 1;
        // Each voice of a chunk is a request.
        let requests = at_once * (1 + self.cast.voices.len());
        let pool = reader::model_threads(engines, threads, requests)?;
        let progress = Progress::new(self.source, missing);
        let next = AtomicUsize::new(0);
        let failure: Mutex<Option<CommandError>> = Mutex::new(None);
        let work = || {
            while let Some(&index) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                if let Err(error) = self.speak(&pool, index, &progress) {
                    let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                    failure.get_or_insert(error);
                    // Stops the other threads after a failure.
                    next.store(missing.len(), Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..at_once.min(missing.len()) {
                scope.spawn(work);
            }
        });
        progress.finish();
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn speak(&self, pool: &Pool, index: usize, progress: &Progress<'_>) -> Result<(), CommandError> {
        let chunk = &self.source.chunks[index];
        let script = self.script(index);
        let text = script.text.as_str();
        let spec = NarrationSpec {
            // Utterances have seeds of their own that follow from this.
            seed: self.spec.seed.wrapping_mul(1 << 32).wrapping_add(index as u64),
            text: text.into(),
            ..self.spec.clone()
        };
        let begun = self.voices.read(pool, &script, &spec, Priority::Background);
        let mut performance = begun.map_err(CommandError::from_error)?;
        let narrator = self.voices.narrator;
        let mut recorder = ChunkRecorder::new(ChunkOptions {
            format: AudioFormat::Flac,
            title: None,
            sample_rate_hz: narrator.sample_rate_hz,
            voice_gain_db: Some(f64::from(narrator.voice.gain_db)),
            is_part_of_book: false,
        });
        progress.begins(index);
        let mut reached = 0;
        while let Some(said) = performance.next() {
            if self.stop.is_cancelled() {
                return Err(self.state.interrupted());
            }
            let said = said.map_err(CommandError::from_error)?;
            recorder.push(said).map_err(CommandError::from_error)?;
            progress.said(script.paid(reached..performance.reached()));
            reached = performance.reached();
        }
        progress.said(script.paid(reached..text.len()));
        let pause_ms = pause_at_end(&script.pauses, reached, chunk.pause_after_ms);
        let audio = recorder.finish(text, pause_ms).map_err(CommandError::from_error)?;
        let (part, samples) = self.encoding.of_flac(&audio.lossless).map_err(CommandError::from_error)?;
        let done = Done {
            samples,
            bytes: part.as_bytes().len() as u64,
            words: words_of_script(&script, self.source.text(index), &audio.words, audio.sample_rate_hz),
        };
        self.state.keep(index, part.as_bytes(), &done)
    }

    /// What is said of a chunk: its text, with the words of lexicons said as they want.
    fn script(&self, index: usize) -> Script {
        let stretches = self.cast.inside(&self.source.chunks[index].range);
        let mut script = Script::with_stretches(self.source.text(index), &stretches);
        script.pauses = self.source.pauses(index);
        script.marked = self.source.marked(index);
        let script = script.with_pronunciations(&self.source.pronounced(index));
        if self.words.is_empty() { script } else { script.with_words(self.words) }
    }
}
