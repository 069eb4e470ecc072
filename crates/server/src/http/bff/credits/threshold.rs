//! `/v1/bff/credits/threshold`: below what the account is told that its credits run low.

pub mod get;
pub mod put;
