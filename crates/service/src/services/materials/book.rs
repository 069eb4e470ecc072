//! The whole book as one file. It is assembled when its material completes or when it is first
//! requested, and requests wait for it.

use std::time::Duration;

pub use lectern_speech::audio::book::is_available;
use lectern_store::{
    books::{self, BookState},
    chunks,
    keys::Authenticated,
    materials::Material,
};
use lectern_types::{BookFormat, ErrorCode, MaterialId, MaterialStatus};

use crate::{
    app::App,
    error::{Error, Result},
    services::limits::concurrency::{ConcurrencyLimit, LimitReached, Permit},
};

/// How long a request waits for a book.
const PATIENCE: Duration = Duration::from_mins(5);

/// How often the store is polled: another process may be assembling the book.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How many missing chunks an error names.
const NAMED_CHUNKS: u32 = 100;

/// The most requests that wait for a book or follow events, in all and for one account.
const WAITING: usize = 1_000;
const WAITING_EACH: usize = 20;

/// A finished book.
#[derive(Debug, Clone)]
pub struct Book {
    pub object: String,
    pub title: String,
}

/// The limit on long-waiting requests.
pub fn gate() -> ConcurrencyLimit {
    ConcurrencyLimit::new(WAITING, WAITING_EACH)
}

/// Takes a place among the long-waiting requests.
///
/// # Errors
/// `rate_limited` when the account has no place left, `service_unavailable` when there is none at all.
pub(super) async fn place(app: &App, caller: &Authenticated) -> Result<Permit> {
    app.waiting.acquire(caller.account, Duration::ZERO).await.map_err(|full| match full {
        LimitReached::Account => Error::RateLimited {
            limit: "the account's event streams and waits for books at once",
            retry_after_seconds: 5,
        },
        LimitReached::Total => Error::Unavailable { what: "too many requests wait", retry_after_seconds: 5 },
    })
}

/// A material whose chunks all have audio.
///
/// # Errors
/// `material_not_found`, or `chunk_not_ready` with the missing chunks.
pub async fn whole(app: &App, caller: &Authenticated, material: MaterialId) -> Result<Material> {
    let found = super::find(app, caller, material).await?;
    if found.status == MaterialStatus::Completed {
        return Ok(found);
    }
    let (account, environment) = (caller.account, caller.key.environment);
    let indexes = chunks::without_audio(&app.store, account, environment, material, NAMED_CHUNKS).await?;
    // The count and the names are read a moment apart; the count must not be smaller.
    let count = found.chunk_count.unwrap_or(0) - found.chunks_completed;
    Err(Error::ChunksNotReady { count: count.max(indexes.len() as u32), indexes })
}

/// Waits for the book of a material.
///
/// # Errors
/// As [`whole`]; `service_unavailable` when it takes too long, `internal_error` when it cannot be assembled.
pub async fn wait(
    app: &App,
    caller: &Authenticated,
    material: MaterialId,
    format: BookFormat,
) -> Result<Book> {
    let mut changes = app.store.watch_material(material);
    let found = whole(app, caller, material).await?;
    let made = |book: books::Book| Book { object: book.object, title: found.title.clone() };
    let (account, environment) = (caller.account, caller.key.environment);
    let first = books::request(&app.store, account, environment, material, format, app.writing()).await?;
    if let BookState::Made(book) = first {
        return Ok(made(book));
    }
    let _place = place(app, caller).await?;
    let waiting = async {
        loop {
            match books::find(&app.store, account, environment, material, format).await? {
                BookState::Made(book) => return Ok(made(book)),
                BookState::Queued => {}
                BookState::Dead => {
                    return Err(Error::Internal(format!("the book of {material} was not made")));
                }
                // Deleted meanwhile.
                BookState::NotFound | BookState::NotReady | BookState::Missing => {
                    return Err(ErrorCode::MaterialNotFound.into());
                }
            }
            tokio::select! {
                () = changes.next() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = app.stop.cancelled() => return Err(being_made()),
            }
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| Err(being_made()))
}

fn being_made() -> Error {
    Error::Unavailable { what: "the book is still being put together", retry_after_seconds: 5 }
}
