//! Limits on one account's use of this process: requests per minute, and work in progress. Limits
//! on attempts with passwords and tokens are in [`super::accounts::velocity`].

pub mod concurrency;
pub mod gcra;
pub mod requests;
