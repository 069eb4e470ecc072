//! Deletes a material: its rows and holds at once, its objects in the next sweep.

use lectern_store::{
    keys::Authenticated,
    materials::{self, Material},
};
use lectern_types::{ErrorCode, MaterialId};

use crate::{base::Base, error::Result};

/// Deletes a material and returns its last state.
///
/// # Errors
/// `material_not_found`, also for a deleted material.
pub async fn delete(base: &Base, caller: &Authenticated, material: MaterialId) -> Result<Material> {
    let (account, environment) = (caller.account, caller.key.environment);
    let deleted = materials::delete(&base.store, account, environment, material, base.writing()).await?;
    Ok(deleted.ok_or(ErrorCode::MaterialNotFound)?)
}
