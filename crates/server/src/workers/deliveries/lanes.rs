//! How much may be under way for each endpoint. A lane widens while its endpoint takes what it is given, and narrows when it
//! does not answer or asks for less, as TCP's window does (RFC 5681): so a fast receiver gets many at once, and a dead one holds
//! a place or two.

use std::collections::HashMap;

use lectern_types::WebhookId;

use crate::services::webhooks::attempt::Outcome;

/// A lane's width at first.
const FIRST: usize = 4;

/// The widest. The outbound client keeps as many connections to a receiver.
const WIDEST: usize = 32;

/// Lanes that are remembered while nothing is under way in them.
const REMEMBERED: usize = 10_000;

/// The lanes of a process.
#[derive(Debug, Default)]
pub(super) struct Lanes(HashMap<WebhookId, Lane>);

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

impl Lanes {
    /// How many more may begin.
    pub(super) fn room(&self, webhook: WebhookId) -> usize {
        let lane = self.0.get(&webhook).copied().unwrap_or_default();
        lane.width.saturating_sub(lane.under_way)
    }

    /// One begins.
    pub(super) fn begin(&mut self, webhook: WebhookId) {
        self.0.entry(webhook).or_default().under_way += 1;
    }

    /// One has ended.
    pub(super) fn end(&mut self, webhook: WebhookId, outcome: Outcome) {
        let lane = self.0.entry(webhook).or_default();
        lane.under_way = lane.under_way.saturating_sub(1);
        lane.width = match outcome {
            Outcome::Succeeded => (lane.width + 1).min(WIDEST),
            Outcome::Refused | Outcome::TimedOut | Outcome::Failed => (lane.width / 2).max(1),
        };
        if self.0.len() > REMEMBERED {
            self.0.retain(|_, lane| lane.under_way > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn webhook(number: u128) -> WebhookId {
        WebhookId::from_uuid(Uuid::from_u128(number))
    }

    #[test]
    fn a_lane_widens_with_success_and_narrows_without() {
        let mut lanes = Lanes::default();
        let (fast, dead) = (webhook(1), webhook(2));
        for _ in 0..100 {
            lanes.begin(fast);
            lanes.end(fast, Outcome::Succeeded);
        }
        assert_eq!((lanes.room(fast), lanes.room(dead)), (WIDEST, FIRST));
        (0..FIRST).for_each(|_| lanes.begin(dead));
        assert_eq!(lanes.room(dead), 0);
        (0..FIRST).for_each(|_| lanes.end(dead, Outcome::TimedOut));
        assert_eq!(lanes.room(dead), 1, "it holds more than a place");
        lanes.begin(dead);
        assert_eq!((lanes.room(dead), lanes.room(fast)), (0, WIDEST), "one lane narrows another");
    }

    #[test]
    fn lanes_in_which_nothing_is_under_way_are_forgotten_in_the_end() {
        let mut lanes = Lanes::default();
        lanes.begin(webhook(0));
        for number in 1..3 * REMEMBERED as u128 {
            lanes.begin(webhook(number));
            lanes.end(webhook(number), Outcome::Failed);
        }
        assert!(lanes.0.len() <= REMEMBERED + 1 && lanes.room(webhook(0)) == FIRST - 1);
    }
}
