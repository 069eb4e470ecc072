//! The whole book as one file. It is assembled when its material completes or when it is first
//! requested, and requests wait for it.

use std::time::Duration;

pub use lectern_speech::audio::book::is_available;
use lectern_store::{
    Store,
    books::{self, BookState},
    chunks,
    keys::Authenticated,
    materials::Material,
};
use lectern_types::{BookFormat, ErrorCode, MaterialId, MaterialStatus};

use super::waiting::LongRequests;
use crate::{
    base::Base,
    error::{Error, Result},
};

/// How long a request waits for a book.
const PATIENCE: Duration = Duration::from_mins(5);

/// How often the store is polled: another process may be assembling the book.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How many missing chunks an error names.
const NAMED_CHUNKS: u32 = 100;

/// A finished book.
#[derive(Debug, Clone)]
pub struct Book {
    pub object: String,
    pub title: String,
}

/// A material whose chunks all have audio.
///
/// # Errors
/// `material_not_found`, or `chunk_not_ready` with the missing chunks.
pub async fn whole(store: &Store, caller: &Authenticated, material: MaterialId) -> Result<Material> {
    let found = super::find(store, caller, material).await?;
    if found.status == MaterialStatus::Completed {
        return Ok(found);
    }
    let (account, environment) = (caller.account, caller.key.environment);
    let indexes = chunks::without_audio(store, account, environment, material, NAMED_CHUNKS).await?;
    // The count and the names are read a moment apart; the count must not be smaller.
    let count = found.chunk_count.unwrap_or(0) - found.chunks_completed;
    Err(Error::ChunksNotReady { count: count.max(indexes.len() as u32), indexes })
}

/// Waits for the book of a material.
///
/// # Errors
/// As [`whole`]; `service_unavailable` when it takes too long, `internal_error` when it cannot be assembled.
pub async fn wait(
    base: &Base,
    long_requests: &LongRequests,
    caller: &Authenticated,
    material: MaterialId,
    format: BookFormat,
) -> Result<Book> {
    let mut changes = base.store.watch_material(material);
    let found = whole(&base.store, caller, material).await?;
    let made = |book: books::Book| Book { object: book.object, title: found.title.clone() };
    let (account, environment) = (caller.account, caller.key.environment);
    let first = books::request(&base.store, account, environment, material, format, base.writing()).await?;
    if let BookState::Made(book) = first {
        return Ok(made(book));
    }
    let _place = long_requests.place(caller.account).await?;
    let waiting = async {
        loop {
            match books::find(&base.store, account, environment, material, format).await? {
                BookState::Made(book) => return Ok(made(book)),
                BookState::Queued => {}
                BookState::Dead => {
                    return Err(Error::Internal(format!("the book of {material} was not made")));
                }
                // The material was deleted meanwhile.
                BookState::NotFound | BookState::NotReady | BookState::Missing => {
                    return Err(ErrorCode::MaterialNotFound.into());
                }
            }
            tokio::select! {
                () = changes.next() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = long_requests.stop.cancelled() => return Err(being_made()),
            }
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| Err(being_made()))
}

fn being_made() -> Error {
    Error::Unavailable { what: "the book is still being put together", retry_after_seconds: 5 }
}
