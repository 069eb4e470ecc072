//! Reads the WAV files that speech servers answer with, into mono samples.
//!
//! Servers that stream write the sizes of a file they have not finished (0 or 2³²−1), so sizes beyond the end mean
//! "to the end". Source: Microsoft's "Multimedia Programming Interface and Data Specifications 1.0" (RIFF WAVE).

/// Mono samples.
#[derive(Debug, PartialEq)]
pub(super) struct Wave {
    /// Within ±1.
    pub(super) samples: Vec<f32>,
    /// Samples a second.
    pub(super) sample_rate_hz: u32,
}

/// Rates that speech comes in; anything else is a broken header.
const RATES_HZ: std::ops::RangeInclusive<u32> = 8_000..=96_000;

#[derive(Clone, Copy)]
enum Encoding {
    Signed16,
    Signed24,
    Signed32,
    Float32,
}

#[derive(Clone, Copy)]
struct Format {
    encoding: Encoding,
    channels: usize,
    sample_rate_hz: u32,
}

/// Reads a file.
///
/// # Errors
/// What is wrong with it, in words that hold nothing of its content.
pub(super) fn read(file: &[u8]) -> Result<Wave, &'static str> {
    let header = file.first_chunk::<12>().ok_or("it is too short")?;
    if &header[..4] != b"RIFF" || &header[8..] != b"WAVE" {
        return Err("it does not begin with RIFF and WAVE");
    }
    let mut rest = &file[12..];
    let mut format = None;
    while let Some((head, body)) = rest.split_first_chunk::<8>() {
        let wanted = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        match &head[..4] {
            b"fmt " => format = Some(read_format(body)?),
            b"data" => {
                let format = format.ok_or("its samples come before their format")?;
                let length = if wanted == 0 { body.len() } else { wanted.min(body.len()) };
                let samples = mono(&body[..length], format);
                return match samples.iter().all(|sample| sample.is_finite()) {
                    true if samples.is_empty() => Err("it holds no samples"),
                    true => Ok(Wave { samples, sample_rate_hz: format.sample_rate_hz }),
                    false => Err("it holds samples that are no numbers"),
                };
            }
            _ => {}
        }
        // Chunks are padded to an even length.
        rest = body.get(wanted.saturating_add(wanted % 2)..).unwrap_or_default();
    }
    Err("it holds no samples")
}

fn read_format(body: &[u8]) -> Result<Format, &'static str> {
    const EXTENSIBLE: u16 = 0xFFFE;
    let short = |at: usize| Some(u16::from_le_bytes([*body.get(at)?, *body.get(at + 1)?]));
    let cut_off = "its format is cut off";
    let mut tag = short(0).ok_or(cut_off)?;
    if tag == EXTENSIBLE {
        // The true tag begins the sub-format's GUID.
        tag = short(24).ok_or(cut_off)?;
    }
    let channels = usize::from(short(2).ok_or(cut_off)?);
    let rate = u32::from(short(4).ok_or(cut_off)?) | u32::from(short(6).ok_or(cut_off)?) << 16;
    let bits = short(14).ok_or(cut_off)?;
    let encoding = match (tag, bits) {
        (1, 16) => Encoding::Signed16,
        (1, 24) => Encoding::Signed24,
        (1, 32) => Encoding::Signed32,
        (3, 32) => Encoding::Float32,
        _ => return Err("its encoding is none of 16, 24 or 32 bits and 32-bit float"),
    };
    if !(1..=8).contains(&channels) || !RATES_HZ.contains(&rate) {
        return Err("its channels or its sample rate make no sense");
    }
    Ok(Format { encoding, channels, sample_rate_hz: rate })
}

