//! `/v1/saas/materials/{id}/cover`: the picture of a material.

pub mod delete;
pub mod get;
pub mod put;
