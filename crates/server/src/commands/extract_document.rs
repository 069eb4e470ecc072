//! `lectern extract-document`: reads one file and prints its text and chunks as JSON. The service
//! runs it as a child process ([`lectern_service::services::materials::document_reader`]), because
//! a hostile file may crash or hang a parser. Whatever happens here, the waiting worker continues.
//! The command is hidden from users.

mod confinement;

use std::{
    io::{ErrorKind, Write as _},
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use clap::Args;
use lectern_documents::{Extracted, Kind, Limits, Reason, Recognized, Unreadable};
use serde::Serialize;

use super::{CommandError, output};
pub use confinement::Confinement;
use lectern_service::services::materials::{
    chunking::AsSpoken,
    document_reader::{UNREADABLE, own_program},
};

/// Read a document and print its text and chunks as JSON, or why there are none.
#[derive(Debug, Args)]
pub struct ExtractDocument {
    /// The document.
    file: PathBuf,

    /// The document's format; by default, its content decides.
    #[arg(long)]
    kind: Option<Kind>,

    /// A PDF of the text that was recognized on pages of the document that are pictures.
    #[arg(long, requires = "pages")]
    recognized: Option<PathBuf>,

    /// The numbers of these pages, from 1.
    #[arg(long, value_delimiter = ',', requires = "recognized")]
    pages: Vec<u32>,

    #[command(flatten)]
    confinement: Confinement,

    /// The limits are set already.
    #[arg(long)]
    confined: bool,
}

/// Runs the command. Standard output is only for the answer.
pub(super) fn run(args: &ExtractDocument) -> ExitCode {
    // A panic's message may quote the document; its location is enough to fix the bug.
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(std::io::stderr().lock(), "lectern: a panic at {at}");
    }));
    let confined = if args.confined { Ok(()) } else { Err(confine(args)) };
    let read =
        confined.and_then(|()| Ok((bytes(&args.file)?, args.recognized.as_deref().map(bytes).transpose()?)));
    let (bytes, recognized) = match read {
        Ok(files) => files,
        Err(CommandError::Io { source, .. }) if source.kind() == ErrorKind::OutOfMemory => {
            let message = "The file is larger than what is read at once. Send it in parts.";
            return answer(&Unreadable::new(Reason::TooLarge, message), ExitCode::from(UNREADABLE));
        }
        Err(error) => {
            output::complain(&error);
            return ExitCode::FAILURE;
        }
    };
    let recognized = recognized.as_deref().map(|pdf| Recognized { pdf, pages: &args.pages });
    match extract(args.kind, &bytes, recognized.as_ref()) {
        Ok(extracted) => answer(&extracted, ExitCode::SUCCESS),
        Err(unreadable) => answer(&unreadable, ExitCode::from(UNREADABLE)),
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, CommandError> {
    let what = || format!("{} cannot be read", path.display());
    std::fs::read(path).map_err(|source| CommandError::Io { what: what(), source })
}

/// Sets the limits and then executes this program again, so that it starts under them: the address
/// space that the allocator has reserved by now (a gibibyte) would not count. Returns only when
/// something failed.
fn confine(args: &ExtractDocument) -> CommandError {
    if let Err(error) = args.confinement.enter() {
        return error;
    }
    let mut again = Command::new(own_program());
    again.args(["extract-document", "--confined"]);
    if let Some(kind) = args.kind {
        again.args(["--kind", kind.as_str()]);
    }
    if let Some(recognized) = &args.recognized {
        let pages: Vec<String> = args.pages.iter().map(ToString::to_string).collect();
        again.arg("--recognized").arg(recognized).args(["--pages", &pages.join(",")]);
    }
    let source = again.arg("--").arg(&args.file).exec();
    CommandError::Io { what: "the confined process cannot be started".to_owned(), source }
}

fn extract(
    kind: Option<Kind>,
    bytes: &[u8],
    recognized: Option<&Recognized<'_>>,
) -> Result<Extracted, Unreadable> {
    if let Some(recognized) = recognized {
        return lectern_documents::extract_recognized(bytes, recognized, &Limits::default(), &AsSpoken);
    }
    let kind = kind.map_or_else(|| lectern_documents::detect(bytes, bytes), Ok)?;
    lectern_documents::extract_with(kind, bytes, &Limits::default(), &AsSpoken)
}

fn answer(value: &impl Serialize, code: ExitCode) -> ExitCode {
    let mut out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let written =
        serde_json::to_writer(&mut out, value).map_err(std::io::Error::from).and_then(|()| out.flush());
    match written {
        Ok(()) => code,
        // The parent closed the pipe.
        Err(_) => ExitCode::FAILURE,
    }
}
