//! Object storage: files by key, in a directory or in an S3 bucket. [`signing`] and `presigning`
//! (S3) create signed URLs; [`media_urls`] chooses between them. Callers decide who may read which
//! object.

mod check;
mod exact_length;
mod listing;
pub mod media_urls;
pub mod migration;
pub mod naming;
mod owner;
mod presigning;
mod s3;
pub mod s3_error;
pub mod signing;
mod writer;

use std::{
    future::Future,
    ops::Range,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures_util::{StreamExt as _, stream::BoxStream};
use lectern_types::Timestamp;
use object_store::{
    Error, GetOptions, GetResult, GetResultPayload, ObjectStore, ObjectStoreExt as _, PutOptions, PutPayload,
    local::LocalFileSystem, path::Path as Key,
};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};
use tokio_util::io::ReaderStream;

use self::{s3::Bucket, s3_error::S3Error};
use crate::{
    clock::Clock,
    config::{ConfigError, Storage, StorageUrl},
};

pub use check::{CheckError, PREFIX as CHECKS};
pub use listing::{ListedObject, Listing};
pub use owner::KEY as OWNER;
pub use writer::ObjectWriter;

/// Bytes read from a file at a time.
const READ_BYTES: usize = 64 * 1024;

/// Timeout for an S3 response without a large body, including retries.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(15);

/// Timeout for S3 to respond to a ping.
const PING_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a successful operation counts as proof that the storage responds.
const PING_CACHE_AGE: Duration = Duration::from_secs(2);

/// The lowest transfer rate to S3 that is tolerated, in bytes per second.
const MIN_BYTES_PER_SECOND: u64 = 256 * 1024;

/// Object storage, in a directory or in S3.
#[derive(Debug, Clone)]
pub struct Objects {
    storage: Arc<dyn ObjectStore>,
    backend: Arc<Backend>,
    /// When an operation last succeeded.
    last_success: Arc<Mutex<Option<Instant>>>,
}

/// Where the objects are.
#[derive(Debug, Clone)]
enum Backend {
    /// Files below a directory. The path is kept because a lost directory would look like an empty
    /// storage.
    Directory(PathBuf),
    S3(Bucket),
}

/// An object's size and entity tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    pub bytes: u64,
    /// Includes the quotes.
    pub etag: String,
}

/// A reason why a storage cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] ConfigError),
    /// The storage failed.
    #[error("object storage cannot be opened")]
    Storage(#[from] Error),
}

