//! The chapters of a material: lists and changes.

use lectern_store::{
    Store,
    keys::Authenticated,
    materials::{self, Chapter, ChapterChanges, ChapterOutcome},
};
use lectern_types::{ErrorCode, MaterialId};

use crate::{base::Base, error::Result};

/// The chapters of a material; none while it is being extracted.
///
/// # Errors
/// `material_not_found`.
pub async fn list(store: &Store, caller: &Authenticated, material: MaterialId) -> Result<Vec<Chapter>> {
    super::find(store, caller, material).await?;
    Ok(materials::chapters(store, caller.account, caller.key.environment, material).await?)
}

/// Changes a chapter; `index` is `None` for a malformed one.
///
/// # Errors
/// `material_not_found`, `chapter_not_found`.
pub async fn update(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    index: Option<u32>,
    changes: &ChapterChanges,
) -> Result<Chapter> {
    super::find(&base.store, caller, material).await?;
    let index = index.ok_or(ErrorCode::ChapterNotFound)?;
    let (account, environment) = (caller.account, caller.key.environment);
    let outcome = materials::update_chapter(
        &base.store,
        account,
        environment,
        material,
        index,
        changes,
        base.writing(),
    );
    match outcome.await? {
        ChapterOutcome::NotFound => Err(ErrorCode::MaterialNotFound.into()),
        ChapterOutcome::NoSuchChapter => Err(ErrorCode::ChapterNotFound.into()),
        ChapterOutcome::Changed(chapter) => Ok(*chapter),
    }
}
