//! The Lectern service: everything of the binary `lectern` but its `main`.
//!
//! [`config`] reads the settings, [`app`] builds the parts once, [`http`] parses and renders, [`services`] decide,
//! [`objects`], [`mail`], [`outbound`] and the crates `lectern-store` and `lectern-speech` keep, send and speak, [`workers`] do the jobs and
//! clear up, [`signals`] wakes who waits, [`queue`] calls workers to jobs, [`herald`] carries that to other processes, and [`commands`] and [`admin`] are the command line. Requests flow down this list and never back up.

pub mod admin;
pub mod app;
pub mod clock;
pub mod commands;
pub mod config;
pub mod descriptors;
pub mod error;
pub mod gathering;
pub mod herald;
pub mod http;
pub mod lifecycle;
pub mod mail;
pub mod objects;
pub mod outbound;
pub mod queue;
pub mod secrets;
pub mod services;
pub mod signals;
pub mod telemetry;
pub mod workers;
