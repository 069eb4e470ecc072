//! A passage spoken piece by piece, each piece handed out as soon as it is said.

use std::{sync::Arc, time::Duration};

use lectern_speech::{
    live::{LiveFormat, LiveRecorder},
    pool::Narrating,
};

use super::{Passage, Speaker, fixed_gain_db, note_phases, title, unrecorded};
use crate::{
    error::{Error, Result},
    services::synthesis::phase,
};

/// A passage being spoken. Dropping it stops the work.
#[derive(Debug)]
pub struct Live {
    speaker: Speaker,
    narrating: Narrating,
    /// Away while a piece is being encoded.
    recorder: Option<LiveRecorder>,
    encoding: Duration,
}

/// What was said since the piece before.
#[derive(Debug)]
pub struct LivePiece {
    /// The audio that became ready; may be empty.
    pub bytes: Vec<u8>,
    /// How far into the text, in bytes, everything said so far reaches.
    pub reached: usize,
    /// How long everything said so far lasts, in milliseconds.
    pub duration_ms: u64,
}

impl Speaker {
    /// Begins to speak a passage, in a format of its own.
    ///
    /// # Errors
    /// A full queue, or an engine that is not there.
    pub fn live(&self, passage: Passage, format: LiveFormat) -> Result<Live> {
        let gain_db = fixed_gain_db(&passage.engine, &passage.voice);
        let recorder = LiveRecorder::new(format, Some(title(&passage.text)), gain_db);
        let narrating = self.submit(passage)?;
        Ok(Live { speaker: self.clone(), narrating, recorder: Some(recorder), encoding: Duration::ZERO })
    }
}

impl Live {
    /// The next piece; `None` when all is said.
    ///
    /// # Errors
    /// A failed engine or encoder; nothing follows.
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

    /// Ends the audio when all is said: its last bytes, and its sample rate.
    ///
    /// # Errors
    /// `validation_failed` when there was nothing in the text that the engine can say; a failed encoder.
    pub async fn finish(mut self) -> Result<(Vec<u8>, u32)> {
        let recorder = self.recorder.take().ok_or_else(stopped)?;
        note_phases(recorder.phases(), self.narrating.waited());
        let sample_rate_hz = recorder.sample_rate_hz();
        let (spent, bytes) = self.speaker.encode(move || recorder.finish()).await?;
        phase("encode", (self.encoding + spent).as_secs_f64());
        Ok((bytes.map_err(unrecorded)?, sample_rate_hz))
    }
}

fn stopped() -> Error {
    Error::Internal("a stream went on after its encoder stopped".to_owned())
}
