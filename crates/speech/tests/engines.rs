//! Engines through their public surface: the embedded voice on the real pack, the upstream engine against a real
//! server on a local socket, and the pack's guards.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

#[path = "engines/hibari.rs"]
mod hibari;
#[path = "engines/pack.rs"]
mod pack;
#[path = "engines/upstream.rs"]
mod upstream;

use std::sync::Arc;

use lectern_speech::engines::{Abandoned, Utterance};

/// A whole text as one utterance.
fn utterance(text: &str, voice: &str) -> Utterance {
    Utterance {
        text: text.into(),
        range: 0..text.len(),
        language: "en-US".to_owned(),
        voice: voice.to_owned(),
        speed: 1.0,
        seed: 1,
        lexicon: Arc::default(),
        abandoned: Abandoned::default(),
    }
}
