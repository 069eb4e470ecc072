//! Synthesizes a passage piece by piece and returns each piece as soon as it is ready.

use std::{sync::Arc, time::Duration};

use lectern_speech::{audio::WordTiming, pool::Reading, recorders::StreamRecorder};

use super::{Levels, Passage, Speaker, engine_of, note_phases, phase, unrecorded};
use crate::error::{Error, Result};

/// A synthesis in progress. Dropping it stops the work.
#[derive(Debug)]
pub struct Live {
    speaker: Speaker,
    reading: Reading,
    levels: Levels,
    engine: String,
    /// `None` while a piece is being encoded.
    recorder: Option<StreamRecorder>,
    encoding: Duration,
}

/// One piece of a synthesis.
#[derive(Debug)]
pub struct LivePiece {
    /// The audio that became ready since the last piece; may be empty.
    pub bytes: Vec<u8>,
    /// Its words, with positions from the first sample.
    pub words: Vec<WordTiming>,
    pub sample_rate_hz: u32,
    /// The end of the text synthesized so far, in bytes.
    pub reached: usize,
    /// The length of everything so far, in milliseconds.
    pub duration_ms: u64,
}

impl Speaker {
    /// Starts synthesizing a passage as a stream.
    ///
    /// # Errors
    /// A full queue, or a missing engine.
    pub fn live(&self, passage: &Passage) -> Result<Live> {
        let recorder = StreamRecorder::new(self.options(passage));
        let levels = self.levels(&passage.specs);
        let engine = engine_of(&passage.specs).to_owned();
        let reading = self.submit(passage, false)?;
        let (speaker, recorder) = (self.clone(), Some(recorder));
        Ok(Live { speaker, reading, levels, engine, recorder, encoding: Duration::ZERO })
    }
}

impl Live {
    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// A failed engine or encoder; no piece follows.
    pub async fn next(&mut self) -> Result<Option<LivePiece>> {
        let Some(said) = self.reading.next().await else { return Ok(None) };
        let said = self.levels.even(said.map_err(|error| Error::Engine(Arc::new(error)))?);
        let mut recorder = self.recorder.take().ok_or_else(stopped)?;
        let encode = move || {
            let bytes = recorder.push(said);
            (bytes, recorder)
        };
        let (spent, (bytes, recorder)) = self.speaker.encode(encode).await?;
        self.encoding += spent;
        let recorder = self.recorder.insert(recorder);
        Ok(Some(LivePiece {
            bytes: bytes.map_err(unrecorded)?,
            words: recorder.take_words(),
            sample_rate_hz: recorder.sample_rate_hz(),
            reached: self.reading.reached(),
            duration_ms: recorder.duration_ms(),
        }))
    }

    /// Finishes the audio after the last piece. Returns its last bytes and its sample rate.
    ///
    /// # Errors
    /// `validation_failed` when the text held nothing that the engine can say; a failed encoder.
    pub async fn finish(mut self) -> Result<(Vec<u8>, u32)> {
        let recorder = self.recorder.take().ok_or_else(stopped)?;
        note_phases(&self.engine, recorder.phases(), self.reading.waited());
        let sample_rate_hz = recorder.sample_rate_hz();
        let (spent, bytes) = self.speaker.encode(move || recorder.finish()).await?;
        phase("encode", (self.encoding + spent).as_secs_f64());
        Ok((bytes.map_err(unrecorded)?, sample_rate_hz))
    }
}

fn stopped() -> Error {
    Error::Internal("a stream went on after its encoder stopped".to_owned())
}
