//! Frames of MPEG audio layer III with one channel: headers, lengths, and what of their side information a joiner must
//! know.
//!
//! The layout is that of ISO 11172-3 (MPEG 1), ISO 13818-3 (MPEG 2), and their common extension to half the rates.

/// Nominal bit rates in MPEG 1 and in MPEG 2, by their index; the first is none.
const MPEG_1_KBPS: [u32; 15] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG_2_KBPS: [u32; 15] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

const HEADER_BYTES: usize = 4;

/// The header of frames with one channel and without CRC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::audio) struct Header {
    /// 3: MPEG 1, 2: MPEG 2, 0: its extension.
    version: u8,
    rate_index: u8,
    kbps_index: u8,
}

impl Header {
    /// `None` for a sample rate or a bit rate that layer III does not have.
    pub(in crate::audio) fn new(sample_rate_hz: u32, kbps: u32) -> Option<Self> {
        let found = |version: u8| {
            let rate_index = rates(version).iter().position(|&rate| rate == sample_rate_hz)? as u8;
            let kbps_index = bit_rates(version).iter().position(|&one| one == kbps && kbps > 0)? as u8;
            Some(Self { version, rate_index, kbps_index })
        };
        [3, 2, 0].into_iter().find_map(found)
    }

    /// The header of the frame at the beginning of `bytes`.
    pub(in crate::audio) fn of(bytes: &[u8]) -> Option<Self> {
        let &[sync, kind, rates, _] = bytes.first_chunk::<HEADER_BYTES>()?;
        // Layer III without CRC.
        if sync != 0xFF || kind & 0xE7 != 0xE3 {
            return None;
        }
        let header = Self { version: kind >> 3 & 3, rate_index: rates >> 2 & 3, kbps_index: rates >> 4 };
        let is_known = header.version != 1 && header.rate_index < 3 && (1..15).contains(&header.kbps_index);
        is_known.then_some(header)
    }

    /// The same at the lowest bit rate, from its own, that has at least `bytes` bytes in a frame.
    pub(super) fn with_room(self, bytes: u32) -> Option<Self> {
        (self.kbps_index..15)
            .map(|kbps_index| Self { kbps_index, ..self })
            .find(|header| header.bytes() >= bytes)
    }

    /// Whether frames differ in nothing but the bit rate.
    pub(in crate::audio) fn is_like(self, other: Self) -> bool {
        (self.version, self.rate_index) == (other.version, other.rate_index)
    }

    pub(in crate::audio) fn sample_rate_hz(self) -> u32 {
        rates(self.version)[usize::from(self.rate_index)]
    }

    fn kbps(self) -> u32 {
        bit_rates(self.version)[usize::from(self.kbps_index)]
    }

    /// The number of samples in a frame.
    pub(in crate::audio) fn frame_samples(self) -> u32 {
        if self.version == 3 { 1_152 } else { 576 }
    }

    /// The length of a frame without padding.
    fn bytes(self) -> u32 {
        self.kbps() * 125 * self.frame_samples() / self.sample_rate_hz()
    }

    /// What a frame's length leaves of the bit rate, in bytes times the sample rate.
    pub(in crate::audio) fn bytes_left(self) -> u32 {
        self.kbps() * 125 * self.frame_samples() % self.sample_rate_hz()
    }

    /// Where the side information ends, in bytes from the start of the frame.
    pub(in crate::audio) fn side_info_end(self) -> usize {
        HEADER_BYTES + if self.version == 3 { 17 } else { 9 }
    }

    /// The length of the frame at the beginning of `bytes`, if it has this header.
    pub(in crate::audio) fn frame_bytes(self, bytes: &[u8]) -> Option<usize> {
        let is_padded = bytes.get(2)? & 2 != 0;
        let length = self.bytes() as usize + usize::from(is_padded);
        (Self::of(bytes)? == self && bytes.len() >= length).then_some(length)
    }

    /// A frame without sound.
    pub(in crate::audio) fn silent(self, is_padded: bool) -> Vec<u8> {
        let padding = u8::from(is_padded);
        // One channel, original.
        let header = [
            0xFF,
            0xE3 | self.version << 3,
            self.kbps_index << 4 | self.rate_index << 2 | padding << 1,
            0xC4,
        ];
        let mut frame = header.to_vec();
        frame.resize(self.bytes() as usize + usize::from(is_padded), 0);
        frame
    }

    /// Whether a whole frame has no data for any of its granules, which decoders make silence of.
    pub(in crate::audio) fn is_silent(self, frame: &[u8]) -> bool {
        let side = &frame[HEADER_BYTES..];
        // The first field of each granule is the length of its data.
        let granules: &[usize] = if self.version == 3 { &[18, 77] } else { &[9] };
        granules.iter().all(|&at| bits(side, at, 12) == 0)
    }

    /// Whether the data of a frame begins in those before it.
    pub(in crate::audio) fn needs_data_before(self, frame: &[u8]) -> bool {
        bits(&frame[HEADER_BYTES..], 0, if self.version == 3 { 9 } else { 8 }) != 0
    }
}

fn rates(version: u8) -> [u32; 3] {
    match version {
        3 => [44_100, 48_000, 32_000],
        2 => [22_050, 24_000, 16_000],
        _ => [11_025, 12_000, 8_000],
    }
}

fn bit_rates(version: u8) -> [u32; 15] {
    if version == 3 { MPEG_1_KBPS } else { MPEG_2_KBPS }
}

/// `count` bits from bit `at`, the highest first.
fn bits(bytes: &[u8], at: usize, count: usize) -> u32 {
    (at..at + count).fold(0, |value, bit| value << 1 | u32::from(bytes[bit / 8] >> (7 - bit % 8) & 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_they_are_written() {
        for rate in [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] {
            for kbps in [32, 64, 160] {
                let header = Header::new(rate, kbps).unwrap();
                for is_padded in [false, true] {
                    let frame = header.silent(is_padded);
                    assert_eq!(Header::of(&frame), Some(header), "{rate} {kbps}");
                    assert_eq!(header.frame_bytes(&frame), Some(frame.len()));
                    assert_eq!(header.frame_bytes(&frame[1..]), None);
                    assert_eq!(header.frame_bytes(&frame[..frame.len() - 1]), None);
                    assert!(header.is_silent(&frame) && !header.needs_data_before(&frame));
                }
            }
        }
        assert_eq!(Header::new(24_000, 64).unwrap().bytes(), 192);
        assert_eq!(
            (Header::new(44_100, 8), Header::new(96_000, 64), Header::new(24_000, 0)),
            (None, None, None)
        );
        for bytes in [&[][..], &[0xFF], &[0xFF, 0xFF, 0xFF, 0xFF], &[0xFF, 0xF2, 0x84, 0xC4], b"Info"] {
            assert_eq!(Header::of(bytes), None, "{bytes:?}");
        }
    }
}
