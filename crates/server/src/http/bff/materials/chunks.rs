//! The pieces of a material, as the API has them.

pub mod audio;
pub mod list;
pub mod text;
pub mod timestamps;
