//! Has the chunks spoken that are missing, one more of them at a time than there are model threads: one is always ready
//! to be said while others are written.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use lectern_speech::{
    audio::{Format, captions::timestamps},
    chunk::{ChunkOptions, ChunkRecorder, pause_at_end},
    engines::hibari::{self, Hibari, Voice},
    phonemes::Lexicon,
    pool::{Pool, Priority, Request},
};
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    progress::Progress,
    reader,
    source::Source,
    state::{Done, State},
};

/// What is to be said, and how.
pub(super) struct Speaking<'a> {
    pub(super) source: &'a Source,
    pub(super) state: &'a State,
    pub(super) voice: &'a Voice,
    pub(super) language: &'a str,
    pub(super) speed: f32,
    pub(super) seed: u64,
    pub(super) lexicon: Arc<Lexicon>,
    pub(super) stop: &'a CancellationToken,
}

impl Speaking<'_> {
    /// Speaks the chunks of these indexes.
    pub(super) fn run(
        &self,
        engine: &Arc<Hibari>,
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
                    // The others have no more to do.
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
        let text: Arc<str> = self.source.text(index).into();
        let breaks = self.source.breaks(index);
        let request = Request {
            account: String::new(),
            work: String::new(),
            priority: Priority::Background,
            engine: reader::ENGINE.to_owned(),
            voice: self.voice.name.to_owned(),
            language: self.language.to_owned(),
            text: Arc::clone(&text),
            breaks: Arc::clone(&breaks),
            speed: self.speed,
            // Utterances have seeds of their own that follow from this.
            seed: self.seed.wrapping_mul(1 << 32).wrapping_add(index as u64),
            lexicon: Arc::clone(&self.lexicon),
        };
        let mut narrating = pool.submit(request).map_err(CommandError::from_error)?;
        let mut recorder = ChunkRecorder::new(ChunkOptions {
            format: Format::Flac,
            title: None,
            sample_rate_hz: hibari::SAMPLE_RATE_HZ,
            voice_gain_db: Some(f64::from(self.voice.gain_db)),
        });
        progress.begins(index);
        let mut reached = 0;
        while let Some(said) = narrating.blocking_next() {
            if self.stop.is_cancelled() {
                return Err(self.state.interrupted());
            }
            recorder.push(said.map_err(CommandError::from_error)?).map_err(CommandError::from_error)?;
            progress.said(text[reached..narrating.reached()].chars().count());
            reached = narrating.reached();
        }
        progress.said(text[reached..].chars().count());
        let pause_ms = pause_at_end(&breaks, reached, chunk.pause_after_ms);
        let audio = recorder.finish(&text, pause_ms).map_err(CommandError::from_error)?;
        let done = Done {
            duration_ms: audio.duration_ms,
            bytes: audio.lossless.len() as u64,
            words: timestamps(&text, &audio.words, audio.sample_rate_hz),
        };
        self.state.keep(index, &audio.lossless, &done)
    }
}