impl Objects {
    /// Opens the storage at `url` with the other values of `settings`. Sends nothing to S3 yet.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(settings: &Storage, url: &StorageUrl) -> Result<Self, OpenError> {
        match url {
            StorageUrl::Directory(path) => Ok(Self::in_directory(path)?),
            StorageUrl::S3 { bucket, prefix } => {
                let bucket = Bucket::open(settings, bucket, prefix)?;
                Ok(Self::new(bucket.storage(), Backend::S3(bucket)))
            }
        }
    }

    /// Keeps objects as files below `directory`, which is created if it is missing.
    ///
    /// # Errors
    /// When the directory cannot be created or used.
    pub fn in_directory(directory: &Path) -> Result<Self, Error> {
        // Readable by this user only: any other reader gets a signed URL.
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)
            .map_err(|source| Error::Generic { store: "LocalFileSystem", source: Box::new(source) })?;
        let files = LocalFileSystem::new_with_prefix(directory)?.with_fsync(true);
        let storage = Arc::new(files.with_automatic_cleanup(true));
        Ok(Self::new(storage, Backend::Directory(directory.to_owned())))
    }

    fn new(storage: Arc<dyn ObjectStore>, backend: Backend) -> Self {
        Self { storage, backend: Arc::new(backend), last_success: Arc::default() }
    }

    /// Makes presigned S3 URLs start at this clock's time, for tests with a fixed clock: the S3
    /// server has its own.
    pub fn set_signing_clock(&mut self, clock: Clock) {
        if let Backend::S3(bucket) = Arc::make_mut(&mut self.backend) {
            bucket.set_signing_clock(clock);
        }
    }

    /// The presigned S3 URL of an object, valid for `seconds` from the second of `issued_at`.
    /// `None` for files, whose URLs come from [`signing`].
    pub fn presigned(&self, key: &str, issued_at: Timestamp, seconds: u64) -> Option<String> {
        match &*self.backend {
            Backend::Directory(_) => None,
            Backend::S3(bucket) => Some(bucket.presigned(key, issued_at, seconds)),
        }
    }

    /// Whether there is a network between this process and the objects.
    pub fn is_remote(&self) -> bool {
        matches!(*self.backend, Backend::S3(_))
    }

    /// Stores an object completely or not at all.
    ///
    /// # Errors
    /// The storage's.
    pub async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<Metadata, Error> {
        self.put_payload(key, PutPayload::from(bytes)).await
    }

    async fn put_payload(&self, key: &str, payload: PutPayload) -> Result<Metadata, Error> {
        let bytes = payload.content_length() as u64;
        let mut options = PutOptions::default();
        if self.is_remote() {
            options.attributes = s3::attributes(key);
        }
        let put = async { self.storage.put_opts(&Key::from(key), payload, options).await };
        let put = self.timed("put", key, transfer_timeout(bytes), put).await?;
        Ok(Metadata { bytes, etag: quoted(put.e_tag.as_deref(), bytes) })
    }

    /// An object's size and entity tag; `None` when it does not exist.
    ///
    /// # Errors
    /// The storage's.
    pub async fn head(&self, key: &str) -> Result<Option<Metadata>, Error> {
        let path = Key::from(key);
        match self.timed("head", key, RESPONSE_TIMEOUT, self.storage.head(&path)).await {
            Ok(meta) => {
                Ok(Some(Metadata { bytes: meta.size, etag: quoted(meta.e_tag.as_deref(), meta.size) }))
            }
            Err(Error::NotFound { .. }) => {
                // A response to HEAD has no body, so a missing bucket looks the
                // same as a missing object.
                if self.is_remote() {
                    self.ping().await?;
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Streams a range that lies within the object; `None` when the object does not exist. The
    /// stream ends in an error unless it has exactly the requested length.
    ///
    /// # Errors
    /// The storage's.
    pub async fn read(&self, key: &str, range: Range<u64>) -> Result<Option<Pieces>, Error> {
        if range.is_empty() {
            // Neither storage has a request for an empty range.
            return Ok(self.head(key).await?.map(|_| futures_util::stream::empty().boxed()));
        }
        let options = GetOptions { range: Some(range.clone().into()), ..GetOptions::default() };
        let path = Key::from(key);
        let got = match self.timed("get", key, RESPONSE_TIMEOUT, self.storage.get_opts(&path, options)).await
        {
            Ok(got) => got,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let length = range.end - range.start;
        Ok(Some(exact_length::exactly(pieces(got, &range).await?, length)))
    }

    /// Deletes an object. Deleting one that does not exist succeeds.
    ///
    /// # Errors
    /// The storage's.
    pub async fn delete(&self, key: &str) -> Result<(), Error> {
        match self.timed("delete", key, RESPONSE_TIMEOUT, self.storage.delete(&Key::from(key))).await {
            Err(Error::NotFound { .. }) => Ok(()),
            other => other,
        }
    }

    /// Checks that the storage responds.
    ///
    /// # Errors
    /// The storage's.
    pub async fn ping(&self) -> Result<(), Error> {
        match &*self.backend {
            Backend::Directory(directory) => {
                let metadata = tokio::fs::metadata(directory).await;
                metadata
                    .map(|_| ())
                    .map_err(|source| Error::Generic { store: "LocalFileSystem", source: Box::new(source) })
            }
            Backend::S3(bucket) => self.timed("ping", "", PING_TIMEOUT, bucket.ping()).await,
        }
    }

    /// Like [`Objects::ping`], but on S3 a recent success of any operation counts too. For frequent
    /// checks: on S3 each ping is a request that costs money.
    ///
    /// # Errors
    /// As [`Objects::ping`].
    pub async fn ping_cached(&self) -> Result<(), Error> {
        let last_success = *self.last_success.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_remote() && last_success.is_some_and(|at| at.elapsed() < PING_CACHE_AGE) {
            return Ok(());
        }
        self.ping().await
    }

    /// Runs an operation: counts and times it, and on S3 adds a timeout and classifies its error.
    async fn timed<T>(
        &self,
        operation: &'static str,
        key: &str,
        limit: Duration,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let started = Instant::now();
        let outcome = match &*self.backend {
            Backend::Directory(_) => work.await,
            Backend::S3(bucket) => {
                let description = || {
                    format!(
                        "{operation} {key}{}{}",
                        if key.is_empty() { "" } else { " in " },
                        bucket.display_name
                    )
                };
                match tokio::time::timeout(limit, work).await {
                    Err(_) => Err(S3Error::timeout(description()).into_error()),
                    Ok(Err(error)) => Err(s3_error::classified(error, description)),
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
            *self.last_success.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        let labels = [("operation", operation), ("outcome", label)];
        metrics::counter!("lectern_storage_operations_total", &labels).increment(1);
        metrics::histogram!("lectern_storage_operation_seconds", "operation" => operation)
            .record(started.elapsed().as_secs_f64());
        outcome
    }
}

/// The content of an object as a stream.
pub type Pieces = BoxStream<'static, Result<Bytes, std::io::Error>>;

async fn pieces(got: GetResult, range: &Range<u64>) -> Result<Pieces, Error> {
    match got.payload {
        // object_store reads files 8 KiB at a time, each on a blocking thread; larger reads
        // are cheaper.
        GetResultPayload::File(file, path) => {
            let mut file = tokio::fs::File::from_std(file);
            let seek = file.seek(std::io::SeekFrom::Start(range.start)).await;
            seek.map_err(|source| Error::Generic {
                store: "LocalFileSystem",
                source: format!("cannot seek in {}: {source}", path.display()).into(),
            })?;
            let bytes = file.take(range.end - range.start);
            Ok(ReaderStream::with_capacity(bytes, READ_BYTES).boxed())
        }
        GetResultPayload::Stream(stream) => {
            Ok(stream.map(|piece| piece.map_err(std::io::Error::other)).boxed())
        }
    }
}

/// Timeout for sending this many bytes to S3.
fn transfer_timeout(bytes: u64) -> Duration {
    RESPONSE_TIMEOUT + Duration::from_secs(bytes / MIN_BYTES_PER_SECOND)
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
        assert_eq!(objects.head("a/b.mp3").await.unwrap(), Some(put));
        let pieces = objects.read("a/b.mp3", 2..5).await.unwrap().unwrap();
        let bytes: Vec<Bytes> = pieces.try_collect().await.unwrap();
        assert_eq!(bytes.concat(), b"234");
        objects.delete("a/b.mp3").await.unwrap();
        objects.delete("a/b.mp3").await.unwrap();
        assert_eq!(objects.head("a/b.mp3").await.unwrap(), None);
        assert!(objects.read("a/b.mp3", 0..1).await.unwrap().is_none());
        // `..` cannot escape the directory: object_store encodes it.
        objects.put("../../escaped", b"x".to_vec()).await.unwrap();
        assert!(!dir.path().join("../escaped").exists() && !dir.path().join("escaped").exists());
    }

    #[tokio::test]
    async fn a_storage_whose_directory_is_gone_fails_its_ping() {
        let dir = tempfile::tempdir().unwrap();
        let objects = Objects::in_directory(&dir.path().join("objects")).unwrap();
        assert!(objects.ping().await.is_ok());
        std::fs::remove_dir(dir.path().join("objects")).unwrap();
        assert!(objects.ping().await.is_err());
    }
}
