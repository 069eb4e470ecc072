//! `/v1/saas/ereaders`.

pub mod list;
pub mod sample;
