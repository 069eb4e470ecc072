//! Changes to a material by its owner.

use lectern_store::{
    keys::Authenticated,
    materials::{self, Changes, Material},
};
use lectern_types::{ErrorCode, MaterialId};

use crate::{base::Base, error::Result};

/// Changes a material of the caller and returns its new state.
///
/// # Errors
/// `material_not_found`.
pub async fn update(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    changes: &Changes,
) -> Result<Material> {
    let (account, environment) = (caller.account, caller.key.environment);
    let updated =
        materials::update(&base.store, account, environment, material, changes, base.writing()).await?;
    updated.ok_or_else(|| ErrorCode::MaterialNotFound.into())
}
