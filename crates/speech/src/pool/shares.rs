//! How the time of a lane's threads is shared: plain numbers, no clocks.
//!
//! What waits has a place in line, in work that was already done for it; who has had the least goes
//! next and moves back by the cost of what it got (stride scheduling, Waldspurger and Weihl, 1995).
//! One that arrives stands at the mean of those it shares with, where they stand when each has had
//! its part: it neither overtakes them for long nor waits for all of them.

use std::{collections::HashMap, hash::Hash, time::Duration};

/// How far one that had nothing to do stays behind the others, so that it does not catch up on work
/// that it did not ask for.
const LONGEST_LAG: u64 = 60_000_000_000;

/// The places of members of groups, for as long as they have requests. Places are in nanoseconds.
#[derive(Debug)]
pub(super) struct Standings<G, K>(HashMap<G, HashMap<K, Standing>>);

#[derive(Debug)]
struct Standing {
    place: u64,
    /// Breaks ties: who had the last turn longer ago goes first.
    last_turn: u64,
    requests: usize,
}

impl<G, K> Default for Standings<G, K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

/// The mean place of members, if there are any.
fn mean<'a, K: Eq + 'a>(members: &'a HashMap<K, Standing>, but: Option<&'a K>) -> Option<u64> {
    let others = || members.iter().filter(|(key, _)| Some(*key) != but).map(|(_, standing)| standing.place);
    let sum: u128 = others().map(u128::from).sum();
    u64::try_from(sum.checked_div(others().count() as u128)?).ok()
}

impl<G: Hash + Eq, K: Hash + Eq> Standings<G, K> {
    /// Where a member stands: the least goes first.
    pub(super) fn of(&self, group: &G, key: &K) -> (u64, u64) {
        let found = self.0.get(group).and_then(|members| members.get(key));
        found.map_or((0, 0), |standing| (standing.place, standing.last_turn))
    }

    /// A request of a member came.
    pub(super) fn arrived(&mut self, group: G, key: K, turn: u64) {
        let members = self.0.entry(group).or_default();
        let place = mean(members, None).unwrap_or_default();
        members.entry(key).or_insert(Standing { place, last_turn: turn, requests: 0 }).requests += 1;
    }

    /// A request of a member left.
    pub(super) fn left(&mut self, group: &G, key: &K) {
        let Some(members) = self.0.get_mut(group) else { return };
        if let Some(standing) = members.get_mut(key) {
            standing.requests -= 1;
            if standing.requests == 0 {
                members.remove(key);
            }
        }
        if members.is_empty() {
            self.0.remove(group);
        }
    }

    /// A member had a turn that cost this much.
    pub(super) fn had(&mut self, group: &G, key: &K, turn: u64, work: Duration) {
        let Some(members) = self.0.get_mut(group) else { return };
        let earliest = mean(members, Some(key)).unwrap_or_default().saturating_sub(LONGEST_LAG);
        if let Some(standing) = members.get_mut(key) {
            standing.place = standing.place.max(earliest).saturating_add(nanoseconds(work));
            standing.last_turn = turn;
        }
    }
}

/// What work that goes last is owed: one part of the time in `share` while others have work as well.
#[derive(Debug)]
pub(super) struct Owed {
    share: u64,
    nanoseconds: u64,
}

impl Owed {
    /// Nothing is owed yet.
    pub(super) fn one_in(share: u32) -> Self {
        Self { share: u64::from(share), nanoseconds: 0 }
    }

    /// The others had a turn that cost this much.
    pub(super) fn others_had(&mut self, work: Duration) {
        let part = nanoseconds(work).div_ceil(self.share.saturating_sub(1).max(1));
        self.nanoseconds = self.nanoseconds.saturating_add(part);
    }

    /// Whether it is owed this much.
    pub(super) fn covers(&self, work: Duration) -> bool {
        self.nanoseconds >= nanoseconds(work)
    }

    /// It had a turn.
    pub(super) fn had(&mut self) {
        self.nanoseconds = 0;
    }
}

fn nanoseconds(work: Duration) -> u64 {
    u64::try_from(work.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Gives turns to whoever goes first until one of them had this much work.
    fn shared(standings: &mut Standings<(), &'static str>, costs: &[(&'static str, Duration)]) -> Vec<u32> {
        let mut turns = vec![0; costs.len()];
        for turn in 1..=1_000 {
            let first = (0..costs.len()).min_by_key(|at| standings.of(&(), &costs[*at].0)).unwrap();
            standings.had(&(), &costs[first].0, turn, costs[first].1);
            turns[first] += 1;
        }
        turns
    }

    #[test]
    fn members_get_the_same_time_and_not_the_same_number_of_turns() {
        let mut standings = Standings::default();
        let costs = [("heavy", 50 * SECOND), ("light", SECOND)];
        for (key, _) in costs {
            standings.arrived((), key, 0);
        }
        let turns = shared(&mut standings, &costs);
        assert!((19..=21).contains(&turns[0]), "{turns:?}");
    }

    #[test]
    fn one_that_arrives_gets_its_part_at_once_and_catches_up_on_nothing() {
        let mut standings = Standings::default();
        standings.arrived((), "old", 0);
        shared(&mut standings, &[("old", SECOND)]);
        standings.arrived((), "new", 1_000);
        let turns = shared(&mut standings, &[("old", SECOND), ("new", SECOND)]);
        assert_eq!(turns, [500, 500]);
        // One that asks for nothing for a while.
        shared(&mut standings, &[("old", SECOND)]);
        let turns = shared(&mut standings, &[("old", SECOND), ("new", SECOND)]);
        assert!(turns[1] <= 531, "{turns:?}");
    }

    #[test]
    fn who_has_no_more_requests_is_forgotten() {
        let mut standings = Standings::default();
        standings.arrived((), "a", 0);
        standings.arrived((), "a", 0);
        standings.had(&(), &"a", 1, SECOND);
        standings.left(&(), &"a");
        assert_eq!(standings.of(&(), &"a"), (1_000_000_000, 1));
        standings.left(&(), &"a");
        assert!(standings.0.is_empty());
    }

    #[test]
    fn what_goes_last_is_owed_its_part_of_the_time() {
        let mut owed = Owed::one_in(8);
        owed.others_had(6 * SECOND);
        assert!(!owed.covers(SECOND));
        owed.others_had(SECOND);
        assert!(owed.covers(SECOND) && !owed.covers(2 * SECOND));
        owed.had();
        assert!(!owed.covers(Duration::from_nanos(1)));
    }
}