/// The mean of the channels. A frame that is cut off at the end is left out.
fn mono(data: &[u8], format: Format) -> Vec<f32> {
    let width = match format.encoding {
        Encoding::Signed16 => 2,
        Encoding::Signed24 => 3,
        Encoding::Signed32 | Encoding::Float32 => 4,
    };
    let value = |bytes: &[u8]| match (format.encoding, bytes) {
        (Encoding::Signed16, &[a, b]) => f32::from(i16::from_le_bytes([a, b])) / 32_768.0,
        (Encoding::Signed24, &[a, b, c]) => i32::from_le_bytes([0, a, b, c]) as f32 / 2_147_483_648.0,
        (Encoding::Signed32, &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]) as f32 / 2_147_483_648.0,
        (Encoding::Float32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
        _ => 0.0,
    };
    data.chunks_exact(width * format.channels)
        .map(|frame| frame.chunks_exact(width).map(value).sum::<f32>() / format.channels as f32)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(tag: u16, channels: u16, rate: u32, bits: u16, size: u32, data: &[u8]) -> Vec<u8> {
        let mut file = b"RIFF\0\0\0\0WAVELIST\x03\0\0\0abc\0fmt \x10\0\0\0".to_vec();
        file.extend(tag.to_le_bytes());
        file.extend(channels.to_le_bytes());
        file.extend(rate.to_le_bytes());
        file.extend([0; 6]);
        file.extend(bits.to_le_bytes());
        file.extend(b"data");
        file.extend(size.to_le_bytes());
        file.extend(data);
        file
    }

    #[test]
    fn every_usual_encoding_is_read() {
        let halves = Ok(Wave { samples: vec![0.5, -0.5], sample_rate_hz: 24_000 });
        assert_eq!(read(&file(1, 1, 24_000, 16, 4, &[0, 0x40, 0, 0xC0])), halves);
        assert_eq!(read(&file(1, 1, 24_000, 24, 6, &[0, 0, 0x40, 0, 0, 0xC0])), halves);
        assert_eq!(read(&file(1, 1, 24_000, 32, 8, &[0, 0, 0, 0x40, 0, 0, 0, 0xC0])), halves);
        let floats: Vec<u8> = [0.5_f32, -0.5].iter().flat_map(|sample| sample.to_le_bytes()).collect();
        assert_eq!(read(&file(3, 1, 24_000, 32, 8, &floats)), halves);
    }

    #[test]
    fn channels_are_mixed() {
        let stereo = [0, 0x40, 0, 0, 0, 0xC0, 0, 0xC0];
        let mixed = Ok(Wave { samples: vec![0.25, -0.5], sample_rate_hz: 48_000 });
        assert_eq!(read(&file(1, 2, 48_000, 16, 8, &stereo)), mixed);
    }

    #[test]
    fn a_stream_of_unknown_size_is_read_to_its_end() {
        for size in [0, u32::MAX, 1000] {
            let wave = read(&file(1, 1, 24_000, 16, size, &[0, 0x40, 0, 0xC0, 7])).unwrap();
            assert_eq!(wave.samples, [0.5, -0.5], "a cut-off sample is left out");
        }
    }

    #[test]
    fn what_is_no_speech_is_refused() {
        assert!(read(b"").is_err());
        assert!(read(b"{\"error\": \"no\"} and so on").is_err());
        assert!(read(&file(1, 1, 24_000, 16, 0, &[])).is_err(), "no samples");
        assert!(read(&file(1, 0, 24_000, 16, 4, &[0; 4])).is_err(), "no channels");
        assert!(read(&file(1, 1, 1, 16, 4, &[0; 4])).is_err(), "one sample a second");
        assert!(read(&file(85, 1, 24_000, 16, 4, &[0; 4])).is_err(), "MP3 inside");
        let not_numbers: Vec<u8> = f32::NAN.to_le_bytes().to_vec();
        assert!(read(&file(3, 1, 24_000, 32, 4, &not_numbers)).is_err());
        let whole = file(1, 1, 24_000, 16, 4, &[0; 4]);
        for length in 0..whole.len() - 4 {
            let _ = read(&whole[..length]);
        }
    }
}
