//! Where speech goes: levelled, encoded and written as it comes, so that a long text needs no more memory than a short
//! one; and the files of timestamps.

use std::{
    fs::{self, File},
    io::{BufWriter, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use lectern_speech::{
    audio::{
        EncodeOptions, Encoder, Format, FrontPatch, Layout,
        captions::{cues, srt, timestamps, vtt},
        loudness::{MAX_GAIN_DB, StreamLeveler, TARGET_LUFS, level, measure},
    },
    engines::{Speech, WordTiming},
};

use super::CommandError;

/// So much is levelled as one clip, exactly. What is longer takes the gain that its beginning needs: one narrator's ten
/// minutes are a fair measure of the hours after them, and the hours need not be held in memory.
const LEVELLED_AT_ONCE_S: usize = 600;

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
    format: Format,
    title: Option<String>,
    voice_gain_db: f64,
    state: State,
    words: Vec<WordTiming>,
    /// Samples so far, pauses included.
    length: u64,
    /// The pause to put before the next utterance.
    pause_samples: u64,
}

enum State {
    /// Nothing was said yet.
    Silent,
    /// Everything so far, not levelled.
    Gathering { samples: Vec<f32>, sample_rate_hz: u32 },
    /// Too long to hold: on its way through a fixed gain.
    Streaming { encoder: Box<Encoder>, leveler: StreamLeveler, sample_rate_hz: u32 },
}

impl Audio {
    pub(super) fn new(
        destination: Destination,
        format: Format,
        title: Option<String>,
        voice_gain_db: f64,
    ) -> Self {
        let words = Vec::new();
        Self {
            destination,
            format,
            title,
            voice_gain_db,
            state: State::Silent,
            words,
            length: 0,
            pause_samples: 0,
        }
    }

    /// Adds an utterance, after the pause that the one before it asked for.
    pub(super) fn push(&mut self, speech: Speech) -> Result<(), CommandError> {
        if speech.samples.is_empty() {
            return Ok(());
        }
        let rate = speech.sample_rate_hz;
        if matches!(self.state, State::Silent) {
            self.state = State::Gathering { samples: Vec::new(), sample_rate_hz: rate };
        } else {
            self.append(&vec![0.0; self.pause_samples as usize], rate)?;
        }
        self.words.extend(speech.words.iter().map(|word| WordTiming {
            source: word.source.clone(),
            start_sample: word.start_sample + self.length,
            end_sample: word.end_sample + self.length,
        }));
        self.append(&speech.samples, rate)?;
        self.pause_samples = speech.pause_samples;
        Ok(())
    }

    /// Ends the file and puts it in its place; returns when each word is spoken.
    pub(super) fn finish(mut self) -> Result<Vec<WordTiming>, CommandError> {
        let encoder = match std::mem::replace(&mut self.state, State::Silent) {
            State::Silent => {
                return Err(CommandError::Refused(
                    "there is nothing in the text that this voice can say".to_owned(),
                ));
            }
            State::Gathering { mut samples, sample_rate_hz } => {
                level(&mut samples, sample_rate_hz, self.voice_gain_db).map_err(CommandError::from_error)?;
                let mut encoder = self.encoder(sample_rate_hz)?;
                let bytes = encoder.push(&samples).map_err(CommandError::from_error)?;
                self.destination.write(&bytes)?;
                encoder
            }
            State::Streaming { mut encoder, leveler, .. } => {
                let bytes = encoder.push(&leveler.finish()).map_err(CommandError::from_error)?;
                self.destination.write(&bytes)?;
                *encoder
            }
        };
        let end = encoder.finish().map_err(CommandError::from_error)?;
        self.destination.write(&end.bytes)?;
        self.destination.close(end.front_patch.as_ref())?;
        Ok(self.words)
    }

    fn append(&mut self, more: &[f32], rate: u32) -> Result<(), CommandError> {
        self.length += more.len() as u64;
        match &mut self.state {
            State::Silent => {}
            State::Gathering { samples, .. } => {
                samples.extend_from_slice(more);
                if samples.len() > LEVELLED_AT_ONCE_S * rate as usize {
                    let samples = std::mem::take(samples);
                    return self.start_streaming(&samples, rate);
                }
            }
            State::Streaming { encoder, leveler, sample_rate_hz } => {
                if *sample_rate_hz != rate {
                    return Err(CommandError::Refused("the engine changed its sample rate".to_owned()));
                }
                let bytes = encoder.push(&leveler.push(more)).map_err(CommandError::from_error)?;
                self.destination.write(&bytes)?;
            }
        }
        Ok(())
    }

    fn start_streaming(&mut self, samples: &[f32], rate: u32) -> Result<(), CommandError> {
        let lufs = measure(samples, rate).map_err(CommandError::from_error)?.lufs;
        // Silence has no loudness; the voice's own gain is the best guess for what follows it.
        let gain_db =
            if lufs.is_finite() { (TARGET_LUFS - lufs).min(MAX_GAIN_DB) } else { self.voice_gain_db };
        let mut encoder = self.encoder(rate)?;
        let mut leveler = StreamLeveler::new(rate, gain_db);
        let bytes = encoder.push(&leveler.push(samples)).map_err(CommandError::from_error)?;
        self.destination.write(&bytes)?;
        self.state = State::Streaming { encoder: Box::new(encoder), leveler, sample_rate_hz: rate };
        Ok(())
    }

    fn encoder(&self, rate: u32) -> Result<Encoder, CommandError> {
        let options = EncodeOptions { title: self.title.clone(), ..EncodeOptions::new(self.format, rate) };
        Encoder::new(&options, Layout::File).map_err(CommandError::from_error)
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
