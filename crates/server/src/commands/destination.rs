//! Output files of the commands that speak.
//!
//! A regular file is written under a temporary name next to its destination and renamed when it is
//! complete. Everything else is written to directly and never replaced: standard output, devices,
//! FIFOs and other open descriptors. A symbolic link stays, and the file that it points to is
//! replaced.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, BufWriter, Read as _, Seek, SeekFrom, Write},
    os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use tempfile::SpooledTempFile;

use super::CommandError;

/// Output for a pipe is buffered in memory up to this size, and beyond it in a temporary file.
const IN_MEMORY_BYTES: usize = 8 * 1024 * 1024;

/// The limit on symbolic links to follow, the same as the kernel's.
const LINKS: usize = 40;

/// A destination that was checked and can be written.
#[derive(Debug)]
pub(super) struct Target {
    /// The path as the caller wrote it.
    shown: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A regular file, or no file yet; never a symbolic link.
    File { place: PathBuf, before: Option<Permissions> },
    /// Open for writing.
    Stream(Stream),
}

#[derive(Debug)]
enum Stream {
    StandardOutput,
    Opened(File),
}

impl Target {
    /// Checks a path; `-` is standard output. A stream is opened at once. Opening a FIFO waits for
    /// its reader.
    pub(super) fn at(path: &Path) -> Result<Self, CommandError> {
        if path == Path::new("-") {
            let kind = Kind::Stream(Stream::StandardOutput);
            return Ok(Self { shown: "standard output".to_owned(), kind });
        }
        let shown = path.display().to_string();
        let kind = Kind::of(path).map_err(|reason| cannot_write(&shown, &reason))?;
        Ok(Self { shown, kind })
    }

    /// The path of the future file; `None` for a stream.
    pub(super) fn file(&self) -> Option<&Path> {
        match &self.kind {
            Kind::File { place, .. } => Some(place),
            Kind::Stream(_) => None,
        }
    }

    pub(super) fn is_standard_output(&self) -> bool {
        matches!(self.kind, Kind::Stream(Stream::StandardOutput))
    }

    /// Opens the destination for writing.
    pub(super) fn create(self) -> Result<Destination, CommandError> {
        let Self { shown, kind } = self;
        let sink = match kind {
            Kind::Stream(to) => Sink::Spool(SpooledTempFile::new(IN_MEMORY_BYTES), to),
            Kind::File { place, before } => {
                let (file, part) =
                    make_part(&place).map_err(|error| cannot_write(&shown, &error.to_string()))?;
                Sink::Part { place, part, before, file: BufWriter::new(file) }
            }
        };
        Ok(Destination { shown, sink })
    }
}

impl Kind {
    fn of(path: &Path) -> Result<Self, String> {
        if path.as_os_str().is_empty() {
            return Err("the name is empty".to_owned());
        }
        let place = match resolve(path)? {
            Resolved::Descriptor(1) => return Ok(Self::Stream(Stream::StandardOutput)),
            Resolved::Descriptor(_) => return open(OpenOptions::new().append(true), path),
            Resolved::Place(place) => place,
        };
        let found = match fs::metadata(&place) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound && place.file_name().is_some() => {
                if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                    return Err("it is not the name of a file".to_owned());
                }
                return Ok(Self::File { place, before: None });
            }
            Err(error) => return Err(error.to_string()),
        };
        let kind = found.file_type();
        if kind.is_dir() {
            return Err("it is a directory; name a file in it".to_owned());
        }
        if kind.is_socket() {
            return Err("it is a socket, which takes no files".to_owned());
        }
        if !kind.is_file() {
            return open(OpenOptions::new().write(true), &place);
        }
        // A write-protected file must not be replaced either.
        OpenOptions::new().write(true).open(&place).map_err(|error| error.to_string())?;
        Ok(Self::File { place, before: Some(found.permissions()) })
    }
}

fn open(options: &OpenOptions, path: &Path) -> Result<Kind, String> {
    let opened = options.open(path).map_err(|error| error.to_string())?;
    Ok(Kind::Stream(Stream::Opened(opened)))
}

/// Creates a new file next to `place`. It never opens an existing one, because somebody else could
/// have put a link there.
fn make_part(place: &Path) -> io::Result<(File, Part)> {
    let mut prefix = place.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let made = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".part")
        // The user's umask applies, as for any new file.
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    let (file, path) = made.into_parts();
    Ok((file, Part(path.keep()?)))
}

