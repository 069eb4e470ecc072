//! Where listeners are in their books, and the places that they marked, for the web application.

pub mod bookmarks;
pub mod place;
pub mod places;

use axum::extract::{RawPathParams, rejection::RawPathParamsRejection};
use lectern_store::places as stored;
use lectern_types::{Bookmark, ErrorCode, Id, Kind, MaterialId, Place, Share};

use crate::extract::path;
use lectern_service::error::Result;

/// The path parameters of a route.
pub(super) type Path = Result<RawPathParams, RawPathParamsRejection>;

pub(super) fn material(path: Path) -> Result<MaterialId> {
    path::id(path, "id").ok_or_else(|| ErrorCode::MaterialNotFound.into())
}

/// The material that the path names, and what it names within it as `name`; `None` for anything that is not an id of that kind.
pub(super) fn within<K: Kind>(path: Path, name: &str) -> Result<(MaterialId, Option<Id<K>>)> {
    let path = path.map_err(|_| ErrorCode::MaterialNotFound)?;
    let find = |name: &str| path.iter().find(|(found, _)| *found == name).map(|(_, text)| text.to_owned());
    let material = find("id").and_then(|text| text.parse().ok()).ok_or(ErrorCode::MaterialNotFound)?;
    Ok((material, find(name).and_then(|text| text.parse().ok())))
}

pub(super) fn shown(place: &stored::Place) -> Place {
    Place {
        material_id: place.material,
        chunk_index: place.point.chunk_index,
        position_ms: place.point.position_ms,
        progress: Share(place.progress_millionths).as_number(),
        finished: place.finished,
        updated_at: place.updated_at,
    }
}

fn shown_bookmark(bookmark: stored::Bookmark) -> Bookmark {
    Bookmark {
        id: bookmark.id,
        material_id: bookmark.material,
        chunk_index: bookmark.point.chunk_index,
        position_ms: bookmark.point.position_ms,
        note: bookmark.note,
        created_at: bookmark.created_at,
    }
}
