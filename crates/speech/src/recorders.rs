//! What an engine says on its way into audio: [`Recorder`] levels and encodes a whole text into a
//! file, [`StreamRecorder`] each piece as soon as it is said, [`ChunkRecorder`] a part of a book
//! into files that are played as if they were one. All are made over `narration`, which puts the
//! pieces together with their pauses. Where the bytes go is the caller's business.

mod chunk;
mod file;
mod narration;
mod stream;

pub use chunk::{ChunkAudio, ChunkOptions, ChunkRecorder, SILENT_CHUNK_MS, TICK_MS, pause_at_end};
pub use file::{LEVELED_AT_ONCE_S, Recorded, Recorder, RecordingError};
pub use narration::Narration;
pub use stream::{StreamFormat, StreamRecorder};
