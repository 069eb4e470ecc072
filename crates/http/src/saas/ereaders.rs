//! `/v1/saas/ereaders`.

pub mod get;
pub mod list;
pub mod sample;
