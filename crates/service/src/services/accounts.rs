//! Accounts and their owners: registration, sign-in, recovery, and the mails they receive.

pub mod authentication;
pub mod confirmation;
pub mod context;
pub mod invitations;
pub mod login;
pub mod mailing;
pub mod passwords;
pub mod recovery;
pub mod registration;
pub mod sessions;
pub mod velocity;
