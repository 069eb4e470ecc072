//! `/v1/audio` and `/v1/models`: the speech part of OpenAI's interface, with Lectern's keys, voices
//! and prices.

pub mod models;
pub mod speech;
pub mod voices;
