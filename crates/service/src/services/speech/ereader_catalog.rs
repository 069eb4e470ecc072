//! E-readers: the initial ones of a new store, which engines they may be on, and what OpenAI's voice
//! names stand for. `sync` makes e-readers of installed voices, `blend` of mixes of them; `descriptions`
//! says how they sound.

pub mod blend;
mod descriptions;
pub mod openai_voices;
pub mod sync;

use lectern_speech::engines::{self, InstalledVoice};
use lectern_store::{
    Store, Tier,
    ereaders::{self, Ereader},
};
use lectern_types::{AudioFormat, Credits, EreaderId, Grade, Timestamp};

use crate::{
    base::Base,
    clock::{self, Ids},
};

pub use super::voices::UPSTREAM;

/// The slugs of the e-readers of a new store, as lists show them.
const FIRST_SLUGS: &[&str] = &["heart", "alma"];

/// The most characters of a slug.
const MOST_SLUG: usize = 64;

/// The names of the engines that an e-reader can be on.
pub fn engine_names() -> Vec<&'static str> {
    engines::names().chain([UPSTREAM]).collect()
}

/// Gives a new store its first e-readers: `heart` and `alma`, and one for each other voice that is
/// installed here, on an engine that the settings do not exclude.
///
/// # Errors
/// The store's.
pub async fn seed(base: &Base) -> lectern_store::Result<()> {
    if ereaders::exist(&base.store).await? {
        return Ok(());
    }
    let mut all = first_ereaders(&base.ids, base.clock.now());
    let mut installed = sync::installed(&base.config);
    installed.retain(|one| base.config.speech.wants(one.engine));
    all.extend(sync::missing(&installed, &all, &base.config.voices.prices, base).made);
    ereaders::seed(&base.store, &all).await?;
    Ok(())
}

/// The e-readers that every new store has: a free one, and one that shows how tiers work.
fn first_ereaders(ids: &Ids, now: Timestamp) -> Vec<Ereader> {
    let reader = |voice: &str, tier: Tier, price: i64| {
        let known = engines::DEFAULT.all_voices().find(|known| known.voice.name == voice)?;
        let name = descriptions::first_name(&known.voice.name);
        Some(Ereader { id: ids.make(), tier, created_at: now, ..ereader(&known, name, Credits(price)) })
    };
    let first = [reader("heart", Tier::Free, 1), reader("alma", Tier::Premium, 2)];
    let mut first: Vec<Ereader> = first.into_iter().flatten().collect();
    // Lists show the newest first. The free one should lead, so it gets the later id.
    let mut made: Vec<EreaderId> = first.iter().map(|ereader| ereader.id).collect();
    made.sort_by_key(|id| std::cmp::Reverse(*id));
    for (ereader, id) in first.iter_mut().zip(made) {
        ereader.id = id;
    }
    first
}

/// The free e-reader of an engine's voice. Its id and `created_at` are still to be set.
fn ereader(installed: &InstalledVoice, name: String, price: Credits) -> Ereader {
    let InstalledVoice { engine, voice, sample_rate_hz } = installed;
    Ereader {
        id: EreaderId::from_uuid(uuid::Uuid::nil()),
        slug: slug(&voice.name),
        name,
        description: descriptions::of(engine, voice),
        languages: voice.languages.iter().map(ToString::to_string).collect(),
        gender: voice.gender.map(str::to_owned),
        grade: grade(voice.grade),
        preview: voice.is_preview(),
        tier: Tier::Free,
        engine: (*engine).to_owned(),
        voice: voice.name.clone(),
        sample_rate_hz: *sample_rate_hz,
        price_per_character: price,
        formats: formats(),
        active: true,
        sample_langs: Vec::new(),
        created_at: Timestamp(0),
    }
}

/// The slug of a voice's e-reader: `af-heart` of `af_heart`, `de-de-anna-low` of `de_DE-anna-low`.
pub fn slug(voice: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    voice.chars().take(MOST_SLUG).map(plain).collect()
}

/// The names of all formats.
pub fn formats() -> Vec<String> {
    AudioFormat::ALL.iter().map(|format| format.as_str().to_owned()).collect()
}

/// The letter of a voice as a grade.
pub fn grade(letter: Option<char>) -> Option<Grade> {
    letter?.to_string().parse().ok()
}

/// The e-reader for clients that name none of ours: of the lowest tier that has any, one of the
/// default engine if there is one, and of those the oldest.
///
/// # Errors
/// The store's.
pub async fn default_ereader(store: &Store) -> lectern_store::Result<Option<Ereader>> {
    let active = ereaders::list(store, ereaders::Filter::default()).await?;
    Ok(default_among(&active).cloned())
}

fn default_among(active: &[Ereader]) -> Option<&Ereader> {
    active.iter().min_by_key(|ereader| (ereader.tier, ereader.engine != engines::DEFAULT.name, ereader.id))
}

/// Places e-readers right before `others` in time, so that lists, which show the newest first, show
/// them after those and in the order in which they stand here.
fn place_before(ereaders: &mut [Ereader], others: &[(EreaderId, Timestamp)], base: &Base) {
    let (id, at) = others.iter().min().copied().unwrap_or_else(|| (base.ids.make(), base.clock.now()));
    for (ereader, millis) in ereaders.iter_mut().zip(1u32..) {
        ereader.id = clock::id_before(id, millis.into());
        ereader.created_at = at.plus_micros(-1_000 * i64::from(millis));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    #[test]
    fn a_fresh_store_has_a_free_e_reader_first_and_a_premium_one() {
        let first = first_ereaders(&Ids::new(Clock::system()), Timestamp(0));
        assert_eq!(first.iter().map(|ereader| ereader.slug.as_str()).collect::<Vec<_>>(), FIRST_SLUGS);
        assert_eq!((first[0].tier, first[0].price_per_character), (Tier::Free, Credits(1)));
        assert_eq!(first[0].description, "A warm, even voice for long reading; American.");
        assert_eq!((first[1].tier, first[1].price_per_character), (Tier::Premium, Credits(2)));
        assert!(first[0].id > first[1].id);
        assert!(
            first.iter().all(|ereader| !ereader.languages.is_empty()),
            "an e-reader names no voice of the pack"
        );
    }
}
