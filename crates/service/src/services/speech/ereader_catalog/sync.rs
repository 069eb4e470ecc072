//! E-readers for the voices that are installed in this process. Those that exist are never changed.

use std::collections::HashSet;

use lectern_speech::engines::{self, InstalledVoice};
use lectern_store::ereaders::{self, Ereader, Filter};

use super::{FIRST_SLUGS, descriptions, ereader, grade, place_before};
use crate::{
    base::Base,
    config::{Config, Prices},
    services::speech::voices,
};

/// What a synchronisation did.
#[derive(Debug, Default)]
pub struct Synced {
    /// The new e-readers, in the order of the list.
    pub made: Vec<Ereader>,
    /// Voices that have no e-reader because their slug is another e-reader's.
    pub taken: Vec<String>,
}

/// The voices that are installed here, of packs, checked or not, and those that users brought.
pub fn installed(config: &Config) -> Vec<InstalledVoice> {
    let here =
        engines::LOCAL.iter().filter(|engine| engine.pack.is_at(&voices::directory(config, engine.pack)));
    here.flat_map(engines::LocalEngine::all_voices).chain(voices::brought(config).list()).collect()
}

/// Makes an e-reader for each of these voices that has none.
///
/// # Errors
/// The store's; e-readers that were made before stay.
pub async fn run(base: &Base, installed: &[InstalledVoice]) -> lectern_store::Result<Synced> {
    let filter = Filter { include_inactive: true, ..Filter::default() };
    let existing = ereaders::list(&base.store, filter).await?;
    let Synced { made: wanted, mut taken } = missing(installed, &existing, &base.config.voices.prices, base);
    let mut made = Vec::new();
    for ereader in wanted {
        // Another process may have made it since.
        if ereaders::add(&base.store, &ereader).await? {
            made.push(ereader);
        } else {
            taken.push(ereader.voice);
        }
    }
    Ok(Synced { made, taken })
}

/// The e-readers of those voices that none of the `existing` ones has, placed before the first ones
/// of a new store: the better ones lead.
pub(super) fn missing(
    installed: &[InstalledVoice],
    existing: &[Ereader],
    prices: &Prices,
    base: &Base,
) -> Synced {
    let has_one = |one: &&InstalledVoice| {
        existing.iter().any(|other| other.engine == one.engine && other.voice == one.voice.name)
    };
    let mut without: Vec<&InstalledVoice> = installed.iter().filter(|one| !has_one(one)).collect();
    // Stable: voices of one grade stay in the engine's order, those without a grade come last.
    without.sort_by_key(|one| {
        let grade = grade(one.voice.grade);
        (grade.is_none(), grade)
    });
    let slugs: HashSet<&str> = existing.iter().map(|other| other.slug.as_str()).collect();
    let mut synced = Synced::default();
    for one in without {
        let price = prices.of(one.engine, grade(one.voice.grade));
        let known: Vec<&Ereader> = existing.iter().chain(&synced.made).collect();
        let name = descriptions::unique_name(one.engine, &one.voice, &known);
        let made = ereader(one, name, price);
        if slugs.contains(made.slug.as_str()) {
            synced.taken.push(made.voice);
        } else {
            synced.made.push(made);
        }
    }
    let first = existing.iter().filter(|other| FIRST_SLUGS.contains(&other.slug.as_str()));
    let first: Vec<_> = first.map(|other| (other.id, other.created_at)).collect();
    place_before(&mut synced.made, &first, base);
    synced
}
