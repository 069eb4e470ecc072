//! A book as MP3: one run of LAME over the whole book, after an ID3v2.3 tag that holds the chapters
//! (CHAP and CTOC).

use std::io::{Seek, SeekFrom, Write};

use id3::{
    Content, Encoding, Frame, Tag, TagLike as _, Version,
    frame::{Chapter, Comment, ExtendedText, Picture, PictureType, TableOfContents, Unknown},
};

use super::{BookChapter, BookError, BookOptions, languages::NO_LANGUAGE};
use crate::audio::{AudioError, AudioFormat, EncodeOptions, Layout, SOFTWARE, mp3::Mp3Encoder};

/// The value for a chapter without a byte offset.
const NO_OFFSET: u32 = u32::MAX;

/// A table of contents counts its entries in one byte, so more chapters need nested tables.
const MOST_ENTRIES: usize = 255;

/// The number of samples that are converted to floats at a time.
const PIECE: usize = 1 << 14;

pub(super) struct Mp3Book<W> {
    encoder: Mp3Encoder,
    out: W,
    bytes: u64,
    ready: Vec<u8>,
    scratch: Vec<f32>,
}

impl<W: Write + Seek> Mp3Book<W> {
    pub(super) fn new(options: &BookOptions, out: W) -> Result<Self, BookError> {
        let encoder = Mp3Encoder::with_tag(
            &EncodeOptions {
                bitrate_kbps: options.bitrate_kbps,
                ..EncodeOptions::new(AudioFormat::Mp3, options.sample_rate_hz)
            },
            Layout::File,
            tag(options)?,
        )?;
        Ok(Self { encoder, out, bytes: 0, ready: Vec::new(), scratch: Vec::new() })
    }

    pub(super) fn push(&mut self, samples: &[i16]) -> Result<(), BookError> {
        for piece in samples.chunks(PIECE) {
            self.scratch.clear();
            self.scratch.extend(piece.iter().map(|&sample| f32::from(sample) / 32_768.0));
            self.encoder.push(&self.scratch, &mut self.ready)?;
            self.write()?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<u64, BookError> {
        let end = self.encoder.finish()?;
        self.out.write_all(&end.bytes)?;
        self.bytes += end.bytes.len() as u64;
        if let Some(patch) = end.front_patch {
            self.out.seek(SeekFrom::Start(patch.offset as u64))?;
            self.out.write_all(&patch.bytes)?;
            self.out.seek(SeekFrom::Start(self.bytes))?;
        }
        self.out.flush()?;
        Ok(self.bytes)
    }

    fn write(&mut self) -> Result<(), BookError> {
        self.out.write_all(&self.ready)?;
        self.bytes += self.ready.len() as u64;
        self.ready.clear();
        Ok(())
    }
}

pub(super) fn tag(options: &BookOptions) -> Result<Vec<u8>, AudioError> {
    let mut tag = Tag::new();
    if let Some(title) = &options.title {
        tag.set_title(title);
    }
    if let Some(album) = options.album_title() {
        tag.set_album(album);
    }
    if let Some(author) = &options.author {
        tag.set_artist(author);
        tag.set_album_artist(author);
    }
    tag.set_genre("Audiobook");
    if let Some(language) = options.language_code() {
        tag.set_text("TLAN", language);
    }
    tag.set_text("TSSE", SOFTWARE);
    facts(&mut tag, options);
    if let Some(cover) = &options.cover {
        let picture = Picture {
            mime_type: cover.media_type.clone(),
            picture_type: PictureType::CoverFront,
            description: String::new(),
            data: cover.bytes.clone(),
        };
        // Players fail on pictures whose empty description is UTF-16.
        tag.add_frame(Frame::from(picture).set_encoding(Some(Encoding::Latin1)));
    }
    for table in contents(options.chapters.len()) {
        tag.add_frame(table);
    }
    for (at, chapter) in options.chapters.iter().enumerate() {
        tag.add_frame(mark(at, chapter));
    }
    let mut bytes = Vec::new();
    tag.write_to(&mut bytes, Version::Id3v23).map_err(|error| AudioError::codec("ID3", error))?;
    Ok(bytes)
}

/// Adds what is known about the book beyond title, author and language.
fn facts(tag: &mut Tag, options: &BookOptions) {
    let tags = &options.tags;
    let track = options.track.map(|(number, of)| match of {
        0 => number.to_string(),
        of => format!("{number}/{of}"),
    });
    // There is no frame for the narrator. Players of audiobooks take the composer for it.
    let texts = [
        ("TCOM", tags.narrator.clone()),
        ("TPUB", tags.publisher.clone()),
        ("TYER", tags.year_text()),
        ("TCOP", tags.copyright.clone()),
        ("TRCK", track),
    ];
    for (id, text) in texts {
        if let Some(text) = text {
            tag.set_text(id, text);
        }
    }
    let named = [
        ("NARRATOR", &tags.narrator),
        ("SERIES", &tags.series),
        ("SERIES-PART", &tags.series_index),
        ("ISBN", &tags.isbn),
    ];
    for (name, text) in named {
        if let Some(text) = text {
            tag.add_frame(ExtendedText { description: name.to_owned(), value: text.clone() });
        }
    }
    if let Some(text) = &tags.description {
        tag.add_frame(Comment {
            lang: options.language_code().unwrap_or(NO_LANGUAGE).to_owned(),
            description: String::new(),
            text: text.clone(),
        });
    }
    // The series once more, in the frames of Apple's players.
    if let Some(series) = &tags.series {
        tag.add_frame(apple("MVNM", series));
    }
    if let Some(number) = tags.series_number() {
        tag.add_frame(apple("MVIN", &number.to_string()));
    }
}

/// A text frame whose name does not begin with T, which the `id3` crate does not know as text.
fn apple(id: &str, text: &str) -> Frame {
    let mut data = vec![Encoding::UTF16 as u8, 0xFF, 0xFE];
    data.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    Frame::with_content(id, Content::Unknown(Unknown { data, version: Version::Id3v23 }))
}

fn name(at: usize) -> String {
    format!("chp{at}")
}

fn mark(at: usize, chapter: &BookChapter) -> Chapter {
    let ms = |ms: u64| u32::try_from(ms).unwrap_or(u32::MAX);
    Chapter {
        element_id: name(at),
        start_time: ms(chapter.start_ms),
        end_time: ms(chapter.end_ms),
        start_offset: NO_OFFSET,
        end_offset: NO_OFFSET,
        frames: chapter.title.iter().map(|title| Frame::text("TIT2", title)).collect(),
    }
}

/// The table of contents.
fn contents(chapters: usize) -> Vec<TableOfContents> {
    let table = |element_id: String, top_level: bool, elements: Vec<String>| TableOfContents {
        element_id,
        top_level,
        ordered: true,
        elements,
        frames: Vec::new(),
    };
    let names: Vec<String> = (0..chapters).map(name).collect();
    match names.chunks(MOST_ENTRIES).collect::<Vec<_>>().as_slice() {
        [] => Vec::new(),
        [all] => vec![table("toc".to_owned(), true, all.to_vec())],
        parts => {
            let part = |at: usize| format!("toc{at}");
            let top = table("toc".to_owned(), true, (0..parts.len()).take(MOST_ENTRIES).map(part).collect());
            let parts = parts.iter().enumerate().map(|(at, names)| table(part(at), false, names.to_vec()));
            std::iter::once(top).chain(parts).collect()
        }
    }
}
