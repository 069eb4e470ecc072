//! The chunks of a material: lists and texts.

use lectern_store::{
    Store,
    chunks::{self, Chunk},
    keys::Authenticated,
};
use lectern_types::{ErrorCode, MaterialId, MaterialStatus};

use crate::error::Result;

/// At most `limit` chunks after an index; none while the material is being extracted.
///
/// # Errors
/// `material_not_found`.
pub async fn chunks(
    store: &Store,
    caller: &Authenticated,
    material: MaterialId,
    after: Option<u32>,
    limit: u32,
) -> Result<Vec<Chunk>> {
    super::find(store, caller, material).await?;
    Ok(chunks::list(store, caller.account, caller.key.environment, material, after, limit).await?)
}

/// The text of a chunk, and its index.
///
/// # Errors
/// `material_not_found`, `chunk_not_ready` while the material is being extracted, `chunk_not_found`.
pub async fn text(
    store: &Store,
    caller: &Authenticated,
    material: MaterialId,
    index: Option<u32>,
) -> Result<(u32, String)> {
    let index = checked(store, caller, material, index).await?;
    let found = chunks::text(store, caller.account, caller.key.environment, material, index).await?;
    found.map(|text| (index, text)).ok_or_else(|| ErrorCode::ChunkNotFound.into())
}

/// Parses an index of an extracted material; `None` for a malformed one.
///
/// # Errors
/// As [`text`].
pub(super) async fn checked(
    store: &Store,
    caller: &Authenticated,
    material: MaterialId,
    index: Option<u32>,
) -> Result<u32> {
    let found = super::find(store, caller, material).await?;
    let index = index.ok_or(ErrorCode::ChunkNotFound)?;
    if found.status == MaterialStatus::Processing {
        return Err(ErrorCode::ChunkNotReady.into());
    }
    Ok(index)
}
