//! Where listeners are in their books, and the places that they marked.

use lectern_store::{
    Store,
    keys::Authenticated,
    places::{self, Bookmark, Marked, Place, Point},
};
use lectern_types::{BookmarkId, BookmarkRequest, ErrorCode, MaterialId, Note, PlaceRequest};

use super::find;
use crate::{
    base::Base,
    error::{Error, FieldErrors, Result},
};

/// The most bookmarks of a material.
const MOST_BOOKMARKS: u32 = 1_000;

/// The place of the caller in a material.
///
/// # Errors
/// `material_not_found`; `not_found` when nothing of it was heard yet.
pub async fn place(store: &Store, caller: &Authenticated, material: MaterialId) -> Result<Place> {
    find(store, caller, material).await?;
    places::find(store, material).await?.ok_or_else(|| ErrorCode::NotFound.into())
}

/// Keeps a place unless a newer one is there. Returns the one that stands then.
///
/// # Errors
/// `material_not_found`, or `validation_failed` for a chunk that the material does not have.
pub async fn keep_place(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    asked: PlaceRequest,
) -> Result<Place> {
    let point = Point { chunk_index: asked.chunk_index.0, position_ms: asked.position_ms.0 };
    check(&base.store, caller, material, point).await?;
    let now = base.clock.now();
    let place = Place {
        material,
        point,
        progress_millionths: asked.progress.0,
        finished: asked.finished,
        // A clock that is ahead must not keep out every later place.
        updated_at: asked.updated_at.map_or(now, |given| given.min(now)),
    };
    let kept = places::keep(&base.store, caller.account, caller.key.environment, place).await?;
    kept.ok_or_else(|| ErrorCode::MaterialNotFound.into())
}

/// Forgets the place in a material. Returns it as it was.
///
/// # Errors
/// As [`place`].
pub async fn forget_place(store: &Store, caller: &Authenticated, material: MaterialId) -> Result<Place> {
    find(store, caller, material).await?;
    let forgotten = places::forget(store, caller.account, caller.key.environment, material).await?;
    forgotten.ok_or_else(|| ErrorCode::NotFound.into())
}

/// The bookmarks of a material.
///
/// # Errors
/// `material_not_found`.
pub async fn bookmarks(store: &Store, caller: &Authenticated, material: MaterialId) -> Result<Vec<Bookmark>> {
    find(store, caller, material).await?;
    Ok(places::bookmarks(store, material).await?)
}

/// Marks a place. A place that is marked already stays as it is.
///
/// # Errors
/// `material_not_found`, or `validation_failed` for a chunk that the material does not have and when it has as many
/// bookmarks as it may have.
pub async fn mark(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    asked: BookmarkRequest,
) -> Result<Bookmark> {
    let point = Point { chunk_index: asked.chunk_index.0, position_ms: asked.position_ms.0 };
    check(&base.store, caller, material, point).await?;
    let Note(note) = asked.note.unwrap_or_default();
    let bookmark = Bookmark { id: base.ids.make(), material, point, note, created_at: base.clock.now() };
    let (account, environment) = (caller.account, caller.key.environment);
    match places::mark(&base.store, account, environment, &bookmark, MOST_BOOKMARKS).await? {
        Marked::There(bookmark) => Ok(bookmark),
        Marked::NoMaterial => Err(ErrorCode::MaterialNotFound.into()),
        Marked::Full => {
            let sentence = format!("the material has {MOST_BOOKMARKS} bookmarks already; remove one first");
            Err(Error::Invalid(FieldErrors::one("chunk_index", sentence)))
        }
    }
}

/// Changes the words about a marked place.
///
/// # Errors
/// `material_not_found`, `not_found`.
pub async fn annotate(
    store: &Store,
    caller: &Authenticated,
    material: MaterialId,
    id: Option<BookmarkId>,
    Note(note): Note,
) -> Result<Bookmark> {
    find(store, caller, material).await?;
    let id = id.ok_or(ErrorCode::NotFound)?;
    let (account, environment) = (caller.account, caller.key.environment);
    let changed = places::annotate(store, account, environment, (material, id), &note).await?;
    changed.ok_or_else(|| ErrorCode::NotFound.into())
}

/// Removes a mark. Returns it as it was.
///
/// # Errors
/// `material_not_found`, `not_found`.
pub async fn unmark(
    store: &Store,
    caller: &Authenticated,
    material: MaterialId,
    id: Option<BookmarkId>,
) -> Result<Bookmark> {
    find(store, caller, material).await?;
    let id = id.ok_or(ErrorCode::NotFound)?;
    let (account, environment) = (caller.account, caller.key.environment);
    let removed = places::unmark(store, account, environment, (material, id)).await?;
    removed.ok_or_else(|| ErrorCode::NotFound.into())
}

/// Refuses a point that the material cannot have.
async fn check(store: &Store, caller: &Authenticated, material: MaterialId, point: Point) -> Result<()> {
    let chunks = find(store, caller, material).await?.chunk_count.unwrap_or_default();
    if point.chunk_index < chunks {
        return Ok(());
    }
    let sentence = match chunks {
        0 => "must be a chunk of the material, which has none yet".to_owned(),
        _ => format!("must be a chunk of the material, whose last one is {}", chunks - 1),
    };
    Err(Error::invalid("chunk_index", sentence))
}
