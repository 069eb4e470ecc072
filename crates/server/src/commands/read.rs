//! `lectern read`: turns a book into an audiobook without the service, in the same steps: document,
//! chunks, audio, one file.
//!
//! `source` reads the document, `state` keeps the finished chunks so that an interrupted run can be
//! resumed, `chunks` speaks them, `progress` reports progress, and `book` assembles the file. No
//! database, no HTTP, no credits.

mod book;
mod chunks;
mod progress;
mod source;
mod state;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use lectern_documents::{Document, language};
use lectern_speech::{
    audio::book::{BookFormat, is_available},
    language::Language,
    spec::NarrationSpec,
};
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    destination::{self, Target},
    numbers, output,
    reader::{self, Reader},
};
use crate::lifecycle;
use lectern_service::config::Config;
use source::Source;
use state::State;

/// Turn a book into an audiobook, without the service. A repeated command resumes an interrupted
/// one.
#[derive(Debug, Args)]
pub struct Read {
    /// The book: EPUB, FictionBook, PDF, DOCX, HTML, Markdown or plain text, known by its content; `-` is standard input.
    file: PathBuf,

    /// The audiobook's file. Until it is complete, a folder next to it keeps the chunks spoken so
    /// far. `-` is standard output. Output to standard output, a device or a FIFO cannot be resumed
    /// after an interruption.
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,

    /// m4b or mp3; by default from the output's extension, otherwise m4b for files and mp3 for
    /// standard output, devices and FIFOs.
    #[arg(long)]
    format: Option<BookFormat>,

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

    /// Seed of the voice's random noise: the same book and seed give the same file.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = numbers::whole::<u64>(0, u64::MAX.into()))]
    seed: u64,

    /// A pronunciation in IPA, as WORD=IPA; may be repeated.
    #[arg(long, value_name = "WORD=IPA")]
    pronounce: Vec<String>,

    /// Write captions of the whole book: .srt or .vtt; `-` is standard output, in `WebVTT`.
    #[arg(long, value_name = "PATH")]
    captions: Option<PathBuf>,

    /// Model threads; by default one for each processor core.
    #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<u16>(1, 1024))]
    threads: Option<u16>,
}

/// Runs the command.
///
/// # Errors
/// [`CommandError`], with a message for the user.
pub fn run(args: &Read, config: &Config) -> Result<(), CommandError> {
    let reader = Reader::of(&args.voice, config)?;
    let asked = args.language.as_deref().map(|asked| reader.language(Some(asked))).transpose()?;
    let lexicon = reader::lexicon(&args.pronounce)?;
    let target = Target::at(&args.output)?;
    let format = format(args.format, &args.output, &target)?;
    if !is_available(format) {
        return Err(CommandError::Usage(format!("this build cannot make {format}; try --format mp3")));
    }
    let captions = args.captions.as_deref().map(book::Captions::at).transpose()?;
    if target.is_standard_output() && captions.as_ref().is_some_and(book::Captions::are_for_standard_output) {
        return Err(CommandError::Usage("-o and --captions cannot both be standard output".to_owned()));
    }
    let source = Source::read(&args.file)?;
    let language = match asked {
        Some(language) => language,
        None => own_language(&reader, &source.document)?,
    };
    let engine = reader.engine.load(config).map_err(CommandError::from_error)?;
    let tag = language.to_string();
    let stop = stop_on_signals()?;
    let key = state::Key {
        text: &source.document.text,
        chunks: &source.chunks,
        voice: &reader.voice.name,
        language: &tag,
        speed: args.speed,
        seed: args.seed,
        pronounce: &args.pronounce,
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
            seed: args.seed,
            lexicon: Arc::new(lexicon),
            ..NarrationSpec::new(reader.engine.name(), &reader.voice.name, language, "")
        };
        let speaking =
            chunks::Speaking { source: &source, state: &state, reader: &reader, spec, stop: &stop };
        speaking.run(engine, args.threads, &missing)?;
    }
    let book = book::Book {
        source: &source,
        state: &state,
        format,
        language: &tag,
        title: args.title.as_deref(),
        author: args.author.as_deref(),
        sample_rate_hz: reader.sample_rate_hz,
        stop: &stop,
    };
    book.write(target)?;
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
        Some(extension) => extension.parse().map_err(|error| {
            CommandError::Usage(format!("{}: {error}; name the format with --format", output.display()))
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
