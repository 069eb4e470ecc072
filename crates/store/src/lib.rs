//! All persistent data of Lectern: the only crate with SQL.
//!
//! One handle, [`Store`], speaks to SQLite or to PostgreSQL. Each query is written once, in the subset that both read (see `db`);
//! the few statements that must differ are in `dialect`. From the bottom up, and never back:
//!
//! - `dialect`, `vocabulary`, `writing` and `notifications` know no table; `db` runs statements; `broadcast` and `leader_lock` are
//!   for several processes on one database;
//! - [`settings`], [`accounts`] and the parts of an account: [`addresses`], [`registration`], [`sessions`], [`mails`],
//!   [`email_tokens`], [`keys`], [`consent`];
//! - [`events`] with their deliveries to webhooks, [`ledger`], [`idempotency`], [`jobs`], [`object_deletions`], [`ereaders`],
//!   [`sandbox`], [`usage`], [`clock_steps`];
//! - the modules built on these: [`webhooks`], [`deliveries`], [`syntheses`], [`purchases`], [`materials`], [`chunks`], [`books`], and
//!   [`job_outcomes`] above them.
//!
//! Functions take the store first, then the account (and environment) that owns the rows, if any.
//! Not here: the clock, randomness and new ids (callers pass them in), HTTP, prices and policies.

pub mod accounts;
pub mod addresses;
pub mod books;
mod broadcast;
pub mod chunks;
pub mod clock_steps;
pub mod consent;
mod db;
pub mod deliveries;
mod dialect;
pub mod email_tokens;
pub mod ereaders;
mod error;
pub mod events;
pub mod feeds;
pub mod idempotency;
pub mod invoices;
pub mod job_outcomes;
pub mod jobs;
pub mod keys;
mod leader_lock;
pub mod ledger;
pub mod lexicons;
pub mod library;
pub mod mails;
pub mod materials;
mod migrate;
pub mod notices;
mod notifications;
pub mod object_deletions;
pub mod places;
pub mod preferences;
pub mod purchases;
pub mod registration;
pub mod sandbox;
pub mod sessions;
pub mod settings;
pub mod shares;
pub mod syntheses;
pub mod top_ups;
pub mod usage;
mod vocabulary;
pub mod webhooks;
mod writing;

pub use broadcast::Listener;
pub use db::{Cut, Edge, Faults, Store, StoreOptions};
pub use dialect::Backend;
pub use error::{Error, Result};
pub use leader_lock::LeaderLock;
pub use lectern_types::{Environment, Scope, Tier};
pub use migrate::SchemaState;
pub use notifications::{Changes, MaterialChanges, Notification, QueuedJob, WakeUp};
pub use vocabulary::Scopes;
pub use writing::{NewDeliveryId, NewEventId, NewJobId, Writing};
