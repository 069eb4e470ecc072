//! Marks chunks as converting when workers begin to speak them.

use std::{collections::BTreeMap, fmt, sync::Arc};

use lectern_types::{AudioFormat, MaterialId, Timestamp};

use super::{
    MarkedLanguage, PauseAt, Pronounced, SpokenBy,
    batch::{in_batch, in_order},
};
use crate::{
    Result, Store,
    db::{Bind, Bound as _, Row, Tx, many},
    ereaders::{self, Ereader},
    jobs::{self, JobClaim},
    materials::{self, Material, read_marks},
    object_deletions,
};

/// Names the objects that an attempt is going to store for a chunk.
pub type Announce = Arc<dyn Fn(&Started) -> Vec<String> + Send + Sync>;

/// A claimed chunk to start.
#[derive(Clone)]
pub struct Starting {
    pub claim: JobClaim,
    /// The objects that the attempt will write are announced with its start ([`object_deletions`]).
    pub objects: Announce,
}

impl fmt::Debug for Starting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Starting").field("claim", &self.claim).finish_non_exhaustive()
    }
}

/// Everything needed for speaking a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    pub material: MaterialId,
    pub index: u32,
    pub text: String,
    /// Unicode scalar values of its text.
    pub characters: u32,
    /// The pauses inside it.
    pub pauses: Vec<PauseAt>,
    /// The stretches of its text in a language of their own.
    pub languages: Vec<MarkedLanguage>,
    pub pause_after_ms: u32,
    pub format: AudioFormat,
    /// The e-reader that speaks; `None` if it was deleted.
    pub ereader: Option<Ereader>,
    /// The language to read in.
    pub speech_language: Option<String>,
    /// The name of the copied entries of its lexicons.
    pub lexicon: Option<String>,
    /// The stretches of its text whose pronunciation the document gives.
    pub pronounced: Vec<Pronounced>,
    /// Who says which stretches of its text.
    pub speakers: Vec<SpokenBy>,
    /// The e-readers of those speakers of the material that have one of their own.
    pub voices: Vec<(String, Ereader)>,
}

/// Starts claimed chunks, in one transaction if possible. `None` for a chunk whose claim was lost or
/// whose material was deleted. The announced objects are deleted at `due_at` unless
/// [`complete`](super::complete()) keeps them.
pub async fn start(store: &Store, starting: &[Starting], due_at: Timestamp) -> Vec<Result<Option<Started>>> {
    in_batch(starting, |starting| begin(store, starting, due_at)).await
}

async fn begin(
    store: &Store,
    starting: &[Starting],
    due_at: Timestamp,
) -> Result<Option<(Tx, Vec<Started>)>> {
    let claims: Vec<&JobClaim> = starting.iter().map(|one| &one.claim).collect();
    let Some(places) = claims.iter().map(|claim| claim.place()).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let mut tx = store.begin().await?;
    let materials =
        materials::lock_all(&mut tx, places.iter().map(|(material, _)| *material).collect()).await?;
    let materials: BTreeMap<MaterialId, Material> =
        materials.into_iter().map(|material| (material.id, material)).collect();
    if !jobs::are_held(&mut tx, &claims).await? {
        return Ok(None);
    }
    let Some(texts) = in_order(places.iter().copied(), texts(&mut tx, &places).await?) else {
        return Ok(None);
    };
    let Some(marked) = in_order(places.iter().copied(), mark(&mut tx, &places).await?) else {
        return Ok(None);
    };
    let readers = materials.values().filter_map(|material| material.ereader).collect();
    let readers = ereaders::find_in(&mut tx, &readers).await?;
    let with_speakers =
        places.iter().zip(&texts).filter(|(_, text)| !text.speakers.is_empty()).map(|((id, _), _)| *id);
    let cast = materials::voices(&mut tx, &with_speakers.collect()).await?;
    let mut begun = Vec::with_capacity(starting.len());
    let mut objects = Vec::new();
    for (((one, (id, index)), text), marked) in starting.iter().zip(places).zip(texts).zip(marked) {
        // The conversion that queued the chunk has fixed the e-reader.
        let Some((material, ereader)) = materials.get(&id).and_then(|found| Some((found, found.ereader?)))
        else {
            return Ok(None);
        };
        let started = Started {
            material: id,
            index,
            text: text.text,
            characters: marked.characters,
            pauses: text.pauses,
            languages: text.languages,
            pause_after_ms: marked.pause_after_ms,
            format: marked.format,
            ereader: readers.iter().find(|one| one.id == ereader).cloned(),
            speech_language: marked.speech_language.or_else(|| material.speech_language.clone()),
            lexicon: marked.lexicon,
            voices: voices_of(&cast, id, &text.speakers),
            speakers: text.speakers,
            pronounced: text.pronounced,
        };
        objects.extend((one.objects)(&started));
        begun.push(started);
    }
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    object_deletions::note(&mut tx, &objects, due_at).await?;
    Ok(Some((tx, begun)))
}

