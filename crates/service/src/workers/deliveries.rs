//! Delivers webhooks: polls for due deliveries, claims them, posts them and records the outcomes.
//! The store holds the authoritative state; several processes share its deliveries.
//!
//! One loop in each process does all the writing ([`run`]). In each turn, the outcomes of finished
//! attempts and the claims of the next ones go into one transaction, so the cost of each delivery
//! falls as the load grows. `lanes` limits how many attempts each endpoint and account may have in
//! flight, and `leases` keeps other processes from taking them.
//! [`crate::services::webhooks::attempt`] makes one attempt.

mod lanes;
mod leases;

use std::{
    collections::{HashMap, HashSet},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::Duration,
};

use futures_util::FutureExt as _;
use lectern_store::deliveries::{self, Claiming, Due, End, Leases};
use lectern_types::{AccountId, DeliveryId, WebhookDisabledReason, WebhookId};
use tokio::{sync::watch, task::JoinSet, time::Instant};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use self::{
    lanes::{Lanes, Planned},
    leases::Held,
};
use super::jobs::outage::Outage;
use crate::{
    base::Base,
    clock,
    services::webhooks::attempt::{self, Claim, Outcome},
};

/// How often the store is polled for due deliveries, including those of other processes.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How often the store is polled for expired leases.
const RECLAIM_EVERY: Duration = Duration::from_secs(1);

/// The most attempts in flight, of all endpoints together. Each holds a connection and a few KiB.
const AT_ONCE: usize = 1_024;

/// The most deliveries claimed in one turn: they all wait for its commit.
const TURN: usize = 128;

/// Endpoints read in one query.
const LANES_AT_ONCE: u32 = 64;

/// The most expired leases reclaimed in one round; the next round continues.
const RECLAIMED_AT_ONCE: u32 = 500;

/// An endpoint is disabled when all its attempts have failed for this long.
const PATIENCE_SECONDS: i64 = 5 * 24 * 60 * 60;

/// The outcome of an attempt.
type Made = (AccountId, End, Outcome);

/// The loop's state.
struct Worker {
    base: Base,
    /// This process's id in the leases.
    instance_id: String,
    store: Arc<Outage>,
    lanes: Lanes,
    under_way: JoinSet<Made>,
    /// The leases to renew.
    held: Held,
    /// Whether this process may hold claims that it does not know about, because the answer to a
    /// turn's transaction was lost.
    is_unsure: bool,
    /// Outcomes that are not recorded yet.
    ended: Vec<End>,
    /// The last endpoint that was read.
    cursor: Option<WebhookId>,
}

/// Delivers until `stop` is cancelled. Attempts in flight then finish within `shutdown` or are
/// released, so that other processes can repeat them at once.
pub async fn run(base: Base, shutdown: Duration, stop: CancellationToken) {
    let mut written = base.store.watch_deliveries();
    let mut worker = Worker {
        base,
        instance_id: format!("{}-{}", std::process::id(), hex::encode(clock::random::<6>())),
        store: Arc::new(Outage::new("the store of webhooks")),
        lanes: Lanes::new(AT_ONCE),
        under_way: JoinSet::new(),
        held: Held::default(),
        is_unsure: false,
        ended: Vec::new(),
        cursor: None,
    };
    let renewals = leases::renew(
        worker.base.clone(),
        worker.instance_id.clone(),
        worker.held.clone(),
        Arc::clone(&worker.store),
    );
    let _renewals = AbortOnDropHandle::new(tokio::spawn(renewals));
    let mut reclaim_at = Instant::now();
    while !stop.is_cancelled() {
        let now = Instant::now();
        let away = worker.store.until(now);
        // Checked here and not with the events below, because under load the loop does not wait for
        // events.
        if away.is_none() && worker.is_unsure {
            worker.release_unknown().await;
        }
        if away.is_none() && now >= reclaim_at {
            reclaim_at = now + RECLAIM_EVERY;
            worker.reclaim_lost().await;
        }
        if away.is_none() && worker.turn(true).await {
            continue;
        }
        let away = away.or_else(|| worker.store.until(Instant::now()));
        let look_at = away.unwrap_or_else(|| Instant::now() + LOOK_EVERY);
        tokio::select! {
            () = stop.cancelled() => {}
            made = worker.under_way.join_next(), if !worker.under_way.is_empty() => worker.note(made),
            () = changed(&mut written), if away.is_none() => {}
            () = tokio::time::sleep_until(look_at) => {}
        }
    }
    worker.close(Instant::now() + shutdown).await;
}

