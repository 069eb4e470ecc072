//! Blob storage: audio by key, in a directory or in a bucket of S3. Signed URLs are made in [`signing`] and, straight from S3,
//! in `presigning`; who may read what is decided elsewhere.

mod check;
mod listing;
pub mod migration;
pub mod naming;
mod owner;
mod presigning;
mod s3;
pub mod signing;
pub mod trouble;
mod whole;
mod writer;

use std::{
    future::Future,
    ops::Range,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::body::Bytes;
use futures_util::{StreamExt as _, stream::BoxStream};
use lectern_types::Timestamp;
use object_store::{
    Error, GetOptions, GetResult, GetResultPayload, ObjectStore, ObjectStoreExt as _, PutOptions, PutPayload,
    local::LocalFileSystem, path::Path as Key,
};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};
use tokio_util::io::ReaderStream;

use self::{s3::Bucket, trouble::Trouble};
use crate::{
    clock::Clock,
    config::{ConfigError, Storage, StorageUrl},
};

pub use check::{PREFIX as CHECKS, Unusable};
pub use listing::{Found, Listing};
pub use owner::KEY as OWNER;
pub use writer::ObjectWriter;

/// Bytes read from a file at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// How long S3 may take for an answer without a body to speak of, tries included.
const ANSWERS: Duration = Duration::from_secs(15);

/// How long it may take to say whether it is there.
const PING_ANSWERS: Duration = Duration::from_secs(5);

/// For how long an answer says that the storage is there.
const LATELY: Duration = Duration::from_secs(2);

/// Bytes a second that a connection to S3 carries at the least.
const LEAST_BYTES_A_SECOND: u64 = 256 * 1024;

/// Object storage, whichever it is.
#[derive(Debug, Clone)]
pub struct Objects {
    storage: Arc<dyn ObjectStore>,
    place: Arc<Place>,
    /// When it answered last.
    answered: Arc<Mutex<Option<Instant>>>,
}

/// Where the objects are.
#[derive(Debug, Clone)]
enum Place {
    /// Files below a directory, whose loss looks like an empty storage otherwise.
    Directory(PathBuf),
    /// A bucket.
    S3(Bucket),
}

/// What is known of an object without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// Its size.
    pub bytes: u64,
    /// Its entity tag, quotes included.
    pub etag: String,
}

