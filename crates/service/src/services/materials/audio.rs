//! The results of a chunk: its audio and word times.

use futures_util::TryStreamExt as _;
use lectern_store::{
    Store,
    chunks::{self, old_audio},
    keys::Authenticated,
};
use lectern_types::{AudioFormat, ErrorCode, MaterialId, WordTimestamp};
use serde::de::DeserializeOwned;

use super::listing;
use crate::{
    error::{Error, Result},
    objects::Objects,
};

/// How long a private cache may keep audio of a material without asking whether it is still the same: not at
/// all, because a chunk can be spoken again, and a material deleted.
pub const MAX_AGE_SECONDS: u64 = 0;

/// A chunk that has audio.
#[derive(Debug, Clone)]
pub struct ChunkAudio {
    pub index: u32,
    /// The audio format.
    pub format: AudioFormat,
    /// The sample rate of the audio.
    pub sample_rate_hz: u32,
    /// The object with the audio.
    pub object: String,
    /// The object with the word times.
    words: String,
    /// Whether it is the audio of before, because the chunk is to be spoken again.
    pub is_stale: bool,
}

/// A chunk with audio. One that is to be spoken again has its old audio until the new one is stored.
///
/// # Errors
/// `material_not_found`, `chunk_not_found`, or `chunk_not_ready` until it has audio.
pub async fn chunk(
    store: &Store,
    caller: &Authenticated,
    material: MaterialId,
    index: Option<u32>,
) -> Result<ChunkAudio> {
    let index = listing::checked(store, caller, material, index).await?;
    let (account, environment) = (caller.account, caller.key.environment);
    let chunk = chunks::find(store, account, environment, material, index).await?;
    let chunk = chunk.ok_or(ErrorCode::ChunkNotFound)?;
    let new = chunk.audio.zip(chunk.format);
    let is_stale = new.is_none();
    let found = match new {
        Some(new) => Some(new),
        None => old_audio::find(store, account, environment, material, index).await?,
    };
    let (audio, format) = found.ok_or(ErrorCode::ChunkNotReady)?;
    let sample_rate_hz = format.default_rate_hz(audio.sample_rate_hz);
    let (object, words) = (audio.audio_object, audio.words_object);
    Ok(ChunkAudio { index, format, sample_rate_hz, object, words, is_stale })
}

/// The times of a chunk's words.
///
/// # Errors
/// The storage's.
pub async fn words(objects: &Objects, chunk: &ChunkAudio) -> Result<Vec<WordTimestamp>> {
    read_words(objects, &chunk.words).await
}

/// Reads the word times of an object.
pub(super) async fn read_words<T: DeserializeOwned>(objects: &Objects, object: &str) -> Result<Vec<T>> {
    let about = objects.head(object).await?.ok_or_else(|| gone(object))?;
    let pieces = objects.read(object, 0..about.bytes).await?.ok_or_else(|| gone(object))?;
    let bytes = pieces.try_fold(Vec::new(), |mut all, piece| async move {
        all.extend_from_slice(&piece);
        Ok(all)
    });
    let bytes = bytes.await.map_err(|error| {
        if !objects.is_remote() {
            return Error::Internal(format!("word times cannot be read: {error}"));
        }
        // With remote storage, responses are sometimes cut off.
        tracing::warn!(error = %error, object.key = object, "an answer of object storage was cut off");
        Error::Unavailable { what: "object storage does not answer", retry_after_seconds: 1 }
    })?;
    serde_json::from_slice(&bytes).map_err(|error| Error::Internal(format!("word times are none: {error}")))
}

/// The error of an object that should exist and does not.
pub fn gone(object: &str) -> Error {
    Error::Internal(format!("{object} is not in the storage"))
}
