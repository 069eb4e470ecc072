//! Turns an engine's speech into audio: [`Recorder`] levels and encodes a whole text into a file,
//! [`StreamRecorder`] encodes each piece as soon as it is spoken, and [`ChunkRecorder`] records a
//! part of a book into files that are played as if they were one. All use `narration`, which joins
//! the pieces with their pauses. The caller stores the bytes.

mod chunk;
mod file;
mod narration;
mod options;
mod stream;

pub use chunk::{ChunkAudio, ChunkOptions, ChunkRecorder, SILENT_CHUNK_MS, TICK_MS, pause_at_end};
pub use file::{LEVELED_AT_ONCE_S, Recorded, Recorder, RecordingError};
pub use narration::Narration;
pub use options::RecordOptions;
pub use stream::StreamRecorder;
