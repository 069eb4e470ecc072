//! Terms and privacy policy.

pub mod accept;
pub mod get;
