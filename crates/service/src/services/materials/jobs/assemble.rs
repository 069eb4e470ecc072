//! Makes a file of a whole book: the chunks are joined in order (`joining`), or encoded anew for another loudness
//! (`encoding`), into one audio file or into one MP3 a chapter (`chapters`), from which a publication is made
//! (`publication`). Everything passes piece by piece through local files into object storage.

mod chapters;
mod encoding;
mod headings;
mod joining;
mod parts;
mod progress;
mod publication;

use std::{io, path::Path, time::Instant};

use bytes::Bytes;
use lectern_speech::audio::book::{BookDone, BookFormat as AudioFormat, BookOptions};
use lectern_store::books::{self, Book, BookPart};
use lectern_types::{BookFile, BookFormat, BookLoudness, ErrorCode, MaterialId};
use tokio::io::AsyncReadExt as _;

use super::{
    commit::{self, Trace},
    context::{JobContext, claimed, phase},
    run::{Fault, JobError, Run},
    workspace::Scratch,
};
use crate::{
    base::Base,
    error::chain,
    objects::{Metadata, Pieces},
};
use encoding::Sound;
use parts::{Part, Parts};
use progress::Progress;

const KIND: &str = "assemble";

/// Bytes written to a file, and to object storage, at a time.
const FILE_BUFFER_BYTES: usize = 256 << 10;

/// A file that was made in the workspace.
struct Made {
    scratch: Scratch,
    duration_ms: u64,
    parts: Vec<BookPart>,
}

/// Makes the file of the run's claim.
///
/// # Errors
/// [`JobError`].
pub async fn assemble(context: &JobContext, run: &Run) -> Result<(), JobError> {
    let base = &context.base;
    let material = claimed(base, &run.claim).await?;
    let Some(file) = run.claim.detail.as_deref().and_then(|detail| detail.parse::<BookFile>().ok()) else {
        return Err(JobError::permanent(ErrorCode::InternalError, "the job names no file"));
    };
    let parts = Parts::of(base, run, material).await?;
    let progress = Progress::begin(base, run, parts.duration_ms());

    let started = Instant::now();
    let made = match file.format {
        BookFormat::Mp3 | BookFormat::M4b => {
            let scratch = context.space.scratch();
            let path = scratch.path();
            let done = book_file(base, run, &parts, file, path, &progress);
            let duration_ms = run.unless_cancelled(done).await?.duration_ms;
            Made { scratch, duration_ms, parts: Vec::new() }
        }
        BookFormat::Zip => {
            run.unless_cancelled(chapters::zip(context, run, &parts, file.loudness, &progress)).await?
        }
        BookFormat::Epub | BookFormat::Daisy => {
            run.unless_cancelled(publication::make(context, run, &parts, file, &progress)).await?
        }
    };
    phase(KIND, "encode", started);

    let started = Instant::now();
    let book = store(base, run, parts.material.id, file, &made).await?;
    phase(KIND, "store", started);
    drop(made);

    let answer = books::insert(&base.store, &run.claim, &book).await;
    commit::settled(base, run, answer, Trace::Book { file, object: &book.object }).await?;
    metrics::counter!("lectern_book_audio_ms_total").increment(book.duration_ms);
    Ok(())
}

/// Makes one audio file of a whole book.
async fn book_file(
    base: &Base,
    run: &Run,
    parts: &Parts,
    file: BookFile,
    path: &Path,
    progress: &Progress,
) -> Result<BookDone, JobError> {
    let format = if file.format == BookFormat::M4b { AudioFormat::M4b } else { AudioFormat::Mp3 };
    let sound = Sound::of(file.loudness, parts, format);
    let options = BookOptions {
        chapters: parts.marks(sound.head_ms, sound.tail_ms),
        bitrate_kbps: sound.bitrate_kbps,
        ..parts.options(format, sound.sample_rate_hz)
    };
    audio_file(base, run, &parts.all(), (options, sound), path, progress).await
}

/// Makes one audio file of parts: joined from what is encoded, or encoded anew for another loudness.
async fn audio_file(
    base: &Base,
    run: &Run,
    parts: &[Part],
    (options, sound): (BookOptions, Sound),
    path: &Path,
    progress: &Progress,
) -> Result<BookDone, JobError> {
    match sound.loudness {
        BookLoudness::Standard => joining::join(base, run, parts, options, path, progress).await,
        BookLoudness::Acx => encoding::encode(base, run, parts, (options, sound), path, progress).await,
    }
}

/// Puts a file into object storage.
async fn store(
    base: &Base,
    run: &Run,
    material: MaterialId,
    file: BookFile,
    made: &Made,
) -> Result<Book, JobError> {
    let name = file.to_string().replace('+', "-");
    let extension = file.format.extension();
    let object = format!("materials/{material}/book-{}-{name}.{extension}", run.id());
    commit::announce(base, run, &[&object]).await?;
    let about = put_file(base, run, &object, made.scratch.path()).await?;
    Ok(Book {
        file,
        object,
        bytes: about.bytes,
        etag: about.etag,
        duration_ms: made.duration_ms,
        parts: made.parts.clone(),
        created_at: base.clock.now(),
    })
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

/// Opens an object for reading; `None` when it does not exist.
async fn open(base: &Base, key: &str) -> Result<Option<(Metadata, Pieces)>, JobError> {
    let Some(about) = base.objects.head(key).await? else { return Ok(None) };
    let pieces = base.objects.read(key, 0..about.bytes).await?;
    Ok(pieces.map(|pieces| (about, pieces)))
}

fn unread(base: &Base, key: &str, error: &io::Error) -> JobError {
    JobError::cut_off(base, format!("{key} cannot be read: {error}"))
}

fn internal(reason: impl Into<String>) -> JobError {
    JobError::Failed(Fault::new(ErrorCode::InternalError, reason))
}

fn failed(error: &(dyn std::error::Error + 'static)) -> JobError {
    internal(format!("the book cannot be made: {}", chain(error)))
}
