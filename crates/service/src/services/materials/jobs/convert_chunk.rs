//! Converts a chunk to audio: reads it, synthesizes it, stores the audio, and captures the price in
//! the transaction that completes it. If a run dies, the next one takes the chunk. Only the run
//! that commits first counts and charges.

use std::{ops::Range, sync::Arc, time::Instant};

use lectern_speech::{
    lexicons::Words,
    script::Script,
    spec::{InLanguage, NarrationSpec, PauseAt},
};
use lectern_store::{
    chunks::{ChunkAudio, Spoken, SpokenBy, Started, Starting},
    ereaders::Ereader,
    jobs::{self, Outcome},
    lexicons,
};
use lectern_types::{AudioFormat, ErrorCode};

use super::{
    commit::{self, Trace},
    context::{JobContext, phase},
    run::{Dependency, Fault, JobError, Run},
};
use crate::{
    base::Base,
    objects::naming,
    services::{
        lexicons::choice,
        speech::{
            language,
            speaking::{ChunkPassage, ChunkRecording, narration},
            synthesis,
        },
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
    let objects = Arc::new(move |chunk: &Started| {
        let rate_hz = chunk.ereader.as_ref().map_or(0, |ereader| ereader.sample_rate_hz);
        Names::of(&run_id, chunk, rate_hz).all()
    });
    let starting = Starting { claim: run.claim.clone(), objects };
    let started = context.batcher.start.ask(starting).await.ok_or_else(|| {
        JobError::Failed(Fault::new(ErrorCode::InternalError, "starting the chunk panicked"))
    })??;
    let Some(mut chunk) = started else { return Err(JobError::Lost) };
    let Some(ereader) = chunk.ereader.take() else {
        return Err(JobError::permanent(ErrorCode::TtsProviderError, "the e-reader no longer exists"));
    };
    let engines = std::iter::once(&ereader).chain(chunk.voices.iter().map(|(_, ereader)| ereader));
    if let Some(missing) = engines.map(|one| &one.engine).find(|engine| !context.speech.has_engine(engine)) {
        jobs::needs_engine(&base.store, &run.claim, missing).await?;
        let reason = format!("this process was started without the engine {missing:?}");
        return Err(JobError::unavailable(Dependency::Engine, reason));
    }
    let started = Instant::now();
    let words = words(base, &chunk).await?;
    let passage = passage(run, &chunk, &ereader, &words);
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

/// The words of the lexicons that the conversion copied.
async fn words(base: &Base, chunk: &Started) -> Result<Words, JobError> {
    let Some(digest) = &chunk.lexicon else { return Ok(Words::default()) };
    let json = lexicons::copied(&base.store, chunk.material, digest).await?;
    Ok(choice::words_of_copy(&json)?)
}

/// The text to speak, and the parameters.
fn passage(run: &Run, chunk: &Started, ereader: &Ereader, words: &Words) -> ChunkPassage {
    let language = chunk.speech_language.clone().or_else(|| ereader.languages.first().cloned());
    let language = language.unwrap_or_default();
    let pauses = chunk.pauses.iter().map(|pause| PauseAt { at: pause.at as usize, pause_ms: pause.pause_ms });
    // A tag that no engine can know says nothing.
    let marked = chunk.languages.iter().filter_map(|marked| {
        let language = marked.tag.parse().ok()?;
        Some(InLanguage { range: marked.start as usize..marked.end as usize, language })
    });
    let voice_of =
        |stretch: &SpokenBy| chunk.voices.iter().position(|(name, _)| Some(name) == stretch.name.as_ref());
    let stretches: Vec<(Range<usize>, usize)> = chunk
        .speakers
        .iter()
        .filter_map(|stretch| Some((stretch.start as usize..stretch.end as usize, voice_of(stretch)?)))
        .collect();
    let mut script = Script::with_stretches(chunk.text.as_str(), &stretches);
    (script.pauses, script.marked) = (pauses.collect(), marked.collect());
    let pronounced = chunk.pronounced.iter();
    let pronounced: Vec<(Range<usize>, String)> =
        pronounced.map(|one| (one.start as usize..one.end as usize, one.ipa.clone())).collect();
    let script = script.with_pronunciations(&pronounced);
    let script = if words.is_empty() { script } else { script.with_words(words) };
    let spec = |voice: Option<usize>, ereader: &Ereader| {
        let language = language::of_ereader(ereader, Some(&language))
            .or_else(|| ereader.languages.first().cloned())
            .unwrap_or_default();
        Arc::new(NarrationSpec {
            seed: synthesis::seed(&chunk.text, &ereader.voice, &language, 1.0),
            ..script.spec(voice, narration(ereader, &language, script.text.as_str()))
        })
    };
    let others = (0..).zip(&chunk.voices).map(|(at, (_, ereader))| spec(Some(at), ereader));
    let specs = std::iter::once(spec(None, ereader)).chain(others).collect();
    // The narrator is the first voice.
    let turns = script.turns.iter().map(|turn| (turn.voice.map_or(0, |voice| voice + 1), turn.range.end));
    let turns = turns.collect();
    ChunkPassage {
        text: chunk.text.clone(),
        specs,
        turns,
        script: Arc::new(script),
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
    mp3: String,
    aac: String,
}

impl Names {
    fn of(run_id: &str, chunk: &Started, rate_hz: u32) -> Self {
        let name = |extension: &str| {
            format!("materials/{}/chunks/{:05}-{run_id}.{extension}", chunk.material, chunk.index)
        };
        let audio = (chunk.format != AudioFormat::Flac).then(|| {
            let rate_hz = chunk.format.default_rate_hz(rate_hz);
            name(&naming::extension(chunk.format, rate_hz))
        });
        Self {
            lossless: name(AudioFormat::Flac.as_str()),
            words: name("json"),
            audio,
            mp3: name(AudioFormat::Mp3.as_str()),
            aac: name("aac"),
        }
    }

    fn all(self) -> Vec<String> {
        let mut all: Vec<String> =
            [self.lossless, self.words, self.mp3, self.aac].into_iter().chain(self.audio).collect();
        // The MP3 may be the requested audio.
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Uploads the chunk's files.
async fn put(
    base: &Base,
    run: &Run,
    chunk: &Started,
    recording: ChunkRecording,
) -> Result<ChunkAudio, JobError> {
    let names = Names::of(run.id(), chunk, recording.sample_rate_hz);
    let words = serde_json::to_vec(&recording.words).map_err(|error| {
        JobError::Failed(Fault::new(
            ErrorCode::InternalError,
            format!("word times cannot be written: {error}"),
        ))
    })?;
    run.stores([names.lossless.as_str(), names.words.as_str()]);
    let encoded = names.audio.zip(recording.encoded);
    run.stores(encoded.iter().map(|(key, _)| key.as_str()));
    let is_mp3 = encoded.is_some() && chunk.format == AudioFormat::Mp3;
    let (mp3, aac) =
        (recording.mp3.map(|bytes| (names.mp3, bytes)), recording.aac.map(|bytes| (names.aac, bytes)));
    run.stores(mp3.iter().chain(&aac).map(|(key, _)| key.as_str()));
    let optional = async |file: Option<(String, Vec<u8>)>| match file {
        Some((key, bytes)) => base.objects.put(&key, bytes).await.map(|about| Some((key, about))),
        None => Ok(None),
    };
    let (_, lossless, encoded, mp3, aac) = tokio::try_join!(
        base.objects.put(&names.words, words),
        base.objects.put(&names.lossless, recording.lossless),
        optional(encoded),
        optional(mp3),
        optional(aac),
    )?;
    let (audio_object, about) = encoded.unwrap_or_else(|| (names.lossless.clone(), lossless));
    Ok(ChunkAudio {
        mp3_object: if is_mp3 { Some(audio_object.clone()) } else { mp3.map(|(key, _)| key) },
        aac_object: aac.map(|(key, _)| key),
        audio_object,
        lossless_object: names.lossless,
        words_object: names.words,
        audio_bytes: about.bytes,
        audio_etag: about.etag,
        duration_ms: recording.duration_ms,
        sample_rate_hz: recording.sample_rate_hz,
    })
}
