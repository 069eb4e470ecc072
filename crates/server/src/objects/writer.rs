//! Objects that are too large to be held in memory: written piece by piece, there as a whole or not at all.

use axum::body::Bytes;
use object_store::{
    Error, MultipartUpload, ObjectStoreExt as _, PutMultipartOptions, PutPayload, path::Path as Key,
};

use super::{ANSWERS, About, Objects, Place, carries, quoted, s3};

/// Bytes of a part in a directory: what one write to a file is worth.
const FILE_PART_BYTES: usize = 256 * 1024;

/// Bytes of a part on S3, which takes none under 5 MiB and 10,000 at the most.
const PART_BYTES: usize = 8 * 1024 * 1024;

impl Objects {
    /// Begins an object. Nothing is seen of it until [`ObjectWriter::finish`].
    ///
    /// # Errors
    /// The storage's.
    pub async fn writer(&self, key: &str) -> Result<ObjectWriter, Error> {
        let (upload, part_bytes) = match &*self.place {
            Place::Directory(_) => {
                (Some(self.storage.put_multipart(&Key::from(key)).await?), FILE_PART_BYTES)
            }
            // What turns out to be one part is put at once: three requests in one.
            Place::S3(_) => (None, PART_BYTES),
        };
        let (objects, key) = (self.clone(), key.to_owned());
        Ok(ObjectWriter {
            objects,
            key,
            upload,
            part_bytes,
            waiting: Vec::new(),
            waiting_bytes: 0,
            written: 0,
        })
    }

    async fn begin_multipart(&self, key: &str) -> Result<Box<dyn MultipartUpload>, Error> {
        let options =
            PutMultipartOptions { attributes: s3::attributes(key), ..PutMultipartOptions::default() };
        let place = Key::from(key);
        let begin = self.storage.put_multipart_opts(&place, options);
        self.timed("multipart_begin", key, ANSWERS, begin).await
    }
}

/// An object on its way. At most one part of it is held in memory, and one is under way. [`ObjectWriter::abort`] it when it
/// is not to be finished: one that is dropped is given up too, but nobody waits for it.
#[derive(Debug)]
pub struct ObjectWriter {
    objects: Objects,
    key: String,
    /// `None` until there is more than fits into one part.
    upload: Option<Box<dyn MultipartUpload>>,
    part_bytes: usize,
    /// The pieces of the next part.
    waiting: Vec<Bytes>,
    waiting_bytes: usize,
    written: u64,
}

impl ObjectWriter {
    /// Adds bytes; returns when there is room for more.
    ///
    /// # Errors
    /// The storage's. The object must be aborted then.
    pub async fn write(&mut self, mut bytes: Bytes) -> Result<(), Error> {
        self.written += bytes.len() as u64;
        // Parts of one size: some storages that speak S3 insist on it.
        while self.waiting_bytes + bytes.len() >= self.part_bytes {
            let rest = bytes.split_off(self.part_bytes - self.waiting_bytes);
            self.waiting.push(std::mem::replace(&mut bytes, rest));
            self.put_part().await?;
        }
        if !bytes.is_empty() {
            self.waiting_bytes += bytes.len();
            self.waiting.push(bytes);
        }
        Ok(())
    }

    /// The pieces that wait, as one.
    fn take_part(&mut self) -> PutPayload {
        self.waiting_bytes = 0;
        self.waiting.drain(..).collect()
    }

    async fn put_part(&mut self) -> Result<(), Error> {
        let part = self.take_part();
        let limit = carries(part.content_length() as u64);
        let upload = match &mut self.upload {
            Some(upload) => upload,
            None => self.upload.insert(self.objects.begin_multipart(&self.key).await?),
        };
        self.objects.timed("multipart_part", &self.key, limit, upload.put_part(part)).await
    }

    /// Makes the object, safely on its medium.
    ///
    /// # Errors
    /// The storage's; there is no object then, or one that nobody was told of.
    pub async fn finish(mut self) -> Result<About, Error> {
        if self.upload.is_none() {
            let whole = self.take_part();
            return self.objects.put_payload(&self.key, whole).await;
        }
        // An object of nothing has one part, too.
        let last = if self.waiting.is_empty() && self.written > 0 { Ok(()) } else { self.put_part().await };
        match last {
            Ok(()) => self.complete().await,
            Err(error) => {
                self.abort().await;
                Err(error)
            }
        }
    }

    async fn complete(mut self) -> Result<About, Error> {
        let Some(mut upload) = self.upload.take() else {
            return Err(Error::Generic { store: "ObjectWriter", source: "nothing was begun".into() });
        };
        // The server puts the parts together meanwhile.
        let limit = carries(self.written);
        match self.objects.timed("multipart_complete", &self.key, limit, upload.complete()).await {
            Ok(made) => Ok(About { bytes: self.written, etag: quoted(made.e_tag.as_deref(), self.written) }),
            Err(error) => {
                give_up(&self.objects, &self.key, upload).await;
                Err(error)
            }
        }
    }

    /// Gives the object up.
    pub async fn abort(mut self) {
        if let Some(upload) = self.upload.take() {
            give_up(&self.objects, &self.key, upload).await;
        }
    }
}

impl Drop for ObjectWriter {
    /// Whoever wrote went away in the midst, with the connection of an upload for instance. Files are removed by their own
    /// storage; parts on S3 are given up behind its back.
    fn drop(&mut self) {
        let Some(upload) = self.upload.take().filter(|_| self.objects.is_remote()) else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (objects, key) = (self.objects.clone(), std::mem::take(&mut self.key));
        runtime.spawn(async move { give_up(&objects, &key, upload).await });
    }
}

async fn give_up(objects: &Objects, key: &str, mut upload: Box<dyn MultipartUpload>) {
    if let Err(error) = objects.timed("multipart_abort", key, ANSWERS, upload.abort()).await {
        tracing::warn!(error = %error, "an upload to the storage was not given up; the storage's own rules end it");
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
    async fn what_is_written_in_pieces_is_read_as_one_and_not_before_its_end() {
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
                assert!(writing.waiting_bytes < FILE_PART_BYTES);
            }
            assert_eq!(objects.about("a/b").await.unwrap(), None, "{piece} {pieces}");
            let made = writing.finish().await.unwrap();
            assert_eq!(made.bytes, whole.len() as u64);
            assert_eq!(objects.about("a/b").await.unwrap(), Some(made));
            if !whole.is_empty() {
                let read = objects.read("a/b", 0..whole.len() as u64).await.unwrap().unwrap();
                let read: Vec<Bytes> = read.try_collect().await.unwrap();
                assert!(read.concat() == whole, "{piece} {pieces}");
            }
            objects.delete("a/b").await.unwrap();
        }
    }

    // Negative control: without the call of `abort`, the storage's own file is left and this fails.
    #[tokio::test]
    async fn what_is_given_up_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let objects = Objects::in_directory(directory.path()).unwrap();
        let mut writing = objects.writer("a/b").await.unwrap();
        writing.write(vec![0; FILE_PART_BYTES + 1].into()).await.unwrap();
        assert_eq!(files(directory.path()).len(), 1);
        writing.abort().await;
        assert_eq!(files(directory.path()), Vec::<String>::new());
    }
}
