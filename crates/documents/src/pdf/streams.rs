//! Counts the bytes that a file's streams unpack to, before the library unpacks any: the library
//! stops late, and starts over after a failure. The data of pictures is removed from the file,
//! because it has no text.
//!
//! The count does not rely on matching dictionaries to streams, because strings, comments and
//! broken objects can hide the match. Each `stream` after a dictionary is unpacked with each list
//! of filters in the file, and the largest result counts. Both the bytes read and the bytes
//! produced are limited.

mod unpacking;

use std::io::Read;

use flate2::bufread::{DeflateDecoder, ZlibDecoder};
use pdf_oxide::{
    decoders::{LzwDecoder, RunLengthDecoder, StreamDecoder},
    lexer,
    object::Object,
    parser,
};

use self::unpacking::{ascii_85, ascii_hex, lzw_length, run_length};
use super::{bytes::find, integrity};
use crate::{Limits, Reason, Unreadable};

/// The largest number of filters of one stream.
const MAX_FILTERS: usize = 8;

/// The largest number of different filter lists in one file.
const MAX_FILTER_LISTS: usize = 12;

/// The largest length of a list of filters. The library reads nested lists by recursion, which this
/// limit bounds.
const MAX_LIST_BYTES: usize = 512;

/// The length of the name `Filter` with each letter written as `#xx`.
const MAX_NAME_BYTES: usize = 18;

/// A broken object stream that unpacks to more than this is refused.
const MAX_BROKEN_LIST_BYTES: u64 = 1 << 20;

/// How many bytes may be read beyond twice the size of the file; an intact file is read once.
const EXTRA_READ_BYTES: u64 = 64 << 20;

/// How many bytes may be read for filters whose data has no end of its own.
const MAX_LIST_READ_BYTES: u64 = 512 << 20;

/// The minimum cost of an attempt to unpack, in bytes read.
const ATTEMPT_BYTES: u64 = 128;

/// If a stream is not valid zlib data, the library tries raw deflate from this many offsets.
const RETRY_OFFSETS: usize = 20;

/// How far back comments between a dictionary and its stream are searched. Beyond that, a
/// dictionary is assumed.
const COMMENT_SEARCH_BYTES: usize = 4_096;

/// The library reads an object up to the next `endobj`, and at most this many bytes. Objects with
/// an `endobj` add up to one file; each one without it may be the rest of the file.
const MAX_OBJECT_BYTES: u64 = 100 << 20;
const OBJECTS_BYTES: u64 = 2 << 30;

/// How many lines the library reads for the header of an object.
const HEAD_LINES: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    Flate,
    Brotli,
    Lzw,
    RunLength,
    Ascii85,
    AsciiHex,
}

/// Counts the bytes that the streams of a file unpack to, and empties the streams of pictures.
///
/// # Errors
/// [`Unreadable`] when a limit is exceeded.
pub(super) fn check(file: &mut [u8], limits: &Limits) -> Result<(), Unreadable> {
    check_objects(file)?;
    // Do this first: emptied data may be part of another stream.
    empty_pictures(file);
    let mut count =
        Count { limits, read: 0, unpacked: 0, max_read: 2 * file.len() as u64 + EXTRA_READ_BYTES };
    let lists = count.lists(file)?;
    // Deflated data marks its own end; other data is read for each list.
    let others = lists.iter().filter(|list| !is_self_delimiting(list)).count() as u64;
    count.max_read += others.saturating_mul(file.len() as u64).min(MAX_LIST_READ_BYTES);
    count.streams(file, &lists, true)
}

/// The bytes that the library reads and unpacks at each attempt on a stream.
pub(super) fn attempted_bytes(stream: &Object) -> u64 {
    let Object::Stream { dict, data } = stream else { return 0 };
    let filters = dict.get("Filter").map_or_else(|| Ok(Vec::new()), filters).unwrap_or_default();
    let limits = Limits::default();
    let mut count = Count { limits: &limits, read: 0, unpacked: 0, max_read: limits.unpacked_bytes };
    let mut stream = Stream { max_bytes: limits.part_bytes, unpacked: 0, is_broken: false };
    // A stream over the limits was refused before, unless it is encrypted; count the work until the
    // limit.
    let _ = count.unpack(data, &filters, &mut stream, &[], false);
    count.read.saturating_add(stream.unpacked)
}

/// Refuses nested objects without an end: the library reads the rest of the file for each of them.
fn check_objects(file: &[u8]) -> Result<(), Unreadable> {
    let (mut at, mut open, mut starts, mut read) = (0, 0_u64, 0_u64, 0_u64);
    while let Some(found) = find(&file[at..], b"obj") {
        at += found + b"obj".len();
        if file[..at].ends_with(b"endobj") {
            read =
                read.saturating_add((open * at as u64).saturating_sub(starts).min(open * MAX_OBJECT_BYTES));
            (open, starts) = (0, 0);
        } else {
            (open, starts) = (open + 1, starts + at as u64);
        }
        if read > OBJECTS_BYTES {
            return Err(too_large());
        }
    }
    let rest = (open * file.len() as u64).saturating_sub(starts).min(open * MAX_OBJECT_BYTES);
    if read.saturating_add(rest) > OBJECTS_BYTES { Err(too_large()) } else { Ok(()) }
}

