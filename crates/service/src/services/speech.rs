//! Speech on demand: e-readers and their voices, and one synthesis from its price to its audio.
//!
//! [`synthesis`] answers when the audio is stored, [`streaming`] while it is spoken; [`claims`]
//! handles the holds of both in the ledger. [`speaking`] turns a text into a recording and knows
//! neither accounts nor storage.

mod casting;
pub(super) mod claims;
pub mod context;
pub mod ereader_catalog;
pub mod language;
pub mod samples;
pub mod socket;
pub mod speaking;
pub mod streaming;
pub mod synthesis;
pub mod voices;
pub mod wording;
