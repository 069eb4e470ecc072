//! How many attempts each endpoint and each account may have in flight.
//!
//! A lane widens while its endpoint accepts deliveries, and narrows when the endpoint does not
//! answer or asks for less, like TCP's congestion window (RFC 5681). So a fast receiver gets many
//! at once, and a dead one holds a place or two. An account starts another attempt only while it
//! has fewer in flight than there are free places (a dynamic threshold: Choudhury and Hahne,
//! IEEE/ACM Transactions on Networking 6, 1998). A single account gets half of the places. However
//! many slow accounts there are, another account finds about as many free places as each of them
//! holds.

use std::collections::HashMap;

use lectern_types::{AccountId, WebhookId};

use crate::services::webhooks::attempt::Outcome;

/// A lane's initial width.
const FIRST: usize = 4;

/// The greatest width. The outbound client keeps the same number of connections to a receiver.
const WIDEST: usize = 32;

/// How many idle lanes are remembered.
const REMEMBERED: usize = 10_000;

/// The lanes of a process.
#[derive(Debug)]
pub(super) struct Lanes {
    /// The most attempts in flight, in all lanes.
    places: usize,
    under_way: usize,
    by_webhook: HashMap<WebhookId, Lane>,
    /// Attempts in flight, for accounts that have any.
    by_account: HashMap<AccountId, usize>,
}

#[derive(Debug, Clone, Copy)]
struct Lane {
    width: usize,
    under_way: usize,
}

impl Default for Lane {
    fn default() -> Self {
        Self { width: FIRST, under_way: 0 }
    }
}

/// The deliveries that a poll has selected so far. It takes places before it starts.
#[derive(Debug, Default)]
pub(super) struct Planned {
    all: usize,
    accounts: HashMap<AccountId, usize>,
}

impl Planned {
    /// The attempts about to start for an account.
    pub(super) fn add(&mut self, account: AccountId, count: usize) {
        self.all += count;
        *self.accounts.entry(account).or_default() += count;
    }
}

impl Lanes {
    pub(super) fn new(places: usize) -> Self {
        Self { places, under_way: 0, by_webhook: HashMap::new(), by_account: HashMap::new() }
    }

    /// How many attempts may start in a lane in addition to those planned for other lanes.
    pub(super) fn room(&self, webhook: WebhookId, account: AccountId, planned: &Planned) -> usize {
        let lane = self.by_webhook.get(&webhook).copied().unwrap_or_default();
        let of = |accounts: &HashMap<AccountId, usize>| accounts.get(&account).copied().unwrap_or_default();
        let own = of(&self.by_account) + of(&planned.accounts);
        // Each new attempt takes one of the free places.
        let left = self.places.saturating_sub(self.under_way + planned.all + own).div_ceil(2);
        lane.width.saturating_sub(lane.under_way).min(left)
    }

    /// An attempt starts.
    pub(super) fn begin(&mut self, webhook: WebhookId, account: AccountId) {
        self.under_way += 1;
        self.by_webhook.entry(webhook).or_default().under_way += 1;
        *self.by_account.entry(account).or_default() += 1;
    }

