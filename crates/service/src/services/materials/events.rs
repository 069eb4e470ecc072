//! Streams the events of a material in order. The events come from the store, as soon as this
//! process is notified or, without a notification, at the next poll.

use std::{collections::VecDeque, time::Duration};

use lectern_store::{Environment, MaterialChanges, Store, events, keys::Authenticated, materials};
use lectern_types::{AccountId, MaterialId, MaterialStatus};
use serde_json::json;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::waiting::LongRequests;
use crate::{error::Result, services::limits::concurrency::Permit};

/// How often the store is polled.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Events read at a time.
const AT_A_TIME: u32 = 200;

/// How long one stream lasts. A client that reconnects has to authenticate again.
const LONGEST: Duration = Duration::from_hours(1);

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaterialEvent {
    /// Its sequence number; `None` for the final event of a deleted material, which is not stored.
    pub sequence: Option<u64>,
    pub kind: String,
    /// Its data, as JSON.
    pub data: String,
}

/// The events of one material, in order.
pub struct Progress {
    store: Store,
    stop: CancellationToken,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    /// The sequence number of the last event sent.
    sent: u64,
    read: VecDeque<MaterialEvent>,
    changes: MaterialChanges,
    until: Instant,
    over: bool,
    _place: Permit,
}

/// The events after `seen`, or from the first one; `None` when all were seen and none can follow.
///
/// # Errors
/// `material_not_found`; `rate_limited` when the account follows too many materials.
pub async fn follow(
    store: &Store,
    long_requests: &LongRequests,
    caller: &Authenticated,
    material: MaterialId,
    seen: Option<u64>,
) -> Result<Option<Progress>> {
    let changes = store.watch_material(material);
    let found = super::find(store, caller, material).await?;
    // The client cannot have seen an event that was never sent.
    let sent = seen.filter(|seen| *seen <= found.event_sequence).unwrap_or(0);
    if sent == found.event_sequence && is_over(found.status) {
        return Ok(None);
    }
    let place = long_requests.place(caller.account).await?;
    Ok(Some(Progress {
        store: store.clone(),
        stop: long_requests.stop.clone(),
        account: caller.account,
        environment: caller.key.environment,
        material,
        sent,
        read: VecDeque::new(),
        changes,
        until: Instant::now() + LONGEST,
        over: false,
        _place: place,
    }))
}

/// Whether no event can follow without another request.
fn is_over(status: MaterialStatus) -> bool {
    matches!(status, MaterialStatus::Failed | MaterialStatus::Completed | MaterialStatus::PartiallyFailed)
}

impl Progress {
    /// The next event; `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<MaterialEvent> {
        loop {
            if let Some(event) = self.read.pop_front() {
                self.sent = event.sequence.unwrap_or(self.sent);
                return Some(event);
            }
            if self.over {
                return None;
            }
            if let Err(error) = self.look().await {
                // The client reconnects and continues from there.
                tracing::warn!(error = %error, material.id = %self.material, "an event stream broke off");
                return None;
            }
            if self.over || !self.read.is_empty() {
                continue;
            }
            tokio::select! {
                () = self.changes.next() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = tokio::time::sleep_until(self.until) => return None,
                () = self.stop.cancelled() => return None,
            }
        }
    }

    /// Reads new events, and whether more can come.
    async fn look(&mut self) -> Result<()> {
        let store = &self.store;
        let found = materials::find(store, self.account, self.environment, self.material).await?;
        let Some(found) = found else {
            let data = json!({ "material_id": self.material, "status": MaterialStatus::Deleted }).to_string();
            self.read.push_back(MaterialEvent { sequence: None, kind: "material.deleted".to_owned(), data });
            self.over = true;
            return Ok(());
        };
        if found.event_sequence > self.sent {
            let events = events::of_material(
                store,
                self.account,
                self.environment,
                self.material,
                self.sent,
                AT_A_TIME,
            );
            let events = events.await?;
            self.read.extend(events.into_iter().map(|event| MaterialEvent {
                sequence: Some(event.sequence),
                kind: event.kind,
                data: event.data,
            }));
        }
        // The status belongs to that sequence number; if an event follows it, a conversion may have
        // started since. If there is nothing to read up to that number, the events have expired.
        let last = self.read.back().and_then(|event| event.sequence).unwrap_or(found.event_sequence);
        self.over = is_over(found.status) && last == found.event_sequence;
        Ok(())
    }
}