/// The destination of a path after following all links.
enum Resolved {
    /// A descriptor of this process, such as `/dev/stdout` or `/dev/fd/63`.
    Descriptor(u32),
    Place(PathBuf),
}

/// Follows symbolic links one by one. An open descriptor may refer to a regular file, and must
/// still not be replaced.
fn resolve(path: &Path) -> Result<Resolved, String> {
    let mut place = path.to_owned();
    for followed in 0..LINKS {
        if let Some(descriptor) = descriptor(&place) {
            return Ok(Resolved::Descriptor(descriptor));
        }
        let Ok(leads_to) = fs::read_link(&place) else {
            return match fs::symlink_metadata(&place) {
                Err(error) if followed > 0 && error.kind() == io::ErrorKind::NotFound => {
                    Err(format!("it is a symbolic link to {}, which does not exist", place.display()))
                }
                _ => Ok(Resolved::Place(place)),
            };
        };
        place = place.parent().unwrap_or(Path::new("")).join(leads_to);
    }
    Err("it is a chain of symbolic links that does not end".to_owned())
}

/// The number in a `/proc/…/fd` path.
fn descriptor(path: &Path) -> Option<u32> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let folder = fs::canonicalize(path.parent()?).ok()?;
    (folder.starts_with("/proc") && folder.ends_with("fd")).then_some(number)
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct Destination {
    shown: String,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    Part {
        place: PathBuf,
        part: Part,
        before: Option<Permissions>,
        file: BufWriter<File>,
    },
    /// Some formats seek back to their beginning at the end, which a pipe cannot do. The file is
    /// spooled, and the pipe gets it once it is complete.
    Spool(SpooledTempFile, Stream),
}

impl Destination {
    /// Moves the complete file into its place. A reader that closed the pipe (`| head`) is not an
    /// error.
    pub(super) fn finish(self) -> Result<(), CommandError> {
        let Self { shown, sink } = self;
        sink.finish().map_err(|error| cannot_write(&shown, &error.to_string()))
    }

    /// The error for a failed write.
    pub(super) fn failure(&self, error: &dyn std::error::Error) -> CommandError {
        cannot_write(&self.shown, &crate::output::chain(error))
    }
}

impl Sink {
    fn finish(self) -> io::Result<()> {
        match self {
            Self::Part { place, part, before, file } => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                if let Some(permissions) = before {
                    keep_owner(&file, &place);
                    file.set_permissions(permissions)?;
                }
                file.sync_all()?;
                fs::rename(&part.0, &place)
            }
            Self::Spool(mut spool, to) => {
                spool.rewind()?;
                let copied = match to {
                    Stream::StandardOutput => copy(&mut spool, &mut io::stdout().lock()),
                    Stream::Opened(mut file) => copy(&mut spool, &mut file),
                };
                match copied {
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                    copied => copied,
                }
            }
        }
    }
}

/// Gives `file` the owner of the file at `place`, if this user may do so.
fn keep_owner(file: &File, place: &Path) {
    if let Ok(before) = fs::metadata(place) {
        let _ = std::os::unix::fs::fchown(file, Some(before.uid()), Some(before.gid()));
    }
}

fn copy(from: &mut SpooledTempFile, to: &mut impl Write) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match from.read(&mut buffer)? {
            0 => return to.flush(),
            read => to.write_all(&buffer[..read])?,
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Part { file, .. } => file.write(bytes),
            Sink::Spool(spool, _) => spool.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Part { file, .. } => file.flush(),
            Sink::Spool(spool, _) => spool.flush(),
        }
    }
}

impl Seek for Destination {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.sink {
            Sink::Part { file, .. } => file.seek(to),
            Sink::Spool(spool, _) => spool.seek(to),
        }
    }
}

/// An incomplete file; removed when dropped before it got its final name.
#[derive(Debug)]
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn cannot_write(shown: &str, reason: &str) -> CommandError {
    CommandError::Refused(format!("cannot write {shown}: {reason}"))
}

#[cfg(test)]
mod tests {
    use std::{
        os::unix::{fs::PermissionsExt as _, fs::symlink, net::UnixListener},
        process::Command,
    };

    use super::*;

