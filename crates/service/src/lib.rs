//! The service without HTTP and without a command line.
//!
//! [`config`] reads the settings, [`base`] opens the shared parts, and [`app`] builds the services
//! from them, once. [`services`] make the decisions; [`objects`], [`mail`], [`outbound`] and the
//! crates `lectern-store`, `lectern-speech` and `lectern-documents` keep, send, speak and read.
//! [`workers`] run the jobs, send the webhooks and clean up, and [`dispatch`] tells workers which
//! work is due. [`telemetry`] is logs and metrics.

pub mod app;
pub mod base;
pub mod branding;
pub mod clock;
pub mod config;
mod confined;
pub mod descriptors;
pub mod dispatch;
pub mod error;
pub mod mail;
pub mod objects;
pub mod outbound;
pub mod secrets;
pub mod services;
pub mod telemetry;
pub mod workers;
