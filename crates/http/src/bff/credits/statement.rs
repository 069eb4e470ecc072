//! `GET /v1/bff/credits/statement`, and the price of each part of a book.

pub mod list;
pub mod parts;
