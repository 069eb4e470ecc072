//! `/v1/saas/materials/{id}/cast`: who speaks for whom.

pub mod get;
pub mod put;

use lectern_store::materials::Speaker;
use lectern_types::{Cast, CastSpeaker};

/// A cast as it is shown.
fn shown(speakers: Vec<Speaker>) -> Cast {
    let speaker = |speaker: Speaker| CastSpeaker {
        name: speaker.name,
        ereader_id: speaker.ereader,
        quotes: speaker.quotes,
        confidence: f64::from(speaker.confidence) / 1000.0,
    };
    Cast { speakers: speakers.into_iter().map(speaker).collect() }
}
