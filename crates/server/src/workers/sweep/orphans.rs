//! Objects that nothing knows of. What a run puts is announced to the store before ([`lectern_store::object_deletions`]), so
//! there should be none but what a storage keeps of a put that was cut off; and what a disk restored from a backup holds.
//! The listing goes on a little in each round, and begins anew an hour after its end.

use std::collections::{BTreeMap, HashSet};

use futures_util::TryStreamExt as _;
use lectern_store::{materials, syntheses};
use lectern_types::{MaterialId, Timestamp};
use tokio::sync::Mutex;

use crate::{
    app::Base,
    error::Result,
    objects::{CHECKS, Found, Listing, OWNER},
};

/// What is looked through: what the service puts and takes away again. An operator's samples stay.
const PREFIXES: &[&str] = &["materials", "syntheses", CHECKS];

/// Objects looked at in one round.
const BATCH: usize = 1_000;

/// Younger objects may belong to work that is under way.
const OLD_SECONDS: i64 = 2 * 60 * 60;

/// Rest between two listings.
const REST_SECONDS: i64 = 60 * 60;

/// How far the listing has come. One a process.
#[derive(Debug, Default)]
pub struct Orphans(Mutex<Place>);

#[derive(Default)]
enum Place {
    /// Nothing was looked at yet.
    #[default]
    Beginning,
    /// In the midst of a prefix; those after it are still to come.
    Listing { prefix: usize, listing: Listing },
    /// All was looked at.
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
    /// Looks at some objects, and deletes those among them that are old and nobody's.
    ///
    /// # Errors
    /// The store's or the storage's; the listing begins anew then.
    pub async fn round(&self, base: &Base) -> Result<()> {
        let mut place = self.0.lock().await;
        let now = base.clock.now();
        let (prefix, mut listing) = match std::mem::take(&mut *place) {
            Place::Resting { until } if now < until => {
                *place = Place::Resting { until };
                return Ok(());
            }
            Place::Beginning | Place::Resting { .. } => {
                if !base.objects.belong_to(&base.namespace().await?).await? {
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
        // A store that was replaced, or is being restored, since the listing began knows of nothing that is its own.
        let otherwise = base.disagreements().await?;
        if !otherwise.is_empty() {
            tracing::error!(store = ?otherwise, "the store is no longer this process's: what it does not know of is left");
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

/// Begins to list a prefix, cleared of what cut-off puts left below it.
async fn begin(base: &Base, prefix: &str, now: Timestamp) -> Result<Listing> {
    match base.objects.remove_unfinished(prefix, now.plus_seconds(-OLD_SECONDS)).await {
        Ok(0) => {}
        Ok(files) => {
            tracing::info!(files, objects.prefix = prefix, "pieces of puts that were cut off were removed");
        }
        Err(error) => {
            tracing::warn!(error = %error, objects.prefix = prefix, "pieces of puts were not removed");
        }
    }
    Ok(base.objects.list(prefix))
}

/// Deletes those of the objects that are old and nobody's.
async fn remove(base: &Base, found: &[Found], now: Timestamp) -> Result<()> {
    let old = now.plus_seconds(-OLD_SECONDS);
    let old = found.iter().filter(|found| found.since < old).map(|found| found.key.as_str());
    // By what they belong to: a material, or nothing that is one.
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
                    tracing::warn!(object.key = key, "an object that nothing knows of was deleted");
                }
                // The next listing finds it again.
                Err(error) => {
                    tracing::warn!(error = %error, object.key = key, "an object that nothing knows of was not deleted");
                }
            }
        }
    }
    Ok(())
}

/// The material below whose name an object lies.
fn material_of(key: &str) -> Option<MaterialId> {
    key.strip_prefix("materials/")?.split('/').next()?.parse().ok()
}
