//! Builds Kindle books, valid and broken, for tests.

/// The length of a link to a place in a fragment, and of the number of a place.
const FRAGMENT_LINK: usize = 34;
const PLACE: usize = 10;

/// Fragments of a page of a KF8 book have at most this many bytes.
const FRAGMENT_BYTES: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packed {
    Plain,
    PalmDoc,
    /// Each byte stands for itself, unless [`Kindle::phrases`] has a phrase for it.
    Huffman,
}

/// The parts of a book.
#[derive(Clone)]
pub(crate) struct Kindle {
    pub(crate) is_kf8: bool,
    pub(crate) packed: Packed,
    pub(crate) is_utf8: bool,
    pub(crate) encryption: u16,
    pub(crate) name: &'static str,
    pub(crate) properties: Vec<(u32, Vec<u8>)>,
    /// The pages of a KF8 book; an older one is all of them together.
    pub(crate) pages: Vec<String>,
    /// Titles of the table of contents, their depths and the ids that they lead to.
    pub(crate) contents: Vec<(&'static str, u32, &'static str)>,
    /// Types of the guide of a KF8 book, and the ids that they lead to.
    pub(crate) guide: Vec<(&'static str, &'static str)>,
    pub(crate) pictures: Vec<Vec<u8>>,
    /// Packed phrases of the Huffman code, by the byte that stands for them.
    pub(crate) phrases: Vec<(u8, Vec<u8>)>,
    /// Bytes of text in a record. After it is an entry of three bytes, and the rest of a character
    /// that the record cuts in two.
    pub(crate) record_bytes: usize,
}

impl Default for Kindle {
    fn default() -> Self {
        Self {
            is_kf8: false,
            packed: Packed::PalmDoc,
            is_utf8: true,
            encryption: 0,
            name: "A Small Light",
            properties: Vec::new(),
            pages: Vec::new(),
            contents: Vec::new(),
            guide: Vec::new(),
            pictures: Vec::new(),
            phrases: Vec::new(),
            record_bytes: 100,
        }
    }
}

/// A link to the element with an id, for [`Kindle::pages`]: the value of `href`.
pub(crate) fn link(id: &str) -> String {
    format!("{:@<FRAGMENT_LINK$}", format!("@@{id}"))
}

/// The place of the element with an id: the value of `filepos`.
pub(crate) fn filepos(id: &str) -> String {
    format!("{:@<PLACE$}", format!("@@{id}"))
}

/// A page of a KF8 book in its fragments.
struct Page {
    start: usize,
    skeleton: String,
    fragments: Vec<(usize, String)>,
}

impl Kindle {
    pub(crate) fn file(&self) -> Vec<u8> {
        database(&self.records())
    }

    /// A file with this book, which is an old one, and a KF8 book.
    pub(crate) fn joint(&self, second: &Self) -> Vec<u8> {
        let mut first = self.clone();
        first.properties.push((121, vec![0; 4]));
        let mut records = first.records();
        records.push(b"BOUNDARY".to_vec());
        let start = u32::try_from(records.len()).unwrap();
        first.properties.last_mut().unwrap().1 = start.to_be_bytes().to_vec();
        let mut all = first.records();
        all.push(b"BOUNDARY".to_vec());
        all.extend(second.records());
        database(&all)
    }

    /// The records of the book, its header first.
    pub(crate) fn records(&self) -> Vec<Vec<u8>> {
        let pages = self.assembled();
        let mut text = String::new();
        for page in &pages {
            text.push_str(&page.skeleton);
            page.fragments.iter().for_each(|(_, fragment)| text.push_str(fragment));
        }
        let bytes: Vec<u8> = if self.is_utf8 {
            text.into_bytes()
        } else {
            text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
        };
        let mut records = self.text_records(&bytes);
        let text_records = records.len();
        let mut places = [u32::MAX; 7];
        let mut add = |at: usize, more: Vec<Vec<u8>>, places: &mut [u32; 7]| {
            if !more.is_empty() {
                places[at] = u32::try_from(records.len() + 1).unwrap();
                records.extend(more);
            }
        };
        if self.packed == Packed::Huffman {
            add(0, self.code(), &mut places);
        }
        add(1, self.pictures.clone(), &mut places);
        if !self.contents.is_empty() {
            add(2, self.contents_index(&pages), &mut places);
        }
        if self.is_kf8 {
            let mut flows = b"FDST\0\0\0\x0C\0\0\0\x01".to_vec();
            flows.extend(0_u32.to_be_bytes());
            flows.extend(u32::try_from(bytes.len()).unwrap().to_be_bytes());
            add(3, vec![flows], &mut places);
            add(4, fragments_index(&pages), &mut places);
            add(5, skeletons_index(&pages), &mut places);
            if !self.guide.is_empty() {
                add(6, self.guide_index(&pages), &mut places);
            }
        }
        records.insert(0, self.header(bytes.len(), text_records, places));
        records
    }

