//! The end of a conversion by its owner.

use lectern_store::{
    keys::Authenticated,
    materials::{self, CancelOutcome, Material},
};
use lectern_types::{ErrorCode, MaterialId};

use crate::{base::Base, error::Result};

/// Cancels what is queued of a material of the caller. Returns the material in its new state, and whether
/// anything was queued.
///
/// # Errors
/// `material_not_found`.
pub async fn cancel(base: &Base, caller: &Authenticated, material: MaterialId) -> Result<(Material, bool)> {
    let (account, environment) = (caller.account, caller.key.environment);
    match materials::cancel(&base.store, account, environment, material, base.writing()).await? {
        CancelOutcome::NotFound => Err(ErrorCode::MaterialNotFound.into()),
        CancelOutcome::NothingQueued(material) => Ok((*material, false)),
        CancelOutcome::Cancelled(material) => Ok((*material, true)),
    }
}
