//! RIFF WAVE, read leniently: services that stream write lengths of 0 or `0xFFFF_FFFF`, so a length
//! counts only if the data agrees with it. Supports integer PCM of 8 to 32 bits and floating point
//! of 32 and 64 bits.

use super::{super::AudioError, Decoded, Kind, Mono};

#[derive(Clone, Copy)]
enum Encoding {
    Unsigned8,
    Signed16,
    Signed24,
    Signed32,
    Float32,
    Float64,
}

struct Layout {
    encoding: Encoding,
    channels: usize,
    sample_rate_hz: u32,
}

pub(super) fn decode(bytes: &[u8], max_seconds: u32) -> Result<Decoded, AudioError> {
    let mut layout = None;
    let mut rest = bytes.get(12..).unwrap_or_default();
    while let Some((header, body)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, length @ ..] = *header;
        let claimed = u32::from_le_bytes(length) as usize;
        match &[a, b, c, d] {
            b"fmt " => layout = Some(read_layout(body)?),
            b"data" => {
                let layout =
                    layout.ok_or_else(|| Kind::Wav.malformed("its samples come before their format"))?;
                let open_ended = claimed > body.len() || (claimed == 0 && !is_chunk(body));
                return samples(if open_ended { body } else { &body[..claimed] }, &layout, max_seconds);
            }
            _ => {}
        }
        // Chunks begin at even positions.
        rest = body.get(claimed.saturating_add(claimed % 2)..).unwrap_or_default();
    }
    Err(Kind::Wav.malformed("it has no samples"))
}

/// Whether a whole chunk begins here, and not samples: four printable characters and a length that
/// fits.
fn is_chunk(body: &[u8]) -> bool {
    body.split_first_chunk::<8>().is_none_or(|(header, rest)| {
        let [name @ .., a, b, c, d] = *header;
        name.iter().all(|byte| (b' '..=b'~').contains(byte))
            && u32::from_le_bytes([a, b, c, d]) as usize <= rest.len()
    })
}

fn read_layout(body: &[u8]) -> Result<Layout, AudioError> {
    let Some((fields, more)) = body.split_first_chunk::<16>() else {
        return Err(Kind::Wav.malformed("its format is cut off"));
    };
    let two = |at: usize| u16::from_le_bytes([fields[at], fields[at + 1]]);
    let (mut tag, channels, frame_bytes) = (two(0), usize::from(two(2)), usize::from(two(12)));
    let sample_rate_hz = u32::from_le_bytes([fields[4], fields[5], fields[6], fields[7]]);
    if tag == 0xFFFE {
        // The extension: its length, valid bits, speakers, then the real tag.
        tag = match more.get(8..10) {
            Some(&[low, high]) => u16::from_le_bytes([low, high]),
            _ => return Err(Kind::Wav.malformed("its format is cut off")),
        };
    }
    let sample_bytes = frame_bytes.checked_div(channels).unwrap_or(0);
    let encoding = match (tag, sample_bytes) {
        (1, 1) => Encoding::Unsigned8,
        (1, 2) => Encoding::Signed16,
        (1, 3) => Encoding::Signed24,
        (1, 4) => Encoding::Signed32,
        (3, 4) => Encoding::Float32,
        (3, 8) => Encoding::Float64,
        _ => {
            let reason = format_args!("it has encoding {tag} with {sample_bytes} bytes a sample");
            return Err(Kind::Wav.malformed(reason));
        }
    };
    Ok(Layout { encoding, channels, sample_rate_hz })
}

fn samples(data: &[u8], layout: &Layout, max_seconds: u32) -> Result<Decoded, AudioError> {
    let sample_rate_hz = layout.sample_rate_hz;
    let mut mono = Mono::new(sample_rate_hz, layout.channels, max_seconds)
        .ok_or_else(|| Kind::Wav.malformed("its rate or channels make no sense"))?;
    let read = match layout.encoding {
        Encoding::Unsigned8 => |b: &[u8]| (f32::from(b[0]) - 128.0) / 128.0,
        Encoding::Signed16 => |b: &[u8]| f32::from(i16::from_le_bytes([b[0], b[1]])) / 32_768.0,
        Encoding::Signed24 => |b: &[u8]| i32::from_le_bytes([0, b[0], b[1], b[2]]) as f32 / 2_147_483_648.0,
        Encoding::Signed32 => {
            |b: &[u8]| i32::from_le_bytes([b[0], b[1], b[2], b[3]]) as f32 / 2_147_483_648.0
        }
        Encoding::Float32 => |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        Encoding::Float64 => {
            |b: &[u8]| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]) as f32
        }
    };
    let sample_bytes = match layout.encoding {
        Encoding::Unsigned8 => 1,
        Encoding::Signed16 => 2,
        Encoding::Signed24 => 3,
        Encoding::Signed32 | Encoding::Float32 => 4,
        Encoding::Float64 => 8,
    };
    let whole = data.len() - data.len() % (sample_bytes * layout.channels);
    let mut interleaved = Vec::new();
    for piece in data[..whole].chunks(sample_bytes * layout.channels * 4_096) {
        interleaved.clear();
        interleaved.extend(piece.chunks_exact(sample_bytes).map(|sample| {
            let sample = read(sample);
            if sample.is_finite() { sample } else { 0.0 }
        }));
        mono.take(&interleaved)?;
    }
    Ok(Decoded { samples: mono.samples, sample_rate_hz })
}
