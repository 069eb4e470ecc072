//! The whole book as a file. It is assembled when its material completes or when it is first
//! requested, and requests wait for it a while.

use std::time::Duration;

use lectern_speech::audio::book::{BookFormat as AudioFormat, is_available as audio_is_available};
use lectern_store::{
    Store,
    books::{self, BookPart, BookState},
    chunks,
    keys::Authenticated,
    materials::Material,
};
use lectern_types::{BookFile, BookFormat, MaterialId, MaterialStatus};

use super::waiting::LongRequests;
use crate::{
    base::Base,
    error::{Error, Result},
};

/// How long a request waits for a book.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often the store is polled: another process may be assembling the book.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How many missing chunks an error names.
const NAMED_CHUNKS: u32 = 100;

/// A finished book.
#[derive(Debug, Clone)]
pub struct Book {
    pub object: String,
    pub title: String,
    /// Where the audio of its chapters lies, if it has them apart.
    pub parts: Vec<BookPart>,
}

/// A book that was waited for.
#[derive(Debug, Clone)]
pub enum Waited {
    Made(Book),
    /// It is still being made; how far it is, from 0 to 1.
    Assembling {
        progress: f64,
    },
}

/// Whether this build makes a format.
pub fn is_available(format: BookFormat) -> bool {
    format != BookFormat::M4b || audio_is_available(AudioFormat::M4b)
}

/// A material whose book is completed: all chunks of the included chapters have audio.
///
/// # Errors
/// `material_not_found`, or `chunk_not_ready` with the missing chunks.
pub async fn whole(store: &Store, caller: &Authenticated, material: MaterialId) -> Result<Material> {
    let found = super::find(store, caller, material).await?;
    if found.status == MaterialStatus::Completed {
        return Ok(found);
    }
    let (account, environment) = (caller.account, caller.key.environment);
    let (count, indexes) = chunks::without_audio(store, account, environment, material, NAMED_CHUNKS).await?;
    if count == 0 && found.status == MaterialStatus::Converting && found.chunks_completed > 0 {
        // Only chapters that are left out are being converted.
        return Ok(found);
    }
    if count == 0 && found.chunk_count.is_some() {
        return Err(Error::NoChapterIncluded);
    }
    Err(Error::ChunksNotReady { count, indexes })
}

/// Waits for a book of a material, for 20 seconds at most.
///
/// # Errors
/// As [`whole`]; `internal_error` when it cannot be assembled.
pub async fn wait(
    base: &Base,
    long_requests: &LongRequests,
    caller: &Authenticated,
    material: MaterialId,
    file: BookFile,
) -> Result<Waited> {
    let mut changes = base.store.watch_material(material);
    let found = whole(&base.store, caller, material).await?;
    let made = |book: books::Book| {
        Waited::Made(Book { object: book.object, title: found.title.clone(), parts: book.parts })
    };
    let (account, environment) = (caller.account, caller.key.environment);
    let first = books::request(&base.store, account, environment, material, file, base.writing()).await?;
    if let BookState::Made(book) = first {
        return Ok(made(book));
    }
    let _place = long_requests.place(caller.account).await?;
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let progress = match books::find(&base.store, account, environment, material, file).await? {
            BookState::Made(book) => return Ok(made(book)),
            BookState::Queued { progress } => f64::from(progress) / 1000.0,
            BookState::Dead => {
                return Err(Error::Internal(format!("the book of {material} was not made")));
            }
            // The material was deleted or changed meanwhile.
            BookState::NotFound | BookState::NotReady | BookState::Missing => {
                whole(&base.store, caller, material).await?;
                return Ok(Waited::Assembling { progress: 0.0 });
            }
        };
        let now = tokio::time::Instant::now();
        if now >= until || long_requests.stop.is_cancelled() {
            return Ok(Waited::Assembling { progress });
        }
        tokio::select! {
            () = changes.next() => {}
            () = tokio::time::sleep_until(until.min(now + LOOK_EVERY)) => {}
            () = long_requests.stop.cancelled() => {}
        }
    }
}
