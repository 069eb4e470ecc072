//! The binary `lectern` except for its `main`: its [`commands`] (including `serve`, whose start and
//! shutdown are in [`lifecycle`]), [`admin`], the operator's commands, and [`wyoming`], the listener
//! for Home Assistant. Everything else that they run is in `lectern-http` and `lectern-service`.

pub mod admin;
pub mod commands;
mod error;
pub mod lifecycle;
mod numbers;
pub mod output;
pub mod wyoming;
