//! `lectern read`: a book to an audiobook without the service, by the same road: documents, chunks, recordings, one file.
//!
//! `source` reads the document, `state` keeps the chunks that are done so that an interrupted run goes on where it was,
//! `chunks` has them spoken, `progress` tells how far it is, `book` puts the file together. No database, no HTTP, no
//! credits.

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
    audio::book::BookFormat,
    engines::hibari::{self, Hibari},
    pack::Pack,
};
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    destination::{self, Target},
    numbers, output, reader,
};
use crate::{config::Config, lifecycle, services::voices};
use source::Source;
use state::State;

/// Turns a book into an audiobook, without the service. What was done before it was interrupted is not done again.
#[derive(Debug, Args)]
pub struct Read {
    /// The book: EPUB, PDF, DOCX, HTML, Markdown or plain text, known by its content; `-` is standard input.
    file: PathBuf,

    /// Where the audiobook goes. Beside it, until it is done, is a folder with what was spoken so far. `-` is standard
    /// output; what is written there, to a device or to a FIFO cannot be gone on with after an interruption.
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,

    /// m4b or mp3; by default what the output's name ends in, or m4b, and mp3 for standard output, devices and FIFOs.
    #[arg(long)]
    format: Option<BookFormat>,

    /// The voice.
    #[arg(long, default_value = "heart")]
    voice: String,

    /// The language to read in, such as en-US; by default the book's own, which the voice must speak.
    #[arg(long)]
    language: Option<String>,

    /// The title in the file; by default the book's own, or the name of its file.
    #[arg(long)]
    title: Option<String>,

    /// The author in the file; by default the book's own.
    #[arg(long)]
    author: Option<String>,

    /// 0.5 (slow) to 2.0 (fast).
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_parser = reader::speed)]
    speed: f32,

    /// The noise in the voice is drawn from this number: the same book and seed give the same file.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = numbers::whole::<u64>(0, u64::MAX.into()))]
    seed: u64,

    /// A pronunciation in IPA, as WORD=IPA; may be given more than once.
    #[arg(long, value_name = "WORD=IPA")]
    pronounce: Vec<String>,

    /// Writes captions of the whole book: .srt or .vtt; `-` is standard output, in `WebVTT`.
    #[arg(long, value_name = "PATH")]
    captions: Option<PathBuf>,

    /// Model threads; by default one for each processor core.
    #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<u16>(1, 1024))]
    threads: Option<u16>,
}

/// Runs the command.
///
/// # Errors
/// [`CommandError`], with a message for the person who called.
pub fn run(args: &Read, config: &Config) -> Result<(), CommandError> {
    let voice = reader::voice(&args.voice)?;
    let asked = args.language.as_deref().map(|asked| reader::language(voice, Some(asked))).transpose()?;
    let lexicon = reader::lexicon(&args.pronounce)?;
    let target = Target::at(&args.output)?;
    let format = format(args.format, &args.output, &target)?;
    if !format.is_available() {
        return Err(CommandError::Usage(format!("this build cannot make {format}; try --format mp3")));
    }
    let captions = args.captions.as_deref().map(book::Captions::at).transpose()?;
    if target.is_standard_output() && captions.as_ref().is_some_and(book::Captions::are_for_standard_output) {
        return Err(CommandError::Usage("-o and --captions cannot both be standard output".to_owned()));
    }
    let source = Source::read(&args.file)?;
    let language = match asked {
        Some(language) => language,
        None => own_language(voice, &source.document)?,
    };
    let pack = Pack::open(&voices::directory(config)).map_err(CommandError::from_error)?;
    let stop = stop_on_signals()?;
    let key = state::Key {
        text: &source.document.text,
        chunks: &source.chunks,
        voice: voice.name,
        language,
        speed: args.speed,
        seed: args.seed,
        pronounce: &args.pronounce,
        pack: Pack::identity(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let state = State::open(target.file(), &key, source.chunks.len())?;

    let missing = state.missing();
    if missing.len() < source.chunks.len() {
        let done = source.chunks.len() - missing.len();
        output::note(&format!("{done} of {} parts were spoken before; going on", source.chunks.len()));
    }
    if !missing.is_empty() {
        let engine = Hibari::load(&pack).map_err(CommandError::from_error)?;
        let speaking = chunks::Speaking {
            source: &source,
            state: &state,
            voice,
            language,
            speed: args.speed,
            seed: args.seed,
            lexicon: Arc::new(lexicon),
            stop: &stop,
        };
        speaking.run(&engine, args.threads, &missing)?;
    }
    let book = book::Book {
        source: &source,
        state: &state,
        format,
        language,
        title: args.title.as_deref(),
        author: args.author.as_deref(),
        sample_rate_hz: hibari::SAMPLE_RATE_HZ,
        stop: &stop,
    };
    book.write(target)?;
    if let Some(captions) = captions {
        book.captions(captions)?;
    }
    state.remove()
}

/// The language of the book as the voice calls it, or the voice's first when the book's is not known.
fn own_language(voice: &hibari::Voice, document: &Document) -> Result<&'static str, CommandError> {
    let own = voice.languages[0];
    let Some(book) = language::of_document(document.language.as_deref(), &document.text) else {
        return Ok(own);
    };
    reader::spoken(voice, &book.tag).ok_or_else(|| {
        CommandError::Refused(format!(
            "the book is in a language that the voice {} does not speak ({}); to read it as {own} all the same, add \
             --language {own}",
            voice.name, book.tag
        ))
    })
}

fn format(asked: Option<BookFormat>, output: &Path, target: &Target) -> Result<BookFormat, CommandError> {
    if let Some(format) = asked {
        return Ok(format);
    }
    match output.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref()
    {
        // What reads a pipe cannot go back to an index, and MP3 needs none.
        None if target.file().is_none() => Ok(BookFormat::Mp3),
        None => Ok(BookFormat::M4b),
        Some(extension) => extension.parse().map_err(|error| {
            CommandError::Usage(format!("{}: {error}; name the format with --format", output.display()))
        }),
    }
}

/// Told when Ctrl-C or SIGTERM comes; a second one ends the process at once.
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
