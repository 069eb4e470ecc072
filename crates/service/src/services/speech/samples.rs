//! Samples of e-readers: a fixed text for each language, spoken once and stored. Whoever first asks
//! for a sample has it made, without a charge, by whichever process has the engine; an operator can
//! have all made ahead. `requests` sees to it that each is made once.

mod requests;
mod texts;

use lectern_speech::spec::NarrationSpec;
use lectern_store::{
    ereaders::{self, Ereader, Sample, sample_requests::SampleKey},
    object_deletions,
};
use lectern_types::{AccountId, AudioFormat, AudioParams, language::find_same};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    context::SpeechContext,
    speaking::{Passage, Priority, Speaker, narration},
};
use crate::{
    base::Base,
    clock,
    error::{Error, Result},
};

pub use requests::{Samples, serve_requests};
use texts::text_in;

/// After how long the object of an attempt is deleted if no row needs it.
const ABANDONED_SECONDS: i64 = 60 * 60;

/// The languages in which an e-reader has a sample or gets one when it is asked for, sorted.
pub fn languages(ereader: &Ereader) -> Vec<String> {
    let mut all = ereader.sample_langs.clone();
    if ereader.active {
        let speakable = ereader.languages.iter().filter(|language| text_in(language).is_some());
        let missing: Vec<String> = speakable.filter(|tag| !holds(&all, tag)).cloned().collect();
        all.extend(missing);
    }
    all.sort_unstable_by_key(|tag| tag.to_ascii_lowercase());
    all
}

fn holds(tags: &[String], tag: &str) -> bool {
    tags.iter().any(|other| other.eq_ignore_ascii_case(tag))
}

/// The sample of an active e-reader in `language`, or, without one, in the first of its languages
/// that has a sample. It is made if it is not stored yet. `None` when there is none and none can be
/// made: there is no such e-reader, or no text in the language.
///
/// # Errors
/// `service_unavailable` while no process makes the sample, or the engine's, the storage's or the
/// store's.
pub async fn find_or_make(
    context: &SpeechContext,
    samples: &Samples,
    slug: &str,
    language: Option<&str>,
) -> Result<Option<Sample>> {
    let store = &context.base.store;
    // PostgreSQL refuses NUL in text, and nothing stored contains one.
    if slug.contains('\0') || language.is_some_and(|language| language.contains('\0')) {
        return Ok(None);
    }
    let Some(ereader) = ereaders::find_by_slug(store, slug).await?.filter(|found| found.active) else {
        return Ok(None);
    };
    let offered = languages(&ereader);
    let language = match language {
        Some(language) => find_same(&offered, language),
        None => ereader.languages.iter().find(|tag| holds(&offered, tag)).or_else(|| offered.first()),
    };
    let Some(language) = language else { return Ok(None) };
    if let Some(sample) = ereaders::sample(store, ereader.id, language).await? {
        return Ok(Some(sample));
    }
    let key = SampleKey { ereader: ereader.id, language: language.clone() };
    samples.make(context, &ereader, &key).await?;
    Ok(ereaders::sample(store, ereader.id, language).await?)
}

/// Makes and stores a sample in each language of the e-reader for which there is a text, in the
/// place of those that it has. Returns them.
///
/// # Errors
/// The engine's, the storage's or the store's.
pub async fn make(base: &Base, speech: &Speaker, ereader: &Ereader) -> Result<Vec<Sample>> {
    let mut made = Vec::new();
    for language in ereader.languages.iter().filter(|language| text_in(language).is_some()) {
        let sample = speak(base, speech, ereader, language).await?;
        if !ereaders::put_sample(&base.store, ereader, &sample).await? {
            return Err(Error::Internal("the e-reader got another voice meanwhile".to_owned()));
        }
        made.push(sample);
    }
    Ok(made)
}

/// Speaks a sample and puts it into the storage; a row is still to be written.
async fn speak(base: &Base, speech: &Speaker, ereader: &Ereader, language: &str) -> Result<Sample> {
    let text = text_in(language).unwrap_or_default();
    let spec = NarrationSpec { seed: 1, ..narration(ereader, language, text) };
    // No account has the nil id, so this takes no account's turn.
    let account = AccountId::from_uuid(Uuid::nil());
    let passage = Passage::of(spec, AudioParams::of(AudioFormat::Mp3), account, Priority::Sandbox);
    let recording = speech.record(speech.admit(passage)?, &CancellationToken::new()).await?;
    // Each attempt has an object of its own, so that a late one never replaces another's.
    let attempt = hex::encode(clock::random::<6>());
    let object_key = format!("samples/{}-{}-{attempt}.mp3", ereader.id, language.to_ascii_lowercase());
    let abandoned_at = base.clock.now().plus_seconds(ABANDONED_SECONDS);
    object_deletions::reserve(&base.store, &[&object_key], abandoned_at).await?;
    let about = base.objects.put(&object_key, recording.bytes).await?;
    Ok(Sample {
        language: language.to_owned(),
        object_key,
        etag: about.etag,
        bytes: u32::try_from(about.bytes).unwrap_or(u32::MAX),
        created_at: base.clock.now(),
    })
}