async fn changed(written: &mut watch::Receiver<()>) {
    if written.changed().await.is_err() {
        // A closed channel: the store will never accept a write again.
        std::future::pending::<()>().await;
    }
}

impl Worker {
    /// Records outcomes and, if `claiming` is set, claims and starts due deliveries as far as there
    /// is capacity. Returns whether there was anything to do.
    async fn turn(&mut self, claims: bool) -> bool {
        while let Some(made) = self.under_way.try_join_next() {
            self.note(Some(made));
        }
        let due = if claims { self.look().await } else { Ok(Vec::new()) };
        let due = match due {
            Ok(due) => due,
            Err(error) => {
                self.store.failed(&error, Instant::now());
                return false;
            }
        };
        if due.is_empty() && self.ended.is_empty() {
            return false;
        }
        let ids: Vec<DeliveryId> = due.iter().map(|due| due.id).collect();
        let now = self.base.clock.now();
        let claiming = Claiming {
            worker: &self.instance_id,
            now,
            lease_until: self.base.lease_end(),
            patience_ended_before: now.plus_seconds(-PATIENCE_SECONDS),
        };
        match deliveries::record_and_claim(&self.base.store, &self.ended, &ids, claiming).await {
            Ok(turned) => {
                self.store.over();
                self.held.remove(self.ended.drain(..).map(|end| end.delivery));
                for disabled in &turned.disabled {
                    let reason = match disabled.reason {
                        WebhookDisabledReason::Gone => "it answered 410",
                        WebhookDisabledReason::Failing => "nothing but failures for five days",
                    };
                    tracing::warn!(webhook.id = %disabled.webhook, reason, "a webhook was disabled");
                }
                let mut due: HashMap<DeliveryId, Due> = due.into_iter().map(|due| (due.id, due)).collect();
                let any = !turned.claimed.is_empty();
                for (delivery, epoch, number) in turned.claimed {
                    if let Some(due) = due.remove(&delivery) {
                        self.begin(due, Claim { epoch, number });
                    }
                }
                // Deliveries that were due but not claimed belong to another process; the next poll
                // does not return them.
                any || !claims
            }
            // The outcome of the turn is unknown: its results are recorded again, and unknown
            // claims are released.
            Err(error) => {
                self.is_unsure = true;
                self.store.failed(&error, Instant::now());
                false
            }
        }
    }

