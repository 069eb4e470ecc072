//! E-readers: the initial ones of a new store, and looking up their samples.

use lectern_speech::engines;
use lectern_store::{
    Store, Tier,
    ereaders::{self, Ereader, Sample},
};
use lectern_types::{AudioFormat, Credits, EreaderId, Timestamp, language::find_same};

use crate::{base::Base, clock::Ids, error::Result};

/// The name of the upstream engine.
pub const UPSTREAM: &str = "upstream";

/// The names of OpenAI's own voices.
const FOREIGN_VOICES: &[&str] = &[
    "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer",
    "verse",
];

/// Gives a new store its first e-readers.
///
/// # Errors
/// The store's.
pub async fn seed(base: &Base) -> lectern_store::Result<()> {
    let first = first_ereaders(&base.ids, base.clock.now());
    ereaders::seed(&base.store, &first).await?;
    Ok(())
}

/// The e-readers of a new store: a free one, and one that shows how tiers work.
fn first_ereaders(ids: &Ids, now: Timestamp) -> Vec<Ereader> {
    let engine = engines::DEFAULT;
    let reader = |voice: &str, name: &str, tier: Tier, price: i64, about: &str| Ereader {
        id: ids.make(),
        slug: voice.to_owned(),
        name: name.to_owned(),
        description: about.to_owned(),
        languages: engine
            .voice(voice)
            .map_or(&[][..], |known| known.languages)
            .iter()
            .map(ToString::to_string)
            .collect(),
        gender: engine.voice(voice).map(|known| known.gender.to_owned()),
        tier,
        engine: engine.name.to_owned(),
        voice: voice.to_owned(),
        sample_rate_hz: engine.sample_rate_hz,
        price_per_character: Credits(price),
        formats: AudioFormat::ALL.iter().map(|format| format.as_str().to_owned()).collect(),
        active: true,
        sample_langs: Vec::new(),
        created_at: now,
    };
    let mut first = vec![
        reader("heart", "Heart", Tier::Free, 1, "A warm, even voice for long reading; American."),
        reader("alma", "Alma", Tier::Premium, 2, "A lower, unhurried voice; American."),
    ];
    // Lists show the newest first. The free one should lead, so it gets the later id.
    let mut made = [first[0].id, first[1].id];
    made.sort();
    first[0].id = made[1];
    first[1].id = made[0];
    first
}

/// The active e-reader for the `voice` of OpenAI's API: by id, by slug, or, for one of OpenAI's own
/// names, the oldest one of the lowest tier, so that clients need not change their code. `None`
/// when there is none.
///
/// # Errors
/// The store's.
pub async fn voice(store: &Store, voice: &str) -> Result<Option<EreaderId>> {
    if let Ok(id) = voice.parse() {
        return Ok(Some(id));
    }
    let active = ereaders::list(store, ereaders::Filter::default()).await?;
    if let Some(found) = active.iter().find(|ereader| ereader.slug == voice) {
        return Ok(Some(found.id));
    }
    let default = active.iter().min_by_key(|ereader| (ereader.tier, ereader.id));
    Ok(default.filter(|_| FOREIGN_VOICES.contains(&voice)).map(|ereader| ereader.id))
}

/// The sample of an active e-reader in `language`, or, without one, in the first of its languages
/// that has a sample. `None` when there is none.
///
/// # Errors
/// The store's.
pub async fn sample(store: &Store, slug: &str, language: Option<&str>) -> Result<Option<Sample>> {
    // PostgreSQL refuses NUL in text, and nothing stored contains one.
    if slug.contains('\0') || language.is_some_and(|language| language.contains('\0')) {
        return Ok(None);
    }
    let Some(ereader) = ereaders::find_by_slug(store, slug).await?.filter(|found| found.active) else {
        return Ok(None);
    };
    let wanted: Vec<String> = match language {
        Some(language) => find_same(&ereader.sample_langs, language).cloned().into_iter().collect(),
        None => ereader.languages.iter().chain(&ereader.sample_langs).cloned().collect(),
    };
    for language in wanted {
        if let Some(sample) = ereaders::sample(store, ereader.id, &language).await? {
            return Ok(Some(sample));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    #[test]
    fn a_fresh_store_has_a_free_e_reader_first_and_a_premium_one() {
        let first = first_ereaders(&Ids::new(Clock::system()), Timestamp(0));
        assert_eq!(
            (first[0].slug.as_str(), first[0].tier, first[0].price_per_character),
            ("heart", Tier::Free, Credits(1))
        );
        assert_eq!(first[1].tier, Tier::Premium);
        assert!(first[0].id > first[1].id);
        assert!(
            first.iter().all(|ereader| !ereader.languages.is_empty()),
            "an e-reader names no voice of the pack"
        );
    }
}