fn empty_pictures(file: &mut [u8]) {
    let (mut at, mut from) = (0, 0);
    while let Some(found) = find(&file[at..], b"stream") {
        let keyword = at + found;
        at = keyword + b"stream".len();
        if file[..keyword].ends_with(b"end") {
            from = at;
            continue;
        }
        let dictionary = &file[from..keyword];
        if !follows_dictionary(dictionary) {
            continue;
        }
        from = at;
        if is_picture(dictionary) {
            let start = data_start(file, at);
            at = find(&file[start..], b"endstream").map_or(file.len(), |end| start + end);
            file[start..at].fill(0);
        }
    }
}

/// Bytes read and unpacked so far.
struct Count<'a> {
    limits: &'a Limits,
    read: u64,
    unpacked: u64,
    max_read: u64,
}

impl Count<'_> {
    /// Unpacks each stream. An object stream may contain further streams, which the library would
    /// unpack.
    fn streams(&mut self, file: &[u8], lists: &[Vec<Filter>], is_file: bool) -> Result<(), Unreadable> {
        let (mut at, mut from) = (0, 0);
        while let Some(found) = find(&file[at..], b"stream") {
            let keyword = at + found;
            at = keyword + b"stream".len();
            let before = &file[from..keyword];
            if before.ends_with(b"end") || !follows_dictionary(before) {
                continue;
            }
            from = at;
            let data = &file[data_start(file, at)..];
            // Deflated data marks its own end, whatever seems to end it earlier. Other data ends
            // with its object.
            let to_end = if lists.iter().all(|list| is_self_delimiting(list)) || is_emptied(data) {
                &[]
            } else {
                let to_end = &data[..find(data, b"endobj").unwrap_or(data.len())];
                self.read += to_end.len() as u64;
                to_end
            };
            let mut largest = 0;
            for filters in lists {
                let data = if is_self_delimiting(filters) { data } else { to_end };
                let max_bytes =
                    self.limits.part_bytes.min(self.limits.unpacked_bytes.saturating_sub(self.unpacked));
                let mut stream = Stream { max_bytes, unpacked: 0, is_broken: false };
                self.unpack(data, filters, &mut stream, lists, is_file)?;
                // The library unpacks a broken object stream again for each of its objects.
                if stream.is_broken
                    && stream.unpacked > MAX_BROKEN_LIST_BYTES
                    && is_list(object(file, keyword))
                {
                    return Err(integrity::no_objects());
                }
                largest = largest.max(stream.unpacked);
            }
            self.unpacked += largest;
        }
        Ok(())
    }

    /// Applies filters to data and to the data inside it.
    fn unpack(
        &mut self,
        data: &[u8],
        filters: &[Filter],
        stream: &mut Stream,
        lists: &[Vec<Filter>],
        is_file: bool,
    ) -> Result<(), Unreadable> {
        let Some((filter, rest)) = filters.split_first() else { return Ok(()) };
        for unpacked in self.apply_filter(*filter, data, stream)? {
            if is_file && find(&unpacked, b"stream").is_some() {
                let mut lists = lists.to_vec();
                for list in self.lists(&unpacked)? {
                    insert(list, &mut lists)?;
                }
                self.streams(&unpacked, &lists, false)?;
            }
            self.unpack(&unpacked, rest, stream, lists, is_file)?;
        }
        Ok(())
    }

    /// The possible results of the library's filter.
    fn apply_filter(
        &mut self,
        filter: Filter,
        data: &[u8],
        stream: &mut Stream,
    ) -> Result<Vec<Vec<u8>>, Unreadable> {
        let left = stream.max_bytes.saturating_sub(stream.unpacked);
        let unpacked = match filter {
            Filter::Flate => return self.inflated(data, stream),
            Filter::Brotli => {
                let mut rest = data;
                let unpacked = read_up_to(brotli::Decompressor::new(&mut rest, 4_096), left).0;
                self.count(data.len() - rest.len(), &unpacked, stream)?;
                return Ok(vec![unpacked]);
            }
            Filter::Lzw if lzw_length(data, left) <= left => LzwDecoder.decode(data).unwrap_or_default(),
            Filter::RunLength if run_length(data) <= left => {
                RunLengthDecoder.decode(data).unwrap_or_default()
            }
            Filter::Lzw | Filter::RunLength => return Err(too_large()),
            Filter::Ascii85 => ascii_85(data),
            Filter::AsciiHex => ascii_hex(data),
        };
        self.count(data.len(), &unpacked, stream)?;
        Ok(vec![unpacked])
    }

    /// The possible results of inflating data. If it is broken, the library tries again without the
    /// zlib header and from each of the first offsets.
    fn inflated(&mut self, data: &[u8], stream: &mut Stream) -> Result<Vec<Vec<u8>>, Unreadable> {
        let left = stream.max_bytes.saturating_sub(stream.unpacked);
        let is_first = stream.unpacked == 0;
        let mut decoder = ZlibDecoder::new(data);
        let (unpacked, is_whole) = read_up_to(&mut decoder, left);
        self.count(decoder.total_in() as usize, &unpacked, stream)?;
        if is_whole {
            return Ok(vec![unpacked]);
        }
        stream.is_broken |= is_first;
        let mut all = vec![unpacked];
        for offset in 0..RETRY_OFFSETS.min(data.len()) {
            let left = stream.max_bytes.saturating_sub(stream.unpacked);
            let mut decoder = DeflateDecoder::new(&data[offset..]);
            let (unpacked, _) = read_up_to(&mut decoder, left);
            self.count(decoder.total_in() as usize, &unpacked, stream)?;
            all.push(unpacked);
        }
        all.retain(|unpacked| !unpacked.is_empty());
        Ok(all)
    }

    fn count(&mut self, read: usize, unpacked: &[u8], stream: &mut Stream) -> Result<(), Unreadable> {
        self.read += read as u64 + ATTEMPT_BYTES;
        stream.unpacked += unpacked.len() as u64;
        if stream.unpacked > stream.max_bytes || self.read > self.max_read {
            Err(too_large())
        } else {
            Ok(())
        }
    }

    /// The different lists of filters in a file: the value of each name `Filter`, whatever it
    /// belongs to.
    fn lists(&mut self, file: &[u8]) -> Result<Vec<Vec<Filter>>, Unreadable> {
        let mut lists = Vec::new();
        let mut at = 0;
        while let Some(found) = file[at..].iter().position(|&byte| byte == b'/') {
            at += found + 1;
            if !matches!(file.get(at), Some(b'F' | b'#')) {
                continue;
            }
            let name = &file[at..file.len().min(at + MAX_NAME_BYTES + 1)];
            let name = &name[..name.iter().position(|&byte| is_end_of_name(byte)).unwrap_or(name.len())];
            if std::str::from_utf8(name).map(lexer::decode_name_escapes).as_deref() != Ok("Filter") {
                continue;
            }
            let value = &file[at + name.len()..];
            let value = &value[..value.len().min(MAX_LIST_BYTES)];
            let list = if let Ok((rest, list)) = parser::parse_object(value) {
                self.read += (value.len() - rest.len()) as u64;
                filters(&list)?
            } else {
                self.read += value.len() as u64;
                // The library would not read this list, or the list is very long, so assume several
                // filters.
                vec![Filter::Flate; MAX_FILTERS / 2]
            };
            insert(list, &mut lists)?;
            if self.read > self.max_read {
                return Err(too_large());
            }
        }
        Ok(lists)
    }
}

