//! `lectern read`: turns a book into an audiobook without the service, in the same steps: document,
//! chunks, audio, one file.
//!
//! `source` reads the document, with `scan` where it is one, `selection` leaves chapters out, `state` keeps the finished chunks so that an interrupted run can be
//! resumed, `speakers` finds who speaks besides the narrator, `chunks` speaks them, `encoding` encodes them, `progress` reports progress, and `book` and
//! `publication` join them into the file. No database, no HTTP, no credits.

mod book;
mod chunks;
mod encoding;
mod folder;
mod progress;
mod publication;
mod scan;
mod selection;
mod source;
mod speakers;
mod state;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use lectern_documents::{Document, NotesMode, language};
use lectern_speech::{language::Language, spec::NarrationSpec};
use lectern_types::{
    BookFile, BookFormat, BookLoudness, BookName, Field as _, Granularity, Year, request::parse_word,
};
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    cast::{self, Roles, Voices},
    destination::{self, Target},
    lexicon_files, numbers, output,
    reader::{self, Reader},
};
use crate::lifecycle;
use encoding::Encoding;
use lectern_service::{
    config::Config,
    services::{lexicons::choice, materials::warnings, speech::voices},
};
use scan::Recognizer;
use selection::{Indexes, Selection};
use source::Source;
use speakers::Cast;
use state::State;

/// Turn a book into an audiobook, without the service. A repeated command resumes an interrupted
/// one.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Read {
    /// The book: EPUB, Kindle (MOBI, AZW3), FictionBook, PDF, DOCX, ODT, RTF, HTML, Markdown or plain text, known by
    /// its content; with --ocr also pictures of its pages; `-` is standard input. Of a folder, each book in it.
    file: PathBuf,

    /// The audiobook's file. Until it is complete, a folder next to it keeps the chunks spoken so
    /// far. `-` is standard output. Output to standard output, a device or a FIFO cannot be resumed
    /// after an interruption. For a folder of books it is a folder, too.
    #[arg(short, long, value_name = "PATH", required_unless_present = "list")]
    output: Option<PathBuf>,

    /// mp3, m4b, zip (an MP3 for each chapter), epub (text and sound together) or daisy (a ZIP); by
    /// default from the output's extension, otherwise m4b for files and mp3 for standard output, devices
    /// and FIFOs.
    #[arg(long, value_parser = parse_word::<BookFormat>)]
    format: Option<BookFormat>,

    /// What an EPUB marks while it is read along: word or sentence.
    #[arg(long, default_value = "sentence", value_parser = parse_word::<Granularity>)]
    granularity: Granularity,

    /// How loud: standard (-16 LUFS) or acx (as ACX wants audiobooks, with room tone at both ends of each
    /// file, 44.1 kHz, MP3 of 192 kbit/s).
    #[arg(long, default_value = "standard", value_parser = parse_word::<BookLoudness>)]
    loudness: BookLoudness,

    /// How words are said: a lexicon in the W3C's PLS format, or JSON as the API takes it; may be
    /// repeated, the first wins.
    #[arg(long, value_name = "FILE")]
    lexicon: Vec<PathBuf>,

    /// The voice.
    #[arg(long, default_value = "heart")]
    voice: String,

    /// A voice for somebody who speaks in the book, as NAME=VOICE; may be repeated. Speakers are those that lines
    /// `[speaker NAME]` name or, in a book without such lines, those that its dialogue is attributed to. All else is the
    /// narrator's. A name that nobody has is refused with those that are known.
    #[arg(long, value_name = "NAME=VOICE")]
    speaker: Vec<String>,

    /// The same in a JSON file, as the API's cast with voices: {"speakers": [{"name": "Ines", "voice": "alma"}]}.
    #[arg(long, value_name = "FILE")]
    cast: Option<PathBuf>,

    /// The language to read in, such as en-US; by default the book's language, which the voice must
    /// speak.
    #[arg(long)]
    language: Option<String>,

    /// The title in the file; by default the book's title, or its file's name.
    #[arg(long)]
    title: Option<String>,

    /// The author in the file; by default the book's author.
    #[arg(long)]
    author: Option<String>,

    /// The narrator in the file; by default the voice's name.
    #[arg(long, value_parser = name)]
    narrator: Option<String>,

    /// The publisher in the file.
    #[arg(long, value_parser = name)]
    publisher: Option<String>,

    /// The statement of copyright in the file; by default the book's own.
    #[arg(long, value_name = "TEXT", value_parser = name)]
    copyright: Option<String>,

    /// The year of publication in the file.
    #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<u16>(1, Year::MOST.into()))]
    year: Option<u16>,

    /// The cover in the file, a JPEG or PNG of at most 20 MiB; by default the book's own.
    #[arg(long, value_name = "FILE")]
    cover: Option<PathBuf>,

    /// 0.5 (slow) to 2.0 (fast).
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_parser = reader::speed)]
    speed: f32,

    /// How much higher the voice is, in semitones: -12 to 12.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true, value_parser = reader::pitch)]
    pitch: f32,

    /// Seed of the voice's random noise, 0 to 4294967295: the same book and seed give the same file.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = numbers::whole::<u64>(0, u32::MAX.into()))]
    seed: u64,

    /// A pronunciation in IPA, as WORD=IPA; may be repeated.
    #[arg(long, value_name = "WORD=IPA")]
    pronounce: Vec<String>,

    /// What becomes of footnotes and endnotes: skip, inline (each after its sentence) or end (together at the end).
    #[arg(long, default_value_t = NotesMode::Skip, value_parser = notes)]
    notes: NotesMode,

    /// List the chapters with their indexes, titles, levels, roles, whether they are read, and characters; nothing is
    /// spoken.
    #[arg(long, conflicts_with_all = ["output", "watch"])]
    list: bool,

    /// Print the list as one line of JSON.
    #[arg(long, requires = "list")]
    json: bool,

    /// Read exactly these chapters, by their indexes: 0,2-5.
    #[arg(long, value_name = "INDEXES", value_parser = Indexes::parse, conflicts_with = "all_chapters")]
    chapters: Option<Indexes>,

    /// Leave these chapters out, by their indexes.
    #[arg(long, value_name = "INDEXES", value_parser = Indexes::parse)]
    exclude: Option<Indexes>,

    /// Read all chapters: also the cover, title page, imprint, contents, index, licence and advertisements, which are left
    /// out otherwise.
    #[arg(long)]
    all_chapters: bool,

    /// Recognize the text of scans: of PDFs, and pages of PDFs, that are pictures, and of pictures (PNG, JPEG, TIFF, or
    /// a ZIP of them). It needs the programs tesseract and those of poppler-utils; the settings `[ocr]` say where they
    /// are, and which languages are tried without --language.
    #[arg(long)]
    ocr: bool,

    /// Go on watching a folder, and read each book that is put into it, until interrupted.
    #[arg(long)]
    watch: bool,

    /// Write captions of the whole book: .srt or .vtt; `-` is standard output, in `WebVTT`.
    #[arg(long, value_name = "PATH")]
    captions: Option<PathBuf>,

    /// Model threads; by default one for each processor core.
    #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<u16>(1, 1024))]
    threads: Option<u16>,
}

