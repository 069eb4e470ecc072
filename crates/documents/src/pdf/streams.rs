//! What a file's streams unpack to, counted before the library unpacks any of them: it stops late, and begins again
//! where it failed. Pictures' data is taken out of the file: nobody hears it.

use std::io::{self, Read};

use flate2::read::{DeflateDecoder, ZlibDecoder};
use pdf_oxide::decoders::{Ascii85Decoder, AsciiHexDecoder, LzwDecoder, RunLengthDecoder, StreamDecoder};

use super::{bytes::find, whole};
use crate::{Limits, Reason, Unreadable};

/// No more filters than this are applied to one stream.
const FILTERS: usize = 8;

/// A list of objects that is broken, and that unpacks to more than this, is not read.
const BROKEN_BYTES: u64 = 1 << 20;

/// A filter, by what it does to the length of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    Flate,
    Brotli,
    Lzw,
    RunLength,
    Ascii85,
    AsciiHex,
    /// Of pictures, or unknown to the library: what follows is not unpacked.
    Other,
}

/// Counts what the streams of a file unpack to, and empties those of pictures.
///
/// # Errors
/// [`Unreadable`] when it is more than is read.
pub(super) fn check(file: &mut [u8], limits: &Limits) -> Result<(), Unreadable> {
    let (mut at, mut unpacked) = (0, 0);
    while let Some(found) = find(&file[at..], b"stream") {
        let keyword = at + found;
        let dictionary = &file[at..keyword];
        let start = data_start(file, keyword + b"stream".len());
        let end = find(&file[start..], b"endstream").map_or(file.len(), |end| start + end);
        if is_picture(dictionary) {
            file[start..end].fill(0);
        } else {
            let filters = filters(dictionary);
            // Deflated data says itself where it ends, whatever seems to end the stream before.
            let is_flate = filters.first() == Some(&Filter::Flate);
            let data_end = if is_flate { file.len() } else { end };
            let most = limits.part_bytes.min(limits.unpacked_bytes.saturating_sub(unpacked));
            let length = length(&file[start..data_end], &filters, most);
            unpacked += length;
            if length > most {
                return Err(too_large());
            }
            // The library unpacks a list of objects that it cannot read to its end for each object anew.
            if length > BROKEN_BYTES && first_breaks_off(&file[start..data_end], &filters, dictionary) {
                return Err(whole::no_objects());
            }
        }
        at = (end + b"endstream".len()).min(file.len());
    }
    Ok(())
}

/// Whether data is a list of objects that breaks off.
fn first_breaks_off(data: &[u8], filters: &[Filter], dictionary: &[u8]) -> bool {
    filters == [Filter::Flate]
        && find(dictionary, b"/ObjStm").is_some()
        && io::copy(&mut ZlibDecoder::new(data), &mut io::sink()).is_err()
}

/// What is said of a file that unfolds.
pub(super) fn too_large() -> Unreadable {
    Unreadable::new(Reason::TooLarge, "The file unpacks to far more than a document of its kind holds.")
}

/// Where data starts behind the word `stream`.
fn data_start(file: &[u8], at: usize) -> usize {
    let at = if file.get(at) == Some(&b'\r') { at + 1 } else { at };
    let at = if file.get(at) == Some(&b'\n') { at + 1 } else { at };
    at.min(file.len())
}

fn is_picture(dictionary: &[u8]) -> bool {
    let mut rest = dictionary;
    while let Some(at) = find(rest, b"/Subtype") {
        rest = &rest[at + b"/Subtype".len()..];
        if rest.trim_ascii_start().starts_with(b"/Image") {
            return true;
        }
    }
    false
}

/// The filters of a stream's dictionary, in the order in which they are taken off.
fn filters(dictionary: &[u8]) -> Vec<Filter> {
    let mut found = Vec::new();
    let mut rest = dictionary;
    while let Some(at) = find(rest, b"/Filter") {
        rest = rest[at + b"/Filter".len()..].trim_ascii_start();
        let names: &[u8] = match rest.first() {
            Some(b'[') => &rest[1..find(rest, b"]").unwrap_or(rest.len()).max(1)],
            Some(b'/') => {
                let length = rest[1..].iter().position(|byte| b"/<>[]()% \t\r\n\0\x0C".contains(byte));
                &rest[..length.map_or(rest.len(), |length| length + 1)]
            }
            // It stands elsewhere.
            _ => return vec![Filter::Flate; FILTERS / 2],
        };
        let names = names.split(|&byte| byte == b'/').skip(1).take(FILTERS);
        let these: Vec<Filter> = names.map(|name| filter(name.trim_ascii())).collect();
        if these.len() > found.len() {
            found = these;
        }
    }
    // A name may be written in another way.
    if found.is_empty() && dictionary.contains(&b'#') { vec![Filter::Flate; FILTERS / 2] } else { found }
}

