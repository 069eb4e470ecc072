//! What happens to a material, told while it happens: its events in their order, from the store, as soon as this process
//! hears of them or, when another wrote them, at the next look.

use std::{collections::VecDeque, time::Duration};

use lectern_store::{Environment, events, keys::Authenticated, materials};
use lectern_types::{AccountId, MaterialId, MaterialStatus};
use serde_json::json;
use tokio::time::Instant;

use super::book::place;
use crate::{app::App, error::Result, services::gate::Pass, signals::MaterialChanges};

/// How often the store is looked into.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Events read at a time.
const AT_A_TIME: u32 = 200;

/// How long one stream lasts: a client that connects again shows its key again.
const LONGEST: Duration = Duration::from_hours(1);

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Its place among the material's; `None` for the last word on a deleted one, which is no event of the store.
    pub sequence: Option<u64>,
    /// Its type.
    pub kind: String,
    /// Its data, as JSON.
    pub data: String,
}

/// The events of one material, one after the other.
pub struct Progress {
    app: App,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    /// The last event told.
    told: u64,
    read: VecDeque<Told>,
    changes: MaterialChanges,
    until: Instant,
    over: bool,
    _place: Pass,
}

/// The events behind `seen`, or from the first one; `None` when all were seen and no other will follow.
///
/// # Errors
/// `material_not_found`; `rate_limited` when the account follows too many materials.
pub async fn follow(
    app: &App,
    caller: &Authenticated,
    material: MaterialId,
    seen: Option<u64>,
) -> Result<Option<Progress>> {
    let changes = app.signals.watch_material(material);
    let found = super::find(app, caller, material).await?;
    // What was never told cannot have been seen.
    let told = seen.filter(|seen| *seen <= found.event_sequence).unwrap_or(0);
    if told == found.event_sequence && is_over(found.status) {
        return Ok(None);
    }
    let place = place(app, caller).await?;
    Ok(Some(Progress {
        app: app.clone(),
        account: caller.account,
        environment: caller.key.environment,
        material,
        told,
        read: VecDeque::new(),
        changes,
        until: Instant::now() + LONGEST,
        over: false,
        _place: place,
    }))
}

/// Whether nothing follows of itself.
fn is_over(status: MaterialStatus) -> bool {
    matches!(status, MaterialStatus::Failed | MaterialStatus::Completed | MaterialStatus::PartiallyFailed)
}

impl Progress {
    /// The next event; `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(told) = self.read.pop_front() {
                self.told = told.sequence.unwrap_or(self.told);
                return Some(told);
            }
            if self.over {
                return None;
            }
            if let Err(error) = self.look().await {
                // The client connects again and goes on where it was.
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
                () = self.app.stop.cancelled() => return None,
            }
        }
    }

    /// Reads what is new, and whether more can come.
    async fn look(&mut self) -> Result<()> {
        let store = &self.app.store;
        let found = materials::find(store, self.account, self.environment, self.material).await?;
        let Some(found) = found else {
            let data = json!({ "material_id": self.material, "status": MaterialStatus::Deleted }).to_string();
            self.read.push_back(Told { sequence: None, kind: "material.deleted".to_owned(), data });
            self.over = true;
            return Ok(());
        };
        if found.event_sequence > self.told {
            let events = events::of_material(
                store,
                self.account,
                self.environment,
                self.material,
                self.told,
                AT_A_TIME,
            );
            let events = events.await?;
            self.read.extend(events.into_iter().map(|event| Told {
                sequence: Some(event.sequence),
                kind: event.kind,
                data: event.data,
            }));
        }
        // The status is of the moment of that sequence: with an event behind it, a conversion may have begun since. When there is
        // nothing to be read up to there, what there was is old and deleted.
        let last = self.read.back().and_then(|told| told.sequence).unwrap_or(found.event_sequence);
        self.over = is_over(found.status) && last == found.event_sequence;
        Ok(())
    }
}
