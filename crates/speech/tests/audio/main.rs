//! What `lectern_speech::audio` promises, judged from outside: by symphonia, by ffmpeg (a program that must be
//! installed; without it the tests fail and say so), by hound and by the EBU R 128 meter.

mod captions;
mod decoding;
mod flac;
mod gapless;
mod levelling;
mod outside;
mod signals;
