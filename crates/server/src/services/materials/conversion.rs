//! A chunk becomes audio: read, spoken, stored, and captured in the transaction that completes it. A run that dies leaves
//! the chunk to the next; the one that commits first is the only one that counts and charges.

use std::{sync::Arc, time::Instant};

use lectern_speech::pool::Break;
use lectern_store::{
    chunks::{self, ChunkAudio, Started},
    ereaders::{self, Ereader},
    jobs::Outcome,
};
use lectern_types::{ErrorCode, MaterialStatus};

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
    base.objects.ping().await?;
    let started = chunks::start(&base.store, &run.claim).await?;
    let Some(chunk) = started else { return Err(Setback::Lost) };
    base.signals.material_changed(chunk.material);
    let Some(ereader) = ereaders::find(&base.store, chunk.ereader).await? else {
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
    let answer = chunks::complete(&base.store, &run.claim, &audio, base.writing()).await;
    let answer = answer.map(|outcome| (outcome != Outcome::Lost).then_some(outcome));
    let trace = Trace::Chunk { index: chunk.index, object: &audio.lossless_object };
    let outcome = commit::settled(base, run, answer, trace).await?;
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

/// Puts the chunk's files under names of this run's own.
async fn put(
    base: &Base,
    run: &Run,
    chunk: &Started,
    recording: ChunkRecording,
) -> Result<ChunkAudio, Setback> {
    let name = |extension: &str| {
        format!("materials/{}/chunks/{:05}-{}.{extension}", chunk.material, chunk.index, run.word())
    };
    let (lossless_object, words_object) = (name("flac"), name("json"));
    let encoded = recording.encoded.map(|bytes| (name(chunk.format.as_str()), bytes));
    let words = serde_json::to_vec(&recording.words).map_err(|error| {
        Setback::Failed(Fault::new(
            ErrorCode::InternalError,
            format!("word times cannot be written: {error}"),
        ))
    })?;
    let mut keys = vec![lossless_object.as_str(), words_object.as_str()];
    keys.extend(encoded.as_ref().map(|(key, _)| key.as_str()));
    commit::announce(base, run, &keys).await?;
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
