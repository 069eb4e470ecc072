//! Opens a source EPUB: its package document, and whether anything in it forbids changes.

use std::{
    collections::{HashMap, HashSet},
    io::{Read, Seek},
};

use quick_xml::{Reader, events::Event};
use zip::ZipArchive;

use super::{
    super::FromScratch,
    package::{Package, attribute, resolve},
};

/// More files than a publication has.
const MAX_ENTRIES: usize = 20_000;

/// Longer documents are not read: each is in memory while it is changed.
const MAX_TEXT_BYTES: u64 = 32 << 20;

/// All documents together, unpacked.
const MAX_ALL_BYTES: u64 = 512 << 20;

pub(super) struct Container<R: Read + Seek> {
    pub(super) zip: ZipArchive<R>,
    pub(super) package: Package,
    pub(super) package_path: String,
    /// Documents that are changed, by name.
    pub(super) replaced: HashMap<String, String>,
    /// Bytes that may still be unpacked.
    room: u64,
}

impl<R: Read + Seek> Container<R> {
    pub(super) fn open(source: R) -> Result<Self, FromScratch> {
        let mut zip = ZipArchive::new(source).map_err(|_| FromScratch::Unreadable)?;
        if zip.len() > MAX_ENTRIES {
            return Err(FromScratch::TooLarge);
        }
        for at in 0..zip.len() {
            let entry = zip.by_index_raw(at).map_err(|_| FromScratch::Unreadable)?;
            if entry.encrypted() {
                return Err(FromScratch::Protected);
            }
        }
        let mut room = MAX_ALL_BYTES;
        let container = text(&mut zip, "META-INF/container.xml", &mut room)?;
        let package_path = references(&container, "rootfile", "full-path")?.into_iter().next();
        let package_path = package_path.ok_or(FromScratch::Unreadable)?;
        // It is a reference by rule, and a name in some books.
        let is_name = zip.index_for_name(&package_path).is_some();
        let referred = resolve("", &package_path).filter(|_| !is_name);
        let package_path = referred.unwrap_or(package_path);
        let package = Package::parse(text(&mut zip, &package_path, &mut room)?, &package_path)?;
        // What is signed must not change.
        if zip.index_for_name("META-INF/signatures.xml").is_some() {
            return Err(FromScratch::Protected);
        }
        if zip.index_for_name("META-INF/encryption.xml").is_some() {
            let encryption = text(&mut zip, "META-INF/encryption.xml", &mut room)?;
            // Fonts may be encrypted, by a key that is made of the unchanged identifier.
            let encrypted: HashSet<String> = references(&encryption, "CipherReference", "URI")?
                .iter()
                .filter_map(|path| resolve("", path))
                .collect();
            let is_text = |path: &String| encrypted.contains(path);
            if is_text(&package_path) || package.spine.iter().any(|item| is_text(&item.path)) {
                return Err(FromScratch::Protected);
            }
        }
        Ok(Self { zip, package, package_path, replaced: HashMap::new(), room })
    }

    /// A document; `None` when it is missing, damaged, larger than allowed or not UTF-8.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        if let Some(text) = self.replaced.get(name) {
            return Some(text.clone());
        }
        // Documents are read twice.
        text(&mut self.zip, name, &mut self.room).ok()
    }

    /// Whether a file has exactly these bytes.
    pub(super) fn has_bytes(&mut self, name: &str, bytes: &[u8]) -> bool {
        let Ok(entry) = self.zip.by_name(name) else { return false };
        let mut found = Vec::new();
        entry.take(bytes.len() as u64 + 1).read_to_end(&mut found).is_ok() && found == bytes
    }
}

fn text<R: Read + Seek>(zip: &mut ZipArchive<R>, name: &str, room: &mut u64) -> Result<String, FromScratch> {
    let entry = zip.by_name(name).map_err(|_| FromScratch::Unreadable)?;
    let limit = MAX_TEXT_BYTES.min(*room);
    let mut bytes = Vec::new();
    // The size in the header is only a claim.
    entry.take(limit + 1).read_to_end(&mut bytes).map_err(|_| FromScratch::Unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(FromScratch::TooLarge);
    }
    *room -= bytes.len() as u64;
    let text = String::from_utf8(bytes).map_err(|_| FromScratch::Unreadable)?;
    // Bytes of another encoding can be valid UTF-8; what they say then decides.
    let declaration = text.split_once("?>").map_or("", |(start, _)| start);
    let is_utf_8 =
        declaration.trim_start_matches('\u{FEFF}').strip_prefix("<?xml").is_none_or(|declaration| {
            declaration.split_once("encoding").is_none_or(|(_, encoding)| {
                let encoding = encoding.trim_start_matches(['=', ' ', '"', '\'']).to_ascii_lowercase();
                encoding.starts_with("utf-8")
                    || encoding.starts_with("us-ascii")
                    || encoding.starts_with("utf8")
            })
        });
    if is_utf_8 { Ok(text) } else { Err(FromScratch::Unreadable) }
}

/// The values of an attribute of all elements of a name.
fn references(source: &str, element: &str, name: &str) -> Result<Vec<String>, FromScratch> {
    let mut reader = Reader::from_str(source.trim_start_matches('\u{FEFF}'));
    let mut found = Vec::new();
    loop {
        match reader.read_event().map_err(|_| FromScratch::Unreadable)? {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == element => {
                found.extend(attribute(&tag, name));
            }
            Event::Eof => return Ok(found),
            _ => {}
        }
    }
}
