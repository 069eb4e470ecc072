//! One MP3 a chapter, several encoded at a time, in a ZIP.

use std::{
    fs::File,
    io::{self, BufWriter, Read},
    num::NonZero,
};

use futures_util::{StreamExt as _, TryStreamExt as _};
use lectern_publishing::{Contents, PublishError, SpokenText, mp3_zip};
use lectern_speech::audio::book::{BookFormat, BookOptions};
use lectern_store::books::BookPart;
use lectern_types::BookLoudness;

use super::{
    FILE_BUFFER_BYTES, Made, audio_file,
    encoding::Sound,
    failed, headings, internal,
    parts::{self, Chapter, Parts},
    progress::Progress,
};
use crate::services::materials::jobs::{
    context::JobContext,
    run::{JobError, Run},
    workspace::Scratch,
};

/// The most chapters that are encoded at a time.
const MOST_AT_ONCE: usize = 4;

/// The most bytes that the cover may take in all files together. It also lies beside them in the ZIP.
const MOST_COVER_BYTES: usize = 64 << 20;

/// Encodes the chapters and puts them into a ZIP.
pub(super) async fn zip(
    context: &JobContext,
    run: &Run,
    parts: &Parts,
    loudness: BookLoudness,
    progress: &Progress,
) -> Result<Made, JobError> {
    let sound = Sound::of(loudness, parts, BookFormat::Mp3);
    let at_once = std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_AT_ONCE);
    let count = parts.chapters.len() as u32;
    let mut encoding = Vec::with_capacity(parts.chapters.len());
    for (chapter, number) in parts.chapters.iter().zip(1_u32..) {
        encoding.push(encoded(context, run, (parts, chapter), sound, (number, count), progress));
    }
    let encoded: Vec<(Scratch, u64)> =
        futures_util::stream::iter(encoding).buffered(at_once).try_collect().await?;
    let durations: Vec<u64> =
        parts.chapters.iter().map(|chapter| sound.head_ms + chapter.duration_ms() + sound.tail_ms).collect();
    let about: Vec<(u64, u64)> =
        durations.iter().copied().zip(encoded.iter().map(|(_, bytes)| *bytes)).collect();
    let book = parts::about(parts, &about);
    let scratch = context.space.scratch();
    let path = scratch.path().to_owned();
    let places = tokio::task::spawn_blocking(move || {
        let file = BufWriter::with_capacity(FILE_BUFFER_BYTES, File::create_new(&path)?);
        let file = mp3_zip::write(&book, &mut Files(encoded), file).map_err(unmade)?;
        let file = file.into_inner().map_err(|error| JobError::from(error.into_error()))?;
        file.sync_data()?;
        mp3_zip::places(File::open(&path)?).map_err(unmade)
    });
    let places = places.await.map_err(|error| internal(format!("the ZIP was not made: {error}")))??;
    if places.len() != parts.chapters.len() {
        return Err(internal(format!("the ZIP has {} chapters", places.len())));
    }
    let marks = headings::marks(&context.base, run, parts, sound.head_ms).await?;
    let about = parts.chapters.iter().zip(&durations).zip(places).zip(marks);
    let found = about.map(|(((chapter, duration_ms), place), marks)| BookPart {
        chapter: chapter.index,
        offset: place.start,
        bytes: place.end - place.start,
        duration_ms: *duration_ms,
        marks,
    });
    let found = found.collect();
    Ok(Made { scratch, duration_ms: durations.iter().sum(), parts: found })
}

/// A chapter's file, and its size. Nothing is made before it is its turn: each has a copy of the cover.
async fn encoded(
    context: &JobContext,
    run: &Run,
    (parts, chapter): (&Parts, &Chapter),
    sound: Sound,
    place: (u32, u32),
    progress: &Progress,
) -> Result<(Scratch, u64), JobError> {
    let scratch = context.space.scratch();
    let how = (options(parts, chapter, sound, place), sound);
    audio_file(&context.base, run, &chapter.parts, how, scratch.path(), progress).await?;
    let bytes = tokio::fs::metadata(scratch.path()).await?.len();
    Ok((scratch, bytes))
}

/// The options of a chapter's file.
fn options(parts: &Parts, chapter: &Chapter, sound: Sound, (number, count): (u32, u32)) -> BookOptions {
    let cover = parts.cover.as_ref().filter(|cover| cover.bytes.len() * count as usize <= MOST_COVER_BYTES);
    BookOptions {
        cover: cover.cloned(),
        title: Some(chapter.title(number)),
        album: Some(parts.material.title.clone()),
        track: Some((number, count)),
        bitrate_kbps: sound.bitrate_kbps,
        ..parts.options(BookFormat::Mp3, sound.sample_rate_hz)
    }
}

/// A failed write is the disk's fault; everything else is the book's.
pub(super) fn unmade(error: PublishError) -> JobError {
    match error {
        PublishError::Write(error) => error.into(),
        other => failed(&other),
    }
}

/// The files of the chapters.
struct Files(Vec<(Scratch, u64)>);

impl Contents for Files {
    fn text(&mut self, _: usize) -> io::Result<SpokenText> {
        Ok(SpokenText::default())
    }

    fn audio(&mut self, chapter: usize) -> io::Result<Box<dyn Read + '_>> {
        let (scratch, _) = self.0.get(chapter).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(File::open(scratch.path())?))
    }
}