struct Stream {
    /// The limit for all its filters together.
    max_bytes: u64,
    unpacked: u64,
    /// Whether its first filter is deflate and its data is broken.
    is_broken: bool,
}

/// The refusal of a file that expands too much.
pub(super) fn too_large() -> Unreadable {
    Unreadable::new(Reason::TooLarge, "The file expands to far more than a document of its kind can contain.")
}

/// Adds a list of filters, unless a longer one covers it.
fn insert(list: Vec<Filter>, lists: &mut Vec<Vec<Filter>>) -> Result<(), Unreadable> {
    if list.is_empty() || lists.iter().any(|known| known.starts_with(&list)) {
        return Ok(());
    }
    lists.retain(|known| !list.starts_with(known));
    lists.push(list);
    if lists.len() > MAX_FILTER_LISTS { Err(too_large()) } else { Ok(()) }
}

/// The filters of a list in order, up to one that the library does not support or that is for
/// pictures.
fn filters(list: &Object) -> Result<Vec<Filter>, Unreadable> {
    let names: Vec<&str> = match list {
        Object::Name(name) => vec![name],
        Object::Array(names) => names.iter().filter_map(Object::as_name).collect(),
        // It is a reference, which the library does not follow here.
        _ => Vec::new(),
    };
    if names.len() > MAX_FILTERS {
        Err(too_large())
    } else {
        Ok(names.into_iter().map_while(filter).collect())
    }
}

/// Whether data with these filters marks its own end.
fn is_self_delimiting(filters: &[Filter]) -> bool {
    matches!(filters.first(), Some(Filter::Flate | Filter::Brotli))
}

