//! `/v1/saas`: one folder a resource, one file an operation.

pub mod auth;
pub mod credits;
pub mod ereaders;
pub mod events;
pub mod keys;
pub mod materials;
pub mod me;
pub mod tts;
pub mod usage;
pub mod webhooks;
