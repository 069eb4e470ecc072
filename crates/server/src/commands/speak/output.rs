//! Where speech goes: written as it comes, so that a long text needs no more memory than a short one; and the files of
//! timestamps.

use std::{
    fs::{self, File},
    io::{BufWriter, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use lectern_speech::{
    audio::{
        FrontPatch,
        captions::{cues, srt, timestamps, vtt},
    },
    engines::{Speech, WordTiming},
    recording::Recorder,
};

use super::CommandError;

/// The file or stream that takes the audio.
pub(super) enum Destination {
    /// Standard output, written at the end: formats with a front patch cannot go back there.
    StandardOutput(Vec<u8>),
    /// A file, made under another name beside its place and moved there when it is whole.
    File { path: PathBuf, part: PathBuf, file: BufWriter<File> },
}

impl Destination {
    pub(super) fn open(path: &Path) -> Result<Self, CommandError> {
        if path == Path::new("-") {
            return Ok(Self::StandardOutput(Vec::new()));
        }
        let mut name = path
            .file_name()
            .ok_or_else(|| CommandError::Usage(format!("{} is not the name of a file", path.display())))?
            .to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let part = path.with_file_name(name);
        let file = File::create(&part).map_err(|error| cannot_write(path, &error))?;
        Ok(Self::File { path: path.to_owned(), part, file: BufWriter::new(file) })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        match self {
            Self::StandardOutput(all) => all.extend_from_slice(bytes),
            Self::File { path, file, .. } => {
                file.write_all(bytes).map_err(|error| cannot_write(path, &error))?;
            }
        }
        Ok(())
    }

    fn close(mut self, patch: Option<&FrontPatch>) -> Result<(), CommandError> {
        match &mut self {
            Self::StandardOutput(all) => {
                if let Some(patch) = patch {
                    patch.apply(all);
                }
                let mut out = std::io::stdout().lock();
                out.write_all(all)
                    .and_then(|()| out.flush())
                    .map_err(|error| CommandError::Refused(format!("cannot write standard output: {error}")))
            }
            Self::File { path, part, file } => {
                let mut finish = || {
                    if let Some(patch) = patch {
                        file.seek(SeekFrom::Start(patch.offset as u64))?;
                        file.write_all(&patch.bytes)?;
                    }
                    file.flush()?;
                    fs::rename(&*part, &*path)
                };
                finish().map_err(|error| cannot_write(path, &error))
            }
        }
    }
}

impl Drop for Destination {
    /// What is not whole is taken away; after a success the name is gone already.
    fn drop(&mut self) {
        if let Self::File { part, .. } = self {
            let _ = fs::remove_file(part);
        }
    }
}

/// Speech on its way into a file.
pub(super) struct Audio {
    destination: Destination,
    recorder: Recorder,
}

impl Audio {
    pub(super) fn new(destination: Destination, recorder: Recorder) -> Self {
        Self { destination, recorder }
    }

    /// Adds an utterance.
    pub(super) fn push(&mut self, speech: Speech) -> Result<(), CommandError> {
        let bytes = self.recorder.push(speech).map_err(CommandError::from_error)?;
        self.destination.write(&bytes)
    }

    /// Ends the file and puts it in its place; returns when each word is spoken.
    pub(super) fn finish(mut self) -> Result<Vec<WordTiming>, CommandError> {
        let (bytes, recorded) = self.recorder.finish().map_err(CommandError::from_error)?;
        self.destination.write(&bytes)?;
        self.destination.write(&recorded.end.bytes)?;
        self.destination.close(recorded.end.front_patch.as_ref())?;
        Ok(recorded.words)
    }
}

/// A file of timestamps, its kind known by its ending.
pub(super) struct Timestamps {
    path: PathBuf,
    kind: Kind,
}

enum Kind {
    Json,
    Srt,
    Vtt,
}

impl Timestamps {
    pub(super) fn at(path: &Path) -> Result<Self, CommandError> {
        let kind = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => Kind::Json,
            Some("srt") => Kind::Srt,
            Some("vtt") => Kind::Vtt,
            _ => {
                return Err(CommandError::Usage(format!(
                    "--timestamps {}: the name must end in .json, .srt or .vtt",
                    path.display()
                )));
            }
        };
        Ok(Self { path: path.to_owned(), kind })
    }

    pub(super) fn write(
        &self,
        text: &str,
        words: &[WordTiming],
        sample_rate_hz: u32,
    ) -> Result<(), CommandError> {
        let content = match self.kind {
            Kind::Json => {
                let words = timestamps(text, words, sample_rate_hz);
                let mut json = serde_json::to_string_pretty(&words).map_err(CommandError::from_error)?;
                json.push('\n');
                json
            }
            Kind::Srt => srt(&cues(text, words, sample_rate_hz)),
            Kind::Vtt => vtt(&cues(text, words, sample_rate_hz)),
        };
        fs::write(&self.path, content).map_err(|error| cannot_write(&self.path, &error))
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::Refused(format!("cannot write {}: {error}", path.display()))
}
