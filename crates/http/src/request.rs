//! Request data that the layers around a handler share.

use std::sync::{Arc, OnceLock};

use lectern_service::services::limits::requests::Allowance;
use lectern_types::{AccountId, RequestId};

/// Shared state of one request.
#[derive(Debug, Clone)]
pub struct Context {
    /// The request's id, made by the edge.
    pub request_id: RequestId,
    /// Filled in by authentication.
    pub caller: Arc<OnceLock<Seen>>,
}

/// The result of authentication, for headers and logs.
#[derive(Debug)]
pub struct Seen {
    /// The account of the key.
    pub account: AccountId,
    /// The state of the account's request limit.
    pub allowance: Allowance,
}

/// The process is stopping and no longer waits for the rest of a body.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the service is stopping and no longer waits for the rest of the body")]
pub struct Stopping;
