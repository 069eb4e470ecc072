//! The chunks of a material: lists and texts.

use lectern_store::{
    chunks::{self, Chunk},
    keys::Authenticated,
};
use lectern_types::{ErrorCode, MaterialId, MaterialStatus};

use crate::{app::App, error::Result};

/// At most `limit` chunks after an index; none while the material is being extracted.
///
/// # Errors
/// `material_not_found`.
pub async fn chunks(
    app: &App,
    caller: &Authenticated,
    material: MaterialId,
    after: Option<u32>,
    limit: u32,
) -> Result<Vec<Chunk>> {
    super::find(app, caller, material).await?;
    Ok(chunks::list(&app.store, caller.account, caller.key.environment, material, after, limit).await?)
}

/// The text of a chunk, and its index.
///
/// # Errors
/// `material_not_found`, `chunk_not_ready` while the material is being extracted, `chunk_not_found`.
pub async fn text(
    app: &App,
    caller: &Authenticated,
    material: MaterialId,
    index: Option<u32>,
) -> Result<(u32, String)> {
    let index = checked(app, caller, material, index).await?;
    let found = chunks::text(&app.store, caller.account, caller.key.environment, material, index).await?;
    found.map(|text| (index, text)).ok_or_else(|| ErrorCode::ChunkNotFound.into())
}

/// Parses an index of an extracted material; `None` for a malformed one.
///
/// # Errors
/// As [`text`].
pub(super) async fn checked(
    app: &App,
    caller: &Authenticated,
    material: MaterialId,
    index: Option<u32>,
) -> Result<u32> {
    let found = super::find(app, caller, material).await?;
    let index = index.ok_or(ErrorCode::ChunkNotFound)?;
    if found.status == MaterialStatus::Processing {
        return Err(ErrorCode::ChunkNotReady.into());
    }
    Ok(index)
}
