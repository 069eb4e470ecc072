//! What the service does, one module a domain word. Nothing here knows HTTP.

pub mod authentication;
pub mod catalogue;
mod claims;
pub mod confirmation;
pub mod extraction;
pub mod gate;
pub mod gcra;
pub mod idempotency;
pub mod invitations;
pub mod keys;
pub mod login;
pub mod mailing;
pub mod materials;
pub mod minting;
pub mod passwords;
pub mod rate;
pub mod recovery;
pub mod registration;
pub mod samples;
pub mod sealing;
pub mod sessions;
pub mod speaking;
pub mod streaming;
pub mod synthesis;
pub mod velocity;
pub mod voices;
pub mod webhooks;
