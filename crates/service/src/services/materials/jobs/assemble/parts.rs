//! What a file of a whole book is made of: its chunks by chapters, its tags and its cover.

use futures_util::TryStreamExt as _;
use lectern_publishing::{Book as Publication, Cover};
use lectern_speech::audio::book::{BookChapter, BookCover, BookFormat, BookOptions, BookTags};
use lectern_store::{
    chunks::{self, ChunkAudio},
    ereaders,
    materials::{self, Material, NewChapter},
};
use lectern_types::{ErrorCode, SeriesIndex};

use super::{internal, open, unread};
use crate::{
    base::Base,
    services::materials::jobs::run::{JobError, Run},
};

/// Chunks read from the store at a time.
const PAGE: u32 = 1_000;

/// A book to make.
pub(super) struct Parts {
    pub(super) material: Material,
    /// Those that are included, in order.
    pub(super) chapters: Vec<Chapter>,
    /// The chunks of those that are not included: before each that is, and after the last.
    pub(super) omitted: Vec<Vec<u32>>,
    pub(super) sample_rate_hz: u32,
    pub(super) tags: BookTags,
    pub(super) cover: Option<BookCover>,
}

/// A chapter of a book.
pub(super) struct Chapter {
    /// Its index in the material.
    pub(super) index: u32,
    pub(super) about: NewChapter,
    /// Its chunks, in order.
    pub(super) parts: Vec<Part>,
}

/// A chunk of a book.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) index: u32,
    pub(super) audio: ChunkAudio,
}

impl Chapter {
    /// Its title, or its number among those of the book.
    pub(super) fn title(&self, number: u32) -> String {
        self.about.title.clone().unwrap_or_else(|| format!("Chapter {number}"))
    }

    pub(super) fn duration_ms(&self) -> u64 {
        self.parts.iter().map(|part| part.audio.duration_ms).sum()
    }
}

impl Parts {
    /// The book of a material. All of its chunks have audio; otherwise there would be no job.
    pub(super) async fn of(base: &Base, run: &Run, material: Material) -> Result<Self, JobError> {
        let (chapters, omitted) = chapters(base, run, &material).await?;
        let first = chapters.first().and_then(|chapter| chapter.parts.first());
        let Some(sample_rate_hz) = first.map(|part| part.audio.sample_rate_hz) else {
            return Err(JobError::permanent(ErrorCode::InternalError, "the book has no chunks"));
        };
        let tags = tags(base, &material).await?;
        let cover = cover(base, &material).await?;
        Ok(Self { material, chapters, omitted, sample_rate_hz, tags, cover })
    }

    pub(super) fn duration_ms(&self) -> u64 {
        self.chapters.iter().map(Chapter::duration_ms).sum()
    }

    /// All chunks in order.
    pub(super) fn all(&self) -> Vec<Part> {
        self.chapters.iter().flat_map(|chapter| chapter.parts.iter().cloned()).collect()
    }

    /// The language that is heard.
    pub(super) fn language(&self) -> Option<String> {
        let material = &self.material;
        material.speech_language.clone().or_else(|| material.language.as_ref().map(|own| own.tag.clone()))
    }

    /// The options of one audio file, of the whole book or of a chapter.
    pub(super) fn options(&self, format: BookFormat, sample_rate_hz: u32) -> BookOptions {
        BookOptions {
            title: Some(self.material.title.clone()),
            author: self.material.author.clone(),
            language: self.language(),
            cover: self.cover.clone(),
            tags: self.tags.clone(),
            ..BookOptions::new(format, sample_rate_hz)
        }
    }

    /// The chapters of one audio file with `head_ms` before the first.
    pub(super) fn marks(&self, head_ms: u64, tail_ms: u64) -> Vec<BookChapter> {
        let mut start_ms = 0;
        let mut marks = Vec::with_capacity(self.chapters.len());
        for chapter in &self.chapters {
            let head_ms = if marks.is_empty() { head_ms } else { 0 };
            let end_ms = start_ms + head_ms + chapter.duration_ms();
            marks.push(BookChapter { title: chapter.about.title.clone(), start_ms, end_ms });
            start_ms = end_ms;
        }
        if let Some(last) = marks.last_mut() {
            last.end_ms += tail_ms;
        }
        marks
    }
}

