//! Deliveries of webhooks below the API: concurrent claims of workers, late results, leases.

use std::collections::HashSet;

use lectern_store::{
    Backend, Environment,
    deliveries::{self, Claiming, Delivery, End, Ending, Filter, Leases, Owner, TestOutcome},
    events,
    idempotency::Response,
    webhooks::{self, CreateOutcome, NewWebhook},
};
use lectern_types::{DeliveryId, DeliveryStatus, EventType, Timestamp, WebhookId};
use sqlx::Executor as _;

use crate::fixture::{Fixture, NOON, new_id, on_both, writing};

async fn webhook(f: &Fixture) -> Owner {
    let (account, _) = f.account(0).await;
    let id: WebhookId = new_id();
    let new = NewWebhook {
        id,
        url: "https://example.com/",
        events: &[EventType::ChunkFailed],
        description: None,
        secrets: b"sealed",
    };
    let made = webhooks::create(f, account, Environment::Live, &new, None, NOON).await;
    assert_eq!(made.expect("it answers"), CreateOutcome::Created);
    Owner { account, environment: Environment::Live, webhook: id }
}

/// Makes a test event of the webhook at this instant.
async fn sent(f: &Fixture, owner: Owner, now: Timestamp) {
    let respond = |_: &Delivery| -> lectern_store::Result<Response> {
        Ok(Response { status: 200, content_type: String::new(), body: Vec::new(), sealed: false })
    };
    let sent = deliveries::test(f, owner, None, respond, writing(now)).await;
    assert!(matches!(sent.expect("it answers"), TestOutcome::Sent(_)));
}

async fn listed(f: &Fixture, owner: Owner) -> Vec<Delivery> {
    deliveries::list(f, owner, Filter::default(), None, 100).await.expect("it reads")
}

fn claiming(worker: &str, now: Timestamp) -> Claiming<'_> {
    Claiming {
        worker,
        now,
        lease_until: now.plus_seconds(30),
        patience_ended_before: now.plus_seconds(-5 * 86_400),
    }
}

fn end(owner: Owner, (delivery, epoch, number): (DeliveryId, u32, u32), ending: Ending) -> End {
    let succeeded = ending == Ending::Succeeded;
    End {
        delivery,
        epoch,
        number,
        webhook: owner.webhook,
        started_at: NOON,
        duration_ms: 7,
        status_code: succeeded.then_some(200),
        error: (!succeeded).then(|| "no answer".to_owned()),
        response: None,
        ending,
    }
}