    fn header(&self, text_bytes: usize, text_records: usize, places: [u32; 7]) -> Vec<u8> {
        let mut header = vec![0; 264 + 16];
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        let packed: u16 = match self.packed {
            Packed::Plain => 1,
            Packed::PalmDoc => 2,
            Packed::Huffman => 0x4448,
        };
        put(0, &packed.to_be_bytes());
        put(4, &u32::try_from(text_bytes).unwrap().to_be_bytes());
        put(8, &u16::try_from(text_records).unwrap().to_be_bytes());
        put(12, &self.encryption.to_be_bytes());
        put(16, b"MOBI");
        put(20, &264_u32.to_be_bytes());
        put(28, &(if self.is_utf8 { 65_001_u32 } else { 1_252 }).to_be_bytes());
        put(36, &(if self.is_kf8 { 8_u32 } else { 6 }).to_be_bytes());
        put(92, &0x0809_u32.to_be_bytes());
        put(112, &places[0].to_be_bytes());
        put(116, &2_u32.to_be_bytes());
        put(108, &places[1].to_be_bytes());
        put(244, &places[2].to_be_bytes());
        put(192, &places[3].to_be_bytes());
        put(248, &places[4].to_be_bytes());
        put(252, &places[5].to_be_bytes());
        put(260, &places[6].to_be_bytes());
        put(242, &0b11_u16.to_be_bytes());
        put(128, &0x40_u32.to_be_bytes());
        let mut properties = Vec::new();
        for (kind, value) in &self.properties {
            properties.extend(kind.to_be_bytes());
            properties.extend(u32::try_from(value.len() + 8).unwrap().to_be_bytes());
            properties.extend(value);
        }
        let name_at = header.len() + 12 + properties.len();
        header[84..88].copy_from_slice(&u32::try_from(name_at).unwrap().to_be_bytes());
        header[88..92].copy_from_slice(&u32::try_from(self.name.len()).unwrap().to_be_bytes());
        header.extend(b"EXTH");
        header.extend(u32::try_from(properties.len() + 12).unwrap().to_be_bytes());
        header.extend(u32::try_from(self.properties.len()).unwrap().to_be_bytes());
        header.extend(properties);
        header.extend(self.name.as_bytes());
        header
    }

    fn text_records(&self, text: &[u8]) -> Vec<Vec<u8>> {
        let pieces = text.chunks(self.record_bytes).enumerate();
        let record = |(index, piece): (usize, &[u8])| {
            let mut record = match self.packed {
                Packed::PalmDoc => packed(piece),
                _ => piece.to_vec(),
            };
            // The next record repeats the rest of a character that is cut in two.
            let next = &text[((index + 1) * self.record_bytes).min(text.len())..];
            let rest = next.iter().take_while(|byte| self.is_utf8 && **byte & 0xC0 == 0x80).count();
            record.extend(&next[..rest]);
            record.push(u8::try_from(rest).unwrap());
            record.extend([b'x', b'y', 0x83]);
            record
        };
        pieces.map(record).collect()
    }

    /// The pages with their links.
    fn assembled(&self) -> Vec<Page> {
        let unlinked = self.divided(&self.pages);
        let mut sources = self.pages.clone();
        for (id, place) in ids(&self.pages) {
            let (fragment, offset) = in_fragment(&unlinked, place);
            let target = format!("kindle:pos:fid:{}:off:{}", base_32(fragment, 4), base_32(offset, 10));
            for source in &mut sources {
                *source = source.replace(&link(&id), &target).replace(&filepos(&id), &format!("{place:010}"));
            }
        }
        self.divided(&sources)
    }

    fn divided(&self, sources: &[String]) -> Vec<Page> {
        let mut start = 0;
        let page = |source: &String| {
            let whole = (source.clone(), Vec::new());
            let (skeleton, fragments) = if self.is_kf8 { divided(source, start) } else { whole };
            let page = Page { start, skeleton, fragments };
            start += source.len();
            page
        };
        sources.iter().map(page).collect()
    }

