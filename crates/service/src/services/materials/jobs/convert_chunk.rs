//! Converts a chunk to audio: reads it, synthesizes it, stores the audio, and captures the price in
//! the transaction that completes it. If a run dies, the next one takes the chunk. Only the run
//! that commits first counts and charges.

use std::{sync::Arc, time::Instant};

use lectern_speech::spec::{NarrationSpec, PauseAt};
use lectern_store::{
    chunks::{ChunkAudio, Spoken, Started, Starting},
    ereaders::Ereader,
    jobs::{self, Outcome},
};
use lectern_types::{AudioFormat, ErrorCode};

use super::{
    commit::{self, Trace},
    context::{JobContext, phase},
    run::{Dependency, Fault, JobError, Run},
};
use crate::{
    base::Base,
    services::speech::{
        speaking::{ChunkPassage, ChunkRecording, narration},
        synthesis,
    },
};

const KIND: &str = "convert_chunk";

/// Synthesizes the chunk of the run's claim.
///
/// # Errors
/// [`JobError`].
pub async fn convert(context: &JobContext, run: &Run) -> Result<(), JobError> {
    let base = &context.base;
    // Checked first, so that the engine does not work in vain.
    base.objects.ping_cached().await?;
    // The objects are announced together with the start, which saves a commit. A run that ends in
    // between deletes its uploads.
    let run_id = run.id().to_owned();
    let objects = Arc::new(move |chunk: &Started| Names::of(&run_id, chunk).all());
    let starting = Starting { claim: run.claim.clone(), objects };
    let started = context.batcher.start.ask(starting).await.ok_or_else(|| {
        JobError::Failed(Fault::new(ErrorCode::InternalError, "starting the chunk panicked"))
    })??;
    let Some(mut chunk) = started else { return Err(JobError::Lost) };
    let Some(ereader) = chunk.ereader.take() else {
        return Err(JobError::permanent(ErrorCode::TtsProviderError, "the e-reader no longer exists"));
    };
    if !context.speech.has_engine(&ereader.engine) {
        jobs::needs_engine(&base.store, &run.claim, &ereader.engine).await?;
        let reason = format!("this process was started without the engine {:?}", ereader.engine);
        return Err(JobError::unavailable(Dependency::Engine, reason));
    }
    let started = Instant::now();
    let passage = passage(run, &chunk, &ereader);
    let recording = run.unless_cancelled(async { Ok(context.speech.record_chunk(passage).await?) }).await?;
    phase(KIND, "speak", started);

    let started = Instant::now();
    let audio = put(base, run, &chunk, recording).await?;
    phase(KIND, "store", started);

    let started = Instant::now();
    let spoken = Spoken { claim: run.claim.clone(), audio: audio.clone() };
    let trace = Trace::Chunk { index: chunk.index, object: &audio.lossless_object };
    match context.batcher.complete.ask(spoken).await {
        Some(answer) => {
            commit::settled(base, run, answer.map(|outcome| outcome != Outcome::Lost), trace).await?;
        }
        None => commit::panicked(base, run, trace).await?,
    }
    phase(KIND, "commit", started);
    metrics::counter!("lectern_chunk_characters_total").increment(u64::from(chunk.characters));
    metrics::counter!("lectern_chunk_audio_ms_total").increment(audio.duration_ms);
    Ok(())
}

/// The text to speak, and the parameters.
fn passage(run: &Run, chunk: &Started, ereader: &Ereader) -> ChunkPassage {
    let language = chunk.speech_language.clone().or_else(|| ereader.languages.first().cloned());
    let language = language.unwrap_or_default();
    let pauses = chunk.pauses.iter();
    ChunkPassage {
        spec: Arc::new(NarrationSpec {
            pauses: pauses.map(|pause| PauseAt { at: pause.at as usize, pause_ms: pause.pause_ms }).collect(),
            seed: synthesis::seed(&chunk.text, &ereader.voice, &language, 1.0),
            ..narration(ereader, &language, chunk.text.as_str())
        }),
        pause_after_ms: chunk.pause_after_ms,
        title: None,
        format: chunk.format,
        sample_rate_hz: ereader.sample_rate_hz,
        account: run.claim.account,
        material: chunk.material.to_string(),
    }
}

/// The names of a chunk's files, unique to this run.
struct Names {
    lossless: String,
    words: String,
    /// The audio in the requested format, unless that is the lossless one.
    audio: Option<String>,
}

impl Names {
    fn of(run_id: &str, chunk: &Started) -> Self {
        let name = |extension: &str| {
            format!("materials/{}/chunks/{:05}-{run_id}.{extension}", chunk.material, chunk.index)
        };
        let audio = (chunk.format != AudioFormat::Flac).then(|| name(chunk.format.as_str()));
        Self { lossless: name(AudioFormat::Flac.as_str()), words: name("json"), audio }
    }

    fn all(self) -> Vec<String> {
        [self.lossless, self.words].into_iter().chain(self.audio).collect()
    }
}

/// Uploads the chunk's files.
async fn put(
    base: &Base,
    run: &Run,
    chunk: &Started,
    recording: ChunkRecording,
) -> Result<ChunkAudio, JobError> {
    let Names { lossless: lossless_object, words: words_object, audio } = Names::of(run.id(), chunk);
    let words = serde_json::to_vec(&recording.words).map_err(|error| {
        JobError::Failed(Fault::new(
            ErrorCode::InternalError,
            format!("word times cannot be written: {error}"),
        ))
    })?;
    let encoded = audio.zip(recording.encoded);
    run.stores([lossless_object.as_str(), words_object.as_str()]);
    run.stores(encoded.iter().map(|(key, _)| key.as_str()));
    let (_, lossless) = tokio::try_join!(
        base.objects.put(&words_object, words),
        base.objects.put(&lossless_object, recording.lossless),
    )?;
    let (audio_object, about) = match encoded {
        Some((key, bytes)) => {
            let about = base.objects.put(&key, bytes).await?;
            (key, about)
        }
        None => (lossless_object.clone(), lossless),
    };
    Ok(ChunkAudio {
        audio_object,
        lossless_object,
        words_object,
        audio_bytes: about.bytes,
        audio_etag: about.etag,
        duration_ms: recording.duration_ms,
        sample_rate_hz: recording.sample_rate_hz,
    })
}
