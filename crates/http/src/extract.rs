//! The inputs of handlers: the caller, the client's address, strict JSON, query parameters, the
//! idempotency header.

pub mod auth;
pub mod client_ip;
pub mod form;
pub mod form_data;
pub mod idempotency;
pub mod json;
pub mod language;
pub mod page;
pub mod path;
pub mod post;
pub mod session;
pub mod surface;
pub mod web;
