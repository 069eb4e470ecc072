//! Events of payment providers.

pub mod stripe;
