//! The speed to ask the network for, so that speech lasts what is asked for. Every phoneme takes whole
//! frames and at least one, so the network itself is 1.8 times as fast for 2.

use std::ops::Range;

use crate::phonemes::{PhonemeIds, PhonemeWord};

/// The network is never asked for more than this many times the speed that is wanted.
const MOST: f32 = 3.0;

/// Nor for more than this: where most phonemes are a single frame, the first and the last of a
/// sentence are hardly heard.
const FASTEST: f32 = 2.5;

/// Up to this share of what is wanted is close enough.
pub(in crate::engines) const CLOSE: f32 = 0.01;

/// A row of fewer frames (2.5 s) at speed 1 is said at speed 1, in a share of its time. In "Yes." half of what is heard is how
/// the word begins and ends, which the network does not make shorter as it does phonemes.
const FEW: f32 = 100.0;

/// How to come by a pace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::engines) struct Plan {
    /// The speed to ask the network for.
    pub(in crate::engines) speed: f32,
    /// The share of the time in which what it gives must be said; 1 where phonemes can be as short
    /// as they must.
    pub(in crate::engines) share: f32,
}

/// How what is heard of a network's frames differs from their number.
#[derive(Debug, Clone, Copy)]
pub(in crate::engines) struct Heard {
    /// Frames at the ends of a row that are not heard at any pace below 1.
    pub(in crate::engines) silent_frames: f32,
    /// The shares by which more frames are needed at paces of 1.25, 1.5, 1.75 and 2, below 0 where fewer are.
    pub(in crate::engines) more: [f32; 4],
}

impl Heard {
    /// The frames that are heard as long as `frames` at a pace that is as much higher.
    fn wanted(self, frames: f32, pace: f32) -> f32 {
        if pace < 1.0 {
            // One half at least, however short the row is.
            let heard = (frames - self.silent_frames).max(frames / 2.0);
            heard / pace + (frames - heard)
        } else {
            frames / pace * (1.0 + self.more_at(pace))
        }
    }

    /// The share by which more frames are needed at a pace of 1 or more, in proportion between two that were measured.
    fn more_at(self, pace: f32) -> f32 {
        let step = ((pace - 1.0) * 4.0).clamp(0.0, 4.0);
        let at = |step: f32| if step < 1.0 { 0.0 } else { self.more[step as usize - 1] };
        at(step.floor()) + (at(step.ceil()) - at(step.floor())) * step.fract()
    }
}

/// How to make the `sounding` phonemes, which last `durations` (frames at speed 1, not rounded), as
/// much shorter as `pace` says. The silence around them is cut off in any case.
pub(in crate::engines) fn solve(durations: &[f32], sounding: Range<usize>, pace: f32, heard: Heard) -> Plan {
    let durations = durations.get(sounding).unwrap_or_default();
    let frames = |speed: f32| -> f32 {
        durations.iter().map(|frames| (frames / speed).round_ties_even().max(1.0)).sum()
    };
    if (pace - 1.0).abs() < 1e-3 || durations.is_empty() {
        return Plan { speed: pace, share: 1.0 };
    }
    let natural = frames(1.0);
    if natural < FEW {
        return Plan { speed: 1.0, share: 1.0 / pace };
    }
    let wanted = heard.wanted(natural, pace);
    let (mut low, mut high) = (pace / 2.0, (pace * MOST).min(FASTEST.max(pace / 2.0)));
    for _ in 0..24 {
        let middle = f32::midpoint(low, high);
        if frames(middle) > wanted { low = middle } else { high = middle }
    }
    // Many phonemes may lose a frame at the same speed.
    let speed = if frames(low) - wanted < wanted - frames(high) { low } else { high };
    let share = wanted / frames(speed);
    Plan { speed, share: if (share - 1.0).abs() < CLOSE { 1.0 } else { share } }
}

