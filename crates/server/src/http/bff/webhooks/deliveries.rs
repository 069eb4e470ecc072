//! What was sent to an endpoint.

pub mod get;
pub mod list;
pub mod retry;
