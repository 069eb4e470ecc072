//! `lectern read`: turns a book into an audiobook without the service, in the same steps: document,
//! chunks, audio, one file.
//!
//! `source` reads the document, `state` keeps the finished chunks so that an interrupted run can be
//! resumed, `chunks` speaks them, `encoding` encodes them, `progress` reports progress, and `book` and
//! `publication` join them into the file. No database, no HTTP, no credits.

mod book;
mod chunks;
mod encoding;
mod folder;
mod progress;
mod publication;
mod source;
mod state;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use lectern_documents::{Document, NotesMode, language};
use lectern_speech::{language::Language, spec::NarrationSpec};
use lectern_types::{BookFile, BookFormat, BookLoudness, Granularity, request::parse_word};
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    destination::{self, Target},
    lexicon_files, numbers, output,
    reader::{self, Reader},
};
use crate::lifecycle;
use encoding::Encoding;
use lectern_service::config::Config;
use source::Source;
use state::State;

/// Turn a book into an audiobook, without the service. A repeated command resumes an interrupted
/// one.
#[derive(Debug, Clone, Args)]
pub struct Read {
    /// The book: EPUB, Kindle (MOBI, AZW3), FictionBook, PDF, DOCX, ODT, RTF, HTML, Markdown or plain text, known by
    /// its content; `-` is standard input. Of a folder, each book in it.
    file: PathBuf,

    /// The audiobook's file. Until it is complete, a folder next to it keeps the chunks spoken so
    /// far. `-` is standard output. Output to standard output, a device or a FIFO cannot be resumed
    /// after an interruption. For a folder of books it is a folder, too.
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,

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

    /// 0.5 (slow) to 2.0 (fast).
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_parser = reader::speed)]
    speed: f32,

    /// How much higher the voice is, in semitones: -12 to 12.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true, value_parser = reader::pitch)]
    pitch: f32,

    /// Seed of the voice's random noise: the same book and seed give the same file.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = numbers::whole::<u64>(0, u64::MAX.into()))]
    seed: u64,

    /// A pronunciation in IPA, as WORD=IPA; may be repeated.
    #[arg(long, value_name = "WORD=IPA")]
    pronounce: Vec<String>,

    /// What becomes of footnotes and endnotes: skip, inline (each after its sentence) or end (together at the end).
    #[arg(long, default_value_t = NotesMode::Skip, value_parser = notes)]
    notes: NotesMode,

    /// Read all chapters: also the cover, title page, imprint, contents, index, licence and advertisements, which are left
    /// out otherwise.
    #[arg(long)]
    all_chapters: bool,

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

/// Runs the command.
///
/// # Errors
/// [`CommandError`], with a message for the user.
pub fn run(args: &Read, config: &Config) -> Result<(), CommandError> {
    let stop = stop_on_signals()?;
    if args.file.is_dir() {
        return folder::run(args, config, &stop);
    }
    if args.watch {
        return Err(CommandError::Usage("--watch needs a folder".to_owned()));
    }
    read_book(args, config, &stop)
}

fn read_book(args: &Read, config: &Config, stop: &CancellationToken) -> Result<(), CommandError> {
    let reader = Reader::of(&args.voice, config)?;
    let asked = args.language.as_deref().map(|asked| reader.language(Some(asked))).transpose()?;
    let lexicon = reader::lexicon(&args.pronounce)?;
    reader.check_pitch(args.pitch)?;
    let target = Target::at(&args.output)?;
    let format = format(args.format, &args.output, &target)?;
    let file = BookFile { format, granularity: args.granularity, loudness: args.loudness };
    let encoding = Encoding::of(file, reader.sample_rate_hz)?;
    let lexicons = lexicon_files::read(&args.lexicon)?;
    let words = lexicon_files::words(&lexicons)?;
    let captions = args.captions.as_deref().map(book::Captions::at).transpose()?;
    if target.is_standard_output() && captions.as_ref().is_some_and(book::Captions::are_for_standard_output) {
        return Err(CommandError::Usage("-o and --captions cannot both be standard output".to_owned()));
    }
    let source = Source::read(&args.file, args.notes, args.all_chapters)?;
    let language = match asked {
        Some(language) => language,
        None => own_language(&reader, &source.document)?,
    };
    let engine = reader.engine.load(config).map_err(CommandError::from_error)?;
    let tag = language.to_string();
    let key = state::Key {
        text: &source.document.text,
        chunks: &source.chunks,
        voice: &reader.voice.name,
        language: &tag,
        speed: args.speed,
        pitch: args.pitch,
        seed: args.seed,
        pronounce: &args.pronounce,
        lexicons: format!("{lexicons:?}"),
        encoding: format!("{encoding:?}"),
        pack: reader.engine.identity(config),
        version: env!("CARGO_PKG_VERSION"),
    };
    let state = State::open(target.file(), &key, source.chunks.len())?;

    let missing = state.missing();
    if missing.len() < source.chunks.len() {
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
            reader: &reader,
            spec,
            words: &words,
            encoding: &encoding,
            stop,
        };
        speaking.run(engine, args.threads, &missing)?;
    }
    let book = book::Book {
        source: &source,
        state: &state,
        file,
        encoding: &encoding,
        language: &tag,
        title: args.title.as_deref(),
        author: args.author.as_deref(),
        narrator: &reader.voice.name,
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
