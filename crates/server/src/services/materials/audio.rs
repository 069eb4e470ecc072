//! What was made of a chunk: its audio, and the times of its words.

use futures_util::TryStreamExt as _;
use lectern_store::{chunks, keys::Authenticated};
use lectern_types::{AudioFormat, ErrorCode, MaterialId, Timestamp, WordTimestamp};
use serde::de::DeserializeOwned;

use super::listing;
use crate::{
    app::App,
    error::{Error, Result},
};

/// How long a private cache may keep audio of a material: it may be deleted.
pub const MAX_AGE_SECONDS: u64 = 3600;

/// A chunk that has audio.
#[derive(Debug, Clone)]
pub struct ChunkAudio {
    /// Its place.
    pub index: u32,
    /// The form of its audio.
    pub format: AudioFormat,
    /// Where its audio lies.
    pub object: String,
    /// Where the times of its words lie.
    words: String,
}

/// A chunk with audio.
///
/// # Errors
/// `material_not_found`, `chunk_not_found`, or `chunk_not_ready` until it has some.
pub async fn chunk(
    app: &App,
    caller: &Authenticated,
    material: MaterialId,
    index: Option<u32>,
) -> Result<ChunkAudio> {
    let index = listing::checked(app, caller, material, index).await?;
    let (account, environment) = (caller.account, caller.key.environment);
    let chunk = chunks::find(&app.store, account, environment, material, index).await?;
    let chunk = chunk.ok_or(ErrorCode::ChunkNotFound)?;
    let (audio, format) = chunk.audio.zip(chunk.format).ok_or(ErrorCode::ChunkNotReady)?;
    Ok(ChunkAudio { index, format, object: audio.audio_object, words: audio.words_object })
}

/// The times of a chunk's words.
///
/// # Errors
/// The storage's.
pub async fn words(app: &App, chunk: &ChunkAudio) -> Result<Vec<WordTimestamp>> {
    read_words(app, &chunk.words).await
}

/// The times that an object holds.
pub(super) async fn read_words<T: DeserializeOwned>(app: &App, object: &str) -> Result<Vec<T>> {
    let about = app.objects.about(object).await?.ok_or_else(|| gone(object))?;
    let pieces = app.objects.read(object, 0..about.bytes).await?.ok_or_else(|| gone(object))?;
    let bytes = pieces.try_fold(Vec::new(), |mut all, piece| async move {
        all.extend_from_slice(&piece);
        Ok(all)
    });
    let bytes = bytes.await.map_err(|error| {
        if !app.objects.is_remote() {
            return Error::Internal(format!("word times cannot be read: {error}"));
        }
        // On the far side of a network answers are cut off now and then.
        tracing::warn!(error = %error, object.key = object, "an answer of object storage was cut off");
        Error::Unavailable { what: "object storage does not answer", retry_after_seconds: 1 }
    })?;
    serde_json::from_slice(&bytes).map_err(|error| Error::Internal(format!("word times are none: {error}")))
}

/// A URL of an object that needs no key, and when it ends.
pub fn url(app: &App, object: &str) -> (String, Timestamp) {
    app.media_url(object, app.clock.now())
}

/// An object that should be there is not.
pub fn gone(object: &str) -> Error {
    Error::Internal(format!("{object} is not in the storage"))
}