fn filter(name: &[u8]) -> Filter {
    match name.to_ascii_lowercase().as_slice() {
        b"flatedecode" | b"fl" => Filter::Flate,
        b"brotlidecode" => Filter::Brotli,
        b"lzwdecode" | b"lzw" => Filter::Lzw,
        b"runlengthdecode" | b"rl" => Filter::RunLength,
        b"ascii85decode" | b"a85" => Filter::Ascii85,
        b"asciihexdecode" | b"ahx" => Filter::AsciiHex,
        _ => Filter::Other,
    }
}

/// How many bytes come out of all the filters together, counted up to a little more than `most`.
fn length(data: &[u8], filters: &[Filter], most: u64) -> u64 {
    let mut held: Vec<u8>;
    let (mut data, mut total) = (data, 0);
    for filter in filters {
        let left = most.saturating_sub(total);
        let unpacked = match filter {
            Filter::Flate => inflated(data, left),
            Filter::Brotli => taken(brotli::Decompressor::new(data, 4_096), left),
            Filter::Lzw if lzw_length(data, left) <= left => LzwDecoder.decode(data).unwrap_or_default(),
            Filter::RunLength if run_length(data) <= left => {
                RunLengthDecoder.decode(data).unwrap_or_default()
            }
            Filter::Lzw | Filter::RunLength => return most + 1,
            Filter::Ascii85 => Ascii85Decoder.decode(data).unwrap_or_default(),
            Filter::AsciiHex => AsciiHexDecoder.decode(data).unwrap_or_default(),
            Filter::Other => break,
        };
        total += unpacked.len() as u64;
        held = unpacked;
        data = &held;
        if total > most {
            break;
        }
    }
    total
}

fn inflated(data: &[u8], most: u64) -> Vec<u8> {
    let unpacked = taken(ZlibDecoder::new(data), most);
    if unpacked.is_empty() { taken(DeflateDecoder::new(data), most) } else { unpacked }
}

/// What can be read, one byte more than `most` at the most.
fn taken(reader: impl Read, most: u64) -> Vec<u8> {
    let mut unpacked = Vec::new();
    // What came before a fault counts.
    let _ = reader.take(most + 1).read_to_end(&mut unpacked);
    unpacked
}

/// What LZW data unpacks to: each code stands for one byte more than the code before it.
fn lzw_length(data: &[u8], most: u64) -> u64 {
    let (mut lengths, mut width): (Vec<u64>, u32) = (Vec::new(), 9);
    let (mut bits, mut held, mut total, mut before) = (0_u32, 0_u32, 0_u64, 0_u64);
    for &byte in data {
        bits = bits << 8 | u32::from(byte);
        held += 8;
        if held < width {
            continue;
        }
        held -= width;
        let code = (bits >> held & ((1 << width) - 1)) as usize;
        bits &= (1 << held) - 1;
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
        if total > most {
            break;
        }
    }
    total
}

/// What run-length data unpacks to.
fn run_length(data: &[u8]) -> u64 {
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
    use pdf_oxide::decoders::{LzwDecoder, RunLengthDecoder, StreamDecoder};

    use super::{Filter, filters, lzw_length, run_length};

    #[test]
    fn lengths_are_those_that_the_library_unpacks() {
        // The example of the standard.
        let lzw = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        assert_eq!(lzw_length(&lzw, 1_000), LzwDecoder.decode(&lzw).unwrap().len() as u64);
        let runs = [2, b'a', b'b', b'c', 200, b'x', 128, 7];
        assert_eq!(run_length(&runs), RunLengthDecoder.decode(&runs).unwrap().len() as u64);
    }

    #[test]
    fn filters_are_found_however_they_are_written() {
        assert_eq!(filters(b"<< /Length 4 /Filter/FlateDecode>>"), [Filter::Flate]);
        assert_eq!(filters(b"<< /Filter [ /A85 /Fl ] >>"), [Filter::Ascii85, Filter::Flate]);
        assert_eq!(filters(b"<< /Filter 7 0 R >>").len(), 4, "the worst is supposed");
        assert!(filters(b"<< /Length 4 >>").is_empty());
    }
}
