//! Materials, as the API has them.

pub mod audio;
pub mod captions;
pub mod chunks;
pub mod convert;
pub mod create;
pub mod delete;
pub mod events;
pub mod get;
pub mod list;
pub mod update;
