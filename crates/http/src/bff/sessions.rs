//! Where the account is signed in.

pub mod list;
pub mod revoke;
