//! All books of a folder, each into a file of its own; with `--watch` also those that come later.
//!
//! A folder is looked at again and again instead of asking the system for its changes, because network file systems do
//! not tell of those that other machines make.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use tokio_util::sync::CancellationToken;

use super::{CommandError, Read, output, read_book};
use lectern_service::config::Config;
use lectern_types::BookFormat;

/// How long to wait between two looks. A file that did not change in between is whole: nobody is still copying it.
const EVERY: Duration = Duration::from_secs(2);

/// How often a stop is noticed while waiting.
const STEP: Duration = Duration::from_millis(100);

/// Ends of names under which browsers and other programs keep files that are not whole yet.
const UNFINISHED: &[&str] = &[".part", ".crdownload", ".download", ".tmp", "~"];

/// A file as a look found it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    bytes: u64,
    modified: Option<SystemTime>,
}

/// Reads all books of the folder `args.file` into the folder `args.output`.
///
/// # Errors
/// [`CommandError`], when the folders cannot be used; when a book cannot be read, after the others were, unless the folder
/// is watched.
pub(super) fn run(args: &Read, config: &Config, stop: &CancellationToken) -> Result<(), CommandError> {
    check(args)?;
    fs::create_dir_all(args.output()).map_err(|source| CommandError::Io {
        what: format!("{} cannot be made", args.output().display()),
        source,
    })?;
    let mut folder = Folder { args, config, stop, tried: HashMap::new(), failures: 0 };
    let mut before = look(&args.file)?;
    if !args.watch {
        folder.read_all(&before)?;
        return folder.outcome();
    }
    output::note(&format!("watching {}; Ctrl-C ends it", args.file.display()));
    loop {
        // What has not changed since the look before is whole.
        wait(stop)?;
        // A network share may be away for a moment.
        let now = look(&args.file).unwrap_or_else(|error| {
            output::complain(&error);
            HashMap::new()
        });
        before.retain(|path, seen| now.get(path) == Some(seen));
        let whole = std::mem::replace(&mut before, now);
        folder.read_all(&whole)?;
    }
}

fn check(args: &Read) -> Result<(), CommandError> {
    let refused = |text: &str| Err(CommandError::Usage(text.to_owned()));
    let has_cast = args.cast.is_some() || !args.speaker.is_empty();
    let has_chapters = args.chapters.is_some() || args.exclude.is_some();
    let has_tags =
        args.title.is_some() || args.author.is_some() || args.year.is_some() || args.cover.is_some();
    if has_tags || args.captions.is_some() || has_cast || has_chapters {
        return refused(
            "--title, --author, --year, --cover, --captions, --chapters, --exclude, --cast and --speaker are for one \
             book, not for a folder",
        );
    }
    if args.output() == Path::new("-") || args.output().is_file() {
        return refused("-o must name a folder, because several books are read");
    }
    let same = matches!((args.file.canonicalize(), args.output().canonicalize()), (Ok(one), Ok(other)) if one == other);
    if same && args.format == Some(BookFormat::Epub) {
        return refused("-o must name another folder: an EPUB in the same one would be read as a book");
    }
    Ok(())
}

/// The files of a folder that may be books, but not those in its folders.
fn look(folder: &Path) -> Result<HashMap<PathBuf, Seen>, CommandError> {
    let failed =
        |source: io::Error| CommandError::Io { what: format!("{} cannot be read", folder.display()), source };
    let mut found = HashMap::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_unfinished = UNFINISHED.iter().any(|end| name.ends_with(end));
        if let Some(seen) = look_at(&entry.path()).filter(|_| !name.starts_with('.') && !is_unfinished) {
            found.insert(entry.path(), seen);
        }
    }
    Ok(found)
}

/// A file as it is now; `None` when it is gone, or no file.
fn look_at(path: &Path) -> Option<Seen> {
    let about = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(Seen { bytes: about.len(), modified: about.modified().ok() })
}

