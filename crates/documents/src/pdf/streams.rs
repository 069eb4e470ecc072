//! What a file's streams unpack to, counted before the library unpacks any of them: it stops late, and begins again
//! where it failed. Pictures' data is taken out of the file: nobody hears it.
//!
//! The count does not rely on telling which dictionary belongs to which stream: strings, comments and broken objects
//! can hide that. Every `stream` after a dictionary is unpacked by every list of filters that the file has anywhere,
//! and the largest result counts. What is read counts as well as what comes out.

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
use super::{bytes::find, whole};
use crate::{Limits, Reason, Unreadable};

/// No more filters than this are applied to one stream.
const FILTERS: usize = 8;

/// No more different lists of filters than this are in one file.
const LISTS: usize = 12;

/// The bytes in which a list of filters ends. The library reads lists in lists by recursion, which this bounds.
const LIST_BYTES: usize = 512;

/// The name `Filter` with each letter written as `#xx`.
const LONGEST_NAME: usize = 18;

/// A list of objects that is broken, and that unpacks to more than this, is not read.
const BROKEN_BYTES: u64 = 1 << 20;

/// Bytes that may be read from streams beyond twice the file: those of a whole file are read once.
const MORE_BYTES: u64 = 64 << 20;

/// What may be read for lists of filters that find no end by themselves, bytes.
const MOST_BYTES_OF_LISTS: u64 = 512 << 20;

/// What an attempt to unpack costs, however short it is, in bytes read.
const ATTEMPT_BYTES: u64 = 128;

/// Where a stream does not begin as zlib data does, the library looks for deflated data from so many bytes on.
const OFFSETS: usize = 20;

/// How far back the comments between a dictionary and its stream are followed; farther, there is taken to be one.
const COMMENTS: usize = 4_096;

/// The library reads an object up to the next `endobj`, and no more than `OBJECT_BYTES` of it. Objects that have an end
/// of their own make up one file; others may each be the rest of it.
const OBJECT_BYTES: u64 = 100 << 20;
const OBJECTS_BYTES: u64 = 2 << 30;

/// The library reads this many lines for the head of an object.
const HEAD_LINES: usize = 6;

/// A filter, by what it does to the length of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    Flate,
    Brotli,
    Lzw,
    RunLength,
    Ascii85,
    AsciiHex,
}

/// Counts what the streams of a file unpack to, and empties those of pictures.
///
/// # Errors
/// [`Unreadable`] when it is more than is read.
pub(super) fn check(file: &mut [u8], limits: &Limits) -> Result<(), Unreadable> {
    check_objects(file)?;
    // First: emptied data may be part of what another stream unpacks to.
    empty_pictures(file);
    let mut count = Count { limits, read: 0, unpacked: 0, most_read: 2 * file.len() as u64 + MORE_BYTES };
    let lists = count.lists(file)?;
    // Deflated data says itself where it ends; other data is read for each list.
    let others = lists.iter().filter(|list| !ends_itself(list)).count() as u64;
    count.most_read += others.saturating_mul(file.len() as u64).min(MOST_BYTES_OF_LISTS);
    count.streams(file, &lists, true)
}

/// What the library reads and unpacks each time that it tries to unpack a stream, in bytes.
pub(super) fn attempted(stream: &Object) -> u64 {
    let Object::Stream { dict, data } = stream else { return 0 };
    let filters = dict.get("Filter").map_or_else(|| Ok(Vec::new()), filters).unwrap_or_default();
    let limits = Limits::default();
    let mut count = Count { limits: &limits, read: 0, unpacked: 0, most_read: limits.unpacked_bytes };
    let mut stream = Stream { most: limits.part_bytes, unpacked: 0, is_broken: false };
    // One that is too much has been refused before, unless it is enciphered; what was counted of it counts here.
    let _ = count.unpack(data, &filters, &mut stream, &[], false);
    count.read.saturating_add(stream.unpacked)
}

/// Refuses objects without end that stand in each other: the library reads the rest of the file for each of them.
fn check_objects(file: &[u8]) -> Result<(), Unreadable> {
    let (mut at, mut open, mut starts, mut read) = (0, 0_u64, 0_u64, 0_u64);
    while let Some(found) = find(&file[at..], b"obj") {
        at += found + b"obj".len();
        if file[..at].ends_with(b"endobj") {
            read = read.saturating_add((open * at as u64).saturating_sub(starts).min(open * OBJECT_BYTES));
            (open, starts) = (0, 0);
        } else {
            (open, starts) = (open + 1, starts + at as u64);
        }
        if read > OBJECTS_BYTES {
            return Err(too_large());
        }
    }
    let rest = (open * file.len() as u64).saturating_sub(starts).min(open * OBJECT_BYTES);
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

/// What has been read and unpacked so far.
struct Count<'a> {
    limits: &'a Limits,
    read: u64,
    unpacked: u64,
    most_read: u64,
}

