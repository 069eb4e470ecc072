//! Deleting a material: its rows and holds at once, its objects by the sweep.

use lectern_store::{
    keys::Authenticated,
    materials::{self, Material},
};
use lectern_types::{ErrorCode, MaterialId};

use crate::{app::App, error::Result};

/// Deletes a material; as it was in the end.
///
/// # Errors
/// `material_not_found`, also for one that was deleted.
pub async fn delete(app: &App, caller: &Authenticated, material: MaterialId) -> Result<Material> {
    let (account, environment) = (caller.account, caller.key.environment);
    let deleted = materials::delete(&app.store, account, environment, material, app.writing()).await?;
    let deleted = deleted.ok_or(ErrorCode::MaterialNotFound)?;
    app.signals.material_changed(material);
    Ok(deleted)
}
