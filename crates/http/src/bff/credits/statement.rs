//! `GET /v1/bff/credits/statement`, and what each part of one of its books cost.

pub mod list;
pub mod parts;