    fn contents_index(&self, pages: &[Page]) -> Vec<Vec<u8>> {
        let targets = ids(&self.pages);
        let place = |id: &str| targets.iter().find(|(known, _)| known == id).map_or(0, |(_, place)| *place);
        let mut texts = Vec::new();
        let mut entries = Vec::new();
        for (index, (title, depth, id)) in self.contents.iter().enumerate() {
            let at = texts.len();
            texts.extend(number(title.len()));
            texts.extend(title.as_bytes());
            let (fragment, offset) = in_fragment(pages, place(id));
            let values =
                [number(place(id)), number(at), number(*depth as usize), number(fragment), number(offset)];
            entries.push((format!("{index:03}"), vec![0b1111], values.concat()));
        }
        index(&[(1, 1, 1, 0), (3, 1, 2, 0), (4, 1, 4, 0), (6, 2, 8, 0), (0, 0, 0, 1)], &entries, &[texts])
    }

    fn guide_index(&self, pages: &[Page]) -> Vec<Vec<u8>> {
        let targets = ids(&self.pages);
        let entry = |(kind, id): &(&str, &str)| {
            let place = targets.iter().find(|(known, _)| known == id).map_or(0, |(_, place)| *place);
            let (fragment, offset) = in_fragment(pages, place);
            ((*kind).to_owned(), vec![1], [number(fragment), number(offset)].concat())
        };
        let entries: Vec<_> = self.guide.iter().map(entry).collect();
        index(&[(6, 2, 1, 0), (0, 0, 0, 1)], &entries, &[])
    }

    /// A code in which all codes have eight bits, and its phrases.
    fn code(&self) -> Vec<Vec<u8>> {
        let mut codes = b"HUFF\0\0\0\x18".to_vec();
        codes.extend(24_u32.to_be_bytes());
        codes.extend((24_u32 + 1_024).to_be_bytes());
        codes.resize(24, 0);
        (0..256).for_each(|_| codes.extend((0xFF_u32 << 8 | 0x80 | 8).to_be_bytes()));
        (0..64).for_each(|_| codes.extend(0_u32.to_be_bytes()));
        let (mut places, mut phrases) = (Vec::new(), Vec::new());
        for index in 0..=255_u8 {
            let byte = 255 - index;
            places.extend(u16::try_from(512 + phrases.len()).unwrap().to_be_bytes());
            let packed = self.phrases.iter().find(|(own, _)| *own == byte);
            let (length, phrase) = match packed {
                Some((_, phrase)) => (u16::try_from(phrase.len()).unwrap(), phrase.clone()),
                None => (0x8001, vec![byte]),
            };
            phrases.extend(length.to_be_bytes());
            phrases.extend(phrase);
        }
        let mut dictionary = b"CDIC\0\0\0\x10".to_vec();
        dictionary.extend(256_u32.to_be_bytes());
        dictionary.extend(8_u32.to_be_bytes());
        dictionary.extend(places);
        dictionary.extend(phrases);
        vec![codes, dictionary]
    }
}

/// A Palm database of these records.
pub(crate) fn database(records: &[Vec<u8>]) -> Vec<u8> {
    let mut file = vec![0; 78];
    file[60..68].copy_from_slice(b"BOOKMOBI");
    file[76..78].copy_from_slice(&u16::try_from(records.len()).unwrap().to_be_bytes());
    let mut start = 78 + 8 * records.len();
    for record in records {
        file.extend(u32::try_from(start).unwrap().to_be_bytes());
        file.extend([0; 4]);
        start += record.len();
    }
    file.extend(records.concat());
    file
}

/// An index of entries with their names, control bytes and numbers. `tags` are numbers, counts of
/// values, masks and ends of control bytes.
pub(crate) fn index(
    tags: &[(u8, u8, u8, u8)],
    entries: &[(String, Vec<u8>, Vec<u8>)],
    texts: &[Vec<u8>],
) -> Vec<Vec<u8>> {
    let word = |number: usize| u32::try_from(number).unwrap().to_be_bytes();
    let mut header = b"INDX".to_vec();
    header.extend(word(192));
    header.resize(24, 0);
    header.extend(word(1));
    header.resize(52, 0);
    header.extend(word(texts.len()));
    header.resize(192, 0);
    header.extend(b"TAGX");
    header.extend(word(12 + 4 * tags.len()));
    header.extend(word(1));
    header.extend(tags.iter().flat_map(|(tag, values, mask, end)| [*tag, *values, *mask, *end]));
    let mut data = b"INDX".to_vec();
    data.resize(192, 0);
    let mut places = b"IDXT".to_vec();
    for (name, control, numbers) in entries {
        places.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        data.push(u8::try_from(name.len()).unwrap());
        data.extend(name.as_bytes());
        data.extend(control);
        data.extend(numbers);
    }
    let list = data.len();
    data[20..24].copy_from_slice(&word(list));
    data[24..28].copy_from_slice(&word(entries.len()));
    data.extend(places);
    let mut records = vec![header, data];
    records.extend(texts.iter().cloned());
    records
}

