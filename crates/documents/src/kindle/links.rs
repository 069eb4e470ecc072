//! Turns links of Kindle books, which lead to places in the text, into links to ids, which the reader
//! of pages knows.

use std::collections::BTreeSet;

use super::parts::{Part, Parts};

/// Links beyond this number lead nowhere.
const MAX_LINKS: usize = 100_000;

/// A tag longer than this is not looked for around a place.
const MAX_TAG_BYTES: usize = 4_096;

/// The start of a link to a place in a fragment, of KF8.
const FRAGMENT_LINK: &[u8] = b"kindle:pos:fid:";

/// The attribute of a link to a place in the text, of MOBI 6.
const PLACE_ATTRIBUTE: &[u8] = b"filepos=";

/// A link in a part.
struct Link {
    part: usize,
    /// The bytes that are replaced.
    start: usize,
    end: usize,
    /// Whether they are a whole attribute, not only its value.
    is_attribute: bool,
    /// The place that it leads to.
    place: usize,
}

/// The parts with ids at all places that links or `targets` lead to. A place is one that [`place`]
/// gave.
pub(super) fn with_ids(parts: &Parts, targets: impl Iterator<Item = usize>) -> Vec<Vec<u8>> {
    let links = find(parts);
    let places: BTreeSet<usize> = links.iter().map(|link| link.place).chain(targets).collect();
    let mut pages = Vec::with_capacity(parts.list.len());
    let mut rest = links.as_slice();
    for (index, part) in parts.list.iter().enumerate() {
        let own = rest.partition_point(|link| link.part <= index);
        let (links, after) = rest.split_at(own);
        rest = after;
        pages.push(edited(part, links, &places));
    }
    pages
}

/// The id of a place.
pub(super) fn id(place: usize) -> String {
    format!("kindle-{place}")
}

/// The place of an id.
pub(super) fn place_of(id: &str) -> Option<usize> {
    id.strip_prefix("kindle-")?.parse().ok()
}

/// The nearest place for an id at or before a position: not inside a tag.
pub(super) fn place(parts: &Parts, position: usize) -> Option<usize> {
    let part = &parts.list[parts.at(position)?];
    let at = position - part.start;
    let before = &part.bytes[at.saturating_sub(MAX_TAG_BYTES)..at];
    let last = before.iter().rposition(|byte| matches!(byte, b'<' | b'>'));
    let inside = last.filter(|last| before[*last] == b'<').map_or(0, |last| before.len() - last);
    Some(position - inside)
}

/// The links of all parts in order.
fn find(parts: &Parts) -> Vec<Link> {
    let mut links = Vec::new();
    for (index, part) in parts.list.iter().enumerate() {
        let mut at = 0;
        while let Some(found) = next(&part.bytes, at).filter(|_| links.len() < MAX_LINKS) {
            let (start, is_attribute) = found;
            let target =
                if is_attribute { of_place(&part.bytes, start) } else { of_fragment(parts, part, start) };
            let Some((end, position)) = target else {
                at = start + 1;
                continue;
            };
            if let Some(place) = place(parts, position) {
                links.push(Link { part: index, start, end, is_attribute, place });
            }
            at = end;
        }
    }
    links
}

/// The next link from a place on, and whether it is an attribute.
fn next(bytes: &[u8], from: usize) -> Option<(usize, bool)> {
    let rest = &bytes[from..];
    let starts = |at: usize, with: &[u8]| rest[at..].starts_with(with);
    let found = (0..rest.len()).find(|&at| match rest[at] {
        b'k' => starts(at, FRAGMENT_LINK),
        b'f' => starts(at, PLACE_ATTRIBUTE),
        _ => false,
    })?;
    Some((from + found, rest[found] == b'f'))
}

/// The end of an attribute `filepos=0000001234` and its target.
fn of_place(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    let value = start + PLACE_ATTRIBUTE.len();
    let quotes = usize::from(matches!(bytes.get(value), Some(b'"' | b'\'')));
    let digits = bytes[value + quotes..].iter().take(12).take_while(|byte| byte.is_ascii_digit()).count();
    let end = value + quotes + digits;
    let target = std::str::from_utf8(&bytes[value + quotes..end]).ok()?.parse().ok()?;
    let is_closed = quotes > 0 && bytes.get(end) == bytes.get(value);
    Some((end + usize::from(is_closed), target))
}

/// The end of a link `kindle:pos:fid:0001:off:000000000A` and its target.
fn of_fragment(parts: &Parts, part: &Part, start: usize) -> Option<(usize, usize)> {
    let start = start + FRAGMENT_LINK.len();
    let fragment = base_32(part.bytes.get(start..start + 4)?)?;
    let rest = part.bytes.get(start + 4..)?.strip_prefix(b":off:")?;
    let offset = base_32(rest.get(..10)?)?;
    Some((start + 4 + 5 + 10, parts.position(fragment, offset)?))
}

/// A number in the digits 0 to 9 and A to V.
fn base_32(digits: &[u8]) -> Option<usize> {
    let digit = |digit: &u8| char::from(*digit).to_digit(32).map(|value| value as usize);
    digits.iter().try_fold(0_usize, |number, byte| number.checked_mul(32)?.checked_add(digit(byte)?))
}

/// A part with its links changed and ids added.
fn edited(part: &Part, links: &[Link], places: &BTreeSet<usize>) -> Vec<u8> {
    let mut page = Vec::with_capacity(part.bytes.len());
    let mut copied = 0;
    let mut places = places.range(part.start..part.start + part.bytes.len()).peekable();
    let mut links = links.iter().peekable();
    loop {
        let next_place = places.peek().map(|place| **place - part.start);
        let next_link = links.peek().map(|link| link.start);
        if let Some(at) = next_place.filter(|at| next_link.is_none_or(|link| *at <= link)) {
            places.next();
            let (at, id) = insertion(&part.bytes, at, &id(at + part.start));
            // A place inside a link that was changed has its id after the link.
            let at = at.max(copied);
            page.extend_from_slice(&part.bytes[copied..at]);
            page.extend_from_slice(id.as_bytes());
            copied = at;
        } else if let Some(link) = links.next() {
            let target = id(link.place);
            page.extend_from_slice(&part.bytes[copied..link.start.max(copied)]);
            let text = if link.is_attribute { format!("href=\"#{target}\"") } else { format!("#{target}") };
            page.extend_from_slice(text.as_bytes());
            copied = link.end.max(copied);
        } else {
            break;
        }
    }
    page.extend_from_slice(&part.bytes[copied..]);
    page
}

/// Where an id goes that belongs to a place, and its markup: an attribute of the tag that starts there,
/// or an element before anything else.
fn insertion(bytes: &[u8], at: usize, id: &str) -> (usize, String) {
    let rest = &bytes[at..];
    let is_tag = rest.first() == Some(&b'<') && rest.get(1).is_some_and(u8::is_ascii_alphabetic);
    if !is_tag {
        return (at, format!("<a id=\"{id}\"></a>"));
    }
    let is_name = |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'>' | b'/');
    let name = rest[1..].iter().take_while(|byte| is_name(byte)).count();
    (at + 1 + name, format!(" id=\"{id}\""))
}
