//! The speed to ask the network for. Every phoneme takes at least one frame, so fast speech comes out
//! slower than it was asked for: 1.8 times as fast for 2.

/// Up to this speed the network does as it is asked.
pub(super) const EXACT: f32 = 1.25;

/// Never asks for more than this many times the speed that is wanted.
const MOST: f32 = 3.0;

/// The speed that makes what lasts `durations` (frames at speed 1, not rounded) as much shorter as
/// `pace` says, or comes nearest to it.
pub(super) fn solve(durations: &[f32], pace: f32) -> f32 {
    let frames = |speed: f32| -> f32 {
        durations.iter().map(|frames| (frames / speed).round_ties_even().max(1.0)).sum()
    };
    let wanted = frames(1.0) / pace;
    let (mut low, mut high) = (pace, pace * MOST);
    for _ in 0..24 {
        let middle = f32::midpoint(low, high);
        if frames(middle) > wanted { low = middle } else { high = middle }
    }
    // Many phonemes may lose a frame at the same speed.
    if frames(low) - wanted < wanted - frames(high) { low } else { high }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(durations: &[f32], speed: f32) -> f32 {
        durations.iter().map(|frames| (frames / speed).round_ties_even().max(1.0)).sum()
    }

    #[test]
    fn what_can_be_reached_is_reached() {
        let durations: Vec<f32> = (0..100).map(|at| 0.6 + (at as f32 * 0.37) % 3.0).collect();
        let wanted = frames(&durations, 1.0) / 2.0;
        assert!(frames(&durations, 2.0) > 1.04 * wanted, "the control: asking for 2 gives less");
        let reached = frames(&durations, solve(&durations, 2.0));
        assert!((reached / wanted - 1.0).abs() < 0.03, "{reached} for {wanted}");
    }

    #[test]
    fn what_cannot_be_reached_asks_for_no_more_than_three_times_as_much() {
        let speed = solve(&[1.0; 50], 2.0);
        assert!((5.9..=6.0).contains(&speed), "{speed}");
        assert!((2.0..=6.0).contains(&solve(&[], 2.0)));
    }
}
