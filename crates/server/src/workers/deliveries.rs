//! Delivers webhooks: looks for what is due, claims it, posts it, and writes how that ended. The store is the truth of all this;
//! several processes share its deliveries.
//!
//! One loop a process does all the writing ([`run`]): in each turn the ends of what has ended and the claims of what comes next go
//! into one transaction, so that the more there is to do the less each costs. How much may be under way for each endpoint and
//! account is `lanes`', that nobody else takes it up meanwhile is `leases`'. What is posted is [`crate::services::webhooks::attempt`]'s.

mod lanes;
mod leases;

use std::{
    collections::{HashMap, HashSet},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::Duration,
};

use futures_util::FutureExt as _;
use lectern_store::{
    deliveries::{self, Claiming, Due, End, Whose},
    webhooks::DisabledReason,
};
use lectern_types::{AccountId, DeliveryId, WebhookId};
use tokio::{sync::watch, task::JoinSet, time::Instant};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use self::{
    lanes::{Lanes, Planned},
    leases::Held,
};
use super::jobs::outage::Outage;
use crate::{
    app::Base,
    clock,
    services::webhooks::attempt::{self, Claim, Outcome},
};

/// How often is looked for what came due, and for what another process wrote.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How often leases of processes that fell silent are looked for.
const TAKE_BACK_EVERY: Duration = Duration::from_secs(1);

/// Attempts under way at once, those of all endpoints together. Each holds a connection and a few KiB.
const AT_ONCE: usize = 1_024;

/// The most that one turn claims: what is claimed waits for the commit.
const TURN: usize = 128;

/// Endpoints looked at in one query.
const LANES_AT_ONCE: u32 = 64;

/// Leases taken back in one look; what is left waits for the next.
const TAKEN_BACK_AT_ONCE: u32 = 500;

/// An endpoint is disabled when it has had nothing but failures for so long.
const PATIENCE_SECONDS: i64 = 5 * 24 * 60 * 60;

/// What an attempt came to.
type Made = (AccountId, End, Outcome);

/// The loop's state.
struct Worker {
    base: Base,
    /// This process's word in the leases.
    word: String,
    store: Arc<Outage>,
    lanes: Lanes,
    under_way: JoinSet<Made>,
    /// Whose leases are renewed.
    held: Held,
    /// Whether deliveries may be claimed in this process's name that it does not know of: the answer to a turn was lost.
    is_unsure: bool,
    /// What has ended and is not written yet.
    ended: Vec<End>,
    /// The last endpoint that was looked at.
    cursor: Option<WebhookId>,
}

