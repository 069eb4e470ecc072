//! Assembles a whole book in one file: the lossless chunks pass in order through one encoder into a
//! local file, and from there into object storage, always piece by piece.

use std::{
    fs::File,
    io::{self, BufWriter, Read},
    path::Path,
    time::Instant,
};

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use lectern_speech::audio::{
    book::{BookChapter, BookCover, BookDone, BookEncoder, BookError, BookOptions, BookPart},
    flac_reader::FlacReader,
};
use lectern_store::{
    books::{self, Book},
    chunks::{self, Chunk, ChunkAudio},
    materials::Material,
};
use lectern_types::{BookFormat, ErrorCode};
use tokio::{io::AsyncReadExt as _, sync::mpsc};
use tokio_util::sync::CancellationToken;

use super::{
    commit::{self, Trace},
    context::{JobContext, claimed, phase},
    run::{Fault, JobError, Run},
};
use crate::{
    base::Base,
    error::chain,
    objects::{Metadata, Pieces},
};

const KIND: &str = "assemble";

/// How many pieces of a chunk's file may wait for the encoder.
const PIECES_AHEAD: usize = 8;

/// Chunks read from the store at a time.
const PAGE: u32 = 1_000;

/// Bytes written to the file, and to object storage, at a time.
const FILE_BUFFER_BYTES: usize = 256 << 10;

/// Assembles the book of the run's claim.
///
/// # Errors
/// [`JobError`].
pub async fn assemble(context: &JobContext, run: &Run) -> Result<(), JobError> {
    let base = &context.base;
    let material = claimed(base, &run.claim).await?;
    let Some(format) = run.claim.detail.as_deref().and_then(BookFormat::parse) else {
        return Err(JobError::permanent(ErrorCode::InternalError, "the job names no format"));
    };
    let parts = parts(base, run, &material).await?;
    let options = options(base, &material, format, &parts).await?;
    let file = context.space.scratch();

    let started = Instant::now();
    let done = run.unless_cancelled(encode(base, run, &parts, options, file.path())).await?;
    phase(KIND, "encode", started);

    let started = Instant::now();
    let object = format!("materials/{}/book-{}.{}", material.id, run.id(), format.as_str());
    commit::announce(base, run, &[&object]).await?;
    let about = put_file(base, run, &object, file.path()).await?;
    phase(KIND, "store", started);
    drop(file);

    let book = Book {
        format,
        object,
        bytes: about.bytes,
        etag: about.etag,
        duration_ms: done.duration_ms,
        created_at: base.clock.now(),
    };
    let answer = books::insert(&base.store, &run.claim, &book).await;
    let trace = Trace::Book { format, object: &book.object };
    commit::settled(base, run, answer, trace).await?;
    metrics::counter!("lectern_book_audio_ms_total").increment(book.duration_ms);
    Ok(())
}

/// A chunk of the book.
struct Part {
    index: u32,
    starts_chapter: bool,
    title: Option<String>,
    audio: ChunkAudio,
}

/// The chunks in order. All of them have audio; otherwise there would be no job.
async fn parts(base: &Base, run: &Run, material: &Material) -> Result<Vec<Part>, JobError> {
    let mut parts: Vec<Part> = Vec::new();
    loop {
        let after = parts.last().map(|part| part.index);
        let page =
            chunks::list(&base.store, run.claim.account, run.claim.environment, material.id, after, PAGE);
        let page = page.await?;
        let ended = page.len() < PAGE as usize;
        for chunk in page {
            let Some(audio) = chunk.audio else {
                return Err(internal(format!("chunk {} has no audio", chunk.index)));
            };
            let Chunk { index, starts_chapter, title, .. } = chunk;
            parts.push(Part { index, starts_chapter, title, audio });
        }
        if ended {
            return Ok(parts);
        }
    }
}

/// The encoder's input before the first sample: the book's metadata and its chapters.
async fn options(
    base: &Base,
    material: &Material,
    format: BookFormat,
    parts: &[Part],
) -> Result<BookOptions, JobError> {
    let Some(sample_rate_hz) = parts.first().map(|part| part.audio.sample_rate_hz) else {
        return Err(JobError::permanent(ErrorCode::InternalError, "the book has no chunks"));
    };
    Ok(BookOptions {
        format,
        sample_rate_hz,
        title: Some(material.title.clone()),
        author: material.author.clone(),
        language: material
            .speech_language
            .clone()
            .or_else(|| material.language.as_ref().map(|own| own.tag.clone())),
        chapters: chapters(parts),
        cover: cover(base, material).await?,
    })
}

