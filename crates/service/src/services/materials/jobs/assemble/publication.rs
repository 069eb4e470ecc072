//! EPUB with Media Overlays and DAISY, made of the chapters of the book's ZIP.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write as _},
    path::Path,
};

use futures_util::TryStreamExt as _;
use lectern_documents::Kind;
use lectern_publishing::{Contents, SpokenText, daisy, epub};
use lectern_speech::audio::book::BookFormat as AudioFormat;
use lectern_store::{
    books::{self, BookPart, BookState},
    chunks,
};
use lectern_types::{BookFile, BookFormat, Granularity, WordTimestamp};
use tokio::{io::AsyncWriteExt as _, runtime::Handle};

use super::{
    FILE_BUFFER_BYTES, Made, chapters,
    encoding::Sound,
    internal, open,
    parts::{self, Part, Parts},
    progress::Progress,
    store, unread,
};
use crate::{
    base::Base,
    services::materials::{
        audio::read_words,
        jobs::{
            context::JobContext,
            run::{JobError, Run},
            workspace::Scratch,
        },
        spoken_text,
    },
};

/// Makes an EPUB or a DAISY book.
pub(super) async fn make(
    context: &JobContext,
    run: &Run,
    parts: &Parts,
    file: BookFile,
    progress: &Progress,
) -> Result<Made, JobError> {
    let base = &context.base;
    let zip = zip(context, run, parts, file, progress).await?;
    let source = match Kind::from_media_type(&parts.material.media_type) {
        // A text that was edited is not in the source's documents.
        Some(Kind::Epub) if file.format == BookFormat::Epub && parts.material.edits == 0 => {
            let scratch = context.space.scratch();
            download(base, &parts.material.source_object, scratch.path()).await?;
            Some(scratch)
        }
        _ => None,
    };
    let sizes: Vec<(u64, u64)> = zip.parts.iter().map(|part| (part.duration_ms, part.bytes)).collect();
    let book = parts::about(parts, &sizes);
    let scratch = context.space.scratch();
    let path = scratch.path().to_owned();
    let duration_ms = zip.duration_ms;
    let mut contents = FromZip {
        handle: Handle::current(),
        base: base.clone(),
        owner: (run.claim.account, run.claim.environment),
        material: parts.material.id,
        chapters: parts.chapters.iter().map(|chapter| chapter.parts.clone()).collect(),
        omitted: parts.omitted.clone(),
        head_ms: Sound::of(file.loudness, parts, AudioFormat::Mp3).head_ms,
        zip: File::open(zip.scratch.path())?,
        parts: zip.parts,
        _scratch: zip.scratch,
    };
    let writing = tokio::task::spawn_blocking(move || {
        let out = BufWriter::with_capacity(FILE_BUFFER_BYTES, File::create_new(path)?);
        let made = match (file.format, &source) {
            (BookFormat::Daisy, _) => daisy::write(&book, &mut contents, out),
            (_, None) => epub::write(&book, &mut contents, granularity(file), out),
            (_, Some(source)) => {
                let source = io::BufReader::new(File::open(source.path())?);
                let made = epub::write_with_source(&book, &mut contents, granularity(file), source, out);
                made.map(|(out, outcome)| {
                    tracing::debug!(?outcome, "an EPUB was made from its source");
                    out
                })
            }
        };
        let mut out = made.map_err(chapters::unmade)?;
        Ok::<_, JobError>(out.flush()?)
    });
    writing.await.map_err(|error| internal(format!("the publication was not made: {error}")))??;
    Ok(Made { scratch, duration_ms, parts: Vec::new() })
}

fn granularity(file: BookFile) -> epub::Granularity {
    match file.granularity {
        Granularity::Word => epub::Granularity::Word,
        Granularity::Sentence => epub::Granularity::Sentence,
    }
}

