//! What handlers ask for: the caller, strict JSON, query parameters, the idempotency header.

pub mod auth;
pub mod idempotency;
pub mod json;
pub mod page;