/// The e-readers of the speakers of a chunk.
fn voices_of(
    cast: &[(MaterialId, String, Ereader)],
    material: MaterialId,
    speakers: &[SpokenBy],
) -> Vec<(String, Ereader)> {
    let speaks = |name: &str| speakers.iter().any(|stretch| stretch.name.as_deref() == Some(name));
    let own = cast.iter().filter(|(of, name, _)| *of == material && speaks(name));
    own.map(|(_, name, ereader)| (name.clone(), ereader.clone())).collect()
}

/// A chunk: its material and its index there.
pub(super) type Place = (MaterialId, u32);

pub(super) fn binds(places: &[Place]) -> impl Iterator<Item = [Bind; 2]> {
    places.iter().map(|(material, index)| [material.bind(), index.bind()])
}

/// A chunk's text and what is marked in it.
struct TextWithMarks {
    text: String,
    pauses: Vec<PauseAt>,
    languages: Vec<MarkedLanguage>,
    speakers: Vec<SpokenBy>,
    pronounced: Vec<Pronounced>,
}

async fn texts(tx: &mut Tx, places: &[Place]) -> Result<Vec<(Place, TextWithMarks)>> {
    let before = "SELECT material_id, idx, text, breaks, languages, speakers, pronounced FROM chunk_texts
                  WHERE (material_id, idx) IN (VALUES ";
    let read = |row: &Row| {
        let place = row.pair("material_id", "idx")?;
        let marks = |column: &str| row.get::<String>(column);
        let (pauses, languages) = (read_marks(&marks("breaks")?)?, read_marks(&marks("languages")?)?);
        let (speakers, pronounced) = (read_marks(&marks("speakers")?)?, read_marks(&marks("pronounced")?)?);
        Ok((place, TextWithMarks { text: row.get("text")?, pauses, languages, speakers, pronounced }))
    };
    tx.every(many(before, &[], binds(places), ")")).await?.iter().map(read).collect()
}

/// The parameters for speaking a chunk, from its row.
struct Marked {
    characters: u32,
    pause_after_ms: u32,
    format: AudioFormat,
    speech_language: Option<String>,
    lexicon: Option<String>,
}

/// Marks chunks as converting.
async fn mark(tx: &mut Tx, places: &[Place]) -> Result<Vec<(Place, Marked)>> {
    let before = "UPDATE chunks SET status = 'converting'
         WHERE status IN ('queued', 'converting') AND (material_id, idx) IN (VALUES ";
    let after =
        ") RETURNING material_id, idx, characters, pause_after_ms, format, speech_language, lexicon_digest";
    let read = |row: &Row| {
        let place = row.pair("material_id", "idx")?;
        let marked = Marked {
            characters: row.get("characters")?,
            pause_after_ms: row.get("pause_after_ms")?,
            format: row.get("format")?,
            speech_language: row.get("speech_language")?,
            lexicon: row.get("lexicon_digest")?,
        };
        Ok((place, marked))
    };
    tx.every(many(before, &[], binds(places), after)).await?.iter().map(read).collect()
}
