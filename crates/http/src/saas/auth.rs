//! Registration and sign-in: the two routes of the API without a key.

pub mod login;
pub mod register;
