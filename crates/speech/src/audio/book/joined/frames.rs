//! The frames of an MP3 that `crate::audio::mp3` wrote: one channel, constant bit rate, without CRC.

use super::malformed;
use crate::audio::{AudioError, mp3::Header};

/// The bit rate of chunks in kbit/s.
pub(super) const KBPS: u32 = crate::audio::mp3::DEFAULT_KBPS;

const CONTAINER: &str = "MP3";

/// Makes silent frames like those of the chunks.
pub(super) struct Silence {
    header: Header,
    /// What is left of the bit rate for padding, in bytes times the rate.
    owed: u32,
}

impl Silence {
    /// `None` for a rate that layer III does not have.
    pub(super) fn new(sample_rate_hz: u32) -> Option<Self> {
        Some(Self { header: Header::new(sample_rate_hz, KBPS)?, owed: 0 })
    }

    pub(super) fn frame_samples(&self) -> u32 {
        self.header.frame_samples()
    }

    /// A frame whose granules have no data. Some have a byte more than others, so that the bit rate stays what it is.
    pub(super) fn next(&mut self) -> Vec<u8> {
        self.owed += self.header.bytes_left();
        let is_padded = self.owed >= self.header.sample_rate_hz();
        if is_padded {
            self.owed -= self.header.sample_rate_hz();
        }
        self.header.silent(is_padded)
    }
}

/// Frames that follow each other.
#[derive(Debug)]
pub(super) struct Frames<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) count: u64,
}

/// The frames of a file without its tags, up to the last one with sound in it.
pub(super) fn spoken<'a>(file: &'a [u8], like: &Silence) -> Result<Frames<'a>, AudioError> {
    let mut rest = after_id3(file).ok_or_else(|| malformed(CONTAINER, "its tag is cut off"))?;
    let header = like.header;
    // The first frame only says how long the file is.
    let about = tag_frame_bytes(rest, header).ok_or_else(|| malformed(CONTAINER, "it has no LAME tag"))?;
    rest = &rest[about..];
    let frames = rest;
    let (mut at, mut count) = (0, 0);
    let mut spoken = Frames { bytes: &[], count: 0 };
    while at < frames.len() {
        let frame = header
            .frame_bytes(&frames[at..])
            .and_then(|bytes| frames.get(at..at + bytes))
            .ok_or_else(|| malformed(CONTAINER, "a frame is cut off, or unlike those of other chunks"))?;
        if at == 0 && header.needs_data_before(frame) {
            return Err(malformed(CONTAINER, "its first frame needs others before it"));
        }
        at += frame.len();
        count += 1;
        if !header.is_silent(frame) {
            spoken = Frames { bytes: &frames[..at], count };
        }
    }
    Ok(spoken)
}

/// The bytes after the `ID3v2` tag, if there is one.
fn after_id3(file: &[u8]) -> Option<&[u8]> {
    let Some(tag) = file.strip_prefix(b"ID3") else { return Some(file) };
    let size = tag.get(3..7)?.iter().fold(0, |size, &byte| size << 7 | usize::from(byte & 0x7F));
    tag.get(7 + size..)
}

/// The length of the frame with the LAME tag, which may have another bit rate.
fn tag_frame_bytes(rest: &[u8], header: Header) -> Option<usize> {
    let own = Header::of(rest).filter(|own| own.is_like(header))?;
    let bytes = own.frame_bytes(rest)?;
    let tag = rest.get(own.side_info_end()..bytes)?;
    (tag.starts_with(b"Info") || tag.starts_with(b"Xing")).then_some(bytes)
}
