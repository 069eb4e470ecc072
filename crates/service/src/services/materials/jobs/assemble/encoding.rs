//! Encodes chunks into one audio file of another loudness: they are read from object storage piece by piece, decoded,
//! leveled, and pass through one encoder on a thread of its own. `joining` makes files that sound as the chunks do.

use std::{
    fs::File,
    io::{self, BufWriter, Read},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use lectern_speech::audio::{
    acx,
    book::{BookDone, BookEncoder, BookError, BookFormat, BookOptions},
    flac_reader::FlacReader,
    room_tone::RoomTone,
};
use lectern_types::BookLoudness;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{
    FILE_BUFFER_BYTES, failed, internal, open,
    parts::{Part, Parts},
    progress::Progress,
    unread,
};
use crate::{
    base::Base,
    services::materials::jobs::run::{JobError, Run},
};

/// How many pieces of a chunk's file may wait for the encoder.
const PIECES_AHEAD: usize = 8;

/// How a file sounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sound {
    pub(super) sample_rate_hz: u32,
    pub(super) loudness: BookLoudness,
    pub(super) bitrate_kbps: Option<u32>,
    /// Room tone before the first chunk and after the last.
    pub(super) head_ms: u64,
    pub(super) tail_ms: u64,
}

impl Sound {
    pub(super) fn of(loudness: BookLoudness, parts: &Parts, format: BookFormat) -> Self {
        match loudness {
            BookLoudness::Standard => Self {
                sample_rate_hz: parts.sample_rate_hz,
                loudness,
                bitrate_kbps: None,
                head_ms: 0,
                tail_ms: 0,
            },
            BookLoudness::Acx => Self {
                sample_rate_hz: acx::RATE_HZ,
                loudness,
                bitrate_kbps: (format == BookFormat::Mp3).then_some(acx::KBPS),
                head_ms: acx::HEAD_MS,
                tail_ms: acx::TAIL_MS,
            },
        }
    }
}

/// Encodes the parts into the file at `path`.
pub(super) async fn encode(
    base: &Base,
    run: &Run,
    parts: &[Part],
    (options, sound): (BookOptions, Sound),
    path: &Path,
    progress: &Progress,
) -> Result<BookDone, JobError> {
    let (sender, receiver) = mpsc::channel(1);
    // Stops the encoder when this future is dropped.
    let given_up = run.cancelled.child_token();
    let encoding = {
        let (given_up, encoded_ms) = (given_up.clone(), progress.counter());
        let tone = RoomTone::new();
        let encoder = Encoding { parts: parts.len(), receiver, given_up, encoded_ms, sound, tone };
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
    encoded_ms: Arc<AtomicU64>,
    sound: Sound,
    tone: RoomTone,
}

impl Encoding {
    fn run(mut self, options: BookOptions, path: &Path) -> Result<BookDone, JobError> {
        let file = BufWriter::with_capacity(FILE_BUFFER_BYTES, File::create_new(path)?);
        let mut encoder = BookEncoder::new(options, file).map_err(unwritten)?;
        encoder.push(&acx::tone(self.sound.head_ms, &mut self.tone)).map_err(unwritten)?;
        let mut parts = 0;
        while let Some(file) = self.receiver.blocking_recv() {
            let reader = FlacReader::new(file).map_err(|error| failed(&error))?;
            self.leveled(reader, &mut encoder)?;
            parts += 1;
        }
        if parts < self.parts {
            return Err(internal(format!("only {parts} of {} chunks came", self.parts)));
        }
        encoder.push(&acx::tone(self.sound.tail_ms, &mut self.tone)).map_err(unwritten)?;
        encoder.finish().map_err(unwritten)
    }

    /// Brings a whole chunk to the loudness and rate of the file. A chunk has at most 15 minutes.
    fn leveled(
        &mut self,
        mut reader: FlacReader<'_>,
        encoder: &mut BookEncoder<BufWriter<File>>,
    ) -> Result<(), JobError> {
        let from_hz = reader.sample_rate_hz();
        let mut all = Vec::new();
        while let Some(samples) = reader.read().map_err(|error| failed(&error))? {
            self.go_on()?;
            all.extend_from_slice(samples);
        }
        let count = all.len() as u64;
        let all = acx::leveled(&all, from_hz).map_err(|error| failed(&error))?;
        self.go_on()?;
        encoder.push(&acx::over_tone(&all, &mut self.tone)).map_err(unwritten)?;
        self.count(count, from_hz);
        Ok(())
    }

    fn go_on(&self) -> Result<(), JobError> {
        if self.given_up.is_cancelled() { Err(JobError::Cancelled) } else { Ok(()) }
    }

    fn count(&self, samples: u64, sample_rate_hz: u32) {
        self.encoded_ms.fetch_add(samples * 1000 / u64::from(sample_rate_hz.max(1)), Ordering::Relaxed);
    }
}

/// A failed write is the disk's fault; everything else is the book's.
pub(super) fn unwritten(error: BookError) -> JobError {
    match error {
        BookError::Write(error) => error.into(),
        error @ BookError::Audio(_) => failed(&error),
    }
}
