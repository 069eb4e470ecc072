//! From the archive to the package document: `META-INF/container.xml`, and what `META-INF/encryption.xml` says of
//! members that only a reading system with a licence can read.

use std::collections::HashSet;

use super::href;
use crate::{
    Reason, Unreadable,
    archive::Archive,
    decoding,
    xml::{Event, Events},
};

/// Fonts are scrambled with these so that they are not lifted out of the book; text never is.
const FONT_SCRAMBLING: [&str; 2] = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

/// The media type of package documents; a container may list other renditions, too.
const PACKAGE: &str = "application/oebps-package+xml";

/// The name of the package document.
///
/// # Errors
/// [`Reason::Damaged`] when there is none.
pub(super) fn package_path(archive: &mut Archive<'_>) -> Result<String, Unreadable> {
    if let Some(bytes) = archive.read("META-INF/container.xml")? {
        let text = decoding::markup(&bytes);
        let mut first = None;
        for event in Events::of(&text) {
            let Event::Open(element) = event else { continue };
            let path = element.attribute("full-path").and_then(|path| href::resolve("", &path));
            let Some(target) = path.filter(|_| element.name() == "rootfile") else { continue };
            if element.attribute("media-type").as_deref() == Some(PACKAGE) {
                return Ok(target.path);
            }
            first = first.or(Some(target.path));
        }
        if let Some(first) = first {
            return Ok(first);
        }
    }
    // A book whose container is lost or broken may still hold exactly one package.
    let mut packages = archive.names().filter(|name| name.to_lowercase().ends_with(".opf"));
    match (packages.next(), packages.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(Unreadable::new(
            Reason::Damaged,
            "The EPUB does not say where its contents are: META-INF/container.xml is missing or broken.",
        )),
    }
}

/// The names of the members that are encrypted, fonts apart.
pub(super) fn encrypted_members(archive: &mut Archive<'_>) -> Result<HashSet<String>, Unreadable> {
    let mut members = HashSet::new();
    let Some(bytes) = archive.read("META-INF/encryption.xml")? else { return Ok(members) };
    let text = decoding::markup(&bytes);
    let mut scrambled_font = false;
    for event in Events::of(&text) {
        let Event::Open(element) = event else { continue };
        match element.name() {
            "EncryptedData" => scrambled_font = false,
            "EncryptionMethod" => {
                scrambled_font = element
                    .attribute("Algorithm")
                    .is_some_and(|algorithm| FONT_SCRAMBLING.contains(&algorithm.as_str()));
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
