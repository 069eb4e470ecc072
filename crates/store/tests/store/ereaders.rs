//! E-readers and samples; settings and the sandbox's daily count.

use lectern_store::{
    Tier,
    ereaders::{self, Ereader, Filter, Sample},
    sandbox, settings,
};
use lectern_types::{Credits, EreaderId};

use crate::fixture::{Fixture, NOON, new_id, on_both};

pub(crate) fn ereader(slug: &str, tier: Tier) -> Ereader {
    Ereader {
        id: new_id(),
        slug: slug.to_owned(),
        name: slug.to_uppercase(),
        description: "Reads.".to_owned(),
        languages: vec!["en-US".to_owned()],
        gender: None,
        grade: None,
        preview: false,
        tier,
        engine: "hibari".to_owned(),
        voice: "af_heart".to_owned(),
        sample_rate_hz: 24_000,
        price_per_character: Credits(1),
        formats: vec!["mp3".to_owned(), "wav".to_owned()],
        active: true,
        sample_langs: Vec::new(),
        created_at: NOON,
    }
}

fn ids(ereaders: &[Ereader]) -> Vec<EreaderId> {
    ereaders.iter().map(|ereader| ereader.id).collect()
}

on_both! {
    async fn only_a_store_without_ereaders_is_seeded(f: &Fixture) {
        let seeds = [ereader("heart", Tier::Free), ereader("bell", Tier::Premium)];
        assert!(ereaders::seed(f, &seeds).await.expect("it seeds"));
        assert!(!ereaders::seed(f, &[ereader("dove", Tier::Free)]).await.expect("it answers"));
        assert_eq!(ereaders::list(f, Filter::default()).await.expect("it reads"), seeds);
    }

    async fn ereaders_are_listed_by_language_and_tier_and_found_by_id_and_slug(f: &Fixture) {
        let heart = ereader("heart", Tier::Free);
        let mut bell = ereader("bell", Tier::Premium);
        bell.languages = vec!["en-GB".to_owned(), "fr".to_owned()];
        let mut dove = ereader("dove", Tier::Free);
        dove.active = false;
        for one in [&heart, &bell, &dove] {
            assert_eq!(ereaders::put(f, one, one.created_at).await.expect("it writes"), *one);
        }
        let list = async |filter| ids(&ereaders::list(f, filter).await.expect("it reads"));
        assert_eq!(list(Filter::default()).await, [heart.id, bell.id]);
        assert_eq!(list(Filter { language: Some("en"), ..Filter::default() }).await, [heart.id, bell.id]);
        assert_eq!(list(Filter { language: Some("EN-gb"), ..Filter::default() }).await, [heart.id, bell.id]);
        assert_eq!(list(Filter { language: Some("fr-CA"), ..Filter::default() }).await, [bell.id]);
        assert_eq!(list(Filter { tier: Some(Tier::Free), ..Filter::default() }).await, [heart.id]);
        assert_eq!(list(Filter { include_inactive: true, ..Filter::default() }).await, [heart.id, bell.id, dove.id]);
        assert_eq!(ereaders::find(f, dove.id).await.expect("it reads"), Some(dove), "inactive ones are found");
        assert_eq!(ereaders::find_by_slug(f, "bell").await.expect("it reads"), Some(bell));
        assert_eq!(ereaders::find_by_slug(f, "Bell").await.expect("it reads"), None);
        assert_eq!(ereaders::find(f, new_id()).await.expect("it reads"), None);
    }

    async fn putting_a_known_slug_changes_it_and_keeps_its_id_and_samples(f: &Fixture) {
        let first = ereaders::put(f, &ereader("heart", Tier::Free), NOON).await.expect("it writes");
        for (language, etag) in [("en-US", "a"), ("de", "b"), ("EN-us", "c")] {
            let sample = Sample {
                language: language.to_owned(),
                object_key: format!("samples/{etag}.mp3"),
                etag: etag.to_owned(),
                bytes: 9,
                created_at: NOON,
            };
            assert!(ereaders::put_sample(f, &first, &sample).await.expect("it writes"));
        }
        let mut changed = ereader("heart", Tier::Standard);
        changed.created_at = NOON.plus_seconds(9);
        let second = ereaders::put(f, &changed, changed.created_at).await.expect("it writes");
        assert_eq!((second.id, second.created_at, second.tier), (first.id, NOON, Tier::Standard));
        assert_eq!(second.sample_langs, ["de", "EN-us"]);
        let sample = ereaders::sample(f, first.id, "en-us").await.expect("it reads").expect("there");
        assert_eq!(sample.etag, "c", "a later sample of the language takes the place of the first");
        assert_eq!(ereaders::sample(f, first.id, "fr").await.expect("it reads"), None);
        assert_eq!(ereaders::samples(f, first.id).await.expect("it reads").len(), 2);
    }

    // Negative control: when `put_sample` does not look at the voice, the sample of the voice before stays.
    async fn a_sample_of_a_voice_that_was_replaced_is_not_stored(f: &Fixture) {
        let before = ereaders::put(f, &ereader("heart", Tier::Free), NOON).await.expect("it writes");
        let sample = Sample {
            language: "en-US".to_owned(),
            object_key: "samples/late.mp3".to_owned(),
            etag: "a".to_owned(),
            bytes: 9,
            created_at: NOON,
        };
        assert!(ereaders::put_sample(f, &before, &sample).await.expect("it writes"));
        let mut changed = before.clone();
        "another".clone_into(&mut changed.voice);
        ereaders::put(f, &changed, NOON).await.expect("it writes");
        assert!(!ereaders::put_sample(f, &before, &sample).await.expect("it answers"));
        assert_eq!(ereaders::samples(f, before.id).await.expect("it reads"), []);
    }

    async fn the_sandbox_counts_up_to_its_cap_and_not_beyond(f: &Fixture) {
        let (account, _) = f.account(0).await;
        assert!(!sandbox::add(f, account, 1, 101, 100).await.expect("it answers"));
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..20 {
            let store = f.store.clone();
            tasks.spawn(async move { sandbox::add(&store, account, 1, 10, 100).await.expect("it answers") });
        }
        let added = tasks.join_all().await.into_iter().filter(|&added| added).count();
        assert_eq!(added, 10);
        assert_eq!(sandbox::characters(f, account, 1).await.expect("it reads"), 100);
        assert!(!sandbox::add(f, account, 1, 1, 100).await.expect("it answers"));
        assert!(sandbox::add(f, account, 2, 100, 100).await.expect("it answers"), "another day begins at zero");
    }

    async fn a_setting_is_fixed_once(f: &Fixture) {
        assert_eq!(settings::find(f, "master").await.expect("it reads"), None);
        assert_eq!(settings::fix(f, "master", "one").await.expect("it writes"), "one");
        assert_eq!(settings::fix(f, "master", "two").await.expect("it answers"), "one");
        assert_eq!(settings::find(f, "master").await.expect("it reads").as_deref(), Some("one"));
    }
}