/// The ids from the first word to the last: what is around them is silence, most of which is cut off.
pub(in crate::engines) fn sounding(words: &[PhonemeWord], phonemes: &PhonemeIds) -> Range<usize> {
    let spoken = words.iter().zip(&phonemes.words).filter(|(word, _)| !word.punctuation);
    let mut ids = spoken.map(|(_, ids)| ids).filter(|ids| !ids.is_empty());
    let first = ids.next().cloned().unwrap_or_default();
    let end = ids.next_back().map_or(first.end, |last| last.end);
    first.start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All frames are heard.
    const WHOLE: Heard = Heard { silent_frames: 0.0, more: [0.0; 4] };

    fn frames(durations: &[f32], speed: f32) -> f32 {
        durations.iter().map(|frames| (frames / speed).round_ties_even().max(1.0)).sum()
    }

    #[test]
    fn what_can_be_reached_is_reached() {
        let durations: Vec<f32> = (0..100).map(|at| 0.6 + (at as f32 * 0.37) % 3.0).collect();
        for pace in [0.25, 0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 4.0] {
            let wanted = frames(&durations, 1.0) / pace;
            let Plan { speed, share } = solve(&durations, 0..100, pace, WHOLE);
            let reached = frames(&durations, speed) * share;
            assert!((reached / wanted - 1.0).abs() < 0.025, "{reached} for {wanted} at {pace}");
        }
        let wanted = frames(&durations, 1.0) / 2.0;
        assert!(frames(&durations, 2.0) > 1.04 * wanted, "the control: asking for 2 gives less");
    }

    #[test]
    fn at_speed_one_the_network_does_as_it_likes() {
        assert_eq!(solve(&[1.0, 2.6, 3.0], 0..3, 1.0, WHOLE), Plan { speed: 1.0, share: 1.0 });
    }

    #[test]
    fn phonemes_that_cannot_be_shorter_are_said_in_a_share_of_their_time() {
        let Plan { speed, share } = solve(&[1.0; 150], 0..150, 2.0, WHOLE);
        assert!(speed <= FASTEST && (share - 0.5).abs() < 1e-6, "{speed} {share}");
        assert_eq!(solve(&[], 0..0, 2.0, WHOLE), Plan { speed: 2.0, share: 1.0 });
        // The long silence at the ends counts for nothing.
        let mut with_ends = vec![40.0];
        with_ends.resize(151, 1.0);
        with_ends.push(40.0);
        assert!((solve(&with_ends, 1..151, 2.0, WHOLE).share - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_few_phonemes_are_said_at_speed_1_in_a_share_of_their_time() {
        for pace in [0.5, 0.8, 1.3, 2.0] {
            assert_eq!(solve(&[14.0; 7], 0..7, pace, WHOLE), Plan { speed: 1.0, share: 1.0 / pace });
        }
        assert!(solve(&[14.0; 8], 0..8, 0.5, WHOLE).speed < 0.9);
    }

    #[test]
    fn what_is_not_heard_is_made_up_for() {
        let heard = Heard { silent_frames: 10.0, more: [0.0, 0.02, 0.03, 0.05] };
        let durations = [4.0; 50];
        let reached = |pace: f32| {
            let Plan { speed, share } = solve(&durations, 0..50, pace, heard);
            frames(&durations, speed) * share
        };
        // 190 frames are heard of 200: twice as long are 380, and the 10.
        assert!((reached(0.5) - 390.0).abs() < 4.0, "{}", reached(0.5));
        assert!((reached(2.0) - 105.0).abs() < 1.0, "{}", reached(2.0));
        assert!((reached(3.0) - 70.0).abs() < 1.0, "{}", reached(3.0));
        // In proportion between 1.25 and 1.5.
        assert!((heard.more_at(1.375) - 0.01).abs() < 1e-6 && heard.more_at(1.1).abs() < 1e-6);
        assert!((reached(1.0) - 200.0).abs() < 1e-3);
        // However many frames are silent, one half is heard.
        let heard = Heard { silent_frames: 150.0, ..heard };
        let Plan { speed, share } = solve(&durations, 0..50, 0.5, heard);
        assert!((frames(&durations, speed) * share - 300.0).abs() < 4.0);
    }
}
