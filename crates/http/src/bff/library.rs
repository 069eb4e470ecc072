//! The library of the web application: an account's materials by words, tags and how far they were heard.

pub mod list;
pub mod tags;
