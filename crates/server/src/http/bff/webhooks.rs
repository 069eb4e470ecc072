//! Webhooks, as the API has them.

pub mod create;
pub mod delete;
pub mod deliveries;
pub mod get;
pub mod list;
pub mod rotate_secret;
pub mod test;
pub mod update;
