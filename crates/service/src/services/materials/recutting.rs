//! Divides the text of a material anew, because its notes go to another place.

use futures_util::TryStreamExt as _;
use lectern_documents::{Document, ExtractedChapter};
use lectern_store::materials::{Material, Recut};
use lectern_types::NotesMode;
use tokio::sync::Semaphore;

use super::{cutting::Rows, written::Readers};
use crate::{
    base::Base,
    error::{Error, Result},
    services::speech::voices,
};

/// How many books are divided at a time: one has up to 16 million characters.
static DIVIDING: Semaphore = Semaphore::const_new(2);

/// What the material becomes with its notes there; `None` when they are there already.
///
/// # Errors
/// `validation_failed` when the text is too long with its notes; the storage's.
pub(super) async fn recut(
    base: &Base,
    material: &Material,
    notes: Option<NotesMode>,
) -> Result<Option<Recut>> {
    let Some(notes) = notes.filter(|&notes| notes != material.notes) else { return Ok(None) };
    // A document without notes is the same with all of them.
    let Some(object) = &material.document_object else { return Ok(Some(Recut { notes, text: None })) };
    // Only ends with the process.
    let _turn = DIVIDING.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
    let document = read(base, object).await?;
    let language = material.language.as_ref().map(|language| language.tag.clone());
    let (before, espeak) = (material.notes, voices::espeak(&base.config));
    let cut = tokio::task::spawn_blocking(move || {
        let language = language.as_deref();
        let readers = &mut Readers::new(espeak);
        let (rows, chapters) = Rows::cut(&document, notes, language, readers)?;
        let (_, old) = Rows::cut(&document, before, language, readers)?;
        Ok::<_, String>((rows, places(&old, &chapters)))
    });
    let cut = cut.await.map_err(|error| Error::Internal(format!("the text was not divided: {error}")))?;
    let (rows, places) = cut.map_err(|why| Error::invalid("notes", why))?;
    let Rows { chapters, chunks, speakers, scripts } = rows;
    let chapters = chapters.into_iter().zip(places).collect();
    Ok(Some(Recut { notes, text: Some((chapters, chunks, speakers, scripts)) }))
}

async fn read(base: &Base, object: &str) -> Result<Document> {
    let gone = || Error::Internal(format!("{object} is not in the storage"));
    let about = base.objects.head(object).await?.ok_or_else(gone)?;
    let pieces = base.objects.read(object, 0..about.bytes).await?.ok_or_else(gone)?;
    let bytes = pieces.try_fold(Vec::new(), |mut all, piece| async move {
        all.extend_from_slice(&piece);
        Ok(all)
    });
    let bytes =
        bytes.await.map_err(|error| Error::Internal(format!("a document cannot be read: {error}")))?;
    serde_json::from_slice(&bytes).map_err(|error| Error::Internal(format!("a document is none: {error}")))
}

/// For each new chapter, the old one that it was. Notes are at most one chapter more or less.
fn places(old: &[ExtractedChapter], new: &[ExtractedChapter]) -> Vec<Option<u32>> {
    let mut old_places = (0_u32..).zip(old).peekable();
    let mut places = Vec::with_capacity(new.len());
    for chapter in new {
        // One that is gone is passed over; one that is new finds no old one.
        let is_ahead = old_places.clone().take(2).any(|(_, other)| other == chapter);
        if !is_ahead {
            places.push(None);
            continue;
        }
        let found = old_places.by_ref().find(|(_, other)| *other == chapter);
        places.push(found.map(|(place, _)| place));
    }
    places
}

#[cfg(test)]
mod tests {
    use lectern_documents::ChapterRole;

    use super::*;

    fn chapters(titles: &[&str]) -> Vec<ExtractedChapter> {
        let chapter = |title: &&str| ExtractedChapter {
            title: Some((*title).to_owned()),
            level: 1,
            role: ChapterRole::Body,
        };
        titles.iter().map(chapter).collect()
    }

    #[test]
    fn chapters_keep_what_their_owner_decided_when_notes_move() {
        let (without, with) =
            (chapters(&["I", "II", "I", "Index"]), chapters(&["I", "II", "I", "Notes", "Index"]));
        assert_eq!(places(&without, &with), [Some(0), Some(1), Some(2), None, Some(3)]);
        assert_eq!(places(&with, &without), [Some(0), Some(1), Some(2), Some(4)]);
        assert_eq!(places(&with, &with), [Some(0), Some(1), Some(2), Some(3), Some(4)]);
        assert_eq!(places(&[], &with), [None; 5]);
    }
}
