//! Synthesizes a passage piece by piece and returns each piece as soon as it is ready.

use std::{sync::Arc, time::Duration};

use lectern_speech::{
    pool::Narrating,
    recorders::{StreamFormat, StreamRecorder},
};

use super::{Passage, Speaker, note_phases, phase, title, unrecorded};
use crate::error::{Error, Result};

/// A synthesis in progress. Dropping it stops the work.
#[derive(Debug)]
pub struct Live {
    speaker: Speaker,
    narrating: Narrating,
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
    /// The end of the text synthesized so far, in bytes.
    pub reached: usize,
    /// The length of everything so far, in milliseconds.
    pub duration_ms: u64,
}

impl Speaker {
    /// Starts synthesizing a passage in a stream format.
    ///
    /// # Errors
    /// A full queue, or a missing engine.
    pub fn live(&self, passage: Passage, format: StreamFormat) -> Result<Live> {
        let gain_db = self.fixed_gain_db(&passage.spec);
        let recorder = StreamRecorder::new(format, Some(title(&passage.spec.text)), gain_db);
        let engine = passage.spec.engine.clone();
        let narrating = self.submit(passage)?;
        let (speaker, recorder) = (self.clone(), Some(recorder));
        Ok(Live { speaker, narrating, engine, recorder, encoding: Duration::ZERO })
    }
}

impl Live {
    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// A failed engine or encoder; no piece follows.
    pub async fn next(&mut self) -> Result<Option<LivePiece>> {
        let Some(said) = self.narrating.next().await else { return Ok(None) };
        let said = said.map_err(|error| Error::Engine(Arc::new(error)))?;
        let mut recorder = self.recorder.take().ok_or_else(stopped)?;
        let encode = move || {
            let bytes = recorder.push(said);
            (bytes, recorder)
        };
        let (spent, (bytes, recorder)) = self.speaker.encode(encode).await?;
        self.encoding += spent;
        let duration_ms = recorder.duration_ms();
        self.recorder = Some(recorder);
        let bytes = bytes.map_err(unrecorded)?;
        Ok(Some(LivePiece { bytes, reached: self.narrating.reached(), duration_ms }))
    }

    /// Finishes the audio after the last piece. Returns its last bytes and its sample rate.
    ///
    /// # Errors
    /// `validation_failed` when the text held nothing that the engine can say; a failed encoder.
    pub async fn finish(mut self) -> Result<(Vec<u8>, u32)> {
        let recorder = self.recorder.take().ok_or_else(stopped)?;
        note_phases(&self.engine, recorder.phases(), self.narrating.waited());
        let sample_rate_hz = recorder.sample_rate_hz();
        let (spent, bytes) = self.speaker.encode(move || recorder.finish()).await?;
        phase("encode", (self.encoding + spent).as_secs_f64());
        Ok((bytes.map_err(unrecorded)?, sample_rate_hz))
    }
}

fn stopped() -> Error {
    Error::Internal("a stream went on after its encoder stopped".to_owned())
}