    /// Due deliveries for which there is capacity: endpoints in turn, each at most up to its lane's
    /// limit.
    async fn look(&mut self) -> lectern_store::Result<Vec<Due>> {
        let (store, now) = (&self.base.store, self.base.clock.now());
        let room = (AT_ONCE - self.under_way.len().min(AT_ONCE)).min(TURN);
        let (begin, mut after) = (self.cursor, self.cursor);
        let mut is_second_half = after.is_none();
        let (mut found, mut planned) = (Vec::new(), Planned::default());
        'looking: while found.len() < room {
            let lanes = deliveries::lanes(store, after, now, LANES_AT_ONCE).await?;
            let is_last = lanes.len() < LANES_AT_ONCE as usize;
            for (webhook, account) in lanes {
                if is_second_half && begin.is_some_and(|begin| webhook > begin) {
                    break 'looking;
                }
                after = Some(webhook);
                let takes = self.lanes.room(webhook, account, &planned).min(room - found.len());
                if takes > 0 {
                    let takes = u32::try_from(takes).unwrap_or(u32::MAX);
                    let due = deliveries::due(store, webhook, now, takes).await?;
                    planned.add(account, due.len());
                    found.extend(due);
                }
                if found.len() >= room {
                    break 'looking;
                }
            }
            if is_last {
                if is_second_half {
                    break;
                }
                (is_second_half, after) = (true, None);
            }
        }
        self.cursor = after;
        Ok(found)
    }

    fn begin(&mut self, due: Due, claim: Claim) {
        let environment = due.environment.as_str();
        if claim.number == 1 {
            let waited = self.base.clock.now().0.saturating_sub(due.created_at.0).max(0);
            metrics::histogram!("lectern_webhook_delay_seconds", "environment" => environment)
                .record(waited as f64 / 1e6);
        }
        self.lanes.begin(due.webhook, due.account);
        self.held.add(due.id);
        let base = self.base.clone();
        self.under_way.spawn(async move {
            let account = due.account;
            let due = Arc::new(due);
            // A panic here is a failed attempt; otherwise its lease would be renewed for ever.
            let made = AssertUnwindSafe(attempt::make(&base, &due, claim)).catch_unwind().await;
            let (end, outcome) =
                made.unwrap_or_else(|_| (attempt::aborted(&base, &due, claim), Outcome::Failed));
            let labels = [("environment", environment), ("outcome", outcome.as_str())];
            metrics::counter!("lectern_webhook_attempts_total", &labels).increment(1);
            metrics::histogram!("lectern_webhook_attempt_seconds", "environment" => environment)
                .record(end.duration_ms as f64 / 1e3);
            (account, end, outcome)
        });
    }

    /// Keeps the outcome of an attempt for the next turn. Until then the attempt still counts as in
    /// flight.
    fn note(&mut self, made: Option<Result<Made, tokio::task::JoinError>>) {
        if let Some(Ok((account, end, outcome))) = made {
            self.lanes.end(end.webhook, account, outcome);
            self.ended.push(end);
        }
    }

    /// Releases the deliveries claimed in a turn whose answer was lost.
    async fn release_unknown(&mut self) {
        match self.release_all_but(&self.held.all()).await {
            Ok(_) => self.is_unsure = false,
            Err(error) => self.store.failed(&error, Instant::now()),
        }
    }

    /// Releases every claim of this process except `kept`.
    async fn release_all_but(&self, kept: &HashSet<DeliveryId>) -> lectern_store::Result<u64> {
        let whose = Leases::OfWorker(&self.instance_id, kept);
        deliveries::release(&self.base.store, whose, self.base.clock.now(), 2 * AT_ONCE as u32).await
    }

    /// Reclaims deliveries whose leases expired.
    async fn reclaim_lost(&mut self) {
        let now = self.base.clock.now();
        match deliveries::release(&self.base.store, Leases::Expired, now, RECLAIMED_AT_ONCE).await {
            Ok(taken) => {
                // Also when there are none, so that the alert has a value to compare with.
                metrics::counter!("lectern_webhook_leases_lost_total").increment(taken);
                if taken > 0 {
                    tracing::warn!(
                        webhook.attempts = taken,
                        "the leases of attempts expired; they are repeated"
                    );
                }
            }
            Err(error) => self.store.failed(&error, Instant::now()),
        }
    }

    /// Waits for attempts in flight and releases those that do not finish in time.
    async fn close(&mut self, until: Instant) {
        while !self.under_way.is_empty() || !self.ended.is_empty() {
            if !self.turn(false).await && !self.ended.is_empty() {
                break;
            }
            if self.under_way.is_empty() {
                // The turn itself recorded the last attempts, so there is nothing to wait for.
                continue;
            }
            tokio::select! {
                made = self.under_way.join_next() => self.note(made),
                () = tokio::time::sleep_until(until) => break,
            }
        }
        self.under_way.shutdown().await;
        let released = self.release_all_but(&HashSet::new()).await;
        if let Err(error) = released {
            tracing::warn!(error = %error, "attempts were not released; their leases expire by themselves");
        }
    }
}