/// Delivers until `stop` is cancelled. Attempts under way then end within `shutdown` or are given back: others make them again
/// at once.
pub async fn run(base: Base, shutdown: Duration, stop: CancellationToken) {
    let mut written = base.store.watch_deliveries();
    let mut worker = Worker {
        base,
        word: format!("{}-{}", std::process::id(), hex::encode(clock::random::<6>())),
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
        worker.word.clone(),
        worker.held.clone(),
        Arc::clone(&worker.store),
    );
    let _renewals = AbortOnDropHandle::new(tokio::spawn(renewals));
    let mut take_back_at = Instant::now();
    while !stop.is_cancelled() {
        let now = Instant::now();
        let away = worker.store.until(now);
        // Here, and not beside the other events below, because while there is much to do those are not waited for.
        if away.is_none() && worker.is_unsure {
            worker.give_back_unknown().await;
        }
        if away.is_none() && now >= take_back_at {
            take_back_at = now + TAKE_BACK_EVERY;
            worker.take_back().await;
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
        // Nobody will ever write again.
        std::future::pending::<()>().await;
    }
}

impl Worker {
    /// Writes what has ended, and claims and begins what is due and there is room for, if that is wanted; whether there was
    /// anything to do.
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
            worker: &self.word,
            now,
            lease_until: self.base.lease_end(),
            patience_ended_before: now.plus_seconds(-PATIENCE_SECONDS),
        };
        match deliveries::turn(&self.base.store, &self.ended, &ids, claiming).await {
            Ok(turned) => {
                self.store.over();
                self.held.remove(self.ended.drain(..).map(|end| end.delivery));
                for disabled in &turned.disabled {
                    let reason = match disabled.reason {
                        DisabledReason::Gone => "it answered 410",
                        DisabledReason::Failing => "nothing but failures for five days",
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
                // What was due and not claimed is another process's: it will not be due in the next look.
                any || !claims
            }
            // Whether it was written is not known: ends are offered again, and claims that nobody knows of are given back.
            Err(error) => {
                self.is_unsure = true;
                self.store.failed(&error, Instant::now());
                false
            }
        }
    }

    /// What is due and there is room for: each endpoint in its turn, at most as much of each as its lane takes.
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
            // A fault here is a failed attempt, not a lease that is renewed for ever.
            let made = AssertUnwindSafe(attempt::make(&base, &due, claim)).catch_unwind().await;
            let (end, outcome) =
                made.unwrap_or_else(|_| (attempt::broken_off(&base, &due, claim), Outcome::Failed));
            let labels = [("environment", environment), ("outcome", outcome.as_str())];
            metrics::counter!("lectern_webhook_attempts_total", &labels).increment(1);
            metrics::histogram!("lectern_webhook_attempt_seconds", "environment" => environment)
                .record(end.duration_ms as f64 / 1e3);
            (account, end, outcome)
        });
    }

    /// Notes the end of an attempt, to be written with the next turn. Until then it is as good as under way.
    fn note(&mut self, made: Option<Result<Made, tokio::task::JoinError>>) {
        if let Some(Ok((account, end, outcome))) = made {
            self.lanes.end(end.webhook, account, outcome);
            self.ended.push(end);
        }
    }

    /// Gives back what was claimed in a turn whose answer was lost.
    async fn give_back_unknown(&mut self) {
        match self.give_back(&self.held.all()).await {
            Ok(_) => self.is_unsure = false,
            Err(error) => self.store.failed(&error, Instant::now()),
        }
    }

    /// Gives back all that is claimed in this process's name but `kept`.
    async fn give_back(&self, kept: &HashSet<DeliveryId>) -> lectern_store::Result<u64> {
        let whose = Whose::Worker(&self.word, kept);
        deliveries::give_back(&self.base.store, whose, self.base.clock.now(), 2 * AT_ONCE as u32).await
    }

    /// Takes back what processes had that fell silent.
    async fn take_back(&mut self) {
        let now = self.base.clock.now();
        match deliveries::give_back(&self.base.store, Whose::Silent, now, TAKEN_BACK_AT_ONCE).await {
            Ok(taken) => {
                // Also when there are none: an alert compares it with what it was before.
                metrics::counter!("lectern_webhook_leases_lost_total").increment(taken);
                if taken > 0 {
                    tracing::warn!(
                        webhook.attempts = taken,
                        "attempts of a process that fell silent are made again"
                    );
                }
            }
            Err(error) => self.store.failed(&error, Instant::now()),
        }
    }

    /// Waits for what is under way, and gives back what does not end in time.
    async fn close(&mut self, until: Instant) {
        while !self.under_way.is_empty() || !self.ended.is_empty() {
            if !self.turn(false).await && !self.ended.is_empty() {
                break;
            }
            if self.under_way.is_empty() {
                // The turn itself noted the last of them: there is nothing to wait for.
                continue;
            }
            tokio::select! {
                made = self.under_way.join_next() => self.note(made),
                () = tokio::time::sleep_until(until) => break,
            }
        }
        self.under_way.shutdown().await;
        let given = self.give_back(&HashSet::new()).await;
        if let Err(error) = given {
            tracing::warn!(error = %error, "attempts were not given back; their leases end by themselves");
        }
    }
}
