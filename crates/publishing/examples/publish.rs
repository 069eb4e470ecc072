//! Makes all publications of a document, with silence for speech and made-up times, so that
//! validators can check them: `publish FILE FOLDER`. A third argument varies roles and levels.

#![expect(clippy::print_stdout, reason = "this is a program")]

use std::{
    error::Error,
    fs::{self, File},
    io::{self, Cursor, Read},
    path::Path,
};

use jiff::Timestamp;
use lectern_documents::Limits;
use lectern_publishing::{
    Book, Chapter, ChapterRole, Contents, Cover, SpokenText, SpokenWord, daisy,
    epub::{self, Granularity},
    feed::{self, Episode, Feed},
    mp3_zip,
};
use uuid::Uuid;

/// A frame of MPEG-2 layer III at 24 kHz and 8 kbit/s: 24 milliseconds of silence in 24 bytes.
const FRAME: [u8; 24] = {
    let mut frame = [0; 24];
    (frame[0], frame[1], frame[2], frame[3]) = (0xFF, 0xF3, 0x14, 0xC4);
    frame
};

const ROLES: [&str; 15] = [
    "cover",
    "title_page",
    "imprint",
    "copyright",
    "dedication",
    "toc",
    "foreword",
    "body",
    "notes",
    "appendix",
    "glossary",
    "bibliography",
    "index",
    "licence",
    "advertisement",
];

struct Silence {
    texts: Vec<SpokenText>,
    durations_ms: Vec<u64>,
}

impl Contents for Silence {
    fn text(&mut self, chapter: usize) -> io::Result<SpokenText> {
        Ok(self.texts[chapter].clone())
    }

    fn audio(&mut self, chapter: usize) -> io::Result<Box<dyn Read + '_>> {
        let frames = self.durations_ms[chapter].div_ceil(24) as usize;
        Ok(Box::new(Cursor::new(FRAME.repeat(frames))))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, folder, varied @ ..] = &arguments[..] else { return Err("usage: publish FILE FOLDER".into()) };
    let is_varied = !varied.is_empty();
    let bytes = fs::read(file)?;
    let kind = lectern_documents::detect(&bytes, &bytes).map_err(|error| error.message)?;
    let document =
        lectern_documents::read(kind, &bytes, &Limits::default()).map_err(|error| error.message)?;
    let mut contents = Silence { texts: Vec::new(), durations_ms: Vec::new() };
    let mut chapters = Vec::new();
    for (at, chapter) in document.chapters.iter().enumerate() {
        let end = document.chapters.get(at + 1).map_or(document.text.len(), |next| next.start);
        let text = document.text[chapter.start..end].to_owned();
        let (words, duration_ms) = spoken_words(&text);
        chapters.push(Chapter {
            title: chapter.title.clone(),
            level: if is_varied { (at % 4) as u8 } else { 1 },
            role: if is_varied {
                ROLES[at % ROLES.len()].parse().unwrap_or_default()
            } else {
                ChapterRole::Body
            },
            duration_ms,
            audio_bytes: duration_ms.div_ceil(24) * FRAME.len() as u64,
        });
        contents.texts.push(SpokenText { text, words });
        contents.durations_ms.push(duration_ms);
    }
    let cover = document.cover.map(|cover| Cover { media_type: cover.media_type, bytes: cover.bytes });
    let book = Book {
        title: document.title.unwrap_or_default(),
        author: document.author,
        narrator: Some("A Voice".to_owned()),
        publisher: Some("A House & Sons".to_owned()),
        year: Some(2026),
        language: document.language,
        description: Some("Words <and> marks".to_owned()),
        series: Some("A Series".to_owned()),
        series_index: Some("2".to_owned()),
        isbn: Some("978-3-16-148410-0".to_owned()),
        copyright: Some("© Nobody".to_owned()),
        identifier: Uuid::from_u128(0x1234_5678_9abc_4def_8123_4567_89ab_cdef),
        modified: Timestamp::from_second(1_700_000_000)?,
        cover,
        chapters,
    };
    publish(&book, &mut contents, Path::new(file), Path::new(folder))
}

fn publish(book: &Book, contents: &mut Silence, file: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let name = file.file_stem().ok_or("no name")?.display();
    for (granularity, end) in [(Granularity::Word, "words"), (Granularity::Sentence, "sentences")] {
        epub::write(book, contents, granularity, File::create(folder.join(format!("{name}-{end}.epub")))?)?;
        if file.extension().is_none_or(|extension| extension != "epub") {
            continue;
        }
        let out = File::create(folder.join(format!("{name}-source-{end}.epub")))?;
        let (_, outcome) = epub::write_with_source(book, contents, granularity, File::open(file)?, out)?;
        println!("{name} {end}: {outcome:?}");
    }
    daisy::write(book, contents, File::create(folder.join(format!("{name}-daisy.zip")))?)?;
    mp3_zip::write(book, contents, File::create(folder.join(format!("{name}-mp3.zip")))?)?;
    fs::write(folder.join(format!("{name}-feed.xml")), feed::rss(&feed_of(book)))?;
    Ok(())
}

fn feed_of(book: &Book) -> Feed {
    let episode = |(at, chapter): (usize, &Chapter)| Episode {
        title: chapter.title.clone(),
        guid: format!("{}-{at}", book.identifier),
        audio_url: format!("https://example.org/{at}.mp3?a=1&b=2"),
        audio_bytes: chapter.audio_bytes,
        duration_ms: chapter.duration_ms,
        chapters_url: Some(format!("https://example.org/{at}.json")),
    };
    Feed {
        title: book.title.clone(),
        description: book.description.clone(),
        author: book.author.clone(),
        language: book.language.clone(),
        copyright: book.copyright.clone(),
        feed_url: "https://example.org/feed".to_owned(),
        page_url: "https://example.org/".to_owned(),
        image_url: Some("https://example.org/cover.jpg".to_owned()),
        guid: book.identifier,
        modified: book.modified,
        private: true,
        episodes: book.chapters.iter().enumerate().map(episode).collect(),
    }
}

/// Words between white space, without the punctuation around them; where words are long, as in
/// languages that do not separate them, pieces of three characters.
fn spoken_words(text: &str) -> (Vec<SpokenWord>, u64) {
    let (mut words, mut ms) = (Vec::new(), 250);
    let mut start = None;
    let ends = text.char_indices().map(|(at, c)| (at, c.is_alphanumeric() || matches!(c, '\'' | '’')));
    let mut letters = 0;
    for (at, is_word) in ends.chain([(text.len(), false)]) {
        if !is_word || letters == 24 {
            if let Some(start) = start.take() {
                let end_ms = ms + 60 * letters;
                words.push(SpokenWord { range: start..at, start_ms: ms, end_ms });
                ms = end_ms + 20;
            }
            letters = 0;
        }
        if is_word {
            start = start.or(Some(at));
            letters += 1;
        } else {
            ms += 10;
        }
    }
    (words, ms)
}
