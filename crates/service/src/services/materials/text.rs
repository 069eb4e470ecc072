//! The text of a chunk that its owner writes anew.

use lectern_documents::{Document, chunks_with, language::Scripts};
use lectern_store::{
    chunks::PauseAt,
    keys::Authenticated,
    materials::{self, Material, NewText, Speaker, TextOutcome},
};
use lectern_types::{ErrorCode, MAX_CHARACTERS, MaterialId, TextType};

use super::{chunking::AsSpoken, speakers::Speakers};
use crate::{
    base::Base,
    error::{Error, Result},
    services::speech::wording::{self, Wording},
};

/// Refuses a text that a synthesis would refuse.
///
/// # Errors
/// `text_empty`, `text_too_long` or `validation_failed`.
pub fn check(text: &str) -> Result<()> {
    if text.contains('\0') {
        return Err(Error::invalid("text", "must not contain the character U+0000"));
    }
    let wording = Wording::of("text", text.to_owned(), TextType::Text, 1.0)?;
    wording::check_duration("text", &wording, None)
}

/// Replaces the text of a chunk, which was checked; `index` is `None` for a malformed one. Returns the index.
///
/// # Errors
/// `material_not_found`, `material_not_ready`, `chunk_not_found`, `chunk_in_progress`.
pub async fn set(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    index: Option<u32>,
    text: &str,
) -> Result<u32> {
    let found = super::find(&base.store, caller, material).await?;
    super::check_has_text(found.status)?;
    let index = index.ok_or(ErrorCode::ChunkNotFound)?;
    let speaker = materials::running_speaker(&base.store, &found, index).await?;
    let cast = materials::cast(&base.store, &found).await?;
    // In a text that names its speakers, no dialogue is attributed.
    let speakers = if speaker.is_some() || cast.iter().any(Speaker::is_named) {
        Speakers::by_lines(text, speaker.as_deref())
    } else {
        Speakers::of(text, found.language.as_ref().map(|language| language.tag.as_str()), &[])
    };
    let mut new = new_text(&found, text, &speakers);
    if let Some(first) = new.speakers.first_mut().filter(|first| speaker.is_some() && first.start == 0) {
        first.goes_on = true;
    }
    let (account, environment) = (caller.account, caller.key.environment);
    let outcome =
        materials::set_text(&base.store, account, environment, material, index, &new, base.writing());
    match outcome.await? {
        TextOutcome::NotFound => Err(ErrorCode::MaterialNotFound.into()),
        TextOutcome::NotReady { status } => Err(Error::MaterialNotReady { status }),
        TextOutcome::NoSuchChunk => Err(ErrorCode::ChunkNotFound.into()),
        TextOutcome::InProgress => Err(ErrorCode::ChunkInProgress.into()),
        TextOutcome::Changed => Ok(index),
    }
}

/// A text with what is stored beside it. What the document said of the old text is lost: its marked languages and
/// pronunciations, and its headings.
fn new_text(material: &Material, text: &str, speakers: &Speakers) -> NewText {
    let language = material.language.as_ref().map(|language| language.tag.as_str());
    let document = Document::of_text(text);
    let pieces = chunks_with(&document, MAX_CHARACTERS, language, &AsSpoken);
    let mut pauses = Vec::new();
    for piece in &pieces {
        // A text has at most 5,000 characters.
        let at = |within: usize| (piece.range.start + within) as u32;
        pauses
            .extend(piece.pauses.iter().map(|pause| PauseAt { at: at(pause.at), pause_ms: pause.pause_ms }));
        if piece.pause_after_ms > 0 {
            let end = text.get(piece.range.clone()).map_or(0, |piece| piece.trim_end().len());
            pauses.push(PauseAt { at: at(end), pause_ms: piece.pause_after_ms });
        }
    }
    NewText {
        text: text.to_owned(),
        characters: pieces.iter().map(|piece| piece.characters).sum(),
        pauses,
        speakers: speakers.inside(text, &(0..text.len())),
        scripts: Scripts::of(text).to_string(),
    }
}
