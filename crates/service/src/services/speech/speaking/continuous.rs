//! Says one text after the other into one stream of audio: one gain, one encoder, and words whose times count from the
//! stream's first sample.

use std::{sync::Arc, time::Duration};

use lectern_speech::{
    audio::WordTiming,
    engines::{self, Phases, Speech},
    pool::Reading,
    recorders::{RecordOptions, StreamRecorder},
};

use super::{Levels, Passage, Speaker, engine_of, note_phases, phase, unrecorded};
use crate::error::{Error, Result};

/// A stream of audio that texts are said into.
#[derive(Debug)]
pub struct Continuous {
    speaker: Speaker,
    /// The gain of the stream's voice, which others are made as loud as.
    gain_db: Option<f64>,
    /// `None` while a piece is being encoded.
    recorder: Option<StreamRecorder>,
}

/// A text that is being said.
#[derive(Debug)]
pub struct Utterance {
    reading: Reading,
    levels: Levels,
    engine: String,
    phases: Phases,
}

/// A part of a text as it was said.
#[derive(Debug)]
pub struct ContinuousPiece {
    /// The audio that became ready; may be empty.
    pub bytes: Vec<u8>,
    /// The end of the part in the text, in bytes.
    pub reached: usize,
    /// Its words, with positions from the first sample of the stream.
    pub words: Vec<WordTiming>,
    pub sample_rate_hz: u32,
    /// The length of the stream so far, in milliseconds.
    pub duration_ms: u64,
}

impl Speaker {
    /// A stream that sounds as this passage asks for.
    pub fn continuous(&self, passage: &Passage) -> Continuous {
        let options = RecordOptions { title: None, ..self.options(passage) };
        let gain_db = options.voice_gain_db;
        Continuous { speaker: self.clone(), gain_db, recorder: Some(StreamRecorder::new(options)) }
    }
}

impl Continuous {
    /// Begins to say a text.
    ///
    /// # Errors
    /// A full queue, or a missing engine.
    pub fn begin(&self, passage: &Passage) -> Result<Utterance> {
        let gain_db = self.gain_db.unwrap_or(0.0) as f32;
        let gains = passage.specs.iter().map(|spec| self.speaker.fixed_gain_db(spec).unwrap_or(0.0) as f32);
        let levels = Levels(gains.map(|gain| 10.0_f32.powf((gain - gain_db) / 20.0)).collect());
        let engine = engine_of(&passage.specs).to_owned();
        // A resampler begins anew with each piece, which is heard within a word's sound.
        let keeps_rate = passage.specs.iter().all(|spec| {
            let own = engines::local(&spec.engine).map(|engine| engine.sample_rate_hz);
            own.is_some_and(|own_hz| passage.audio.rate_hz(own_hz) == own_hz)
        });
        let reading = self.speaker.submit(passage, keeps_rate)?;
        Ok(Utterance { reading, levels, engine, phases: Phases::default() })
    }

    /// What the voice says next; `None` at the end of the text. Safe to cancel.
    ///
    /// # Errors
    /// A failed engine; nothing follows.
    pub async fn next(&mut self, utterance: &mut Utterance) -> Result<Option<Speech>> {
        let Some(said) = utterance.reading.next().await else {
            note_phases(&utterance.engine, utterance.phases, utterance.reading.waited());
            return Ok(None);
        };
        let said = said.map_err(|error| Error::Engine(Arc::new(error)))?;
        utterance.phases += said.speech.phases;
        Ok(Some(utterance.levels.even(said)))
    }

    /// Records what was said. Not safe to cancel: the stream ends with it.
    ///
    /// # Errors
    /// A failed encoder.
    pub async fn push(&mut self, utterance: &Utterance, said: Speech) -> Result<ContinuousPiece> {
        self.record(utterance.reading.reached(), move |recorder| recorder.push(said)).await
    }

    /// Silence, which pushes out what was said before it.
    ///
    /// # Errors
    /// A failed encoder.
    pub async fn pause(&mut self, pause: Duration) -> Result<ContinuousPiece> {
        let pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        self.record(0, move |recorder| recorder.pause(pause_ms)).await
    }

    async fn record(
        &mut self,
        reached: usize,
        push: impl FnOnce(
            &mut StreamRecorder,
        ) -> std::result::Result<Vec<u8>, lectern_speech::recorders::RecordingError>
        + Send
        + 'static,
    ) -> Result<ContinuousPiece> {
        let mut recorder = self.recorder.take().ok_or_else(stopped)?;
        let encode = move || {
            let bytes = push(&mut recorder);
            (bytes, recorder)
        };
        let (spent, (bytes, mut recorder)) = self.speaker.encode(encode).await?;
        phase("encode", spent.as_secs_f64());
        let piece = bytes.map_err(unrecorded).map(|bytes| ContinuousPiece {
            bytes,
            reached,
            words: recorder.take_words(),
            sample_rate_hz: recorder.sample_rate_hz(),
            duration_ms: recorder.duration_ms(),
        });
        self.recorder = Some(recorder);
        piece
    }

    /// Ends the stream and returns its last bytes; none when nothing was said.
    ///
    /// # Errors
    /// A failed encoder.
    pub async fn finish(&mut self) -> Result<Vec<u8>> {
        let recorder = self.recorder.take().ok_or_else(stopped)?;
        if recorder.sample_rate_hz() == 0 {
            return Ok(Vec::new());
        }
        let (_, bytes) = self.speaker.encode(move || recorder.finish()).await?;
        bytes.map_err(unrecorded)
    }
}

fn stopped() -> Error {
    Error::Internal("a stream went on after its encoder stopped".to_owned())
}
