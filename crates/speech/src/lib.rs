//! Text to natural speech, all in Rust: text → normalised words → phonemes → samples → encoded audio.
//!
//! The way of a text: [`text`] splits it into sentences, spells out what is not a word and tags the tokens;
//! [`phonemes`] gives every token its pronunciation; an engine of [`engines`] turns a sentence into samples with
//! word timings; [`pool`] runs engines on threads of their own, fairly between accounts; [`audio`] levels and
//! encodes; [`recording`] does so while a text is still being said, [`live`] at
//! once, sentence by sentence, [`chunk`] for a part of a book, which [`audio::book`] puts together. [`markup`] says which
//! parts of a text are markup, [`estimate`] how long a text will last. [`pack`] finds and checks the voice data on disk. No
//! database and no HTTP server is known here.

pub mod audio;
pub mod chunk;
pub mod engines;
pub mod estimate;
pub mod live;
pub mod markup;
pub mod narration;
pub mod pack;
pub mod phonemes;
pub mod pool;
pub mod recording;
mod seed;
pub mod text;
