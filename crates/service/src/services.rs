//! The operations of the service, grouped by subject. Nothing here knows HTTP.
//!
//! Each group is a folder: [`accounts`] (people, passwords, sessions, mails), [`keys`] (API keys),
//! [`speech`] (one synthesis, and the voices it takes), [`materials`] (books, from upload to
//! audio), [`lexicons`] (words and how they are said), [`billing`] (payments and the ledger as a file)
//! and [`webhooks`]. Modules that several
//! groups use are next to them: [`idempotency`], [`limits`], [`disk`], [`missing_objects`], [`mailing`] and
//! [`notices`].

pub mod accounts;
pub mod billing;
pub mod disk;
pub mod idempotency;
pub mod keys;
pub mod lexicons;
pub mod limits;
pub mod mailing;
pub mod materials;
pub mod missing_objects;
pub mod notices;
pub mod speech;
pub mod webhooks;
