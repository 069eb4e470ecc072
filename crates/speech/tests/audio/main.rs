//! Checks `lectern_speech::audio` with independent tools: symphonia, ffmpeg (which must be
//! installed; without it the tests fail and say so), hound and the EBU R 128 meter.

#![expect(clippy::expect_used, reason = "a test says what it expected and stops")]
#![expect(clippy::float_cmp, reason = "what must be exact is compared exactly")]
#![expect(clippy::cast_possible_wrap, reason = "lengths of test signals are small")]

mod book_tags;
mod books;
mod captions;
mod decoding;
mod flac;
mod gapless;
mod joined;
mod leveling;
mod outside;
mod parts;
mod signals;
mod telephony;
