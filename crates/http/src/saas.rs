//! `/v1/saas`: one folder for each resource, one file for each operation.

pub mod auth;
pub mod credits;
pub mod ereaders;
pub mod events;
pub mod keys;
pub mod lexicons;
pub mod materials;
pub mod me;
pub mod tts;
pub mod usage;
pub mod webhooks;
