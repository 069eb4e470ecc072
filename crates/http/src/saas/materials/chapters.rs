//! `/v1/saas/materials/{id}/chapters`: the chapters of a material.

pub mod list;
pub mod update;
