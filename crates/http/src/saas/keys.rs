//! `/v1/saas/keys`.

pub mod create;
pub mod list;
pub mod revoke;
pub mod roll;
pub mod update;