impl Count<'_> {
    /// Unpacks each stream. A list of objects may hold streams, too, which the library would unpack.
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
            // Deflated data says itself where it ends, whatever seems to end it before. Other data ends with its
            // object.
            let to_end = if lists.iter().all(|list| ends_itself(list)) || is_emptied(data) {
                &[]
            } else {
                let to_end = &data[..find(data, b"endobj").unwrap_or(data.len())];
                self.read += to_end.len() as u64;
                to_end
            };
            let mut largest = 0;
            for filters in lists {
                let data = if ends_itself(filters) { data } else { to_end };
                let most =
                    self.limits.part_bytes.min(self.limits.unpacked_bytes.saturating_sub(self.unpacked));
                let mut stream = Stream { most, unpacked: 0, is_broken: false };
                self.unpack(data, filters, &mut stream, lists, is_file)?;
                // The library unpacks a list of objects that it cannot read to its end for each object anew.
                if stream.is_broken && stream.unpacked > BROKEN_BYTES && is_list(object(file, keyword)) {
                    return Err(whole::no_objects());
                }
                largest = largest.max(stream.unpacked);
            }
            self.unpacked += largest;
        }
        Ok(())
    }

    /// Takes filters off data, and those off what it unpacks to.
    fn unpack(
        &mut self,
        data: &[u8],
        filters: &[Filter],
        stream: &mut Stream,
        lists: &[Vec<Filter>],
        is_file: bool,
    ) -> Result<(), Unreadable> {
        let Some((filter, rest)) = filters.split_first() else { return Ok(()) };
        for unpacked in self.taken_off(*filter, data, stream)? {
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

    /// What the library may make of data when it takes a filter off.
    fn taken_off(
        &mut self,
        filter: Filter,
        data: &[u8],
        stream: &mut Stream,
    ) -> Result<Vec<Vec<u8>>, Unreadable> {
        let left = stream.most.saturating_sub(stream.unpacked);
        let unpacked = match filter {
            Filter::Flate => return self.inflated(data, stream),
            Filter::Brotli => {
                let mut rest = data;
                let unpacked = taken(brotli::Decompressor::new(&mut rest, 4_096), left).0;
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

    /// What the library may make of deflated data: where it is broken, it tries again without the two bytes before it,
    /// and from each of its first bytes on.
    fn inflated(&mut self, data: &[u8], stream: &mut Stream) -> Result<Vec<Vec<u8>>, Unreadable> {
        let left = stream.most.saturating_sub(stream.unpacked);
        let is_first = stream.unpacked == 0;
        let mut decoder = ZlibDecoder::new(data);
        let (unpacked, is_whole) = taken(&mut decoder, left);
        self.count(decoder.total_in() as usize, &unpacked, stream)?;
        if is_whole {
            return Ok(vec![unpacked]);
        }
        stream.is_broken |= is_first;
        let mut all = vec![unpacked];
        for offset in 0..OFFSETS.min(data.len()) {
            let left = stream.most.saturating_sub(stream.unpacked);
            let mut decoder = DeflateDecoder::new(&data[offset..]);
            let (unpacked, _) = taken(&mut decoder, left);
            self.count(decoder.total_in() as usize, &unpacked, stream)?;
            all.push(unpacked);
        }
        all.retain(|unpacked| !unpacked.is_empty());
        Ok(all)
    }

    fn count(&mut self, read: usize, unpacked: &[u8], stream: &mut Stream) -> Result<(), Unreadable> {
        self.read += read as u64 + ATTEMPT_BYTES;
        stream.unpacked += unpacked.len() as u64;
        if stream.unpacked > stream.most || self.read > self.most_read { Err(too_large()) } else { Ok(()) }
    }

    /// The different lists of filters that streams may have: of each name `Filter`, whatever it belongs to.
    fn lists(&mut self, file: &[u8]) -> Result<Vec<Vec<Filter>>, Unreadable> {
        let mut lists = Vec::new();
        let mut at = 0;
        while let Some(found) = file[at..].iter().position(|&byte| byte == b'/') {
            at += found + 1;
            if !matches!(file.get(at), Some(b'F' | b'#')) {
                continue;
            }
            let name = &file[at..file.len().min(at + LONGEST_NAME + 1)];
            let name = &name[..name.iter().position(|&byte| is_end_of_name(byte)).unwrap_or(name.len())];
            if std::str::from_utf8(name).map(lexer::decode_name_escapes).as_deref() != Ok("Filter") {
                continue;
            }
            let value = &file[at + name.len()..];
            let value = &value[..value.len().min(LIST_BYTES)];
            let list = if let Ok((rest, list)) = parser::parse_object(value) {
                self.read += (value.len() - rest.len()) as u64;
                filters(&list)?
            } else {
                self.read += value.len() as u64;
                // Not one that the library would read, or a very long one.
                vec![Filter::Flate; FILTERS / 2]
            };
            insert(list, &mut lists)?;
            if self.read > self.most_read {
                return Err(too_large());
            }
        }
        Ok(lists)
    }
}

/// What is unpacked of one stream.
struct Stream {
    /// How much may come out of all its filters together.
    most: u64,
    unpacked: u64,
    /// Whether its data is deflated first of all, and broken.
    is_broken: bool,
}

/// What is said of a file that unfolds.
pub(super) fn too_large() -> Unreadable {
    Unreadable::new(Reason::TooLarge, "The file unpacks to far more than a document of its kind holds.")
}

/// Adds a list of filters, unless what it takes off is counted already.
fn insert(list: Vec<Filter>, lists: &mut Vec<Vec<Filter>>) -> Result<(), Unreadable> {
    if list.is_empty() || lists.iter().any(|known| known.starts_with(&list)) {
        return Ok(());
    }
    lists.retain(|known| !list.starts_with(known));
    lists.push(list);
    if lists.len() > LISTS { Err(too_large()) } else { Ok(()) }
}

/// The filters of a list in the order in which they are taken off, up to one that the library cannot take off, or that
/// is of pictures.
fn filters(list: &Object) -> Result<Vec<Filter>, Unreadable> {
    let names: Vec<&str> = match list {
        Object::Name(name) => vec![name],
        Object::Array(names) => names.iter().filter_map(Object::as_name).collect(),
        // It stands elsewhere, where the library does not look for it.
        _ => Vec::new(),
    };
    if names.len() > FILTERS { Err(too_large()) } else { Ok(names.into_iter().map_while(filter).collect()) }
}

/// Whether data that these filters are taken off says itself where it ends.
fn ends_itself(filters: &[Filter]) -> bool {
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

/// Where data starts behind the word `stream`.
fn data_start(file: &[u8], at: usize) -> usize {
    let at = if file.get(at) == Some(&b'\r') { at + 1 } else { at };
    let at = if file.get(at) == Some(&b'\n') { at + 1 } else { at };
    at.min(file.len())
}

/// Whether what stands before the word `stream` ends in a dictionary, comments aside. When in doubt, it does.
fn follows_dictionary(before: &[u8]) -> bool {
    let nearest = &before[before.len().saturating_sub(COMMENTS)..];
    let mut rest = nearest;
    loop {
        rest = trim_end(rest);
        if rest.ends_with(b">>") {
            return true;
        }
        let line = rest.iter().rposition(|byte| matches!(byte, b'\r' | b'\n')).map_or(0, |end| end + 1);
        let mut signs = (line..rest.len()).filter(|&at| rest[at] == b'%');
        let Some(first) = signs.next() else {
            return line == 0 && nearest.len() == COMMENTS;
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

/// The object that a stream belongs to, up to its data, and what stands before the object. The library does not read an
/// object beyond the next `endobj`, the lines of its head aside.
fn object(file: &[u8], keyword: usize) -> &[u8] {
    let before = &file[..keyword];
    let end = before.windows(b"endobj".len()).rposition(|window| window == b"endobj").unwrap_or(0);
    let head = before[..end].iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n').nth(HEAD_LINES);
    &before[head.map_or(0, |(at, _)| at)..]
}

/// Whether it is what [`empty_pictures`] leaves.
fn is_emptied(data: &[u8]) -> bool {
    let zeros = data.iter().position(|byte| *byte != 0).unwrap_or(data.len());
    data[zeros..].starts_with(b"endstream")
}

/// Whether an object may be a list of objects.
fn is_list(object: &[u8]) -> bool {
    find(object, b"/ObjStm").is_some() || object.contains(&b'#')
}

/// What can be read, one byte more than `most` at the most, and whether that is without a fault.
fn taken(reader: impl Read, most: u64) -> (Vec<u8>, bool) {
    let mut unpacked = Vec::new();
    // What came before a fault counts.
    let read = reader.take(most + 1).read_to_end(&mut unpacked);
    (unpacked, read.is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(file: &[u8]) -> Vec<Vec<Filter>> {
        let limits = Limits::default();
        Count { limits: &limits, read: 0, unpacked: 0, most_read: 1 << 20 }.lists(file).unwrap()
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