fn notes(text: &str) -> Result<NotesMode, String> {
    text.parse().map_err(|_| "must be skip, inline or end".to_owned())
}

/// A name in the description of a book, by the API's rules.
fn name(text: &str) -> Result<String, String> {
    let name = BookName::read(text.into());
    name.map(|name| name.0).map_err(|_| {
        "must be 1 to 500 characters, not only white space and without control characters".to_owned()
    })
}

impl Read {
    /// Where the audiobook goes.
    fn output(&self) -> &Path {
        self.output.as_deref().unwrap_or_else(|| Path::new("-"))
    }

    /// The chapters that are read.
    fn selection(&self) -> Selection<'_> {
        Selection { chapters: self.chapters.as_ref(), exclude: self.exclude.as_ref(), all: self.all_chapters }
    }
}

/// Runs the command.
///
/// # Errors
/// [`CommandError`], with a message for the user.
pub fn run(args: &Read, config: &Config) -> Result<(), CommandError> {
    if args.list {
        return list(args, config);
    }
    let stop = stop_on_signals()?;
    if args.file.is_dir() {
        return folder::run(args, config, &stop);
    }
    if args.watch {
        return Err(CommandError::Usage("--watch needs a folder".to_owned()));
    }
    read_book(args, config, &stop)
}

/// Prints the chapters of the book.
fn list(args: &Read, config: &Config) -> Result<(), CommandError> {
    let recognizer = Recognizer::new(args.ocr, config, args.language.as_deref());
    let source = Source::read(&args.file, args.notes, args.selection(), &recognizer)?;
    if args.json {
        output::result(&serde_json::json!({ "data": source.listed }), true);
    } else {
        output::result(&source.listed, false);
    }
    Ok(())
}

