//! Makes the files that publishers and listeners want of a spoken book: a ZIP with one MP3 a
//! chapter ([`mp3_zip`]), EPUB 3 with Media Overlays ([`epub`]), a DAISY 2.02 talking book
//! ([`daisy`]) and podcast feeds ([`feed`]).
//!
//! The crate is pure. It encodes no audio: the caller gives the finished MP3 of each chapter
//! through [`Contents`]. It takes one chapter after the other and writes as it goes, so memory does
//! not grow with the book's audio. The same input gives the same bytes: times and identifiers are
//! part of the input.

mod archive;
mod clips;
mod contents;
pub mod daisy;
pub mod epub;
mod error;
pub mod feed;
mod markup;
mod model;
pub mod mp3_zip;
mod names;
mod sentences;

pub use contents::{Contents, SpokenText, SpokenWord};
pub use error::PublishError;
pub use lectern_types::ChapterRole;
pub use model::{Book, Chapter, Cover};
