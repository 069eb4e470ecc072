//! Materials: uploading, listing, converting, serving the results, and deleting. Work that takes
//! longer than a request is in [`jobs`]; [`document_reader`] runs the child process that reads
//! uploads.

pub mod audio;
pub mod book;
pub mod cancel;
pub mod captions;
pub mod cast;
pub mod chapters;
pub mod chunking;
pub mod convert;
pub mod cover;
mod cutting;
pub mod delete;
pub mod document_reader;
pub mod events;
pub mod feed;
pub mod import;
pub mod intake;
pub mod jobs;
pub mod library;
pub mod listening;
pub mod listing;
pub mod ocr;
pub mod quotes;
mod recutting;
pub mod share;
pub mod speakers;
pub mod spoken_text;
pub mod text;
pub mod update;
pub mod upload;
pub mod waiting;
pub mod warnings;
mod written;

use lectern_store::{
    Store,
    keys::Authenticated,
    materials::{self, Material},
};
use lectern_types::{ErrorCode, MaterialId, MaterialStatus};

use crate::error::{Error, Result};

/// A material of the caller.
///
/// # Errors
/// `material_not_found`.
pub async fn find(store: &Store, caller: &Authenticated, material: MaterialId) -> Result<Material> {
    let found = materials::find(store, caller.account, caller.key.environment, material).await?;
    found.ok_or_else(|| ErrorCode::MaterialNotFound.into())
}

/// Refuses a material whose text is not there.
fn check_has_text(status: MaterialStatus) -> Result<()> {
    match status {
        MaterialStatus::Processing | MaterialStatus::Failed => Err(Error::MaterialNotReady { status }),
        MaterialStatus::Deleted => Err(ErrorCode::MaterialNotFound.into()),
        MaterialStatus::Ready
        | MaterialStatus::Converting
        | MaterialStatus::PartiallyFailed
        | MaterialStatus::Completed => Ok(()),
    }
}
