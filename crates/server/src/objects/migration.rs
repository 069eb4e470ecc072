//! Copies of objects from one storage to another, each proved by reading it back. Objects are never changed once they are
//! stored (samples are), so this goes on beside a running service.

use axum::body::Bytes;
use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};

use super::Objects;

/// What became of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// It was copied.
    Copied,
    /// The other storage had it already, the same bytes.
    AlreadyThere,
    /// It went from its own storage meanwhile: a customer deleted it, or its time was over.
    Gone,
}

/// Why an object was not copied.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// A storage failed.
    #[error(transparent)]
    Storage(#[from] object_store::Error),
    /// Reading failed on the way.
    #[error("it cannot be read to its end")]
    Reading(#[from] std::io::Error),
    /// What was read back is something else; it was deleted again.
    #[error("what was read back from the other storage differs (SHA-256), and was deleted there")]
    Differs,
}

/// Copies an object of so many bytes and reads the copy back, unless the other storage has the same bytes.
///
/// # Errors
/// [`MoveError`]; the other storage has no wrong object then, as far as it answers.
pub async fn copy(from: &Objects, to: &Objects, key: &str, bytes: u64) -> Result<Moved, MoveError> {
    if to.about(key).await?.is_some_and(|about| about.bytes == bytes) {
        let Some(here) = hash(from, key, bytes).await? else { return Ok(Moved::Gone) };
        if hash(to, key, bytes).await? == Some(here) {
            return Ok(Moved::AlreadyThere);
        }
    }
    let Some(mut pieces) = from.read(key, 0..bytes).await? else { return Ok(Moved::Gone) };
    let mut writing = to.writer(key).await?;
    let mut hashed = Sha256::new();
    loop {
        let written = match pieces.try_next().await {
            Ok(Some(piece)) => {
                hashed.update(&piece);
                writing.write(piece).await.map_err(MoveError::from)
            }
            Ok(None) => break,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = written {
            writing.abort().await;
            return Err(error);
        }
    }
    writing.finish().await?;
    let here: [u8; 32] = hashed.finalize().into();
    if hash(to, key, bytes).await? == Some(here) {
        return Ok(Moved::Copied);
    }
    to.delete(key).await?;
    Err(MoveError::Differs)
}

/// The SHA-256 of an object; `None` when there is none.
async fn hash(objects: &Objects, key: &str, bytes: u64) -> Result<Option<[u8; 32]>, MoveError> {
    let Some(pieces) = objects.read(key, 0..bytes).await? else { return Ok(None) };
    let hashed = pieces.try_fold(Sha256::new(), |mut hash, piece: Bytes| async move {
        hash.update(&piece);
        Ok(hash)
    });
    Ok(Some(hashed.await?.finalize().into()))
}
