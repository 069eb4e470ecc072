//! Speaks the missing chunks, one more at a time than there are model threads, so that one is
//! always ready while others are written.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use lectern_speech::{
    audio::{AudioFormat, captions::words_of_script},
    lexicons::Words,
    pool::{EngineEntry, Pool, Priority, Request},
    recorders::{ChunkOptions, ChunkRecorder, pause_at_end},
    script::Script,
    spec::NarrationSpec,
};
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    encoding::Encoding,
    progress::Progress,
    reader::{self, Reader},
    source::Source,
    state::{Done, State},
};

/// What to speak, and how.
pub(super) struct Speaking<'a> {
    pub(super) source: &'a Source,
    pub(super) state: &'a State,
    pub(super) reader: &'a Reader,
    /// How every chunk is said; text, pauses and seed are the chunk's own.
    pub(super) spec: NarrationSpec,
    pub(super) words: &'a Words,
    pub(super) encoding: &'a Encoding,
    pub(super) stop: &'a CancellationToken,
}

impl Speaking<'_> {
    /// Speaks the chunks with these indexes.
    pub(super) fn run(
        &self,
        engine: EngineEntry,
        threads: Option<u16>,
        missing: &[usize],
    ) -> Result<(), CommandError> {
        let at_once = reader::threads(threads) + 1;
        let pool = reader::model_threads(engine, threads, at_once)?;
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
        let spec = Arc::new(NarrationSpec {
            text: script.text.as_str().into(),
            // Utterances have seeds of their own that follow from this.
            seed: self.spec.seed.wrapping_mul(1 << 32).wrapping_add(index as u64),
            ..script.spec(None, self.spec.clone())
        });
        let text = script.text.as_str();
        let request = Request {
            account: String::new(),
            work: String::new(),
            priority: Priority::Background,
            spec: Arc::clone(&spec),
        };
        let mut narrating = pool.submit(request).map_err(CommandError::from_error)?;
        let mut recorder = ChunkRecorder::new(ChunkOptions {
            format: AudioFormat::Flac,
            title: None,
            sample_rate_hz: self.reader.sample_rate_hz,
            voice_gain_db: Some(f64::from(self.reader.voice.gain_db)),
            is_part_of_book: false,
        });
        progress.begins(index);
        let mut reached = 0;
        while let Some(said) = narrating.blocking_next() {
            if self.stop.is_cancelled() {
                return Err(self.state.interrupted());
            }
            recorder.push(said.map_err(CommandError::from_error)?).map_err(CommandError::from_error)?;
            progress.said(script.paid(reached..narrating.reached()));
            reached = narrating.reached();
        }
        progress.said(script.paid(reached..text.len()));
        let pause_ms = pause_at_end(&spec.pauses, reached, chunk.pause_after_ms);
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
        let mut script = Script::plain(self.source.text(index));
        script.pauses = self.source.pauses(index);
        script.marked = self.source.marked(index);
        if self.words.is_empty() { script } else { script.with_words(self.words) }
    }
}
