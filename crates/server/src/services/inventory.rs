//! Rows whose objects are not in the storage: what a storage lost, or a database restored from a later hour than its storage
//! still names. Nothing mends them by itself; they are counted, logged and shown by `lectern doctor`.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lectern_store::{ereaders, materials, syntheses};
use lectern_types::{MaterialId, SynthesisId, Timestamp};

use crate::{app::Base, error::Result};

/// Objects asked after at once.
const AT_ONCE: usize = 8;

/// Rows of syntheses looked at in a step.
const SYNTHESES: u32 = 200;

/// Audio that is deleted within this time is not asked after: it may be on its way out.
const LEAVING_SECONDS: i64 = 10 * 60;

/// How far the inventory has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Place {
    /// Nothing was looked at.
    #[default]
    Beginning,
    /// Materials up to this one were.
    Materials(Option<MaterialId>),
    /// All materials were, and syntheses up to this one.
    Syntheses(Option<SynthesisId>),
    /// All was looked at.
    End,
}

/// What a step found.
#[derive(Debug, Default)]
pub struct Step {
    /// Objects that rows name.
    pub looked_at: usize,
    /// Those of them that are not there.
    pub missing: Vec<String>,
}

/// Looks at some more rows.
///
/// # Errors
/// The store's or the storage's; the place is as it was then.
pub async fn step(base: &Base, place: &mut Place) -> Result<Step> {
    match *place {
        Place::Beginning => {
            let found = missing(base, ereaders::sample_objects(&base.store).await?).await?;
            *place = Place::Materials(None);
            Ok(found)
        }
        Place::Materials(after) => {
            let next = materials::ids_after(&base.store, after, 1).await?;
            let Some(&material) = next.first() else {
                *place = Place::Syntheses(None);
                return Ok(Step::default());
            };
            let found = material_objects(base, material).await?;
            *place = Place::Materials(Some(material));
            Ok(found)
        }
        Place::Syntheses(after) => {
            let until: Timestamp = base.clock.now().plus_seconds(LEAVING_SECONDS);
            let rows = syntheses::kept_after(&base.store, after, until, SYNTHESES).await?;
            let last = rows.last().map(|(id, _)| *id);
            let keys = rows.into_iter().map(|(_, key)| key).collect();
            let found = missing(base, keys).await?;
            *place = if last.is_some() { Place::Syntheses(last) } else { Place::End };
            Ok(found)
        }
        Place::End => Ok(Step::default()),
    }
}

/// What is missing of a material, by one listing of what it has.
async fn material_objects(base: &Base, material: MaterialId) -> Result<Step> {
    let needed = materials::needed_objects(&base.store, material).await?;
    let listing = base.objects.list(&format!("materials/{material}"));
    let there: std::collections::HashSet<String> = listing.map_ok(|found| found.key).try_collect().await?;
    let looked_at = needed.len();
    let mut absent: Vec<String> = needed.into_iter().filter(|key| !there.contains(key)).collect();
    if !absent.is_empty() {
        // What was replaced or deleted between the two looks is not missed.
        let still = materials::needed_objects(&base.store, material).await?;
        absent.retain(|key| still.contains(key));
        absent = missing(base, absent).await?.missing;
    }
    Ok(Step { looked_at, missing: absent })
}

/// Which of these objects are not there.
async fn missing(base: &Base, keys: Vec<String>) -> Result<Step> {
    let looked_at = keys.len();
    let asked = stream::iter(keys).map(|key| async move {
        let there = base.objects.about(&key).await?.is_some();
        Ok::<_, object_store::Error>((!there).then_some(key))
    });
    let missing: Vec<Option<String>> = asked.buffer_unordered(AT_ONCE).try_collect().await?;
    Ok(Step { looked_at, missing: missing.into_iter().flatten().collect() })
}
