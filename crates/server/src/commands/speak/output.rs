//! The output of speech: audio is written as it is synthesized, so that a long text needs no more
//! memory than a short one. Also the timestamp files.

use std::{
    io::{Seek as _, SeekFrom, Write as _},
    path::Path,
};

use lectern_speech::{
    audio::captions::{as_shown, cues, of_script, srt, vtt},
    engines::{Speech, WordTiming},
    recorders::{Recorded, Recorder},
    script::Script,
};

use super::{
    CommandError,
    destination::{Destination, Target},
};

/// Audio that is being written to a file.
pub(super) struct Audio {
    destination: Destination,
    recorder: Recorder,
}

impl Audio {
    pub(super) fn new(destination: Destination, recorder: Recorder) -> Self {
        Self { destination, recorder }
    }

    pub(super) fn push(&mut self, speech: Speech) -> Result<(), CommandError> {
        let bytes = self.recorder.push(speech).map_err(CommandError::from_error)?;
        write(&mut self.destination, &bytes)
    }

    /// Completes the file and returns what was recorded.
    pub(super) fn finish(self) -> Result<Recorded, CommandError> {
        let Self { mut destination, recorder } = self;
        let (bytes, recorded) = recorder.finish().map_err(CommandError::from_error)?;
        write(&mut destination, &bytes)?;
        write(&mut destination, &recorded.end.bytes)?;
        if let Some(patch) = &recorded.end.front_patch {
            let moved = destination.seek(SeekFrom::Start(patch.offset as u64));
            moved.map_err(|error| destination.failure(&error))?;
            write(&mut destination, &patch.bytes)?;
        }
        destination.finish()?;
        Ok(recorded)
    }
}

fn write(destination: &mut Destination, bytes: &[u8]) -> Result<(), CommandError> {
    destination.write_all(bytes).map_err(|error| destination.failure(&error))
}

/// A timestamps file; its extension decides the format.
pub(super) struct Timestamps {
    target: Target,
    kind: Kind,
}

enum Kind {
    Json,
    Srt,
    Vtt,
}

impl Timestamps {
    pub(super) fn at(path: &Path) -> Result<Self, CommandError> {
        let target = Target::at(path)?;
        let kind = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => Kind::Json,
            Some("srt") => Kind::Srt,
            Some("vtt") => Kind::Vtt,
            None if target.file().is_none() => Kind::Json,
            _ => {
                return Err(CommandError::Usage(format!(
                    "--timestamps {}: the name must end in .json, .srt or .vtt",
                    path.display()
                )));
            }
        };
        Ok(Self { target, kind })
    }

    pub(super) fn are_for_standard_output(&self) -> bool {
        self.target.is_standard_output()
    }

    /// Writes the times of the words of a script; `sent` is the text as it was given.
    pub(super) fn write(
        self,
        script: &Script,
        sent: &str,
        words: &[WordTiming],
        sample_rate_hz: u32,
    ) -> Result<(), CommandError> {
        let content = match self.kind {
            Kind::Json => {
                let times = of_script(script, sent, words, sample_rate_hz);
                let mut json = serde_json::to_string_pretty(&times).map_err(CommandError::from_error)?;
                json.push('\n');
                json
            }
            Kind::Srt | Kind::Vtt => {
                let (shown, words) = as_shown(script, words);
                let cues = cues(&shown, &words, sample_rate_hz);
                if matches!(self.kind, Kind::Srt) { srt(&cues) } else { vtt(&cues) }
            }
        };
        let mut file = self.target.create()?;
        file.write_all(content.as_bytes()).map_err(|error| file.failure(&error))?;
        file.finish()
    }
}
