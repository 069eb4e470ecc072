//! The cast of a material: who speaks for whom.

use lectern_store::{
    ereaders,
    keys::Authenticated,
    materials::{self, CastOutcome, Speaker},
};
use lectern_types::{CastSpeakers, ErrorCode, MaterialId, Named};

use crate::{
    base::Base,
    error::{Error, Result},
};

/// The cast of a material of the caller.
///
/// # Errors
/// `material_not_found`.
pub async fn get(base: &Base, caller: &Authenticated, material: MaterialId) -> Result<Vec<Speaker>> {
    let found = super::find(&base.store, caller, material).await?;
    Ok(materials::cast(&base.store, &found).await?)
}

/// Changes the cast of a material of the caller, and returns all of it.
///
/// # Errors
/// In this order: `material_not_found`, `material_not_ready`, `ereader_locked` after the first conversion,
/// `ereader_not_found`, `ereader_tier_not_available`.
pub async fn set(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    speakers: CastSpeakers,
) -> Result<Vec<Speaker>> {
    let found = super::find(&base.store, caller, material).await?;
    super::check_has_text(found.status)?;
    if let Some(ereader) = found.ereader {
        return Err(Error::EreaderLocked { ereader });
    }
    let mut chosen = Vec::with_capacity(speakers.0.len());
    for (name, ereader) in speakers.0 {
        let ereader = match ereader {
            None => None,
            Some(Named(id)) => {
                let id = id.ok_or(ErrorCode::EreaderNotFound)?;
                let found = ereaders::find(&base.store, id).await?.filter(|found| found.active);
                if found.ok_or(ErrorCode::EreaderNotFound)?.tier > caller.tier {
                    return Err(ErrorCode::EreaderTierNotAvailable.into());
                }
                Some(id)
            }
        };
        chosen.push((name, ereader));
    }
    let (account, environment) = (caller.account, caller.key.environment);
    let now = base.clock.now();
    match materials::set_cast(&base.store, account, environment, material, &chosen, now).await? {
        CastOutcome::NotFound => Err(ErrorCode::MaterialNotFound.into()),
        CastOutcome::NotReady { status } => Err(Error::MaterialNotReady { status }),
        CastOutcome::Locked { ereader } => Err(Error::EreaderLocked { ereader }),
        CastOutcome::Changed(cast) => Ok(cast),
    }
}