/// Makes an audiobook as old as the book that it was made of, so that the next look finds the newer book.
fn outdate(audiobook: &Path, book: &Seen) {
    let outdated = book.modified.map(|modified| {
        fs::File::options().write(true).open(audiobook).and_then(|file| file.set_modified(modified))
    });
    if let Some(Err(error)) = outdated {
        output::note(&format!("{}: its time cannot be set: {error}", audiobook.display()));
    }
}

fn wait(stop: &CancellationToken) -> Result<(), CommandError> {
    let steps = EVERY.as_millis() / STEP.as_millis();
    for _ in 0..steps {
        if stop.is_cancelled() {
            return Err(CommandError::Interrupted("no longer watching".to_owned()));
        }
        std::thread::sleep(STEP);
    }
    Ok(())
}

struct Folder<'a> {
    args: &'a Read,
    config: &'a Config,
    stop: &'a CancellationToken,
    /// Files that were tried, as they were then: one that failed is tried again when it changes.
    tried: HashMap<PathBuf, Seen>,
    failures: usize,
}

impl Folder<'_> {
    /// Reads each file that has no newer audiobook, in the order of names.
    fn read_all(&mut self, files: &HashMap<PathBuf, Seen>) -> Result<(), CommandError> {
        let mut files: Vec<_> = files.iter().collect();
        files.sort_by_key(|(path, _)| *path);
        let mut targets: HashMap<PathBuf, &Path> = HashMap::new();
        for (path, seen) in files {
            let target = self.target(path);
            let first = *targets.entry(target.clone()).or_insert(path);
            if self.tried.get(path) == Some(seen) || *path == target {
                continue;
            }
            if first != path {
                self.tried.insert(path.clone(), seen.clone());
                self.failures += 1;
                output::complain(&CommandError::Refused(format!(
                    "cannot read {}: {} would become the same file; rename one of them",
                    path.display(),
                    first.display()
                )));
                continue;
            }
            if is_newer(&target, seen) {
                continue;
            }
            output::progress(&format!("{} → {}", path.display(), target.display()));
            let args = Read {
                file: path.clone(),
                output: Some(target),
                format: Some(self.format()),
                ..self.args.clone()
            };
            match read_book(&args, self.config, self.stop) {
                Ok(()) if look_at(path).as_ref() == Some(seen) => {}
                // It was replaced meanwhile, so what was made is older than the book.
                Ok(()) => outdate(args.output(), seen),
                Err(interrupted @ CommandError::Interrupted(_)) => return Err(interrupted),
                Err(error) => {
                    // Only what is wrong with the file itself stays wrong until it changes.
                    if matches!(error, CommandError::Refused(_)) {
                        self.tried.insert(path.clone(), seen.clone());
                    }
                    self.failures += 1;
                    output::complain(&error);
                }
            }
        }
        Ok(())
    }

    fn outcome(&self) -> Result<(), CommandError> {
        match self.failures {
            0 => Ok(()),
            1 => Err(CommandError::Refused("one file of the folder could not be read".to_owned())),
            some => Err(CommandError::Refused(format!("{some} files of the folder could not be read"))),
        }
    }

    fn format(&self) -> BookFormat {
        self.args.format.unwrap_or(BookFormat::M4b)
    }

    fn target(&self, path: &Path) -> PathBuf {
        let extension = match self.format() {
            BookFormat::Mp3 => "mp3",
            BookFormat::M4b => "m4b",
            BookFormat::Zip | BookFormat::Daisy => "zip",
            BookFormat::Epub => "epub",
        };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        self.args.output().join(format!("{stem}.{extension}"))
    }
}

/// Whether the audiobook is newer than its book.
fn is_newer(target: &Path, book: &Seen) -> bool {
    let made = fs::metadata(target).and_then(|about| about.modified()).ok();
    matches!((made, book.modified), (Some(made), Some(book)) if made >= book)
}
