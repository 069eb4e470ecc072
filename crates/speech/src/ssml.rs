//! SSML 1.1: what a text says about how it is spoken.
//!
//! [`Ssml::parse`] checks a text and takes it apart into pieces, each with the style that the elements
//! around it ask for. [`Ssml::script`] writes the pieces as one text in this crate's own markup, with the
//! stretches that have a voice, a language or a prosody of their own, so that front ends and engines need
//! not know SSML. A [`crate::script::Script`] remembers which bytes of the original each byte reads: word timestamps and
//! prices speak of the text as it was sent.
//!
//! `elements` walks through the tree, `attributes` reads values, `characters` is their text, `pieces` is what it gives, `prosody` reads the
//! element of that name, `say_as` rewrites
//! what an author says about numbers, dates and letters, `strict` refuses what the parser lets pass, `writer` makes the
//! script.

mod attributes;
mod characters;
mod elements;
mod pieces;
mod places;
mod prosody;
mod say_as;
mod strict;
mod writer;

pub use pieces::{Feature, Ssml, SsmlError, VoiceName};

/// The longest text with its markup, in characters.
pub const LONGEST: usize = 40_000;

/// How deep elements may be nested.
pub const DEEPEST: usize = 32;
