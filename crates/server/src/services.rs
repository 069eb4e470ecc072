//! What the service does, one module a domain word. Nothing here knows HTTP.

pub mod authentication;
pub mod catalogue;
pub mod gcra;
pub mod idempotency;
pub mod invitations;
pub mod keys;
pub mod minting;
pub mod rate;
pub mod samples;
pub mod sealing;
pub mod speaking;
pub mod synthesis;
pub mod velocity;
pub mod voices;