    /// An attempt has ended.
    pub(super) fn end(&mut self, webhook: WebhookId, account: AccountId, outcome: Outcome) {
        self.under_way = self.under_way.saturating_sub(1);
        let lane = self.by_webhook.entry(webhook).or_default();
        lane.under_way = lane.under_way.saturating_sub(1);
        lane.width = match outcome {
            Outcome::Succeeded => (lane.width + 1).min(WIDEST),
            Outcome::Refused | Outcome::TimedOut | Outcome::Failed => (lane.width / 2).max(1),
        };
        if self.by_webhook.len() > REMEMBERED {
            self.by_webhook.retain(|_, lane| lane.under_way > 0);
        }
        if let Some(own) = self.by_account.get_mut(&account) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                self.by_account.remove(&account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const PLACES: usize = 1_000;

    fn webhook(number: u128) -> WebhookId {
        WebhookId::from_uuid(Uuid::from_u128(number))
    }

    fn account(number: u128) -> AccountId {
        AccountId::from_uuid(Uuid::from_u128(number))
    }

    fn room(lanes: &Lanes, number: u128) -> usize {
        lanes.room(webhook(number), account(number), &Planned::default())
    }

    #[test]
    fn a_lane_widens_with_success_and_narrows_without() {
        let mut lanes = Lanes::new(PLACES);
        for _ in 0..100 {
            lanes.begin(webhook(1), account(1));
            lanes.end(webhook(1), account(1), Outcome::Succeeded);
        }
        assert_eq!((room(&lanes, 1), room(&lanes, 2)), (WIDEST, FIRST));
        (0..FIRST).for_each(|_| lanes.begin(webhook(2), account(2)));
        assert_eq!(room(&lanes, 2), 0);
        (0..FIRST).for_each(|_| lanes.end(webhook(2), account(2), Outcome::TimedOut));
        assert_eq!(room(&lanes, 2), 1, "it holds more than one place");
        lanes.begin(webhook(2), account(2));
        assert_eq!((room(&lanes, 2), room(&lanes, 1)), (0, WIDEST), "one lane narrows another");
    }

    /// Accounts with many endpoints, which accept every delivery but slowly.
    ///
    /// Negative control: with `left` taken out of [`Lanes::room`] the first accounts have every
    /// place.
    #[test]
    fn an_account_leaves_as_much_as_it_takes() {
        for accounts in [1, 2, 20] {
            let mut lanes = Lanes::new(PLACES);
            let mut under_way: Vec<(AccountId, WebhookId)> = Vec::new();
            for round in 0..2_000 {
                for (place, (account, webhook)) in std::mem::take(&mut under_way).into_iter().enumerate() {
                    if (place + round) % 100 == 0 {
                        lanes.end(webhook, account, Outcome::Succeeded);
                    } else {
                        under_way.push((account, webhook));
                    }
                }
                for of in 0..accounts {
                    for number in 0..50 {
                        let (account, webhook) = (account(of), webhook(of * 1_000 + number));
                        for _ in 0..lanes.room(webhook, account, &Planned::default()) {
                            lanes.begin(webhook, account);
                            under_way.push((account, webhook));
                        }
                    }
                }
            }
            let share = PLACES / (accounts as usize + 1);
            let held: Vec<usize> = (0..accounts).map(|of| lanes.by_account[&account(of)]).collect();
            let left = PLACES - held.iter().sum::<usize>();
            // The first account served gets somewhat more.
            assert!(left >= share / 2, "{accounts} accounts leave {left}: {held:?}");
            assert!(held.iter().all(|held| (share / 2..=2 * share).contains(held)), "{held:?}");
            assert!(room(&lanes, 999_999) > 0);
        }
    }

    #[test]
    fn what_a_look_has_found_takes_places_too() {
        let (lanes, mut planned) = (Lanes::new(10), Planned::default());
        planned.add(account(1), 4);
        assert_eq!(lanes.room(webhook(1), account(1), &planned), 1);
        assert_eq!(lanes.room(webhook(2), account(2), &planned), 3);
        planned.add(account(2), 3);
        planned.add(account(3), 3);
        assert_eq!(lanes.room(webhook(4), account(4), &planned), 0);
    }

    #[test]
    fn lanes_in_which_nothing_is_under_way_are_forgotten_in_the_end() {
        let mut lanes = Lanes::new(PLACES);
        lanes.begin(webhook(0), account(0));
        for number in 1..3 * REMEMBERED as u128 {
            lanes.begin(webhook(number), account(number));
            lanes.end(webhook(number), account(number), Outcome::Failed);
        }
        assert!(lanes.by_webhook.len() <= REMEMBERED + 1 && room(&lanes, 0) == FIRST - 1);
        assert_eq!(lanes.by_account.len(), 1);
    }
}