    const AUDIO: &[u8] = b"all of it";

    fn write(path: &Path) -> Result<(), String> {
        let words = |error: CommandError| crate::output::chain(&error);
        let mut destination = Target::at(path).and_then(Target::create).map_err(words)?;
        destination.write_all(b"ALL of it").unwrap();
        destination.seek(SeekFrom::Start(0)).unwrap();
        destination.write_all(b"all").unwrap();
        destination.finish().map_err(words)
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(name).collect();
        names.sort();
        names
    }

    // Negative control: renamed into place, as regular files are, the file replaces the FIFO, and
    // the FIFO's reader waits forever.
    #[test]
    fn a_fifo_is_written_through_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::read(fifo).unwrap()
        });
        assert_eq!(write(&fifo), Ok(()));
        assert_eq!(reader.join().unwrap(), AUDIO);
        assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo());
    }

    #[test]
    fn a_closed_pipe_is_not_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let opening = std::thread::spawn({
            let fifo = fifo.clone();
            move || drop(File::open(fifo).unwrap())
        });
        let destination = Target::at(&fifo).and_then(Target::create).unwrap();
        opening.join().unwrap();
        let mut destination = destination;
        destination.write_all(AUDIO).unwrap();
        destination.finish().unwrap();
    }

    #[test]
    fn devices_are_written_through_and_a_full_one_says_so() {
        let folder = tempfile::tempdir().unwrap();
        for (device, outcome) in [("null", None), ("full", Some("No space left on device"))] {
            let link = folder.path().join(device);
            symlink(Path::new("/dev").join(device), &link).unwrap();
            match (write(&link), outcome) {
                (Ok(()), None) => {}
                (Err(said), Some(words)) => assert!(said.contains(words) && said.contains(device), "{said}"),
                (said, _) => panic!("{device}: {said:?}"),
            }
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "the link was replaced");
        }
        assert_eq!(names(folder.path()), ["full", "null"]);
    }

    #[test]
    fn a_symbolic_link_stays_and_its_target_is_replaced_with_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.wav"), folder.path().join("link.wav"));
        fs::write(&real, b"old").unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        let before = fs::metadata(&real).unwrap().ino();
        symlink("real.wav", &link).unwrap();
        symlink(&link, folder.path().join("second.wav")).unwrap();
        assert_eq!(write(&folder.path().join("second.wav")), Ok(()));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let after = fs::symlink_metadata(&real).unwrap();
        assert_eq!((fs::read(&real).unwrap(), after.mode() & 0o777), (AUDIO.to_vec(), 0o640));
        assert_ne!(after.ino(), before, "it was written in place, so a reader would see half a file");
        assert_eq!(names(folder.path()), ["link.wav", "real.wav", "second.wav"]);
    }

    // Negative control: without `descriptor` the open file is replaced, and its content is lost.
    #[test]
    fn an_open_descriptor_is_written_to_and_never_replaced() {
        use std::os::fd::AsRawFd as _;
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        fs::write(&log, b"before ").unwrap();
        let open = OpenOptions::new().append(true).open(&log).unwrap();
        assert_eq!(write(Path::new(&format!("/dev/fd/{}", open.as_raw_fd()))), Ok(()));
        assert_eq!(fs::read(&log).unwrap(), b"before all of it");
        assert!(Target::at(Path::new("/dev/stdout")).unwrap().is_standard_output());
        assert!(Target::at(Path::new("-")).unwrap().is_standard_output());
    }

    #[test]
    fn an_unwritable_destination_says_why_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("folder")).unwrap();
        let _listener = UnixListener::bind(at("socket")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        symlink("loop", at("loop")).unwrap();
        for (name, words) in [
            ("folder", "it is a directory; name a file in it"),
            ("socket", "it is a socket"),
            ("dangling", "which does not exist"),
            ("loop", "links that does not end"),
            ("new/", "not the name of a file"),
            ("missing/new", "No such file or directory"),
            ("socket/new", "Not a directory"),
        ] {
            let said = write(&at(name)).unwrap_err();
            assert!(said.contains(words) && said.contains(name), "{name}: {said}");
        }
        assert!(write(Path::new("")).unwrap_err().contains("the name is empty"));
        assert_eq!(names(folder.path()), ["dangling", "folder", "loop", "socket"]);
    }
}
