//! The cover of a material.

use lectern_documents::Cover;
use lectern_store::{
    keys::Authenticated,
    materials::{self, Material, NewCover},
    object_deletions,
};
use lectern_types::{ErrorCode, MaterialId};
use tokio::sync::Semaphore;

use crate::{
    base::Base,
    clock,
    error::{Error, Result},
    objects::naming,
};

/// The largest picture that is taken, in bytes.
pub const MOST_BYTES: u64 = 20 * 1024 * 1024;

/// A larger picture than this is scaled down or compressed anew.
pub const KEPT_BYTES: u64 = 5 * 1024 * 1024;

/// How long the storage keeps a picture that no material has yet.
const RESERVED_SECONDS: i64 = 3_600;

/// How many pictures are decoded at a time: one may take 256 MiB.
static DECODING: Semaphore = Semaphore::const_new(2);

/// Gives a material a cover: a JPEG or PNG. A large picture is scaled down. Returns the material in its new state.
///
/// # Errors
/// `validation_failed` for a body that is no such picture or has too many pixels, `material_not_found`.
pub async fn put(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    bytes: Vec<u8>,
) -> Result<Material> {
    super::find(&base.store, caller, material).await?;
    // Only ends with the process.
    let _turn = DECODING.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
    let prepared = tokio::task::spawn_blocking(move || Cover::of_picture(bytes, KEPT_BYTES));
    let prepared =
        prepared.await.map_err(|error| Error::Internal(format!("a cover was not prepared: {error}")))?;
    let Some(Cover { media_type, bytes }) = prepared else {
        let why = "must be a JPEG or PNG picture that is not damaged and has at most 40 million pixels";
        return Err(Error::invalid("cover", why));
    };
    let ending = naming::picture_ending(&media_type);
    let object = format!("materials/{material}/cover-{}{ending}", hex::encode(clock::random::<8>()));
    let due_at = base.clock.now().plus_seconds(RESERVED_SECONDS);
    object_deletions::reserve(&base.store, &[&object], due_at).await?;
    base.objects.put(&object, bytes).await?;
    let cover = NewCover { object, media_type };
    set(base, caller, material, Some(&cover)).await
}

/// Takes the cover of a material away, if it has one.
///
/// # Errors
/// `material_not_found`.
pub async fn delete(base: &Base, caller: &Authenticated, material: MaterialId) -> Result<Material> {
    set(base, caller, material, None).await
}

async fn set(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    cover: Option<&NewCover>,
) -> Result<Material> {
    let (account, environment) = (caller.account, caller.key.environment);
    let changed =
        materials::set_cover(&base.store, account, environment, material, cover, base.writing()).await?;
    changed.ok_or_else(|| ErrorCode::MaterialNotFound.into())
}
