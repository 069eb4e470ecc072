//! Objects that no row refers to. Runs announce their uploads to the store first
//! ([`lectern_store::object_deletions`]), so the only orphans should be remains of interrupted
//! uploads, and objects of a disk restored from a backup. Each round lists a few; the listing
//! starts again an hour after it ended.

use std::collections::{BTreeMap, HashSet};

use futures_util::TryStreamExt as _;
use lectern_store::{materials, syntheses};
use lectern_types::{MaterialId, Timestamp};
use tokio::sync::Mutex;

use crate::{
    base::Base,
    error::Result,
    objects::{CHECKS, ListedObject, Listing, OWNER},
};

/// The prefixes that are listed: those of objects the service both creates and deletes. An
/// operator's samples stay.
const PREFIXES: &[&str] = &["materials", "syntheses", CHECKS];

/// Objects checked in one round.
const BATCH: usize = 1_000;

/// Younger objects may belong to work in progress.
const OLD_SECONDS: i64 = 2 * 60 * 60;

/// The pause between two listings.
const REST_SECONDS: i64 = 60 * 60;

/// The progress of the listing, one in each process.
#[derive(Debug, Default)]
pub struct Orphans(Mutex<Place>);

#[derive(Default)]
enum Place {
    /// Nothing was listed yet.
    #[default]
    Beginning,
    /// Within a prefix; the following prefixes are still to come.
    Listing { prefix: usize, listing: Listing },
    /// Everything was listed.
    Resting { until: Timestamp },
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Beginning => "Beginning",
            Self::Listing { .. } => "Listing",
            Self::Resting { .. } => "Resting",
        })
    }
}

impl Orphans {
    /// Checks some objects and deletes old ones that no row refers to.
    ///
    /// # Errors
    /// The store's or the storage's; the listing then starts again.
    pub async fn round(&self, base: &Base) -> Result<()> {
        let mut place = self.0.lock().await;
        let now = base.clock.now();
        let (prefix, mut listing) = match std::mem::take(&mut *place) {
            Place::Resting { until } if now < until => {
                *place = Place::Resting { until };
                return Ok(());
            }
            Place::Beginning | Place::Resting { .. } => {
                if !base.objects.belongs_to(&base.namespace().await?).await? {
                    tracing::error!(
                        "storage.url is another installation's (its object {OWNER} says so): what this one does not know of \
                         is left there"
                    );
                    *place = Place::Resting { until: now.plus_seconds(REST_SECONDS) };
                    return Ok(());
                }
                (0, begin(base, PREFIXES[0], now).await?)
            }
            Place::Listing { prefix, listing } => (prefix, listing),
        };
        let mut batch = Vec::with_capacity(BATCH);
        let mut ended = false;
        while batch.len() < BATCH && !ended {
            match listing.try_next().await? {
                Some(found) => batch.push(found),
                None => ended = true,
            }
        }
        // The store was replaced or restored since the listing began, so it has no rows for its own
        // objects.
        let otherwise = base.mismatches().await?;
        if !otherwise.is_empty() {
            tracing::error!(store = ?otherwise, "the store is no longer this process's: unknown objects are kept");
            *place = Place::Resting { until: now.plus_seconds(REST_SECONDS) };
            return Ok(());
        }
        remove(base, &batch, now).await?;
        *place = match PREFIXES.get(prefix + 1) {
            _ if !ended => Place::Listing { prefix, listing },
            Some(next) => Place::Listing { prefix: prefix + 1, listing: begin(base, next, now).await? },
            None => Place::Resting { until: now.plus_seconds(REST_SECONDS) },
        };
        Ok(())
    }
}

/// Starts listing a prefix, after removing the remains of interrupted uploads below it.
async fn begin(base: &Base, prefix: &str, now: Timestamp) -> Result<Listing> {
    match base.objects.remove_unfinished(prefix, now.plus_seconds(-OLD_SECONDS)).await {
        Ok(0) => {}
        Ok(files) => {
            tracing::info!(files, objects.prefix = prefix, "remains of interrupted uploads were removed");
        }
        Err(error) => {
            tracing::warn!(error = %error, objects.prefix = prefix, "remains of interrupted uploads were not removed");
        }
    }
    Ok(base.objects.list(prefix))
}

/// Deletes those of the objects that are old and that no row refers to.
async fn remove(base: &Base, found: &[ListedObject], now: Timestamp) -> Result<()> {
    let old = now.plus_seconds(-OLD_SECONDS);
    let old = found.iter().filter(|found| found.since < old).map(|found| found.key.as_str());
    // Grouped by material; the rest belongs to none.
    let mut groups: BTreeMap<Option<MaterialId>, Vec<&str>> = BTreeMap::new();
    for key in old {
        groups.entry(material_of(key)).or_default().push(key);
    }
    for (material, keys) in groups {
        let known: HashSet<String> = match material {
            Some(material) => {
                materials::objects(&base.store, material, &format!("materials/{material}/")).await?
            }
            None => syntheses::known(&base.store, &keys).await?,
        };
        for key in keys.into_iter().filter(|key| !known.contains(*key)) {
            match base.objects.delete(key).await {
                Ok(()) => {
                    metrics::counter!("lectern_storage_orphans_deleted_total").increment(1);
                    tracing::warn!(object.key = key, "an object that no row refers to was deleted");
                }
                // The next listing finds it again.
                Err(error) => {
                    tracing::warn!(error = %error, object.key = key, "an object that no row refers to could not be deleted");
                }
            }
        }
    }
    Ok(())
}

/// The material that an object's key names.
fn material_of(key: &str) -> Option<MaterialId> {
    key.strip_prefix("materials/")?.split('/').next()?.parse().ok()
}
