//! What payment providers tell.

pub mod stripe;
