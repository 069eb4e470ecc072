//! Everything Lectern remembers: the only crate with SQL.
//!
//! One handle, [`Store`], speaks to SQLite or to PostgreSQL; each query is written once, in the subset that
//! both read (see `db`), and the few statements that must differ live in `dialect`. Modules are named after
//! what they keep: [`accounts`] (whose [`addresses`] are compared in one form), [`registration`], [`sessions`], [`email_tokens`], [`mails`], [`keys`], [`consent`], [`ledger`], [`idempotency`], [`syntheses`],
//! [`materials`], [`chunks`], [`books`], [`jobs`], [`events`], [`webhooks`], [`deliveries`], [`object_deletions`], [`usage`], [`purchases`], [`ereaders`], [`sandbox`],
//! [`settings`], [`clock_steps`]. Their functions take the store first, then, where the rows
//! belong to somebody, the account (and environment) they belong to.
//!
//! What is not here: the clock, randomness and new ids (callers pass them in), HTTP, prices and policies.

pub mod accounts;
pub mod addresses;
pub mod books;
pub mod chunks;
pub mod clock_steps;
pub mod consent;
mod db;
pub mod deliveries;
mod dialect;
mod duties;
pub mod email_tokens;
pub mod ereaders;
mod error;
pub mod events;
pub mod idempotency;
pub mod jobs;
pub mod keys;
pub mod ledger;
pub mod mails;
pub mod materials;
mod migrate;
mod news;
pub mod object_deletions;
pub mod purchases;
pub mod registration;
pub mod sandbox;
pub mod sessions;
pub mod settings;
pub mod syntheses;
pub mod usage;
mod vocabulary;
pub mod webhooks;
mod writing;

pub use db::{Backend, Cut, Edge, Faults, Store, StoreOptions};
pub use duties::Duties;
pub use error::{Error, Result};
pub use migrate::SchemaState;
pub use news::{Heard, Listener, News, QueuedJob};
pub use vocabulary::{Environment, Scope, Scopes, Tier, UnknownWord};
pub use writing::{NewDeliveryId, NewEventId, NewJobId, Writing};
