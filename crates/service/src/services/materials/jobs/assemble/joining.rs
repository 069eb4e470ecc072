//! Joins the chunks' own encoded audio into one audio file. What a chunk lacks of it is encoded from its lossless audio:
//! chunks that a program of before converted, and audio at another rate or from another encoder.

use std::{
    fs::File,
    io::{BufWriter, Cursor},
    path::Path,
};

use futures_util::{StreamExt as _, TryStreamExt as _};
use lectern_speech::audio::{
    AudioError,
    book::{BookDone, BookFormat, BookJoiner, BookOptions, ChunkEncoder, is_joinable},
    flac_reader::FlacReader,
    resample::resample,
};
use tokio::sync::mpsc;

use super::{
    FILE_BUFFER_BYTES, encoding::unwritten, failed, internal, open, parts::Part, progress::Progress, unread,
};
use crate::{
    base::Base,
    services::materials::jobs::run::{JobError, Run},
};

/// How many chunks are fetched at a time.
const AT_ONCE: usize = 4;

/// A chunk's encoded audio, its length in samples, and in milliseconds.
type Encoded = (Vec<u8>, u64, u64);

/// Joins the parts into the file at `path`.
pub(super) async fn join(
    base: &Base,
    run: &Run,
    parts: &[Part],
    options: BookOptions,
    path: &Path,
    progress: &Progress,
) -> Result<BookDone, JobError> {
    let (format, rate) = (options.format, options.sample_rate_hz);
    let (sender, mut receiver) = mpsc::channel::<Encoded>(1);
    let path = path.to_owned();
    let count = parts.len();
    let joining = tokio::task::spawn_blocking(move || {
        let file = BufWriter::with_capacity(FILE_BUFFER_BYTES, File::create_new(path)?);
        let mut book = BookJoiner::new(options, file).map_err(unwritten)?;
        let mut joined = 0;
        while let Some((encoded, samples, _)) = receiver.blocking_recv() {
            book.push(&encoded, samples).map_err(unwritten)?;
            joined += 1;
        }
        // The other side says why.
        if joined < count {
            return Err(internal(format!("only {joined} of {count} chunks came")));
        }
        book.finish().map_err(unwritten)
    });
    let counter = progress.counter();
    let mut encoded_parts = Vec::with_capacity(parts.len());
    for part in parts {
        encoded_parts.push(encoded(base, run, part, format, rate));
    }
    let mut encoded = futures_util::stream::iter(encoded_parts).buffered(AT_ONCE);
    let fed = async {
        while let Some(encoded) = encoded.try_next().await? {
            let duration_ms = encoded.2;
            // The joiner has stopped; its result says why.
            if sender.send(encoded).await.is_err() {
                break;
            }
            counter.fetch_add(duration_ms, std::sync::atomic::Ordering::Relaxed);
        }
        Ok(())
    };
    let fed = fed.await;
    drop(sender);
    let joined = joining.await.unwrap_or_else(|error| Err(internal(format!("the joiner stopped: {error}"))));
    // A failed feed is the cause of the joiner's error.
    fed.and(joined)
}

/// A chunk's encoded audio: what was stored when it was spoken, if that fits.
async fn encoded(
    base: &Base,
    run: &Run,
    part: &Part,
    format: BookFormat,
    rate: u32,
) -> Result<Encoded, JobError> {
    if run.cancelled.is_cancelled() {
        return Err(JobError::Cancelled);
    }
    let samples = part.audio.duration_ms * u64::from(rate) / 1000;
    let stored = match format {
        BookFormat::Mp3 => &part.audio.mp3_object,
        BookFormat::M4b => &part.audio.aac_object,
    };
    let fits =
        |key: &&String| part.audio.sample_rate_hz == rate && is_of_same_run(key, &part.audio.lossless_object);
    if let Some(key) = stored.as_ref().filter(fits)
        && let Some(bytes) = read(base, key).await?
        && is_joinable(&bytes, format, rate)
    {
        return Ok((bytes, samples, part.audio.duration_ms));
    }
    let lossless = &part.audio.lossless_object;
    let Some(flac) = read(base, lossless).await? else {
        base.objects.ping().await?;
        return Err(internal(format!("the audio of chunk {} is not in the storage", part.index)));
    };
    let given_up = run.cancelled.clone();
    let encoding =
        tokio::task::spawn_blocking(move || encode(flac, format, rate, &|| given_up.is_cancelled()));
    let encoded =
        encoding.await.unwrap_or_else(|error| Err(internal(format!("the encoder stopped: {error}"))))?;
    Ok((encoded, samples, part.audio.duration_ms))
}

/// Whether two files of a chunk are of the same run. A program that does not know the one may have replaced the other.
fn is_of_same_run(key: &str, lossless: &str) -> bool {
    let stem = |key: &str| key.rsplit_once('.').map(|(stem, _)| stem.to_owned());
    stem(key) == stem(lossless)
}

/// A whole object; `None` when it does not exist.
async fn read(base: &Base, key: &str) -> Result<Option<Vec<u8>>, JobError> {
    let Some((about, mut pieces)) = open(base, key).await? else { return Ok(None) };
    let mut bytes = Vec::with_capacity(usize::try_from(about.bytes).unwrap_or(0));
    while let Some(piece) = pieces.try_next().await.map_err(|error| unread(base, key, &error))? {
        bytes.extend_from_slice(&piece);
    }
    if (bytes.len() as u64) < about.bytes {
        return Err(unread(base, key, &std::io::ErrorKind::UnexpectedEof.into()));
    }
    Ok(Some(bytes))
}

/// Encodes a chunk from its lossless audio.
fn encode(
    flac: Vec<u8>,
    format: BookFormat,
    rate: u32,
    is_given_up: &dyn Fn() -> bool,
) -> Result<Vec<u8>, JobError> {
    let unusable = |error: AudioError| failed(&error);
    let mut reader = FlacReader::new(Cursor::new(flac)).map_err(unusable)?;
    let mut encoder = ChunkEncoder::new(format, rate).map_err(unusable)?;
    let from_hz = reader.sample_rate_hz();
    let mut all = Vec::new();
    while let Some(samples) = reader.read().map_err(unusable)? {
        if is_given_up() {
            return Err(JobError::Cancelled);
        }
        let samples = samples.iter().map(|&sample| f32::from(sample) / 32_768.0);
        if from_hz == rate {
            let samples: Vec<f32> = samples.collect();
            encoder.push(&samples).map_err(unusable)?;
        } else {
            // A rate can only be changed for a whole chunk. It has at most 15 minutes.
            all.extend(samples);
        }
    }
    if from_hz != rate {
        encoder.push(&resample(&all, from_hz, rate).map_err(unusable)?).map_err(unusable)?;
    }
    encoder.finish().map_err(unusable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_another_run_are_not_joined() {
        let lossless = "materials/mat_1/chunks/00001-aa.flac";
        assert!(is_of_same_run("materials/mat_1/chunks/00001-aa.aac", lossless));
        assert!(!is_of_same_run("materials/mat_1/chunks/00001-bb.aac", lossless));
        assert!(!is_of_same_run("materials/mat_1/chunks/00001-aa", lossless));
    }
}
