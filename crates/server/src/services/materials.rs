//! Materials: taking them in, showing them, converting them, handing out what was made of them, and deleting them.
//!
//! The work of jobs is in [`extraction`] (an upload becomes chunks), [`conversion`] (a chunk becomes audio) and [`assembly`]
//! (chunks become one file); [`run`] is one attempt at it, [`workshop`] what it is done with. When and where jobs run is
//! [`crate::workers`]'s matter.

pub mod assembly;
pub mod audio;
pub mod book;
pub mod captions;
mod commit;
pub mod conversion;
pub mod convert;
pub mod delete;
pub mod events;
pub mod extraction;
pub mod intake;
pub mod listing;
pub mod run;
pub mod update;
pub mod upload;
pub mod workshop;
pub mod workspace;

pub use workshop::Workshop;

use lectern_store::{
    keys::Authenticated,
    materials::{self, Material},
};
use lectern_types::{ErrorCode, MaterialId};

use crate::{app::App, error::Result};

/// A material of the caller.
///
/// # Errors
/// `material_not_found`.
pub async fn find(app: &App, caller: &Authenticated, material: MaterialId) -> Result<Material> {
    let found = materials::find(&app.store, caller.account, caller.key.environment, material).await?;
    found.ok_or_else(|| ErrorCode::MaterialNotFound.into())
}
