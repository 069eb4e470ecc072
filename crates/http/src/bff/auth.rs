//! Registration, the links in mails, sign-in and sign-out.

pub mod confirm;
pub mod forgot;
pub mod invitation;
pub mod judge;
pub mod login;
pub mod logout;
pub mod password;
pub mod registration;
pub mod reset;
