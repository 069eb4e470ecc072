//! What a synthesis needs, whether its audio is stored or streamed.

use tokio_util::task::TaskTracker;

use super::speaking::Speaker;
use crate::{base::Base, objects::media_urls::MediaUrls};

/// What syntheses need. Clones share it.
#[derive(Clone)]
pub struct SpeechContext {
    pub base: Base,
    pub speaker: Speaker,
    /// Makes the URLs of finished audio.
    pub media: MediaUrls,
    /// Tracks syntheses that outlive their request.
    pub tasks: TaskTracker,
}