fn read_book(args: &Read, config: &Config, stop: &CancellationToken) -> Result<(), CommandError> {
    let reader = Reader::of(&args.voice, config)?;
    let asked = args.language.as_deref().map(|asked| reader.language(Some(asked))).transpose()?;
    let lexicon = reader::lexicon(&args.pronounce)?;
    reader.check_pitch(args.pitch)?;
    let target = Target::at(args.output())?;
    let format = format(args.format, args.output(), &target)?;
    let file = BookFile { format, granularity: args.granularity, loudness: args.loudness };
    let encoding = Encoding::of(file, reader.sample_rate_hz)?;
    let mut lexicons = lexicon_files::read(&args.lexicon)?;
    let roles = Roles::given(&args.speaker, args.cast.as_deref())?;
    let captions = args.captions.as_deref().map(book::Captions::at).transpose()?;
    if target.is_standard_output() && captions.as_ref().is_some_and(book::Captions::are_for_standard_output) {
        return Err(CommandError::Usage("-o and --captions cannot both be standard output".to_owned()));
    }
    let recognizer = Recognizer::new(args.ocr, config, args.language.as_deref());
    let cover = args.cover.as_deref().map(book::cover).transpose()?;
    let mut source = Source::read(&args.file, args.notes, args.selection(), &recognizer)?;
    source.document.cover = cover.or(source.document.cover);
    let language = match asked {
        Some(language) => language,
        None => own_language(&reader, &source.document)?,
    };
    let tag = language.to_string();
    // The book's own words come after those that the command names.
    lexicons.push(choice::entries_of_book(&source.document.lexicons, &tag));
    let words = lexicon_files::words(&lexicons)?;
    let cast = Cast::of(&roles, &source, language, config)?;
    let all_voices = Voices { narrator: &reader, others: &cast.voices };
    all_voices.check_pitch(args.pitch)?;
    let found = all_voices.engines();
    let engines = found.iter().map(|engine| engine.load(config)).collect::<Result<Vec<_>, _>>();
    let engines = engines.map_err(CommandError::from_error)?;
    let key = state::Key {
        text: &source.document.text,
        chunks: &source.chunks,
        voice: &reader.voice.name,
        cast: &roles.0,
        language: &tag,
        speed: args.speed,
        pitch: args.pitch,
        seed: args.seed,
        pronounce: &args.pronounce,
        lexicons: format!("{lexicons:?}"),
        encoding: format!("{encoding:?}"),
        pack: found.iter().map(|engine| engine.identity(config)).collect::<Vec<_>>().join(" "),
        version: env!("CARGO_PKG_VERSION"),
    };
    let state = State::open(target.file(), &key, source.chunks.len())?;

    let missing = state.missing();
    if missing.len() == source.chunks.len() {
        let (text, espeak) = (&source.document.text, voices::espeak(config));
        for warning in warnings::of_chunks(text, &source.chunks, &tag, espeak) {
            output::note(&format!("warning: {}", warning.message));
        }
    } else {
        let done = source.chunks.len() - missing.len();
        output::note(&format!("{done} of {} parts were spoken before; going on", source.chunks.len()));
    }
    if !missing.is_empty() {
        let spec = NarrationSpec {
            speed: args.speed,
            pitch: args.pitch,
            seed: args.seed,
            lexicon: Arc::new(lexicon),
            ..NarrationSpec::new(reader.engine.name(), &reader.voice.name, language, "")
        };
        let speaking = chunks::Speaking {
            source: &source,
            state: &state,
            voices: all_voices,
            cast: &cast,
            spec,
            words: &words,
            encoding: &encoding,
            stop,
        };
        speaking.run(engines, args.threads, &missing)?;
    }
    let book = book::Book {
        source: &source,
        state: &state,
        file,
        encoding: &encoding,
        language: &tag,
        title: args.title.as_deref(),
        author: args.author.as_deref(),
        narrator: args.narrator.as_deref().unwrap_or(&reader.voice.name),
        publisher: args.publisher.as_deref(),
        copyright: args.copyright.as_deref(),
        year: args.year,
        stop,
    };
    match format {
        BookFormat::Mp3 | BookFormat::M4b => book.write(target, book::Book::audio)?,
        BookFormat::Zip | BookFormat::Epub | BookFormat::Daisy => book.write(target, publication::write)?,
    }
    if let Some(captions) = captions {
        book.captions(captions)?;
    }
    state.remove()
}

/// The language of the book as the voice calls it, or the voice's first when the book's is not known.
fn own_language(reader: &Reader, document: &Document) -> Result<Language, CommandError> {
    let own = reader.voice.languages[0];
    let Some(book) = language::of_document(document.language.as_deref(), &document.text) else {
        return Ok(own);
    };
    reader.spoken(&book.tag).ok_or_else(|| {
        CommandError::Refused(format!(
            "the book is in a language that the voice {} does not speak ({}); to read it as {own} all the same, add \
             --language {own}",
            reader.voice.name, book.tag
        ))
    })
}

fn format(asked: Option<BookFormat>, output: &Path, target: &Target) -> Result<BookFormat, CommandError> {
    if let Some(format) = asked {
        return Ok(format);
    }
    match output.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref()
    {
        // The reader of a pipe cannot seek to an index; MP3 needs none.
        None if target.file().is_none() => Ok(BookFormat::Mp3),
        None => Ok(BookFormat::M4b),
        Some(extension) => parse_word(extension).map_err(|sentence| {
            let name = output.display();
            CommandError::Usage(format!("{name}: the extension {sentence}; or name the format with --format"))
        }),
    }
}

/// A token that Ctrl-C or SIGTERM cancels; a second signal ends the process at once.
fn stop_on_signals() -> Result<CancellationToken, CommandError> {
    let stop = CancellationToken::new();
    let failed = |source| CommandError::Io { what: "signals cannot be waited for".to_owned(), source };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    {
        let _inside = runtime.enter();
        lifecycle::stop_on_signal(stop.clone(), None).map_err(failed)?;
    }
    let wait = move || runtime.block_on(std::future::pending::<()>());
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map_err(failed)?;
    Ok(stop)
}
