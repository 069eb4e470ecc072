//! A message in a worker's hands: the right to claim one job of a kind.

use std::time::Duration;

use async_nats::jetstream::{AckKind, Message, message::Acker};
use lectern_store::jobs::JobKind;
use tokio::time::timeout;

/// How long a word to the server may take to be sent. One that is lost costs a delivery too many.
const PATIENCE: Duration = Duration::from_secs(1);

/// A job that is put off is due at its instant, and a message that came before would find nothing.
const MARGIN: Duration = Duration::from_millis(50);

/// A message in a worker's hands. One that is dropped goes to another worker when its lease has ended.
pub struct Ticket {
    /// The kind of the job.
    pub kind: JobKind,
    acker: Acker,
}

impl std::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ticket").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl Ticket {
    pub(super) fn of(message: Message, kind: JobKind) -> Self {
        Self { kind, acker: message.split().1 }
    }

    /// Says that the work goes on.
    pub async fn goes_on(&self) {
        self.say(AckKind::Progress).await;
    }

    /// The message has done its service.
    pub async fn done(self) {
        self.say(AckKind::Ack).await;
    }

    /// Gives the message back, to come again after this time.
    pub async fn again(self, after: Duration) {
        let after = Some(after).filter(|after| !after.is_zero()).map(|after| after + MARGIN);
        self.say(AckKind::Nak(after)).await;
    }

    async fn say(&self, kind: AckKind) {
        match timeout(PATIENCE, self.acker.ack_with(kind)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(error = %error, "a message was not acknowledged"),
            Err(_) => tracing::debug!("a message was not acknowledged in time"),
        }
    }
}
