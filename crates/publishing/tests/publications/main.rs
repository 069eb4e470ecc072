//! The files that this crate makes, read again with a ZIP reader and an XML parser.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failure here is a failed test")]

mod changed;
mod daisy;
mod daisy_rules;
mod epub;
mod feed;
mod fixture;
mod mp3_zip;
mod source;
