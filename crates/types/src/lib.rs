//! The vocabulary of Lectern: ids, credits, times, error codes and the shapes of requests, responses
//! and events. Everything here is plain data with serde and `OpenAPI` schemas; no behaviour that needs a
//! clock, randomness, a database or a network lives here.

mod credits;
mod error_code;
mod ids;
mod time;

pub use credits::Credits;
pub use error_code::ErrorCode;
pub use ids::{
    AccountId, DeliveryId, EreaderId, EventId, KeyId, MaterialId, RequestId, SynthesisId, TransactionId,
    WebhookId,
};
pub use ids::{Id, IdError, Kind, kinds};
pub use time::Timestamp;
