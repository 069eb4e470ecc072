//! E-readers, as the API has them.

pub mod list;
pub mod sample;
