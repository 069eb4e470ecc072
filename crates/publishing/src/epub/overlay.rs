//! Media Overlays: the SMIL files that connect elements with stretches of audio.

use std::io::{self, Write};

use crate::{
    clips::Clip,
    markup::{Escaped, Seconds},
};

/// The class of what is being spoken.
pub(super) const ACTIVE: &str = "-epub-media-overlay-active";

/// The class of a document that is being spoken.
pub(super) const PLAYING: &str = "-epub-media-overlay-playing";

/// How both look. The colour of the text is set too, because a reader's own may not be legible.
pub(super) const STYLE: &str = "\
.-epub-media-overlay-active { background-color: #ffe58f; color: #000; }
.-epub-media-overlay-playing { color: inherit; }
";

/// Writes one overlay.
pub(super) struct Writer<'a> {
    out: &'a mut dyn Write,
    pars: usize,
    seqs: usize,
}

impl<'a> Writer<'a> {
    /// `document` is the reference to the document, as seen from the overlay.
    pub(super) fn start(out: &'a mut dyn Write, document: &str) -> io::Result<Self> {
        writeln!(
            out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <smil xmlns=\"http://www.w3.org/ns/SMIL\" xmlns:epub=\"http://www.idpf.org/2007/ops\" \
             version=\"3.0\">\n<body id=\"body\" epub:textref=\"{}\">",
            Escaped(document)
        )?;
        Ok(Self { out, pars: 0, seqs: 0 })
    }

    /// Begins a group: the element `id` of the document.
    pub(super) fn open(&mut self, document: &str, id: &str) -> io::Result<()> {
        self.seqs += 1;
        writeln!(self.out, "<seq id=\"seq{}\" epub:textref=\"{}#{id}\">", self.seqs, Escaped(document))
    }

    pub(super) fn close(&mut self) -> io::Result<()> {
        writeln!(self.out, "</seq>")
    }

    /// The element `id` of the document is spoken in a clip of `audio`.
    pub(super) fn par(&mut self, document: &str, id: &str, audio: &str, clip: Clip) -> io::Result<()> {
        self.pars += 1;
        writeln!(
            self.out,
            "<par id=\"par{}\"><text src=\"{}#{id}\"/><audio src=\"{}\" clipBegin=\"{}\" clipEnd=\"{}\"/></par>",
            self.pars,
            Escaped(document),
            Escaped(audio),
            Seconds(clip.begin_ms),
            Seconds(clip.end_ms)
        )
    }

    pub(super) fn finish(self) -> io::Result<()> {
        writeln!(self.out, "</body>\n</smil>")
    }
}
