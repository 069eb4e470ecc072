//! Engines through their public interface: the embedded voice with the real pack, the upstream
//! engine against a real server on a local socket, and the pack's guards.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

#[path = "engines/breaks.rs"]
mod breaks;
#[path = "engines/contours.rs"]
mod contours;
#[path = "engines/hibari.rs"]
mod hibari;
#[path = "engines/kokoro.rs"]
mod kokoro;
#[path = "engines/pack.rs"]
mod pack;
#[path = "engines/pitch.rs"]
mod pitch;
#[path = "engines/questions.rs"]
mod questions;
#[path = "engines/tracker.rs"]
mod tracker;
#[path = "engines/upstream.rs"]
mod upstream;

use std::sync::Arc;

use lectern_speech::{
    engines::Utterance,
    front_end::{Pause, Span},
    language::Language,
    spec::NarrationSpec,
};

/// A whole text as one utterance.
fn utterance(text: &str, voice: &str) -> Utterance {
    let spec = NarrationSpec { seed: 1, ..NarrationSpec::new("hibari", voice, Language::EN_US, text) };
    Utterance::new(&Arc::new(spec), Span { range: 0..text.len(), pause: Pause::Paragraph })
}
