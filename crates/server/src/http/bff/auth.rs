//! What the links of mails lead to, and signing out.

pub mod confirm;
pub mod forgot;
pub mod logout;
pub mod reset;
