//! A message delivered to a worker: permission to claim one job of a given kind.

use std::time::Duration;

use async_nats::jetstream::{AckKind, Message, message::Acker};
use lectern_store::jobs::JobKind;
use tokio::time::timeout;

/// The timeout of an acknowledgement. A lost acknowledgement costs one extra delivery.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Added to the delay of a redelivery, because a message that arrives before its job is due finds
/// nothing to claim.
const MARGIN: Duration = Duration::from_millis(50);

/// A message delivered to a worker. A dropped message goes to another worker when its lease ends.
pub struct QueueMessage {
    /// The kind of the job.
    pub kind: JobKind,
    acker: Acker,
}

impl std::fmt::Debug for QueueMessage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueueMessage").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl QueueMessage {
    pub(super) fn of(message: Message, kind: JobKind) -> Self {
        Self { kind, acker: message.split().1 }
    }

    /// Extends the lease, because the work is still in progress.
    pub async fn goes_on(&self) {
        self.say(AckKind::Progress).await;
    }

    /// Acknowledges the message: its job is done.
    pub async fn done(self) {
        self.say(AckKind::Ack).await;
    }

    /// Returns the message for redelivery after this delay.
    pub async fn again(self, after: Duration) {
        let after = Some(after).filter(|after| !after.is_zero()).map(|after| after + MARGIN);
        self.say(AckKind::Nak(after)).await;
    }

    async fn say(&self, kind: AckKind) {
        match timeout(TIMEOUT, self.acker.ack_with(kind)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(error = %error, "a message was not acknowledged"),
            Err(_) => tracing::debug!("a message was not acknowledged in time"),
        }
    }
}
