//! How far a request is, for clients that ask.

use serde_json::Value;
use tokio::sync::mpsc;

use super::protocol;

/// How a tool tells how far it is.
#[derive(Debug, Clone)]
pub(super) struct Progress {
    /// `None` when the client did not ask.
    token: Option<Value>,
    out: mpsc::Sender<Value>,
}

impl Progress {
    pub(super) fn new(token: Option<Value>, out: mpsc::Sender<Value>) -> Self {
        Self { token, out }
    }

    pub(super) async fn tell(&self, done: f64, total: Option<f64>, message: &str) {
        if let Some(token) = &self.token {
            // A client that is gone needs no progress.
            let _ = self.out.send(protocol::progress(token, done, total, message)).await;
        }
    }
}