on_both! {
    // Negative control: without `next_attempt_at IS NOT NULL` and `next_attempt_at <= $3` in the
    // claim, several workers get the same delivery.
    async fn of_many_workers_one_claims_a_delivery(f: &Fixture) {
        let owner = webhook(f).await;
        for _ in 0..50 {
            sent(f, owner, NOON).await;
        }
        let ids: Vec<DeliveryId> = listed(f, owner).await.iter().map(|delivery| delivery.id).collect();
        let names: Vec<String> = (0..8).map(|at| format!("w{at}")).collect();
        let turns = names.iter().map(|name| deliveries::record_and_claim(f, &[], &ids, claiming(name, NOON)));
        let mut claimed = Vec::new();
        for turned in futures(turns).await {
            claimed.extend(turned.claimed.into_iter().map(|(delivery, epoch, number)| {
                assert_eq!((epoch, number), (1, 1));
                delivery
            }));
        }
        // On PostgreSQL, a worker may have skipped a delivery that another was claiming and then
        // did not claim.
        for (delivery, ..) in deliveries::record_and_claim(f, &[], &ids, claiming("last", NOON)).await.expect("it answers").claimed {
            claimed.push(delivery);
        }
        claimed.sort_unstable();
        let mut all = ids;
        all.sort_unstable();
        assert_eq!(claimed, all);
    }

    async fn what_is_not_due_is_neither_seen_nor_claimed(f: &Fixture) {
        let (owner, other) = (webhook(f).await, webhook(f).await);
        sent(f, owner, NOON).await;
        sent(f, other, NOON.plus_seconds(10)).await;
        let lanes = async |after, now| {
            let lanes = deliveries::lanes(f, after, now, 10).await.expect("it reads");
            assert!(lanes.iter().all(|(webhook, account)| {
                let of = if *webhook == owner.webhook { owner } else { other };
                *account == of.account
            }));
            lanes.into_iter().map(|(webhook, _)| webhook).collect::<Vec<_>>()
        };
        assert_eq!(lanes(None, NOON.plus_seconds(-1)).await, []);
        assert_eq!(lanes(None, NOON).await, [owner.webhook]);
        assert_eq!(lanes(None, NOON.plus_seconds(10)).await, [owner.webhook, other.webhook]);
        assert_eq!(lanes(Some(owner.webhook), NOON.plus_seconds(10)).await, [other.webhook]);
        let due = deliveries::due(f, other.webhook, NOON, 10).await.expect("it reads");
        assert_eq!(due, []);
        let id = listed(f, other).await[0].id;
        let turned = deliveries::record_and_claim(f, &[], &[id], claiming("w", NOON)).await.expect("it answers");
        assert_eq!(turned.claimed, []);
    }

    // Negative control: without epoch and status in the condition of the statement that ends a
    // delivery, the late success counts.
    async fn an_end_whose_claim_was_lost_changes_nothing(f: &Fixture) {
        let owner = webhook(f).await;
        sent(f, owner, NOON).await;
        let id = listed(f, owner).await[0].id;
        let first = deliveries::record_and_claim(f, &[], &[id], claiming("a", NOON)).await.expect("it answers").claimed[0];
        assert_eq!(deliveries::release(f, Leases::Expired, NOON.plus_seconds(30), 10).await.expect("it answers"), 0);
        let later = NOON.plus_seconds(31);
        assert_eq!(deliveries::release(f, Leases::Expired, later, 10).await.expect("it answers"), 1);
        let back = listed(f, owner).await.remove(0);
        assert_eq!((back.status, back.attempt_count, back.next_attempt_at), (DeliveryStatus::Pending, 0, Some(later)));
        let second = deliveries::record_and_claim(f, &[], &[id], claiming("b", later)).await.expect("it answers").claimed[0];
        assert_eq!((second.1, second.2), (2, 1));
        let late = end(owner, first, Ending::Succeeded);
        deliveries::record_and_claim(f, &[late], &[], claiming("a", later)).await.expect("it answers");
        assert_eq!(listed(f, owner).await[0].status, DeliveryStatus::InFlight);
        let failed = end(owner, second, Ending::Failed(Some(later.plus_seconds(5))));
        for _ in 0..2 {
            deliveries::record_and_claim(f, std::slice::from_ref(&failed), &[], claiming("b", later)).await.expect("it answers");
        }
        let found = deliveries::find(f, owner, id).await.expect("it reads").expect("it is there");
        let (delivery, attempts) = (found.delivery, found.attempts);
        assert_eq!((delivery.status, delivery.attempt_count, attempts.len()), (DeliveryStatus::Failed, 1, 1));
        assert_eq!(delivery.next_attempt_at, Some(later.plus_seconds(5)));
    }

    async fn leases_of_the_living_are_renewed_and_those_of_who_stops_given_back(f: &Fixture) {
        let owner = webhook(f).await;
        for _ in 0..3 {
            sent(f, owner, NOON).await;
        }
        let ids: Vec<DeliveryId> = listed(f, owner).await.iter().map(|delivery| delivery.id).collect();
        deliveries::record_and_claim(f, &[], &ids, claiming("a", NOON)).await.expect("it answers");
        deliveries::renew(f, "a", &ids[..2], NOON.plus_seconds(60)).await.expect("it answers");
        deliveries::renew(f, "b", &ids, NOON.plus_seconds(90)).await.expect("it answers");
        let at = NOON.plus_seconds(31);
        assert_eq!(deliveries::release(f, Leases::Expired, at, 10).await.expect("it answers"), 1);
        webhooks::delete(f, owner.account, owner.environment, owner.webhook, at).await.expect("it answers");
        assert_eq!(deliveries::release(f, Leases::OfWorker("a", &HashSet::new()), at, 10).await.expect("it answers"), 2);
        // No delivery is pending for a deleted endpoint.
        let waiting = "SELECT CAST(COUNT(*) AS BIGINT) FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL OR status <> 'failed'";
        assert_eq!(f.number(waiting).await, 0);
    }

    /// A customer who keeps forcing retries does not fill the store.
    // Negative control: without the deletion of old attempts, 103 are left.
    async fn of_very_many_attempts_the_last_hundred_are_kept(f: &Fixture) {
        let owner = webhook(f).await;
        sent(f, owner, NOON).await;
        let id = listed(f, owner).await[0].id;
        for number in 1..=103 {
            let claimed = deliveries::record_and_claim(f, &[], &[id], claiming("a", NOON)).await.expect("it answers").claimed;
            assert_eq!(claimed[0].2, number);
            let failed = end(owner, claimed[0], Ending::Failed(Some(NOON)));
            deliveries::record_and_claim(f, &[failed], &[], claiming("a", NOON)).await.expect("it answers");
        }
        let found = deliveries::find(f, owner, id).await.expect("it reads").expect("it is there");
        let (delivery, attempts) = (found.delivery, found.attempts);
        let numbers: Vec<u32> = attempts.iter().map(|attempt| attempt.number).collect();
        assert_eq!((delivery.attempt_count, numbers), (103, (4..=103).collect()));
    }

    /// The successful attempt began before the other one failed, and ended after it.
    // Negative control: when a success locks only webhooks that were failing at the claim, as in an
    // earlier version, this webhook stays failing. Its next failure five days later then disables
    // it.
    async fn a_success_ends_a_failure_that_came_after_its_claim(f: &Fixture) {
        let owner = webhook(f).await;
        for _ in 0..2 {
            sent(f, owner, NOON).await;
        }
        let ids: Vec<DeliveryId> = listed(f, owner).await.iter().map(|delivery| delivery.id).collect();
        let claimed = deliveries::record_and_claim(f, &[], &ids, claiming("a", NOON)).await.expect("it answers").claimed;
        let failing = "SELECT CAST(COUNT(*) AS BIGINT) FROM webhooks WHERE failing_since IS NOT NULL";
        let endings = [(Ending::Failed(None), 1), (Ending::Succeeded, 0)];
        for (claim, (ending, wanted)) in claimed.into_iter().zip(endings) {
            deliveries::record_and_claim(f, &[end(owner, claim, ending)], &[], claiming("a", NOON)).await.expect("it answers");
            assert_eq!(f.number(failing).await, wanted);
        }
    }

    /// Deliveries are released if they were claimed in a transaction whose answer was lost;
    /// attempts in progress keep their leases.
    async fn a_worker_gives_back_what_it_does_not_know_of(f: &Fixture) {
        let owner = webhook(f).await;
        for _ in 0..3 {
            sent(f, owner, NOON).await;
        }
        let ids: Vec<DeliveryId> = listed(f, owner).await.iter().map(|delivery| delivery.id).collect();
        deliveries::record_and_claim(f, &[], &ids, claiming("a", NOON)).await.expect("it answers");
        let known = HashSet::from([ids[1]]);
        let whose = Leases::OfWorker("a", &known);
        assert_eq!(deliveries::release(f, whose, NOON, 10).await.expect("it answers"), 2);
        let statuses: Vec<_> = listed(f, owner).await.iter().map(|delivery| delivery.status).collect();
        assert_eq!(statuses, [DeliveryStatus::Pending, DeliveryStatus::InFlight, DeliveryStatus::Pending]);
        assert_eq!(deliveries::release(f, whose, NOON, 10).await.expect("it answers"), 0);
    }

    /// Renewing and releasing never wait for a delivery's locked row, so they cannot deadlock.
    // Negative control: without SKIP LOCKED both wait for the lock, and the test does not end.
    async fn a_locked_delivery_is_waited_for_by_no_lease(f: &Fixture) {
        let owner = webhook(f).await;
        for _ in 0..2 {
            sent(f, owner, NOON).await;
        }
        let ids: Vec<DeliveryId> = listed(f, owner).await.iter().map(|delivery| delivery.id).collect();
        deliveries::record_and_claim(f, &[], &ids, claiming("a", NOON)).await.expect("it answers");
        // SQLite has one writer, so no other transaction can lock a row.
        if f.backend() == Backend::Sqlite {
            return;
        }
        let mut locking = f.locked("webhook_deliveries", &ids[0].to_string()).await;
        let at = NOON.plus_seconds(31);
        let renewed = NOON.plus_seconds(30);
        deliveries::renew(f, "a", &ids, renewed).await.expect("it answers");
        assert_eq!(deliveries::release(f, Leases::Expired, at, 10).await.expect("it answers"), 1);
        locking.execute("ROLLBACK").await.expect("it releases");
        assert_eq!(deliveries::release(f, Leases::Expired, at, 10).await.expect("it answers"), 1);
    }

    /// Events are deleted when they are old and have no pending deliveries.
    // Negative control: without the check for deliveries, the foreign key rejects the deletion.
    async fn old_events_go_when_nobody_is_owed_them(f: &Fixture) {
        let owner = webhook(f).await;
        for seconds in [0, 10, 20] {
            sent(f, owner, NOON.plus_seconds(seconds)).await;
        }
        let ids: Vec<DeliveryId> = listed(f, owner).await.iter().rev().map(|delivery| delivery.id).collect();
        let now = NOON.plus_seconds(20);
        let claimed = deliveries::record_and_claim(f, &[], &ids[..1], claiming("a", now)).await.expect("it answers").claimed;
        deliveries::record_and_claim(f, &[end(owner, claimed[0], Ending::Succeeded)], &[], claiming("a", now)).await.expect("it answers");
        let before = NOON.plus_seconds(15);
        assert_eq!(events::sweep(f, before, 100).await.expect("it answers"), 0);
        assert_eq!(deliveries::sweep(f, before, 100).await.expect("it answers"), 1);
        assert_eq!(events::sweep(f, before, 100).await.expect("it answers"), 1);
        assert_eq!(f.number("SELECT CAST(COUNT(*) AS BIGINT) FROM events").await, 2);
    }

    async fn old_deliveries_go_with_their_attempts(f: &Fixture) {
        let owner = webhook(f).await;
        for seconds in [0, 10, 20] {
            sent(f, owner, NOON.plus_seconds(seconds)).await;
        }
        let ids: Vec<DeliveryId> = listed(f, owner).await.iter().rev().map(|delivery| delivery.id).collect();
        let now = NOON.plus_seconds(20);
        let claimed = deliveries::record_and_claim(f, &[], &ids[..2], claiming("a", now)).await.expect("it answers").claimed;
        let ends: Vec<End> = claimed.into_iter().map(|claim| end(owner, claim, Ending::Succeeded)).collect();
        deliveries::record_and_claim(f, &ends, &[], claiming("a", now)).await.expect("it answers");
        assert_eq!(deliveries::sweep(f, NOON.plus_seconds(10), 100).await.expect("it answers"), 1);
        assert_eq!(deliveries::sweep(f, NOON.plus_seconds(90), 100).await.expect("it answers"), 1);
        assert_eq!(listed(f, owner).await[0].id, ids[2], "the event with a pending delivery must stay");
        assert_eq!(f.number("SELECT CAST(COUNT(*) AS BIGINT) FROM webhook_attempts").await, 0);
    }
}

/// Runs all futures concurrently; their results are in order.
async fn futures<T, E: std::fmt::Debug>(
    all: impl Iterator<Item = impl Future<Output = Result<T, E>>>,
) -> Vec<T> {
    let mut all: Vec<_> = all.map(Box::pin).collect();
    let mut done: Vec<Option<T>> = all.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (future, done) in all.iter_mut().zip(&mut done).filter(|(_, done)| done.is_none()) {
            if let std::task::Poll::Ready(result) = future.as_mut().poll(context) {
                *done = Some(result.expect("it answers"));
            }
        }
        if done.iter().all(Option::is_some) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}
