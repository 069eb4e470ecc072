//! Writes objects that are too large for memory: piece by piece, visible only once complete.

use bytes::Bytes;
use object_store::{
    Error, MultipartUpload, ObjectStoreExt as _, PutMultipartOptions, PutPayload, path::Path as Key,
};

use super::{Backend, Metadata, Objects, RESPONSE_TIMEOUT, quoted, s3, transfer_timeout};

/// The size of one write to a file, in bytes.
const FILE_PART_BYTES: usize = 256 * 1024;

/// The part size on S3, in bytes. S3 accepts no part under 5 MiB, and at most 10,000 parts.
const PART_BYTES: usize = 8 * 1024 * 1024;

impl Objects {
    /// Starts an object, which is invisible until [`ObjectWriter::finish`].
    ///
    /// # Errors
    /// The storage's.
    pub async fn writer(&self, key: &str) -> Result<ObjectWriter, Error> {
        let (upload, part_bytes) = match &*self.backend {
            Backend::Directory(_) => {
                (Some(self.storage.put_multipart(&Key::from(key)).await?), FILE_PART_BYTES)
            }
            // An object that fits into one part is put with one request instead of
            // three.
            Backend::S3(_) => (None, PART_BYTES),
        };
        let (objects, key) = (self.clone(), key.to_owned());
        Ok(ObjectWriter {
            objects,
            key,
            upload,
            part_bytes,
            buffered: Vec::new(),
            buffered_bytes: 0,
            written: 0,
        })
    }

    async fn begin_multipart(&self, key: &str) -> Result<Box<dyn MultipartUpload>, Error> {
        let options =
            PutMultipartOptions { attributes: s3::attributes(key), ..PutMultipartOptions::default() };
        let path = Key::from(key);
        let begin = self.storage.put_multipart_opts(&path, options);
        self.timed("multipart_begin", key, RESPONSE_TIMEOUT, begin).await
    }
}

/// An object being written. At most one part is buffered while another is being sent. Call
/// [`ObjectWriter::abort`] to discard it; a dropped writer is aborted too, but nothing waits for
/// that.
#[derive(Debug)]
pub struct ObjectWriter {
    objects: Objects,
    key: String,
    /// `None` until the object exceeds one part.
    upload: Option<Box<dyn MultipartUpload>>,
    part_bytes: usize,
    /// The buffered pieces of the next part.
    buffered: Vec<Bytes>,
    buffered_bytes: usize,
    written: u64,
}

impl ObjectWriter {
    /// Adds bytes; returns when there is room for more.
    ///
    /// # Errors
    /// The storage's. Abort the object then.
    pub async fn write(&mut self, mut bytes: Bytes) -> Result<(), Error> {
        self.written += bytes.len() as u64;
        // All parts have the same size: some S3 servers require it.
        while self.buffered_bytes + bytes.len() >= self.part_bytes {
            let rest = bytes.split_off(self.part_bytes - self.buffered_bytes);
            self.buffered.push(std::mem::replace(&mut bytes, rest));
            self.put_part().await?;
        }
        if !bytes.is_empty() {
            self.buffered_bytes += bytes.len();
            self.buffered.push(bytes);
        }
        Ok(())
    }

    /// The buffered pieces as one payload.
    fn take_part(&mut self) -> PutPayload {
        self.buffered_bytes = 0;
        self.buffered.drain(..).collect()
    }

    async fn put_part(&mut self) -> Result<(), Error> {
        let part = self.take_part();
        let limit = transfer_timeout(part.content_length() as u64);
        let upload = match &mut self.upload {
            Some(upload) => upload,
            None => self.upload.insert(self.objects.begin_multipart(&self.key).await?),
        };
        self.objects.timed("multipart_part", &self.key, limit, upload.put_part(part)).await
    }

    /// Completes the object and makes it durable.
    ///
    /// # Errors
    /// The storage's. The object then does not exist, or exists unreferenced.
    pub async fn finish(mut self) -> Result<Metadata, Error> {
        if self.upload.is_none() {
            let whole = self.take_part();
            return self.objects.put_payload(&self.key, whole).await;
        }
        // Even an empty object has one part.
        let last = if self.buffered.is_empty() && self.written > 0 { Ok(()) } else { self.put_part().await };
        match last {
            Ok(()) => self.complete().await,
            Err(error) => {
                self.abort().await;
                Err(error)
            }
        }
    }

