//! Speaking, as the API does it.

pub mod synthesize;
