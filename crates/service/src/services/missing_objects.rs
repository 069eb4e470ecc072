//! Finds rows whose objects are missing from storage: the storage lost them, or the database was
//! restored from a different time than the storage. Nothing repairs them automatically; they are
//! counted, logged and shown by `lectern doctor`.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lectern_store::{ereaders, materials, syntheses};
use lectern_types::{MaterialId, SynthesisId, Timestamp};

use crate::{base::Base, error::Result};

/// Objects that are checked concurrently.
const CONCURRENCY: usize = 8;

/// Rows of syntheses that are checked per step.
const BATCH_SIZE: u32 = 200;

/// Audio that expires within this time is not checked: it may be deleted meanwhile.
const EXPIRY_MARGIN_SECONDS: i64 = 10 * 60;

/// The position of the inventory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Position {
    /// Nothing has been checked.
    #[default]
    Beginning,
    /// Materials up to this one have been checked.
    Materials(Option<MaterialId>),
    /// All materials have been checked, and syntheses up to this one.
    Syntheses(Option<SynthesisId>),
    /// Everything has been checked.
    End,
}

/// The result of a step.
#[derive(Debug, Default)]
pub struct Step {
    /// How many objects were checked.
    pub checked: usize,
    /// The keys of those that are missing.
    pub missing: Vec<String>,
}

/// Checks some more rows.
///
/// # Errors
/// The store's or the storage's; the position then stays the same.
pub async fn step(base: &Base, position: &mut Position) -> Result<Step> {
    match *position {
        Position::Beginning => {
            let found = missing(base, ereaders::sample_objects(&base.store).await?).await?;
            *position = Position::Materials(None);
            Ok(found)
        }
        Position::Materials(after) => {
            let next = materials::ids_after(&base.store, after, 1).await?;
            let Some(&material) = next.first() else {
                *position = Position::Syntheses(None);
                return Ok(Step::default());
            };
            let found = material_objects(base, material).await?;
            *position = Position::Materials(Some(material));
            Ok(found)
        }
        Position::Syntheses(after) => {
            let until: Timestamp = base.clock.now().plus_seconds(EXPIRY_MARGIN_SECONDS);
            let rows = syntheses::kept_after(&base.store, after, until, BATCH_SIZE).await?;
            let last = rows.last().map(|(id, _)| *id);
            let keys = rows.into_iter().map(|(_, key)| key).collect();
            let found = missing(base, keys).await?;
            *position = if last.is_some() { Position::Syntheses(last) } else { Position::End };
            Ok(found)
        }
        Position::End => Ok(Step::default()),
    }
}

/// Checks a material's objects with a single listing.
async fn material_objects(base: &Base, material: MaterialId) -> Result<Step> {
    let needed = materials::needed_objects(&base.store, material).await?;
    let listing = base.objects.list(&format!("materials/{material}"));
    let existing: std::collections::HashSet<String> = listing.map_ok(|found| found.key).try_collect().await?;
    let checked = needed.len();
    let mut missing_keys: Vec<String> = needed.into_iter().filter(|key| !existing.contains(key)).collect();
    if !missing_keys.is_empty() {
        // Objects that were replaced or deleted since the rows were read are not missing.
        let still_needed = materials::needed_objects(&base.store, material).await?;
        missing_keys.retain(|key| still_needed.contains(key));
        missing_keys = missing(base, missing_keys).await?.missing;
    }
    Ok(Step { checked, missing: missing_keys })
}

/// Checks which of these objects are missing.
async fn missing(base: &Base, keys: Vec<String>) -> Result<Step> {
    let checked = keys.len();
    let checks = stream::iter(keys).map(|key| async move {
        let exists = base.objects.head(&key).await?.is_some();
        Ok::<_, object_store::Error>((!exists).then_some(key))
    });
    let missing: Vec<Option<String>> = checks.buffer_unordered(CONCURRENCY).try_collect().await?;
    Ok(Step { checked, missing: missing.into_iter().flatten().collect() })
}