/// Why a storage cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A setting is at fault.
    #[error(transparent)]
    Setting(#[from] ConfigError),
    /// The storage is.
    #[error("object storage cannot be opened")]
    Storage(#[from] Error),
}

impl Objects {
    /// The storage at `url`, with the other settings of `settings`. Nothing is sent to S3 yet.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(settings: &Storage, url: &StorageUrl) -> Result<Self, OpenError> {
        match url {
            StorageUrl::Directory(path) => Ok(Self::in_directory(path)?),
            StorageUrl::S3 { bucket, prefix } => {
                let bucket = Bucket::open(settings, bucket, prefix)?;
                Ok(Self::new(bucket.storage(), Place::S3(bucket)))
            }
        }
    }

    /// Keeps objects as files below `directory`, which is made when it is not there.
    ///
    /// # Errors
    /// When the directory can be neither made nor used.
    pub fn in_directory(directory: &Path) -> Result<Self, Error> {
        // Only for this account: whoever else may hear an object has a signed URL for it.
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)
            .map_err(|source| Error::Generic { store: "LocalFileSystem", source: Box::new(source) })?;
        let files = LocalFileSystem::new_with_prefix(directory)?.with_fsync(true);
        let storage = Arc::new(files.with_automatic_cleanup(true));
        Ok(Self::new(storage, Place::Directory(directory.to_owned())))
    }

    fn new(storage: Arc<dyn ObjectStore>, place: Place) -> Self {
        Self { storage, place: Arc::new(place), answered: Arc::default() }
    }

    /// Lets URLs straight from S3 begin by another clock than their caller's: a test's stands, and the server's does not.
    pub fn set_signing_clock(&mut self, clock: Clock) {
        if let Place::S3(bucket) = Arc::make_mut(&mut self.place) {
            bucket.set_signing_clock(clock);
        }
    }

    /// The URL of an object straight from S3, for `seconds` from the second of `issued_at`. `None` for files, whose URLs
    /// are [`signing`]'s.
    pub fn presigned(&self, key: &str, issued_at: Timestamp, seconds: u64) -> Option<String> {
        match &*self.place {
            Place::Directory(_) => None,
            Place::S3(bucket) => Some(bucket.presigned(key, issued_at, seconds)),
        }
    }

    /// Whether there is a network between this process and the objects.
    pub fn is_remote(&self) -> bool {
        matches!(*self.place, Place::S3(_))
    }

    /// Stores an object whole or not at all; its entity tag.
    ///
    /// # Errors
    /// The storage's.
    pub async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<About, Error> {
        self.put_payload(key, PutPayload::from(bytes)).await
    }

    async fn put_payload(&self, key: &str, payload: PutPayload) -> Result<About, Error> {
        let bytes = payload.content_length() as u64;
        let mut options = PutOptions::default();
        if self.is_remote() {
            options.attributes = s3::attributes(key);
        }
        let put = async { self.storage.put_opts(&Key::from(key), payload, options).await };
        let put = self.timed("put", key, carries(bytes), put).await?;
        Ok(About { bytes, etag: quoted(put.e_tag.as_deref(), bytes) })
    }

    /// What is known of an object; `None` when there is none.
    ///
    /// # Errors
    /// The storage's.
    pub async fn about(&self, key: &str) -> Result<Option<About>, Error> {
        let place = Key::from(key);
        match self.timed("head", key, ANSWERS, self.storage.head(&place)).await {
            Ok(meta) => Ok(Some(About { bytes: meta.size, etag: quoted(meta.e_tag.as_deref(), meta.size) })),
            Err(Error::NotFound { .. }) => {
                // The answer to HEAD has no body: it may be the bucket that is not there.
                if self.is_remote() {
                    self.ping().await?;
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The bytes of a range that lies within the object, read piece by piece; `None` when there is no object. The pieces end
    /// in an error unless they are exactly as many bytes as were asked for.
    ///
    /// # Errors
    /// The storage's.
    pub async fn read(&self, key: &str, range: Range<u64>) -> Result<Option<Pieces>, Error> {
        if range.is_empty() {
            // There is no request for nothing: neither storage has such ranges.
            return Ok(self.about(key).await?.map(|_| futures_util::stream::empty().boxed()));
        }
        let options = GetOptions { range: Some(range.clone().into()), ..GetOptions::default() };
        let place = Key::from(key);
        let got = match self.timed("get", key, ANSWERS, self.storage.get_opts(&place, options)).await {
            Ok(got) => got,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let length = range.end - range.start;
        Ok(Some(whole::exactly(pieces(got, &range).await?, length)))
    }

    /// Deletes an object; that there is none is fine.
    ///
    /// # Errors
    /// The storage's.
    pub async fn delete(&self, key: &str) -> Result<(), Error> {
        match self.timed("delete", key, ANSWERS, self.storage.delete(&Key::from(key))).await {
            Err(Error::NotFound { .. }) => Ok(()),
            other => other,
        }
    }

    /// Whether the storage answers.
    ///
    /// # Errors
    /// The storage's.
    pub async fn ping(&self) -> Result<(), Error> {
        match &*self.place {
            Place::Directory(directory) => {
                let there = tokio::fs::metadata(directory).await;
                there
                    .map(|_| ())
                    .map_err(|source| Error::Generic { store: "LocalFileSystem", source: Box::new(source) })
            }
            Place::S3(bucket) => self.timed("ping", "", PING_ANSWERS, bucket.ping()).await,
        }
    }

    /// Whether the storage answers, as far as is known: what it answered a moment ago, whatever it was asked, counts. For those who ask
    /// often; on S3 a question is a request that costs.
    ///
    /// # Errors
    /// As [`Objects::ping`].
    pub async fn answers(&self) -> Result<(), Error> {
        let answered = *self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_remote() && answered.is_some_and(|at| at.elapsed() < LATELY) {
            return Ok(());
        }
        self.ping().await
    }

    /// Sees an operation through: counted, timed, and on S3 ended when it takes too long and judged when it fails.
    async fn timed<T>(
        &self,
        operation: &'static str,
        key: &str,
        limit: Duration,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let started = Instant::now();
        let outcome = match &*self.place {
            Place::Directory(_) => work.await,
            Place::S3(bucket) => {
                let tried = || {
                    format!("{operation} {key}{}{}", if key.is_empty() { "" } else { " in " }, bucket.shown)
                };
                match tokio::time::timeout(limit, work).await {
                    Err(_) => Err(Trouble::late(tried()).into_error()),
                    Ok(Err(error)) => Err(trouble::judged(error, tried)),
                    Ok(Ok(done)) => Ok(done),
                }
            }
        };
        let label = match &outcome {
            Ok(_) => "ok",
            Err(Error::NotFound { .. }) => "missing",
            Err(_) => "failed",
        };
        if outcome.is_ok() {
            *self.answered.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        let labels = [("operation", operation), ("outcome", label)];
        metrics::counter!("lectern_storage_operations_total", &labels).increment(1);
        metrics::histogram!("lectern_storage_operation_seconds", "operation" => operation)
            .record(started.elapsed().as_secs_f64());
        outcome
    }
}

/// The bytes of an object, piece by piece.
pub type Pieces = BoxStream<'static, Result<Bytes, std::io::Error>>;

async fn pieces(got: GetResult, range: &Range<u64>) -> Result<Pieces, Error> {
    match got.payload {
        // object_store reads files in pieces of 8 KiB, each on a blocking thread; larger ones cost less.
        GetResultPayload::File(file, path) => {
            let mut file = tokio::fs::File::from_std(file);
            let seek = file.seek(std::io::SeekFrom::Start(range.start)).await;
            seek.map_err(|source| Error::Generic {
                store: "LocalFileSystem",
                source: format!("cannot seek in {}: {source}", path.display()).into(),
            })?;
            let bytes = file.take(range.end - range.start);
            Ok(ReaderStream::with_capacity(bytes, PIECE_BYTES).boxed())
        }
        GetResultPayload::Stream(stream) => {
            Ok(stream.map(|piece| piece.map_err(std::io::Error::other)).boxed())
        }
    }
}

/// How long S3 may take to be given so many bytes.
fn carries(bytes: u64) -> Duration {
    ANSWERS + Duration::from_secs(bytes / LEAST_BYTES_A_SECOND)
}

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
