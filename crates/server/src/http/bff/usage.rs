//! What was used, as the API tells it.

pub mod get;