fn filter(name: &str) -> Option<Filter> {
    Some(match name.to_ascii_lowercase().as_str() {
        "flatedecode" | "fl" => Filter::Flate,
        "brotlidecode" => Filter::Brotli,
        "lzwdecode" | "lzw" => Filter::Lzw,
        "runlengthdecode" | "rl" => Filter::RunLength,
        "ascii85decode" | "a85" => Filter::Ascii85,
        "asciihexdecode" | "ahx" => Filter::AsciiHex,
        _ => return None,
    })
}

fn is_end_of_name(byte: u8) -> bool {
    b"/<>[](){}% \t\r\n\0\x0C".contains(&byte)
}

/// Where data starts after the keyword `stream`.
fn data_start(file: &[u8], at: usize) -> usize {
    let at = if file.get(at) == Some(&b'\r') { at + 1 } else { at };
    let at = if file.get(at) == Some(&b'\n') { at + 1 } else { at };
    at.min(file.len())
}

/// Whether a dictionary, possibly with comments after it, comes before the keyword `stream`. In
/// doubt, it does.
fn follows_dictionary(before: &[u8]) -> bool {
    let nearest = &before[before.len().saturating_sub(COMMENT_SEARCH_BYTES)..];
    let mut rest = nearest;
    loop {
        rest = trim_end(rest);
        if rest.ends_with(b">>") {
            return true;
        }
        let line = rest.iter().rposition(|byte| matches!(byte, b'\r' | b'\n')).map_or(0, |end| end + 1);
        let mut signs = (line..rest.len()).filter(|&at| rest[at] == b'%');
        let Some(first) = signs.next() else {
            return line == 0 && nearest.len() == COMMENT_SEARCH_BYTES;
        };
        if signs.any(|at| trim_end(&rest[..at]).ends_with(b">>")) {
            return true;
        }
        rest = &rest[..first];
    }
}

fn trim_end(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| !b" \t\r\n\0\x0C".contains(byte));
    &bytes[..end.map_or(0, |end| end + 1)]
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

/// The object of a stream up to its data, with the lines before the object. The library reads at
/// most the header lines beyond an `endobj`.
fn object(file: &[u8], keyword: usize) -> &[u8] {
    let before = &file[..keyword];
    let end = before.windows(b"endobj".len()).rposition(|window| window == b"endobj").unwrap_or(0);
    let head = before[..end].iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n').nth(HEAD_LINES);
    &before[head.map_or(0, |(at, _)| at)..]
}

/// Whether [`empty_pictures`] has emptied the data.
fn is_emptied(data: &[u8]) -> bool {
    let zeros = data.iter().position(|byte| *byte != 0).unwrap_or(data.len());
    data[zeros..].starts_with(b"endstream")
}

/// Whether an object may be an object stream.
fn is_list(object: &[u8]) -> bool {
    find(object, b"/ObjStm").is_some() || object.contains(&b'#')
}

/// Reads up to one byte more than `max_bytes`; also returns whether there was no error.
fn read_up_to(reader: impl Read, max_bytes: u64) -> (Vec<u8>, bool) {
    let mut unpacked = Vec::new();
    // Data before an error counts.
    let read = reader.take(max_bytes + 1).read_to_end(&mut unpacked);
    (unpacked, read.is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(file: &[u8]) -> Vec<Vec<Filter>> {
        let limits = Limits::default();
        Count { limits: &limits, read: 0, unpacked: 0, max_read: 1 << 20 }.lists(file).unwrap()
    }

    #[test]
    fn filters_are_found_however_they_are_written() {
        assert_eq!(lists(b"<< /Length 4 /Filter/FlateDecode>>"), [[Filter::Flate]]);
        let both = [vec![Filter::Ascii85, Filter::Flate]];
        assert_eq!(lists(b"<< /Filter [ /A85 /Fl ] >>"), both);
        assert_eq!(lists(b"<< /F#69lter %]\n[ /A#385 % /X ]\n/Fl /DCTDecode /Fl] >>"), both);
        assert_eq!(lists(b"/Filter /Standard /Filter /Fl /Filter [/Fl /Fl] /Filter /Fl").len(), 1);
        assert!(lists(b"<< /Length 4 /Filters /Fl /Filter 7 0 R >>").is_empty());
    }

    #[test]
    fn a_stream_begins_after_a_dictionary() {
        for before in ["<< >>", "<<>>\r\n ", ">> % one\n%two\n", ">> (50%) >> % a % b\n"] {
            assert!(follows_dictionary(before.as_bytes()), "{before}");
        }
        for before in ["", "(a ", "<< >> %", "% >> a\n(", "a ", ">>\nBT (the "] {
            let is_comment = before.ends_with('%');
            assert_eq!(follows_dictionary(before.as_bytes()), is_comment, "{before}");
        }
    }
}
