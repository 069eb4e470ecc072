//! Streams a file into object storage. It is hashed on the way, and only its beginning and end are
//! kept in memory.

use std::collections::VecDeque;

use bytes::Bytes;
use lectern_documents::{Kind, Unreadable, detect, detect_pictures};
use lectern_store::{Store, object_deletions};
use lectern_types::{MaterialId, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::{
    base::Base,
    error::{Error, Result},
    objects::{ObjectWriter, Objects},
};

/// The bytes of the file's beginning and end that type detection reads.
const ENDS_BYTES: usize = 128 * 1024;

/// How long the store keeps the reservation of an object, in seconds: longer than any upload takes.
const RESERVED_SECONDS: i64 = 24 * 60 * 60;

/// A file being uploaded. It must be finished or aborted.
pub struct Intake {
    store: Store,
    material: MaterialId,
    object: String,
    /// When the reservation of the object expires.
    reserved_until: Timestamp,
    writing: ObjectWriter,
    hash: Sha256,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    bytes: u64,
    /// Whether pictures of pages are documents: their text can be recognized.
    takes_pictures: bool,
}

/// A stored file.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The material whose source it is.
    pub material: MaterialId,
    pub object: String,
    /// Until when the file may exist without a material.
    reserved_until: Timestamp,
    pub kind: Kind,
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: [u8; 32],
}

impl Intake {
    /// Starts a file. If this process dies, the sweep deletes the remains.
    ///
    /// # Errors
    /// The store's or the storage's.
    pub async fn begin(base: &Base) -> Result<Self> {
        let material: MaterialId = base.ids.make();
        let object = format!("materials/{material}/source");
        let reserved_until = base.clock.now().plus_seconds(RESERVED_SECONDS);
        object_deletions::reserve(&base.store, &[object.as_str()], reserved_until).await?;
        let writing = match base.objects.writer(&object).await {
            Ok(writing) => writing,
            Err(error) => {
                forget(&base.store, object, reserved_until).await;
                return Err(error.into());
            }
        };
        let (store, hash, head, tail) = (base.store.clone(), Sha256::new(), Vec::new(), VecDeque::new());
        let takes_pictures = base.config.ocr.enabled;
        Ok(Self {
            store,
            material,
            object,
            reserved_until,
            writing,
            hash,
            head,
            tail,
            bytes: 0,
            takes_pictures,
        })
    }

    /// Writes the next bytes.
    ///
    /// # Errors
    /// The storage's.
    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.hash.update(&bytes);
        self.bytes += bytes.len() as u64;
        let room = ENDS_BYTES - self.head.len();
        self.head.extend(bytes.iter().take(room));
        let last = &bytes[bytes.len().saturating_sub(ENDS_BYTES)..];
        let over = (self.tail.len() + last.len()).saturating_sub(ENDS_BYTES);
        self.tail.drain(..over);
        self.tail.extend(last);
        Ok(self.writing.write(bytes).await?)
    }

    /// The number of bytes so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The SHA-256 of the bytes so far.
    pub fn sha256(&self) -> [u8; 32] {
        self.hash.clone().finalize().into()
    }

    /// Stores the file if its type can be read. With `is_text`, unrecognized content counts as
    /// plain text.
    ///
    /// # Errors
    /// `material_unreadable`, or the storage's; then nothing is stored.
    pub async fn finish(mut self, is_text: bool) -> Result<Stored> {
        let sha256 = self.sha256();
        let tail = self.tail.make_contiguous();
        let detected = detect(&self.head, tail);
        let picture = detect_pictures(&self.head, tail).filter(|_| self.takes_pictures);
        let kind = match detected.or_else(|unreadable| picture.ok_or(unreadable)) {
            Ok(kind @ (Kind::PlainText | Kind::Markdown | Kind::Html)) => kind,
            _ if is_text => Kind::PlainText,
            Ok(kind) => kind,
            Err(unreadable) => {
                self.abort().await;
                return Err(refusal(unreadable));
            }
        };
        let Self { store, material, object, reserved_until, writing, bytes, .. } = self;
        match writing.finish().await {
            Ok(_) => Ok(Stored { material, object, reserved_until, kind, bytes, sha256 }),
            Err(error) => {
                forget(&store, object, reserved_until).await;
                Err(error.into())
            }
        }
    }

    /// Aborts the upload and deletes the file.
    pub async fn abort(self) {
        self.writing.abort().await;
        forget(&self.store, self.object, self.reserved_until).await;
    }
}

impl Stored {
    /// Cancels the reservation of the file, so that no transaction can turn it into a material any
    /// more; false when one already has. Waits for a transaction in progress.
    ///
    /// # Errors
    /// The store's; then the outcome is unknown.
    pub(super) async fn cancel_reservation(&self, store: &Store) -> Result<bool> {
        let canceled =
            object_deletions::done(store, std::slice::from_ref(&self.object), self.reserved_until).await?;
        Ok(canceled == 1)
    }

    /// Withdraws the file and deletes it. If the outcome is unknown, the sweep decides later.
    pub(super) async fn withdraw(self, base: &Base) {
        match self.cancel_reservation(&base.store).await {
            Ok(true) => self.delete(&base.objects).await,
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(error = %error, object.key = self.object, "an upload was left to the sweep");
            }
        }
    }

    /// Deletes a withdrawn file.
    pub(super) async fn delete(self, objects: &Objects) {
        if let Err(error) = objects.delete(&self.object).await {
            tracing::warn!(error = %error, object.key = self.object, "an upload was not deleted; the sweep will");
        }
    }
}

/// Removes the reservation of an object that does not exist.
async fn forget(store: &Store, object: String, reserved_until: Timestamp) {
    if let Err(error) = object_deletions::done(store, &[object], reserved_until).await {
        tracing::warn!(error = %error, "an upload's reservation was not taken back; the sweep will");
    }
}

fn refusal(unreadable: Unreadable) -> Error {
    Error::Unreadable { reason: unreadable.reason.as_str(), message: unreadable.message }
}