fn chapters(parts: &[Part]) -> Vec<BookChapter> {
    BookChapter::of_parts(parts.iter().map(|part| BookPart {
        starts_chapter: part.starts_chapter,
        title: part.title.clone(),
        duration_ms: part.audio.duration_ms,
    }))
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

/// Encodes the parts into the file at `path`.
async fn encode(
    base: &Base,
    run: &Run,
    parts: &[Part],
    options: BookOptions,
    path: &Path,
) -> Result<BookDone, JobError> {
    let (sender, receiver) = mpsc::channel(1);
    // Stops the encoder when this future is dropped.
    let given_up = run.cancelled.child_token();
    let encoding = {
        let encoder = Encoding { parts: parts.len(), receiver, given_up: given_up.clone() };
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || encoder.run(options, &path))
    };
    let _guard = given_up.drop_guard();
    let fed = feed(base, parts, sender).await;
    let encoded =
        encoding.await.unwrap_or_else(|error| Err(internal(format!("the encoder stopped: {error}"))));
    // A failed feed is the cause of the encoder's error.
    fed.and(encoded)
}

/// Feeds the parts' files in order, piece by piece, so that memory does not grow with the book.
async fn feed(base: &Base, parts: &[Part], encoder: mpsc::Sender<PartFile>) -> Result<(), JobError> {
    for part in parts {
        let key = &part.audio.lossless_object;
        let Some((about, mut pieces)) = open(base, key).await? else {
            base.objects.ping().await?;
            return Err(internal(format!("the audio of chunk {} is not in the storage", part.index)));
        };
        let (sender, receiver) = mpsc::channel(PIECES_AHEAD);
        // The encoder has stopped; its result says why.
        if encoder.send(PartFile { pieces: receiver, piece: Bytes::new() }).await.is_err() {
            break;
        }
        let mut bytes = 0;
        while let Some(piece) = pieces.try_next().await.map_err(|error| unread(base, key, &error))? {
            bytes += piece.len() as u64;
            if sender.send(piece).await.is_err() {
                break;
            }
        }
        if bytes < about.bytes && !sender.is_closed() {
            return Err(unread(base, key, &io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
    }
    Ok(())
}

/// Opens an object for reading; `None` when it does not exist.
async fn open(base: &Base, key: &str) -> Result<Option<(Metadata, Pieces)>, JobError> {
    let Some(about) = base.objects.head(key).await? else { return Ok(None) };
    let pieces = base.objects.read(key, 0..about.bytes).await?;
    Ok(pieces.map(|pieces| (about, pieces)))
}

fn unread(base: &Base, key: &str, error: &io::Error) -> JobError {
    JobError::cut_off(base, format!("{key} cannot be read: {error}"))
}

/// A part's file as the encoder's thread reads it.
struct PartFile {
    pieces: mpsc::Receiver<Bytes>,
    piece: Bytes,
}

impl Read for PartFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.pieces.blocking_recv() {
                Some(piece) => self.piece = piece,
                None => return Ok(0),
            }
        }
        let taken = self.piece.split_to(self.piece.len().min(buffer.len()));
        buffer[..taken.len()].copy_from_slice(&taken);
        Ok(taken.len())
    }
}

/// The encoder's side, on its own thread.
struct Encoding {
    /// The number of parts to expect.
    parts: usize,
    receiver: mpsc::Receiver<PartFile>,
    given_up: CancellationToken,
}

impl Encoding {
    fn run(mut self, options: BookOptions, path: &Path) -> Result<BookDone, JobError> {
        let file = BufWriter::with_capacity(FILE_BUFFER_BYTES, File::create_new(path)?);
        let mut encoder = BookEncoder::new(options, file).map_err(unwritten)?;
        let mut parts = 0;
        while let Some(file) = self.receiver.blocking_recv() {
            let mut reader = FlacReader::new(file).map_err(|error| failed(&error))?;
            while let Some(samples) = reader.read().map_err(|error| failed(&error))? {
                if self.given_up.is_cancelled() {
                    return Err(JobError::Cancelled);
                }
                encoder.push(samples).map_err(unwritten)?;
            }
            parts += 1;
        }
        if parts < self.parts {
            return Err(internal(format!("only {parts} of {} chunks came", self.parts)));
        }
        encoder.finish().map_err(unwritten)
    }
}

/// Uploads the file at `path`, piece by piece.
async fn put_file(base: &Base, run: &Run, key: &str, path: &Path) -> Result<Metadata, JobError> {
    let mut file = tokio::fs::File::open(path).await?;
    let mut writing = base.objects.writer(key).await?;
    loop {
        let mut piece = Vec::with_capacity(FILE_BUFFER_BYTES);
        let read = file.read_buf(&mut piece).await;
        let written = match read {
            Ok(0) => return Ok(writing.finish().await?),
            Ok(_) if run.cancelled.is_cancelled() => Err(JobError::Cancelled),
            Ok(_) => writing.write(Bytes::from(piece)).await.map_err(JobError::from),
            Err(error) => Err(error.into()),
        };
        if let Err(setback) = written {
            writing.abort().await;
            return Err(setback);
        }
    }
}

fn internal(reason: impl Into<String>) -> JobError {
    JobError::Failed(Fault::new(ErrorCode::InternalError, reason))
}

/// A failed write is the disk's fault; everything else is the book's.
fn unwritten(error: BookError) -> JobError {
    match error {
        BookError::Write(error) => error.into(),
        error @ BookError::Audio(_) => failed(&error),
    }
}

fn failed(error: &(dyn std::error::Error + 'static)) -> JobError {
    internal(format!("the book cannot be encoded: {}", chain(error)))
}
