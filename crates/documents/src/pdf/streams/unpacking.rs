//! The library's filters as far as counting needs them: ASCII data is decoded; of the rest only the
//! length is computed.

/// Decodes ASCII85 data up to its end or the first error.
pub(super) fn ascii_85(data: &[u8]) -> Vec<u8> {
    let mut unpacked = Vec::with_capacity(data.len() / 5 * 4);
    let (mut group, mut count) = (0_u64, 0);
    for &byte in data {
        match byte {
            b'z' if count == 0 => unpacked.extend([0; 4]),
            b'!'..=b'u' => {
                (group, count) = (group * 85 + u64::from(byte - b'!'), count + 1);
                if count == 5 {
                    let Ok(bytes) = u32::try_from(group) else { break };
                    unpacked.extend(bytes.to_be_bytes());
                    (group, count) = (0, 0);
                }
            }
            _ if byte.is_ascii_whitespace() => {}
            _ => break,
        }
    }
    for _ in count..5 {
        group = group * 85 + 84;
    }
    unpacked.extend(&(group as u32).to_be_bytes()[..usize::saturating_sub(count, 1)]);
    unpacked
}

/// Decodes hexadecimal data up to the first error.
pub(super) fn ascii_hex(data: &[u8]) -> Vec<u8> {
    let digits = data.iter().filter(|&&byte| !byte.is_ascii_whitespace() && byte != b'>');
    let digits: Vec<u8> = digits.map_while(|&byte| Some(char::from(byte).to_digit(16)? as u8)).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
}

/// The unpacked length of LZW data. Each code stands for one byte more than the code before it.
pub(super) fn lzw_length(data: &[u8], max_bytes: u64) -> u64 {
    let (mut lengths, mut width): (Vec<u64>, u32) = (Vec::new(), 9);
    let (mut bits, mut bit_count, mut total, mut before) = (0_u32, 0_u32, 0_u64, 0_u64);
    for &byte in data {
        bits = bits << 8 | u32::from(byte);
        bit_count += 8;
        if bit_count < width {
            continue;
        }
        bit_count -= width;
        let code = (bits >> bit_count & ((1 << width) - 1)) as usize;
        bits &= (1 << bit_count) - 1;
        match code {
            256 => (lengths, width, before) = (Vec::new(), 9, 0),
            257 => break,
            _ => {
                let length =
                    if code < 256 { 1 } else { lengths.get(code - 258).copied().unwrap_or(before + 1) };
                if before > 0 && lengths.len() < 4_096 - 258 {
                    lengths.push(before + 1);
                }
                total += length;
                before = length;
                width = match lengths.len() + 259 {
                    ..512 => 9,
                    512..1_024 => 10,
                    1_024..2_048 => 11,
                    _ => 12,
                };
            }
        }
        if total > max_bytes {
            break;
        }
    }
    total
}

/// The unpacked length of run-length data.
pub(super) fn run_length(data: &[u8]) -> u64 {
    let (mut at, mut total) = (0, 0);
    while let Some(&count) = data.get(at) {
        match count {
            128 => break,
            ..128 => (at, total) = (at + 2 + usize::from(count), total + u64::from(count) + 1),
            _ => (at, total) = (at + 2, total + 257 - u64::from(count)),
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use pdf_oxide::decoders::{Ascii85Decoder, AsciiHexDecoder, LzwDecoder, RunLengthDecoder, StreamDecoder};

    use super::*;

    #[test]
    fn lengths_are_those_that_the_library_unpacks() {
        // The example from the standard.
        let lzw = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        assert_eq!(lzw_length(&lzw, 1_000), LzwDecoder.decode(&lzw).unwrap().len() as u64);
        let runs = [2, b'a', b'b', b'c', 200, b'x', 128, 7];
        assert_eq!(run_length(&runs), RunLengthDecoder.decode(&runs).unwrap().len() as u64);
        let text = br#"87cUR D]i,"Ebo80 ~> and what stands after it"#;
        assert_eq!(ascii_85(text), Ascii85Decoder.decode(text).unwrap());
        assert_eq!(ascii_hex(b"48 65 6C6c 6F7>"), AsciiHexDecoder.decode(b"48 65 6C6c 6F7>").unwrap());
    }
}
