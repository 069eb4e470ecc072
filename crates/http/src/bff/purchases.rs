//! Buying credits.

pub mod create;
pub mod get;
pub mod invoice;
pub mod list;
pub mod withdraw;
