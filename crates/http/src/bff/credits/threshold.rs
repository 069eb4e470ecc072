//! `/v1/bff/credits/threshold`: the balance below which the account gets a warning.

pub mod get;
pub mod put;