/// The included chapters with their chunks, and the chunks between them.
async fn chapters(
    base: &Base,
    run: &Run,
    material: &Material,
) -> Result<(Vec<Chapter>, Vec<Vec<u32>>), JobError> {
    let (account, environment) = (run.claim.account, run.claim.environment);
    let mut audio = Vec::new();
    let mut after = None;
    loop {
        let page = chunks::list_of_book(&base.store, account, environment, material.id, after, PAGE).await?;
        after = page.last().map(|chunk| chunk.index);
        let ended = page.len() < PAGE as usize;
        for chunk in page {
            let Some(found) = chunk.audio else {
                return Err(internal(format!("chunk {} has no audio", chunk.index)));
            };
            audio.push(Part { index: chunk.index, audio: found });
        }
        if ended {
            break;
        }
    }
    let mut audio = audio.into_iter().peekable();
    let mut chapters = Vec::new();
    let mut omitted = vec![Vec::new()];
    for chapter in materials::chapters(&base.store, account, environment, material.id).await? {
        let Some(last) = chapter.chunks.last().map(|chunk| chunk.index) else { continue };
        let mut parts = Vec::new();
        while let Some(part) = audio.next_if(|part| part.index <= last) {
            parts.push(part);
        }
        if parts.is_empty() {
            if let Some(between) = omitted.last_mut() {
                between.extend(chapter.chunks.iter().map(|chunk| chunk.index));
            }
        } else {
            chapters.push(Chapter { index: chapter.index, about: chapter.about, parts });
            omitted.push(Vec::new());
        }
    }
    Ok((chapters, omitted))
}

async fn tags(base: &Base, material: &Material) -> Result<BookTags, JobError> {
    let about = &material.about;
    let narrator = match (&about.narrator, material.ereader) {
        (Some(narrator), _) => Some(narrator.clone()),
        (None, Some(ereader)) => ereaders::find(&base.store, ereader).await?.map(|ereader| ereader.name),
        (None, None) => None,
    };
    Ok(BookTags {
        narrator,
        publisher: about.publisher.clone(),
        year: about.year,
        description: about.description.clone(),
        series: about.series.clone(),
        series_index: about.series_index.map(|index| SeriesIndex(index).as_number().to_string()),
        isbn: about.isbn.clone(),
        copyright: about.copyright.clone(),
    })
}

/// The cover's picture. A missing cover does not fail the book.
async fn cover(base: &Base, material: &Material) -> Result<Option<BookCover>, JobError> {
    let Some(cover) = &material.cover else { return Ok(None) };
    let Some((about, mut pieces)) = open(base, &cover.object).await? else {
        tracing::warn!(object.key = cover.object, "a cover is not in the storage");
        return Ok(None);
    };
    let mut bytes = Vec::with_capacity(usize::try_from(about.bytes).unwrap_or(0));
    while let Some(piece) = pieces.try_next().await.map_err(|error| unread(base, &cover.object, &error))? {
        bytes.extend_from_slice(&piece);
    }
    Ok(Some(BookCover { media_type: cover.media_type.clone(), bytes }))
}

/// What a publication says of the book. `chapters` are the length and the bytes of each chapter's MP3.
pub(super) fn about(parts: &Parts, chapters: &[(u64, u64)]) -> Publication {
    let (material, tags) = (&parts.material, &parts.tags);
    let chapter =
        |(chapter, (duration_ms, audio_bytes)): (&Chapter, &(u64, u64))| lectern_publishing::Chapter {
            title: chapter.about.title.clone(),
            level: u8::try_from(chapter.about.level).unwrap_or(1),
            role: chapter.about.role,
            duration_ms: *duration_ms,
            audio_bytes: *audio_bytes,
        };
    Publication {
        title: material.title.clone(),
        author: material.author.clone(),
        narrator: tags.narrator.clone(),
        publisher: tags.publisher.clone(),
        year: tags.year.and_then(|year| u16::try_from(year).ok()),
        language: parts.language(),
        description: tags.description.clone(),
        series: tags.series.clone(),
        series_index: tags.series_index.clone(),
        isbn: tags.isbn.clone(),
        copyright: tags.copyright.clone(),
        identifier: material.id.uuid(),
        modified: jiff::Timestamp::from_microsecond(material.updated_at.0).unwrap_or_default(),
        cover: parts
            .cover
            .as_ref()
            .map(|cover| Cover { media_type: cover.media_type.clone(), bytes: cover.bytes.clone() }),
        chapters: parts.chapters.iter().zip(chapters).map(chapter).collect(),
    }
}
