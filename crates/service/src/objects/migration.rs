//! Copies objects from one storage to another, and verifies each copy by reading it back. Stored
//! objects never change (except samples), so this can run alongside the service.

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};

use super::Objects;

/// The outcome of copying an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyOutcome {
    Copied,
    /// The other storage already had it, with the same bytes.
    AlreadyThere,
    /// It disappeared from its own storage meanwhile: a customer deleted it, or it expired.
    Gone,
}

/// A reason why an object was not copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error(transparent)]
    Storage(#[from] object_store::Error),
    /// Reading failed midway.
    #[error("it cannot be read to its end")]
    Reading(#[from] std::io::Error),
    /// The copy read back differs; it was deleted.
    #[error("what was read back from the other storage differs (SHA-256), and was deleted there")]
    Differs,
}

/// Copies an object of this size and reads the copy back, unless the other storage already has the
/// same bytes.
///
/// # Errors
/// [`CopyError`]; a wrong copy is deleted, if the other storage responds.
pub async fn copy(from: &Objects, to: &Objects, key: &str, bytes: u64) -> Result<CopyOutcome, CopyError> {
    if to.head(key).await?.is_some_and(|about| about.bytes == bytes) {
        let Some(here) = hash(from, key, bytes).await? else { return Ok(CopyOutcome::Gone) };
        if hash(to, key, bytes).await? == Some(here) {
            return Ok(CopyOutcome::AlreadyThere);
        }
    }
    let Some(mut pieces) = from.read(key, 0..bytes).await? else { return Ok(CopyOutcome::Gone) };
    let mut writing = to.writer(key).await?;
    let mut hashed = Sha256::new();
    loop {
        let written = match pieces.try_next().await {
            Ok(Some(piece)) => {
                hashed.update(&piece);
                writing.write(piece).await.map_err(CopyError::from)
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
        return Ok(CopyOutcome::Copied);
    }
    to.delete(key).await?;
    Err(CopyError::Differs)
}

/// The SHA-256 of an object; `None` when it does not exist.
async fn hash(objects: &Objects, key: &str, bytes: u64) -> Result<Option<[u8; 32]>, CopyError> {
    let Some(pieces) = objects.read(key, 0..bytes).await? else { return Ok(None) };
    let hashed = pieces.try_fold(Sha256::new(), |mut hash, piece: Bytes| async move {
        hash.update(&piece);
        Ok(hash)
    });
    Ok(Some(hashed.await?.finalize().into()))
}
