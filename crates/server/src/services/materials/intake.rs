//! A file on its way into object storage: hashed as it passes, its beginning and its end kept, nothing more of it held.

use std::collections::VecDeque;

use axum::body::Bytes;
use lectern_documents::{Kind, Unreadable, detect};
use lectern_store::object_deletions;
use lectern_types::{MaterialId, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::{
    app::App,
    error::{Error, Result},
    objects::ObjectWriter,
};

/// Bytes of the beginning and of the end that tell what a file is.
const ENDS_BYTES: usize = 128 * 1024;

/// How long the store remembers an object that nothing came of, in seconds: longer than any upload.
const RESERVED_SECONDS: i64 = 24 * 60 * 60;

/// A file on its way. It must be brought in or turned away.
pub struct Intake {
    app: App,
    material: MaterialId,
    object: String,
    /// Until when the store remembers an object that nothing comes of.
    reserved_until: Timestamp,
    writing: ObjectWriter,
    hash: Sha256,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    bytes: u64,
}

/// A file that is stored whole.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The material it is the source of.
    pub material: MaterialId,
    /// Where it lies.
    pub object: String,
    /// Until when it is there without a material.
    reserved_until: Timestamp,
    /// What it is.
    pub kind: Kind,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: [u8; 32],
}

impl Intake {
    /// Begins a file. Should this process die, the sweep finds what it leaves.
    ///
    /// # Errors
    /// The store's or the storage's.
    pub async fn begin(app: &App) -> Result<Self> {
        let material: MaterialId = app.ids.make();
        let object = format!("materials/{material}/source");
        let reserved_until = app.clock.now().plus_seconds(RESERVED_SECONDS);
        object_deletions::reserve(&app.store, &[object.as_str()], reserved_until).await?;
        let writing = match app.objects.writer(&object).await {
            Ok(writing) => writing,
            Err(error) => {
                forget(app, object, reserved_until).await;
                return Err(error.into());
            }
        };
        let (app, hash, head, tail) = (app.clone(), Sha256::new(), Vec::new(), VecDeque::new());
        Ok(Self { app, material, object, reserved_until, writing, hash, head, tail, bytes: 0 })
    }

    /// Takes the next bytes.
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

    /// Bytes so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The SHA-256 of what came so far.
    pub fn sha256(&self) -> [u8; 32] {
        self.hash.clone().finalize().into()
    }

    /// Stores the file, when it is one that can be read. What `is_text` is so whatever it looks like: at least plain.
    ///
    /// # Errors
    /// `material_unreadable`, or the storage's; nothing is left then.
    pub async fn bring_in(mut self, is_text: bool) -> Result<Stored> {
        let sha256 = self.sha256();
        let kind = match detect(&self.head, self.tail.make_contiguous()) {
            Ok(kind @ (Kind::PlainText | Kind::Markdown | Kind::Html)) => kind,
            _ if is_text => Kind::PlainText,
            Ok(kind) => kind,
            Err(unreadable) => {
                self.turn_away().await;
                return Err(refusal(unreadable));
            }
        };
        let Self { app, material, object, reserved_until, writing, bytes, .. } = self;
        match writing.finish().await {
            Ok(_) => Ok(Stored { material, object, reserved_until, kind, bytes, sha256 }),
            Err(error) => {
                forget(&app, object, reserved_until).await;
                Err(error.into())
            }
        }
    }

    /// Gives the file up; nothing is left of it.
    pub async fn turn_away(self) {
        self.writing.abort().await;
        forget(&self.app, self.object, self.reserved_until).await;
    }
}

impl Stored {
    /// Takes the file back from whoever might still make a material of it; false when that was done. Waits for a
    /// transaction that is under way, and leaves one that comes later nothing to keep.
    ///
    /// # Errors
    /// The store's; then neither is certain.
    pub(super) async fn take_back(&self, app: &App) -> Result<bool> {
        let taken =
            object_deletions::done(&app.store, std::slice::from_ref(&self.object), self.reserved_until)
                .await?;
        Ok(taken == 1)
    }

    /// Takes the file back and deletes it; leaves it to the sweep where that is in doubt.
    pub(super) async fn withdraw(self, app: &App) {
        match self.take_back(app).await {
            Ok(true) => self.delete(app).await,
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(error = %error, object.key = self.object, "an upload was left to the sweep");
            }
        }
    }

    /// Deletes a file that was taken back.
    pub(super) async fn delete(self, app: &App) {
        if let Err(error) = app.objects.delete(&self.object).await {
            tracing::warn!(error = %error, object.key = self.object, "an upload was not deleted; the sweep will");
        }
    }
}

/// Takes back the reservation of an object that is not there.
async fn forget(app: &App, object: String, reserved_until: Timestamp) {
    if let Err(error) = object_deletions::done(&app.store, &[object], reserved_until).await {
        tracing::warn!(error = %error, "an upload's reservation was not taken back; the sweep will");
    }
}

fn refusal(unreadable: Unreadable) -> Error {
    Error::Unreadable { reason: unreadable.reason.as_str(), message: unreadable.message }
}
