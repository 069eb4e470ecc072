//! Chooses the language in which a text is read and checks that the e-reader can read it. No
//! credits are held or charged for a text that cannot be read.

use std::collections::HashSet;

use lectern_documents::language::{Scripts, detect, is_in_foreign_script};
use lectern_store::{
    Store, chunks,
    ereaders::Ereader,
    keys::Authenticated,
    materials::{Failure, Language, Material, NewChunk},
};
use lectern_types::{ErrorCode, LanguageSource, language::find_same};

use crate::error::{Error, Result};

/// The most chunk texts in memory at once.
const TEXTS_AT_ONCE: u32 = 200;

/// How many texts of a material are used to detect its language.
const TEXTS_TO_DETECT: usize = 20;

/// The e-reader's tag of the requested language, or its first language without a request. `None`
/// when the e-reader does not speak it.
pub fn of_ereader(ereader: &Ereader, asked: Option<&str>) -> Option<String> {
    match asked {
        None => Some(ereader.languages.first().cloned().unwrap_or_default()),
        Some(asked) => find_same(&ereader.languages, asked).cloned(),
    }
}

/// Refuses a text that is mostly in a script the language does not use.
///
/// # Errors
/// `language_not_supported`.
pub fn check_script(ereader: &Ereader, language: &str, text: &str) -> Result<()> {
    if is_in_foreign_script(text, language) {
        // A text in several scripts may be detected as a language that the e-reader speaks.
        let detected = detect(text).filter(|tag| find_same(&ereader.languages, tag).is_none());
        return Err(not_supported(ereader, detected.map(str::to_owned)));
    }
    Ok(())
}

/// The language in which a material is read: the requested one, else the material's own, else the
/// e-reader's first.
///
/// # Errors
/// `validation_failed` when the e-reader does not speak the requested one, `language_not_supported` when it does not speak
/// the material's.
pub fn of_material(ereader: &Ereader, material: &Material, asked: Option<&str>) -> Result<String> {
    if let Some(asked) = asked {
        return of_ereader(ereader, Some(asked)).ok_or_else(|| {
            Error::invalid("language", format!("must be one of: {}", ereader.languages.join(", ")))
        });
    }
    let own = material.language.as_ref().map(|language| language.tag.as_str());
    of_ereader(ereader, own).ok_or_else(|| not_supported(ereader, own.map(str::to_owned)))
}

fn not_supported(ereader: &Ereader, language: Option<String>) -> Error {
    Error::LanguageNotSupported { language, supported: ereader.languages.clone() }
}

/// The refusal of a chunk in a script that the language does not use.
pub fn chunk_failure(language: &str) -> Failure {
    Failure {
        code: ErrorCode::LanguageNotSupported,
        message: format!("The text of this chunk is mostly in a script in which {language} is not written."),
    }
}

/// Those of the chunks to convert that are mostly in a script the language does not use.
///
/// # Errors
/// The store's.
pub async fn unspeakable_chunks(
    store: &Store,
    caller: &Authenticated,
    material: &Material,
    language: &str,
    asked: Option<&[u32]>,
) -> Result<HashSet<u32>> {
    let asked: Option<HashSet<u32>> = asked.map(|indexes| indexes.iter().copied().collect());
    let (account, environment) = (caller.account, caller.key.environment);
    let chunks = chunks::scripts_to_convert(store, account, environment, material.id).await?;
    let chunks =
        chunks.into_iter().filter(|(index, _)| asked.as_ref().is_none_or(|asked| asked.contains(index)));
    let is_foreign = |(index, scripts): (u32, Option<String>)| {
        // A row that cannot be parsed does not block the conversion.
        let scripts: Scripts = scripts?.parse().ok()?;
        scripts.are_foreign_to(language).then_some(index)
    };
    Ok(chunks.filter_map(is_foreign).collect())
}

/// Those of new chunks that are mostly in a script the language does not use, by their places.
pub fn unspeakable_of(chunks: &[NewChunk], language: &str) -> HashSet<u32> {
    let is_foreign = |(index, chunk): (u32, &NewChunk)| {
        let scripts: Scripts = chunk.scripts.parse().ok()?;
        scripts.are_foreign_to(language).then_some(index)
    };
    (0_u32..).zip(chunks).filter_map(is_foreign).collect()
}

/// Counts the scripts of a material that was extracted before scripts were counted, and detects its
/// language if it has none.
///
/// # Errors
/// The store's.
pub async fn complete(store: &Store, caller: &Authenticated, material: &mut Material) -> Result<()> {
    let (account, environment) = (caller.account, caller.key.environment);
    let mut first = 0;
    loop {
        let texts =
            chunks::texts_without_scripts(store, account, environment, material.id, first, TEXTS_AT_ONCE)
                .await?;
        let Some((last, _)) = texts.last() else { return Ok(()) };
        let (is_start, next) = (first == 0, last.saturating_add(1));
        let counted = tokio::task::spawn_blocking(move || {
            let scripts: Vec<_> =
                texts.iter().map(|(index, text)| (*index, Scripts::of(text).to_string())).collect();
            let sample: String = texts.iter().take(TEXTS_TO_DETECT).map(|(_, text)| text.as_str()).collect();
            (scripts, is_start.then(|| detect(&sample)).flatten())
        });
        let (scripts, detected) =
            counted.await.map_err(|error| Error::Internal(format!("scripts were not counted: {error}")))?;
        chunks::record_scripts(store, material.id, &scripts, detected).await?;
        if material.language.is_none() {
            material.language =
                detected.map(|tag| Language { tag: tag.to_owned(), source: LanguageSource::Detected });
        }
        first = next;
    }
}
