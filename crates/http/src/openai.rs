//! `/v1/audio` and `/v1/models`: the part of OpenAI's interface that speaks, on Lectern's keys,
//! voices and prices.

pub mod models;
pub mod speech;
pub mod voices;
