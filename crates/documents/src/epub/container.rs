//! Finds the package document through `META-INF/container.xml`, and the encrypted members through
//! `META-INF/encryption.xml`.

use std::collections::HashSet;

use super::href;
use crate::{
    Reason, Unreadable,
    archive::Archive,
    decoding,
    xml::{Event, Events},
};

/// Algorithms that obfuscate fonts against copying; text never uses them.
const FONT_OBFUSCATION: [&str; 2] = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

/// The media type of package documents. A container may list other renditions, too.
const PACKAGE_MEDIA_TYPE: &str = "application/oebps-package+xml";

/// The name of the package document.
///
/// # Errors
/// [`Reason::Damaged`] when there is none.
pub(super) fn package_path(archive: &mut Archive<'_>) -> Result<String, Unreadable> {
    if let Some(bytes) = archive.read("META-INF/container.xml")? {
        let text = decoding::markup(&bytes);
        let mut first = None;
        for event in Events::lenient(&text) {
            let Event::Open(element) = event else { continue };
            let path = element.attribute("full-path").and_then(|path| href::resolve("", &path));
            let Some(target) = path.filter(|_| element.name() == "rootfile") else { continue };
            if element.attribute("media-type").as_deref() == Some(PACKAGE_MEDIA_TYPE) {
                return Ok(target.path);
            }
            first = first.or(Some(target.path));
        }
        if let Some(first) = first {
            return Ok(first);
        }
    }
    // With a missing or broken container, accept the only package in the archive.
    let mut packages = archive.names().filter(|name| name.to_lowercase().ends_with(".opf"));
    match (packages.next(), packages.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(Unreadable::new(
            Reason::Damaged,
            "The EPUB is damaged: META-INF/container.xml is missing or invalid.",
        )),
    }
}

/// The names of encrypted members, except fonts.
pub(super) fn encrypted_members(archive: &mut Archive<'_>) -> Result<HashSet<String>, Unreadable> {
    let mut members = HashSet::new();
    let Some(bytes) = archive.read("META-INF/encryption.xml")? else { return Ok(members) };
    let text = decoding::markup(&bytes);
    let mut scrambled_font = false;
    for event in Events::lenient(&text) {
        let Event::Open(element) = event else { continue };
        match element.name() {
            "EncryptedData" => scrambled_font = false,
            "EncryptionMethod" => {
                scrambled_font = element
                    .attribute("Algorithm")
                    .is_some_and(|algorithm| FONT_OBFUSCATION.contains(&algorithm.as_str()));
            }
            "CipherReference" if !scrambled_font => {
                let target = element.attribute("URI").and_then(|uri| href::resolve("", &uri));
                members.extend(target.map(|target| target.path));
            }
            _ => {}
        }
    }
    Ok(members)
}
