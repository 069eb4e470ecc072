//! A chunk becomes audio: read, spoken, stored, and captured in the transaction that completes it. A run that dies leaves
//! the chunk to the next; the one that commits first is the only one that counts and charges.

use std::{sync::Arc, time::Instant};

use lectern_speech::pool::Break;
use lectern_store::{
    chunks::{ChunkAudio, Spoken, Started, Starting},
    ereaders::Ereader,
    jobs::Outcome,
};
use lectern_types::{AudioFormat, ErrorCode, MaterialStatus};

use super::{
    commit::{self, Trace},
    run::{Away, Fault, Run, Setback},
    workshop::{Workshop, phase},
};
use crate::{
    app::Base,
    services::{
        speaking::{ChunkPassage, ChunkRecording},
        synthesis,
    },
};

const KIND: &str = "convert_chunk";

/// Speaks the chunk of the run's claim.
///
/// # Errors
/// [`Setback`].
pub async fn convert(shop: &Workshop, run: &Run) -> Result<(), Setback> {
    let base = &shop.base;
    // Before the engine works for what could not be kept.
    base.objects.answers().await?;
    // Announced with the start, which saves a commit; the run may end in between, and deletes what it has put.
    let word = run.word().to_owned();
    let objects = Arc::new(move |chunk: &Started| Names::of(&word, chunk).all());
    let starting = Starting { claim: run.claim.clone(), objects };
    let started = shop.counter.start.ask(starting).await.ok_or_else(|| {
        Setback::Failed(Fault::new(ErrorCode::InternalError, "what was to begin it panicked"))
    })??;
    let Some(mut chunk) = started else { return Err(Setback::Lost) };
    base.signals.material_changed(chunk.material);
    let Some(ereader) = chunk.ereader.take() else {
        return Err(Setback::hopeless(ErrorCode::TtsProviderError, "the e-reader is gone"));
    };
    if !shop.speech.has_engine(&ereader.engine) {
        let reason = format!("this process was started without the engine {:?}", ereader.engine);
        return Err(Setback::away(Away::Engine, reason));
    }
    let started = Instant::now();
    let passage = passage(run, &chunk, ereader);
    let recording = run.unless_cancelled(async { Ok(shop.speech.record_chunk(passage).await?) }).await?;
    phase(KIND, "speak", started);

    let started = Instant::now();
    let audio = put(base, run, &chunk, recording).await?;
    phase(KIND, "store", started);

    let started = Instant::now();
    let spoken = Spoken { claim: run.claim.clone(), audio: audio.clone() };
    let trace = Trace::Chunk { index: chunk.index, object: &audio.lossless_object };
    let outcome = match shop.counter.complete.ask(spoken).await {
        Some(answer) => {
            let answer = answer.map(|outcome| (outcome != Outcome::Lost).then_some(outcome));
            commit::settled(base, run, answer, trace).await?
        }
        None => commit::panicked(base, run, trace).await?,
    };
    phase(KIND, "commit", started);
    metrics::counter!("lectern_chunk_characters_total").increment(u64::from(chunk.characters));
    metrics::counter!("lectern_chunk_audio_ms_total").increment(audio.duration_ms);
    base.signals.material_changed(chunk.material);
    // A completed material has a whole book to be made; an outcome that was looked up may have been that.
    if outcome.is_none_or(|outcome| outcome == Outcome::Ended(MaterialStatus::Completed)) {
        base.signals.jobs_queued();
    }
    Ok(())
}

/// What is to be spoken, and how.
fn passage(run: &Run, chunk: &Started, ereader: Ereader) -> ChunkPassage {
    let language = chunk.speech_language.clone().or_else(|| ereader.languages.first().cloned());
    let language = language.unwrap_or_default();
    ChunkPassage {
        text: Arc::from(chunk.text.as_str()),
        breaks: chunk
            .breaks
            .iter()
            .map(|rest| Break { at: rest.at as usize, pause_ms: rest.pause_ms })
            .collect(),
        pause_after_ms: chunk.pause_after_ms,
        title: None,
        seed: synthesis::seed(&chunk.text, &ereader.voice, &language, 1.0),
        engine: ereader.engine,
        voice: ereader.voice,
        language,
        format: chunk.format,
        sample_rate_hz: ereader.sample_rate_hz,
        account: run.claim.account,
        material: chunk.material.to_string(),
    }
}

/// The names of a chunk's files, this run's own.
struct Names {
    lossless: String,
    words: String,
    /// Of the audio in the form that was asked for, unless that is the lossless one.
    audio: Option<String>,
}

impl Names {
    fn of(word: &str, chunk: &Started) -> Self {
        let name = |extension: &str| {
            format!("materials/{}/chunks/{:05}-{word}.{extension}", chunk.material, chunk.index)
        };
        let audio = (chunk.format != AudioFormat::Flac).then(|| name(chunk.format.as_str()));
        Self { lossless: name(AudioFormat::Flac.as_str()), words: name("json"), audio }
    }

    fn all(self) -> Vec<String> {
        [self.lossless, self.words].into_iter().chain(self.audio).collect()
    }
}

/// Puts the chunk's files.
async fn put(
    base: &Base,
    run: &Run,
    chunk: &Started,
    recording: ChunkRecording,
) -> Result<ChunkAudio, Setback> {
    let Names { lossless: lossless_object, words: words_object, audio } = Names::of(run.word(), chunk);
    let words = serde_json::to_vec(&recording.words).map_err(|error| {
        Setback::Failed(Fault::new(
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