/// The ZIP of the book: the one that was made before, or a new one, which is kept for those who ask for it.
async fn zip(
    context: &JobContext,
    run: &Run,
    parts: &Parts,
    file: BookFile,
    progress: &Progress,
) -> Result<Made, JobError> {
    let base = &context.base;
    let zip = BookFile { loudness: file.loudness, ..BookFile::from(BookFormat::Zip) };
    let (account, environment) = (run.claim.account, run.claim.environment);
    let found = books::find(&base.store, account, environment, parts.material.id, zip).await?;
    if let BookState::Made(book) = found
        && book.parts.len() == parts.chapters.len()
    {
        let scratch = context.space.scratch();
        download(base, &book.object, scratch.path()).await?;
        return Ok(Made { scratch, duration_ms: book.duration_ms, parts: book.parts });
    }
    let made = chapters::zip(context, run, parts, file.loudness, progress).await?;
    let book = store(base, run, parts.material.id, zip, &made).await?;
    if !books::insert_beside(&base.store, &run.claim, &book).await? {
        tracing::debug!(material.id = %parts.material.id, "a ZIP was made twice");
    }
    Ok(made)
}

/// Fetches an object into a new local file.
async fn download(base: &Base, object: &str, path: &Path) -> Result<(), JobError> {
    let Some((_, mut pieces)) = open(base, object).await? else {
        base.objects.ping().await?;
        return Err(internal(format!("{object} is not in the storage")));
    };
    let mut file = tokio::io::BufWriter::new(tokio::fs::File::create_new(path).await?);
    while let Some(piece) = pieces.try_next().await.map_err(|error| unread(base, object, &error))? {
        file.write_all(&piece).await?;
    }
    Ok(file.flush().await?)
}

/// Texts and words from the store, audio from the ZIP.
struct FromZip {
    handle: Handle,
    base: Base,
    owner: (lectern_types::AccountId, lectern_store::Environment),
    material: lectern_types::MaterialId,
    /// The chunks of each chapter.
    chapters: Vec<Vec<Part>>,
    /// The chunks before each chapter that are not in the book, and those after the last.
    omitted: Vec<Vec<u32>>,
    /// The room tone before each chapter.
    head_ms: u64,
    zip: File,
    parts: Vec<BookPart>,
    /// The ZIP goes with it.
    _scratch: Scratch,
}

impl FromZip {
    async fn chunk(&self, index: u32) -> io::Result<String> {
        let (account, environment) = self.owner;
        let text = chunks::text(&self.base.store, account, environment, self.material, index);
        let text = text.await.map_err(io::Error::other)?;
        text.ok_or_else(|| io::Error::other(format!("chunk {index} is gone")))
    }

    async fn spoken(&self, chapter: &[Part]) -> io::Result<SpokenText> {
        let mut spoken = SpokenText::default();
        let mut start_ms = self.head_ms;
        for part in chapter {
            let text = self.chunk(part.index).await?;
            let words = read_words(&self.base.objects, &part.audio.words_object);
            let words: Vec<WordTimestamp> = words.await.map_err(io::Error::other)?;
            spoken_text::add(&mut spoken, &text, &words, start_ms);
            start_ms += part.audio.duration_ms;
        }
        Ok(spoken)
    }
}

impl Contents for FromZip {
    fn text(&mut self, chapter: usize) -> io::Result<SpokenText> {
        let chunks = self.chapters.get(chapter).ok_or(io::ErrorKind::NotFound)?;
        self.handle.block_on(self.spoken(chunks))
    }

    fn omitted(&mut self, chapter: usize) -> io::Result<String> {
        let mut text = String::new();
        for index in self.omitted.get(chapter).into_iter().flatten() {
            text += &self.handle.block_on(self.chunk(*index))?;
            text.push('\n');
        }
        Ok(text)
    }

    fn audio(&mut self, chapter: usize) -> io::Result<Box<dyn Read + '_>> {
        let part = self.parts.get(chapter).ok_or(io::ErrorKind::NotFound)?;
        self.zip.seek(SeekFrom::Start(part.offset))?;
        Ok(Box::new((&self.zip).take(part.bytes)))
    }
}