    async fn complete(mut self) -> Result<Metadata, Error> {
        let Some(mut upload) = self.upload.take() else {
            return Err(Error::Generic { store: "ObjectWriter", source: "nothing was begun".into() });
        };
        // The server joins the parts during this request.
        let limit = transfer_timeout(self.written);
        match self.objects.timed("multipart_complete", &self.key, limit, upload.complete()).await {
            Ok(made) => {
                Ok(Metadata { bytes: self.written, etag: quoted(made.e_tag.as_deref(), self.written) })
            }
            Err(error) => {
                abort_upload(&self.objects, &self.key, upload).await;
                Err(error)
            }
        }
    }

    /// Discards the object.
    pub async fn abort(mut self) {
        if let Some(upload) = self.upload.take() {
            abort_upload(&self.objects, &self.key, upload).await;
        }
    }
}

impl Drop for ObjectWriter {
    /// The writing task was dropped midway, for instance because an upload's connection broke. The
    /// directory storage removes its own partial files; on S3 the upload is aborted in the
    /// background.
    fn drop(&mut self) {
        let Some(upload) = self.upload.take().filter(|_| self.objects.is_remote()) else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (objects, key) = (self.objects.clone(), std::mem::take(&mut self.key));
        runtime.spawn(async move { abort_upload(&objects, &key, upload).await });
    }
}

async fn abort_upload(objects: &Objects, key: &str, mut upload: Box<dyn MultipartUpload>) {
    if let Err(error) = objects.timed("multipart_abort", key, RESPONSE_TIMEOUT, upload.abort()).await {
        tracing::warn!(error = %error, "a multipart upload could not be aborted; the storage's lifecycle rule removes it");
    }
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt as _;

    use super::*;

    fn files(directory: &std::path::Path) -> Vec<String> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                names.extend(files(&entry.path()));
            } else {
                names.push(entry.file_name().into_string().unwrap());
            }
        }
        names
    }

    #[tokio::test]
    async fn an_object_written_in_pieces_reads_as_one_and_is_invisible_before_its_end() {
        let directory = tempfile::tempdir().unwrap();
        let objects = Objects::in_directory(directory.path()).unwrap();
        for (piece, pieces) in
            [(1, 0), (1, 1), (7, 100_000), (FILE_PART_BYTES, 3), (3 * FILE_PART_BYTES + 1, 2)]
        {
            let mut writing = objects.writer("a/b").await.unwrap();
            let mut whole = Vec::new();
            for number in 0..pieces {
                let bytes: Vec<u8> = (0..piece).map(|at| ((at * 31 + number) % 251) as u8).collect();
                whole.extend_from_slice(&bytes);
                writing.write(bytes.into()).await.unwrap();
                assert!(writing.buffered_bytes < FILE_PART_BYTES);
            }
            assert_eq!(objects.head("a/b").await.unwrap(), None, "{piece} {pieces}");
            let made = writing.finish().await.unwrap();
            assert_eq!(made.bytes, whole.len() as u64);
            assert_eq!(objects.head("a/b").await.unwrap(), Some(made));
            if !whole.is_empty() {
                let read = objects.read("a/b", 0..whole.len() as u64).await.unwrap().unwrap();
                let read: Vec<Bytes> = read.try_collect().await.unwrap();
                assert!(read.concat() == whole, "{piece} {pieces}");
            }
            objects.delete("a/b").await.unwrap();
        }
    }

    // Negative control: without the call of `abort`, the storage's partial file stays and this
    // fails.
    #[tokio::test]
    async fn an_aborted_object_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let objects = Objects::in_directory(directory.path()).unwrap();
        let mut writing = objects.writer("a/b").await.unwrap();
        writing.write(vec![0; FILE_PART_BYTES + 1].into()).await.unwrap();
        assert_eq!(files(directory.path()).len(), 1);
        writing.abort().await;
        assert_eq!(files(directory.path()), Vec::<String>::new());
    }
}
