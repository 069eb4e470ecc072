//! Text to natural speech, all in Rust: text → spoken words → phonemes → samples → encoded audio.
//!
//! A [`spec::NarrationSpec`] describes what to say. A [`front_end`] of its [`language`] splits the
//! text into sentences and pronounces them in the alphabet of [`phonemes`]; an engine of
//! [`engines`] turns a sentence into samples with word timings; [`pool`] runs engines on threads of
//! their own, fairly between accounts; [`recorders`] level and encode the speech, with [`audio`].
//! [`markup`] defines which parts of a text are markup, [`ssml`] reads SSML, a [`script`] is
//! a text of several voices with all that it says about them, [`lexicons`] say how
//! an account wants words said, [`estimate`] estimates how long a text will
//! last, and [`pack`] finds and checks the voice data on disk. This crate depends on no database
//! and no HTTP server.

pub mod audio;
pub mod engines;
pub mod estimate;
pub mod front_end;
pub mod language;
pub mod lexicons;
pub mod markup;
pub mod pack;
pub mod phonemes;
pub mod pool;
pub mod recorders;
pub mod script;
mod seed;
pub mod spec;
pub mod ssml;
