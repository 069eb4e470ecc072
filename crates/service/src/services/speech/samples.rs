//! Samples of e-readers: the operator synthesizes them once, and they are stored.

use std::sync::Arc;

use lectern_speech::spec::NarrationSpec;
use lectern_store::ereaders::{self, Ereader, Sample};
use lectern_types::{AccountId, AudioFormat};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::speaking::{Passage, Priority, Speaker, narration};
use crate::{base::Base, error::Result};

/// The text of a sample, by primary language.
const TEXTS: &[(&str, &str)] = &[(
    "en",
    "Hello. I read books, letters and the small print, at any hour and in any order. Give me a page, \
     and I will give you a voice.",
)];

/// Stores a sample in each language of the e-reader for which there is a text. Returns the
/// languages.
///
/// # Errors
/// The engine's, the storage's or the store's.
pub async fn make(base: &Base, speech: &Speaker, ereader: &Ereader) -> Result<Vec<Sample>> {
    let mut made = Vec::new();
    for language in &ereader.languages {
        let Some(text) = text_in(language) else { continue };
        let passage = Passage {
            spec: Arc::new(NarrationSpec { seed: 1, ..narration(ereader, language, text) }),
            format: AudioFormat::Mp3,
            // No account has the nil id, so this takes no account's turn.
            account: AccountId::from_uuid(Uuid::nil()),
            priority: Priority::Sandbox,
        };
        let recording = speech.speak(passage, &CancellationToken::new()).await?;
        let object_key = format!("samples/{}-{}.mp3", ereader.id, language.to_ascii_lowercase());
        let about = base.objects.put(&object_key, recording.bytes).await?;
        let sample = Sample {
            language: language.clone(),
            object_key,
            etag: about.etag,
            bytes: u32::try_from(about.bytes).unwrap_or(u32::MAX),
            created_at: base.clock.now(),
        };
        ereaders::put_sample(&base.store, ereader.id, &sample).await?;
        made.push(sample);
    }
    Ok(made)
}

/// Synthesizes the missing samples of active e-readers whose engines this process has.
///
/// # Errors
/// As [`make`].
pub async fn make_missing(base: &Base, speech: &Speaker) -> Result<()> {
    for ereader in ereaders::list(&base.store, ereaders::Filter::default()).await? {
        if ereader.sample_langs.is_empty() && speech.has_engine(&ereader.engine) {
            match make(base, speech, &ereader).await {
                Ok(_) => tracing::info!(ereader.slug = ereader.slug, "a sample was stored"),
                Err(error) => {
                    tracing::warn!(ereader.slug = ereader.slug, error = %error, "a sample was not made");
                }
            }
        }
    }
    Ok(())
}

fn text_in(language: &str) -> Option<&'static str> {
    let primary = language.split('-').next().unwrap_or_default();
    TEXTS.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(primary)).map(|(_, text)| *text)
}
