//! Builds EPUBs, valid and broken, for tests.

use std::io::{Cursor, Write as _};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

pub(crate) fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let method =
            if *name == "mimetype" { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The parts of an EPUB.
#[derive(Default)]
pub(crate) struct Book {
    /// The content of `metadata`.
    pub(crate) metadata: String,
    /// Additional manifest items.
    pub(crate) items: String,
    /// Items of the spine; all documents by default.
    pub(crate) spine: Option<String>,
    /// The `toc` attribute of the spine.
    pub(crate) ncx: Option<&'static str>,
    pub(crate) guide: String,
    /// Replaces the usual container.
    pub(crate) container: Option<&'static str>,
    pub(crate) documents: Vec<(String, String)>,
    pub(crate) members: Vec<(String, Vec<u8>)>,
}

impl Book {
    /// Adds a document with this body to the spine, with the id `c1`, `c2`, …
    pub(crate) fn page(mut self, name: &str, body: &str) -> Self {
        let page = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" \
             xmlns:epub=\"http://www.idpf.org/2007/ops\"><head><title/></head>{}</html>",
            if body.starts_with("<body") { body.to_owned() } else { format!("<body>{body}</body>") }
        );
        self.documents.push((name.to_owned(), page));
        self
    }

    pub(crate) fn container(self, container: &'static str) -> Self {
        Self { container: Some(container), ..self }
    }

    /// Adds a raw document to the spine.
    pub(crate) fn raw_page(mut self, name: &str, bytes: &[u8]) -> Self {
        self.documents.push((name.to_owned(), String::new()));
        self.members.push((format!("OEBPS/{name}"), bytes.to_vec()));
        self
    }

    /// Adds a member that the manifest does not list.
    pub(crate) fn member(mut self, name: &str, bytes: &[u8]) -> Self {
        self.members.push((name.to_owned(), bytes.to_vec()));
        self
    }

    /// The package document.
    fn package(&self) -> String {
        let ids = self.documents.iter().enumerate().map(|(at, (name, _))| (format!("c{}", at + 1), name));
        let items: String = ids
            .clone()
            .map(|(id, name)| {
                format!("<item id=\"{id}\" href=\"{name}\" media-type=\"application/xhtml+xml\"/>")
            })
            .collect();
        let all: String = ids.map(|(id, _)| format!("<itemref idref=\"{id}\"/>")).collect();
        format!(
            "<?xml version=\"1.0\"?><package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"u\">\
             <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:opf=\"http://www.idpf.org/2007/opf\">{}</metadata>\
             <manifest>{items}{}</manifest><spine{}>{}</spine><guide>{}</guide></package>",
            self.metadata,
            self.items,
            self.ncx.map(|id| format!(" toc=\"{id}\"")).unwrap_or_default(),
            self.spine.as_deref().unwrap_or(&all),
            self.guide
        )
    }

    pub(crate) fn epub(&self) -> Vec<u8> {
        let container = "<?xml version=\"1.0\"?><container version=\"1.0\" \
             xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles><rootfile \
             full-path=\"OEBPS/content.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>";
        let package = self.package();
        let mut members: Vec<(&str, &[u8])> = vec![
            ("mimetype", b"application/epub+zip"),
            ("META-INF/container.xml", self.container.unwrap_or(container).as_bytes()),
            ("OEBPS/content.opf", package.as_bytes()),
        ];
        let names: Vec<String> = self.documents.iter().map(|(name, _)| format!("OEBPS/{name}")).collect();
        for (name, (_, page)) in names.iter().zip(&self.documents) {
            if !page.is_empty() {
                members.push((name, page.as_bytes()));
            }
        }
        members.extend(self.members.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())));
        zipped(&members)
    }
}