fn fragments_index(pages: &[Page]) -> Vec<Vec<u8>> {
    let fragments = pages.iter().flat_map(|page| &page.fragments);
    let entry = |(place, fragment): &(usize, String)| {
        (format!("{place:010}"), vec![1], [number(0), number(fragment.len())].concat())
    };
    let entries: Vec<_> = fragments.map(entry).collect();
    index(&[(6, 2, 1, 0), (0, 0, 0, 1)], &entries, &[])
}

fn skeletons_index(pages: &[Page]) -> Vec<Vec<u8>> {
    let entry = |(at, page): (usize, &Page)| {
        // Both occur twice.
        let (start, length) = (number(page.start), number(page.skeleton.len()));
        let count = number(page.fragments.len());
        let numbers = [count.clone(), count, start.clone(), length.clone(), start, length].concat();
        (format!("SKEL{at:010}"), vec![0b1010], numbers)
    };
    let entries: Vec<_> = pages.iter().enumerate().map(entry).collect();
    index(&[(1, 1, 0b11, 0), (6, 2, 0b1100, 0), (0, 0, 0, 1)], &entries, &[])
}

/// A page as the markup around its body, and the body in fragments with their places.
fn divided(source: &str, start: usize) -> (String, Vec<(usize, String)>) {
    let body = source.find("<body>").map_or(0, |at| at + 6);
    let end = source.find("</body>").unwrap_or(source.len());
    let (mut at, mut fragments) = (body, Vec::new());
    while at < end {
        let next = source.floor_char_boundary((at + FRAGMENT_BYTES).min(end));
        fragments.push((start + at, source[at..next].to_owned()));
        at = next;
    }
    (format!("{}{}", &source[..body], &source[end..]), fragments)
}

/// The ids of all pages and the places of their elements in the whole text.
fn ids(pages: &[String]) -> Vec<(String, usize)> {
    let text = pages.concat();
    let mut found = Vec::new();
    for (at, _) in text.match_indices(" id=\"") {
        let id = text[at + 5..].split('"').next().unwrap();
        found.push((id.to_owned(), text[..at].rfind('<').unwrap()));
    }
    found
}

/// The number of the last fragment that starts at or before a place, and the place in it.
fn in_fragment(pages: &[Page], place: usize) -> (usize, usize) {
    let starts: Vec<usize> =
        pages.iter().flat_map(|page| page.fragments.iter().map(|(start, _)| *start)).collect();
    let fragment = starts.iter().rposition(|start| *start <= place).unwrap_or(0);
    (fragment, place.saturating_sub(starts.get(fragment).copied().unwrap_or(0)))
}

fn base_32(number: usize, digits: u32) -> String {
    let digit = |at: u32| u32::try_from(number / 32_usize.pow(at) % 32).unwrap();
    (0..digits).rev().map(|at| char::from_digit(digit(at), 32).unwrap().to_ascii_uppercase()).collect()
}

/// A number of seven bits a byte, whose last byte has the highest bit set.
pub(crate) fn number(number: usize) -> Vec<u8> {
    let mut bytes = vec![(number & 0x7F) as u8 | 0x80];
    let mut rest = number >> 7;
    while rest > 0 {
        bytes.insert(0, (rest & 0x7F) as u8);
        rest >>= 7;
    }
    bytes
}

/// `PalmDOC`, with repetitions.
fn packed(text: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let longest = (1..=at.min(2_047))
            .map(|distance| {
                let same = (0..10).take_while(|ahead| {
                    text.get(at + ahead).is_some_and(|byte| *byte == text[at + ahead - distance])
                });
                (same.count(), distance)
            })
            .max_by_key(|(length, _)| *length);
        if let Some((length, distance)) = longest.filter(|(length, _)| *length >= 3) {
            let pair = 0x8000 | distance << 3 | (length - 3);
            packed.extend(u16::try_from(pair).unwrap().to_be_bytes());
            at += length;
        } else if text[at] == b' ' && text.get(at + 1).is_some_and(|next| (0x40..0x80).contains(next)) {
            packed.push(text[at + 1] | 0x80);
            at += 2;
        } else if text[at] >= 0x80 || (1..=8).contains(&text[at]) {
            packed.extend([1, text[at]]);
            at += 1;
        } else {
            packed.push(text[at]);
            at += 1;
        }
    }
    packed
}
