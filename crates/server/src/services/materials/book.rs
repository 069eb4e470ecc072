//! The whole book as one file: made when its material is completed or when it is first asked for, and waited for.

use std::time::Duration;

use lectern_speech::audio::book::BookFormat as FileFormat;
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
    services::gate::{Full, Gate, Pass},
};

/// How long a request waits for a book.
const PATIENCE: Duration = Duration::from_mins(5);

/// How often the store is looked into: another process may be the one that makes the book.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Chunks that are named as missing.
const NAMED_CHUNKS: u32 = 100;

/// Requests at once that wait for long, in all and for one account.
const WAITING: usize = 1_000;
const WAITING_EACH: usize = 20;

/// A book that is there.
#[derive(Debug, Clone)]
pub struct Book {
    /// Where it lies.
    pub object: String,
    /// The material's title.
    pub title: String,
}

/// The speech crate's word for a format.
pub fn file_format(format: BookFormat) -> FileFormat {
    match format {
        BookFormat::Mp3 => FileFormat::Mp3,
        BookFormat::M4b => FileFormat::M4b,
    }
}

/// The gate in front of requests that wait for long.
pub fn gate() -> Gate {
    Gate::new(WAITING, WAITING_EACH)
}

/// A place among those who wait for long.
///
/// # Errors
/// `rate_limited` when the account has no place left, `service_unavailable` when nobody has.
pub(super) async fn place(app: &App, caller: &Authenticated) -> Result<Pass> {
    app.waiting.enter(caller.account, Duration::ZERO).await.map_err(|full| match full {
        Full::OfAccount => Error::RateLimited {
            limit: "the account's event streams and waits for books at once",
            retry_after_seconds: 5,
        },
        Full::OfAll => Error::Unavailable { what: "too many requests wait", retry_after_seconds: 5 },
    })
}

/// A material whose every chunk has audio.
///
/// # Errors
/// `material_not_found`, or `chunk_not_ready` with the chunks that are missing.
pub async fn whole(app: &App, caller: &Authenticated, material: MaterialId) -> Result<Material> {
    let found = super::find(app, caller, material).await?;
    if found.status == MaterialStatus::Completed {
        return Ok(found);
    }
    let (account, environment) = (caller.account, caller.key.environment);
    let indexes = chunks::without_audio(&app.store, account, environment, material, NAMED_CHUNKS).await?;
    // Counted a moment apart: never fewer than are named.
    let count = found.chunk_count.unwrap_or(0) - found.chunks_completed;
    Err(Error::ChunksNotReady { count: count.max(indexes.len() as u32), indexes })
}

/// The book of a material, once it is there.
///
/// # Errors
/// As [`whole`]; `service_unavailable` when it takes too long, `internal_error` when it cannot be made.
pub async fn wait(
    app: &App,
    caller: &Authenticated,
    material: MaterialId,
    format: BookFormat,
) -> Result<Book> {
    let mut changes = app.signals.watch_material(material);
    let found = whole(app, caller, material).await?;
    let made = |book: books::Book| Book { object: book.object, title: found.title.clone() };
    let (account, environment) = (caller.account, caller.key.environment);
    let first = books::request(&app.store, account, environment, material, format, app.writing()).await?;
    if let BookState::Made(book) = first {
        return Ok(made(book));
    }
    app.signals.jobs_queued();
    let _place = place(app, caller).await?;
    let waiting = async {
        loop {
            match books::find(&app.store, account, environment, material, format).await? {
                BookState::Made(book) => return Ok(made(book)),
                BookState::Queued => {}
                BookState::Dead => {
                    return Err(Error::Internal(format!("the book of {material} was not made")));
                }
                // Deleted while it was waited for.
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
