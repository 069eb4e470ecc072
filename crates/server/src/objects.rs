//! Blob storage: audio by key. Signed URLs to it are made in [`signing`]; who may read what is decided elsewhere.

mod listing;
pub mod signing;
mod writer;

use std::{
    ops::Range,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::body::Bytes;
use futures_util::{StreamExt as _, stream::BoxStream};
use object_store::{
    GetOptions, GetResultPayload, ObjectStore, ObjectStoreExt as _, PutPayload, local::LocalFileSystem,
    path::Path as Key,
};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};
use tokio_util::io::ReaderStream;

pub use listing::{Found, Listing};
pub use writer::ObjectWriter;

/// Bytes read from a file at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// Object storage, whichever it is.
#[derive(Debug, Clone)]
pub struct Objects {
    storage: Arc<dyn ObjectStore>,
    /// The directory, when objects are files: its loss looks like an empty storage otherwise.
    directory: Option<PathBuf>,
}

/// What is known of an object without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// Its size.
    pub bytes: u64,
    /// Its entity tag, quotes included.
    pub etag: String,
}

impl Objects {
    /// Keeps objects as files below `directory`, which is made when it is not there.
    ///
    /// # Errors
    /// When the directory can be neither made nor used.
    pub fn in_directory(directory: &Path) -> Result<Self, object_store::Error> {
        // Only for this account: whoever else may hear an object has a signed URL for it.
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(|source| {
            object_store::Error::Generic { store: "LocalFileSystem", source: Box::new(source) }
        })?;
        let files = LocalFileSystem::new_with_prefix(directory)?.with_fsync(true);
        let storage = Arc::new(files.with_automatic_cleanup(true));
        Ok(Self { storage, directory: Some(directory.to_owned()) })
    }

    /// Stores an object whole or not at all; its entity tag.
    ///
    /// # Errors
    /// The storage's.
    pub async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<About, object_store::Error> {
        let length = bytes.len() as u64;
        let put = self.storage.put(&Key::from(key), PutPayload::from(bytes)).await?;
        Ok(About { bytes: length, etag: quoted(put.e_tag.as_deref(), length) })
    }

    /// What is known of an object; `None` when there is none.
    ///
    /// # Errors
    /// The storage's.
    pub async fn about(&self, key: &str) -> Result<Option<About>, object_store::Error> {
        match self.storage.head(&Key::from(key)).await {
            Ok(meta) => Ok(Some(About { bytes: meta.size, etag: quoted(meta.e_tag.as_deref(), meta.size) })),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The bytes of a range that lies within the object, read piece by piece; `None` when there is no object.
    ///
    /// # Errors
    /// The storage's.
    pub async fn read(&self, key: &str, range: Range<u64>) -> Result<Option<Pieces>, object_store::Error> {
        let options = GetOptions { range: Some(range.clone().into()), ..GetOptions::default() };
        let got = match self.storage.get_opts(&Key::from(key), options).await {
            Ok(got) => got,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        match got.payload {
            // object_store reads files in pieces of 8 KiB, each on a blocking thread; larger ones cost less.
            GetResultPayload::File(file, path) => {
                let mut file = tokio::fs::File::from_std(file);
                let seek = file.seek(std::io::SeekFrom::Start(range.start)).await;
                seek.map_err(|source| object_store::Error::Generic {
                    store: "LocalFileSystem",
                    source: format!("cannot seek in {}: {source}", path.display()).into(),
                })?;
                let bytes = file.take(range.end - range.start);
                Ok(Some(ReaderStream::with_capacity(bytes, PIECE_BYTES).boxed()))
            }
            GetResultPayload::Stream(stream) => {
                Ok(Some(stream.map(|piece| piece.map_err(std::io::Error::other)).boxed()))
            }
        }
    }

    /// Deletes an object; that there is none is fine.
    ///
    /// # Errors
    /// The storage's.
    pub async fn delete(&self, key: &str) -> Result<(), object_store::Error> {
        match self.storage.delete(&Key::from(key)).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            other => other,
        }
    }

    /// Whether the storage answers.
    ///
    /// # Errors
    /// The storage's.
    pub async fn ping(&self) -> Result<(), object_store::Error> {
        if let Some(directory) = &self.directory {
            let there = tokio::fs::metadata(directory).await;
            return there.map(|_| ()).map_err(|source| object_store::Error::Generic {
                store: "LocalFileSystem",
                source: Box::new(source),
            });
        }
        // Any answer about any object will do.
        match self.storage.head(&Key::from("readiness")).await {
            Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// The bytes of an object, piece by piece.
pub type Pieces = BoxStream<'static, Result<Bytes, std::io::Error>>;

fn quoted(etag: Option<&str>, bytes: u64) -> String {
    match etag {
        Some(etag) if etag.starts_with('"') => etag.to_owned(),
        Some(etag) => format!("\"{etag}\""),
        None => format!("\"{bytes:x}\""),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt as _;

    use super::*;

    #[tokio::test]
    async fn objects_are_stored_read_in_ranges_and_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let objects = Objects::in_directory(&dir.path().join("objects")).unwrap();
        let put = objects.put("a/b.mp3", b"0123456789".to_vec()).await.unwrap();
        assert_eq!(objects.about("a/b.mp3").await.unwrap(), Some(put));
        let pieces = objects.read("a/b.mp3", 2..5).await.unwrap().unwrap();
        let bytes: Vec<Bytes> = pieces.try_collect().await.unwrap();
        assert_eq!(bytes.concat(), b"234");
        objects.delete("a/b.mp3").await.unwrap();
        objects.delete("a/b.mp3").await.unwrap();
        assert_eq!(objects.about("a/b.mp3").await.unwrap(), None);
        assert!(objects.read("a/b.mp3", 0..1).await.unwrap().is_none());
        // `..` cannot climb out: object_store encodes it.
        objects.put("../../escaped", b"x".to_vec()).await.unwrap();
        assert!(!dir.path().join("../escaped").exists() && !dir.path().join("escaped").exists());
    }

    #[tokio::test]
    async fn a_storage_whose_directory_is_gone_does_not_answer() {
        let dir = tempfile::tempdir().unwrap();
        let objects = Objects::in_directory(&dir.path().join("objects")).unwrap();
        assert!(objects.ping().await.is_ok());
        std::fs::remove_dir(dir.path().join("objects")).unwrap();
        assert!(objects.ping().await.is_err());
    }
}
