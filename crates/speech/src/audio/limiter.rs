//! A look-ahead limiter by true peak, and the measurement of true peaks.
//!
//! Peaks between samples are found on an eight-fold oversampled copy (windowed sinc, 32 taps a
//! phase). The gain that a peak demands is known 5 ms before the peak is output. The smallest gain
//! of those 5 ms, released slowly, is smoothed by two moving averages whose total length is also 5
//! ms. So the gain has reached the demanded value by the time of the peak. The signal is
//! multiplied, never clipped.

use std::collections::VecDeque;

const PHASES: usize = 8;
/// Samples on each side of an interpolated point.
const REACH: usize = 16;
const TAPS: usize = 2 * REACH;

/// Interpolation between two samples.
struct Interpolator {
    /// For each tap its weights in the phases, from 1/8 to 7/8 of the way. The last one of a row is nothing: rows of eight fill
    /// vector registers.
    taps: [[f32; PHASES]; TAPS],
    /// No interpolated point exceeds this factor times the largest sample within reach.
    overshoot: f32,
}

impl Interpolator {
    fn new() -> Self {
        let mut taps = [[0.0_f32; PHASES]; TAPS];
        let mut overshoot = 1.0_f32;
        for phase in 1..PHASES {
            let at = (REACH - 1) as f64 + phase as f64 / PHASES as f64;
            let weights: [f64; TAPS] = std::array::from_fn(|tap| {
                let distance = tap as f64 - at;
                let x = std::f64::consts::PI * distance;
                // Blackman's window, as wide as the reach.
                let w = std::f64::consts::PI * distance / (REACH as f64 + 0.5);
                x.sin() / x * (0.42 + 0.5 * w.cos() + 0.08 * (2.0 * w).cos())
            });
            let sum: f64 = weights.iter().sum();
            let mut reach = 0.0;
            for (row, weight) in taps.iter_mut().zip(weights) {
                row[phase - 1] = (weight / sum) as f32;
                reach += row[phase - 1].abs();
            }
            overshoot = overshoot.max(reach);
        }
        Self { taps, overshoot }
    }

    /// The largest magnitude strictly between the two middle samples of `TAPS` samples.
    fn peak_between(&self, samples: &[f32]) -> f32 {
        // All phases side by side, and two sums of each: one would wait for itself.
        let mut sums = [[0.0_f32; PHASES]; 2];
        for (pair, samples) in self.taps.chunks_exact(2).zip(samples.chunks_exact(2)) {
            for ((sums, taps), sample) in sums.iter_mut().zip(pair).zip(samples) {
                for (sum, tap) in sums.iter_mut().zip(taps) {
                    *sum += tap * sample;
                }
            }
        }
        let [even, odd] = sums;
        even.iter().zip(odd).map(|(even, odd)| (even + odd).abs()).fold(0.0, f32::max)
    }
}

/// The highest true peak, linear: 1 is full scale.
pub(super) fn true_peak(samples: &[f32]) -> f32 {
    let interpolator = Interpolator::new();
    let mut highest = samples.iter().fold(0.0_f32, |highest, sample| highest.max(sample.abs()));
    let mut window = vec![0.0; REACH];
    window.extend_from_slice(samples);
    window.resize(samples.len() + 2 * REACH, 0.0);
    let mut loud_ago = TAPS;
    for (end, sample) in window.iter().enumerate() {
        loud_ago = if sample.abs() * interpolator.overshoot > highest { 0 } else { loud_ago + 1 };
        if loud_ago < TAPS && end + 1 >= TAPS {
            highest = highest.max(interpolator.peak_between(&window[end + 1 - TAPS..=end]));
        }
    }
    highest
}

/// The limiter. It returns as many samples as it takes, in the same order, delayed by
/// [`Limiter::latency`].
pub(super) struct Limiter {
    ceiling: f32,
    interpolator: Interpolator,
    /// The last `TAPS` inputs, stored twice, so that any window of them is contiguous.
    recent: [f32; 2 * TAPS],
    recent_at: usize,
    loud_ago: usize,
    /// The peak between the current sample and the previous one.
    peak_before: f32,
    /// The gains demanded within the look-ahead, only the falling ones, with their times.
    least: VecDeque<(u64, f32)>,
    /// The demanded gain after slow release.
    released: f64,
    release: f64,
    averages: [MovingAverage; 2],
    /// Input samples that wait for their gain.
    delayed: VecDeque<f32>,
    time: u64,
    look_ahead: usize,
    least_gain: f32,
    /// How many samples in a row have had a gain of exactly one, from the demand to the release.
    calm: usize,
}

/// What is left of a reduction that is over, relative to the signal: 0.001 dB.
const RELEASED: f64 = 1.0e-4;

impl Limiter {
    /// A limiter that keeps true peaks at or below `ceiling` (linear, 1 is full scale).
    pub(super) fn new(sample_rate_hz: u32, ceiling: f32) -> Self {
        // Two averages of n samples each reach over 2(n − 1) samples before the newest.
        let average = (sample_rate_hz as usize * 5 / 2_000).max(1) + 1;
        Self {
            ceiling,
            interpolator: Interpolator::new(),
            recent: [0.0; 2 * TAPS],
            recent_at: 0,
            loud_ago: TAPS,
            peak_before: 0.0,
            least: VecDeque::new(),
            released: 1.0,
            release: 1.0 - (-1.0 / (0.06 * f64::from(sample_rate_hz))).exp(),
            averages: [MovingAverage::new(average), MovingAverage::new(average)],
            delayed: VecDeque::new(),
            time: 0,
            look_ahead: 2 * (average - 1),
            least_gain: 1.0,
            calm: 0,
        }
    }

    /// Whether every gain within the limiter is one, and no sample within reach can change that.
    fn is_at_rest(&self) -> bool {
        self.calm > 2 * self.look_ahead + 2 && self.loud_ago >= TAPS
    }

    /// The delay of the output, in samples.
    pub(super) fn latency(&self) -> usize {
        self.look_ahead + REACH
    }

    /// The smallest gain applied so far; 1 when nothing was limited.
    pub(super) fn least_gain(&self) -> f32 {
        self.least_gain
    }

    /// Takes samples and appends those that are ready.
    pub(super) fn push(&mut self, samples: impl IntoIterator<Item = f32>, out: &mut Vec<f32>) {
        for sample in samples {
            self.step(sample, out);
        }
    }

    /// Appends the samples that are still inside the limiter, and returns the smallest gain.
    pub(super) fn finish(mut self, out: &mut Vec<f32>) -> f32 {
        for _ in 0..self.latency() {
            self.step(0.0, out);
        }
        self.least_gain
    }

    fn step(&mut self, sample: f32, out: &mut Vec<f32>) {
        self.recent[self.recent_at] = sample;
        self.recent[self.recent_at + TAPS] = sample;
        self.recent_at = (self.recent_at + 1) % TAPS;
        self.loud_ago =
            if sample.abs() * self.interpolator.overshoot > self.ceiling { 0 } else { self.loud_ago + 1 };
        // Most of what passes is far below the ceiling.
        if self.is_at_rest() {
            self.time += 1;
            self.delayed.push_back(sample);
            if self.delayed.len() > self.latency()
                && let Some(due) = self.delayed.pop_front()
            {
                out.push(due);
            }
            return;
        }
        let recent = &self.recent[self.recent_at..self.recent_at + TAPS];
        // The current sample is `REACH` before the newest, so that everything that affects its peak
        // is known.
        let judged = recent[REACH - 1].abs();
        let peak_after = if self.loud_ago < TAPS { self.interpolator.peak_between(recent) } else { 0.0 };
        let peak = judged.max(self.peak_before).max(peak_after);
        self.peak_before = peak_after;
        let demand = if peak > self.ceiling { self.ceiling / peak } else { 1.0 };

        while self.least.back().is_some_and(|&(_, gain)| gain >= demand) {
            self.least.pop_back();
        }
        self.least.push_back((self.time, demand));
        while self.least.front().is_some_and(|&(at, _)| at + (self.look_ahead as u64) < self.time) {
            self.least.pop_front();
        }
        let least = f64::from(self.least.front().map_or(1.0, |&(_, gain)| gain));
        self.released = least.min(self.released + (1.0 - self.released) * self.release);
        if self.released > 1.0 - RELEASED && least >= 1.0 {
            self.released = 1.0;
        }
        self.calm = if self.released < 1.0 { 0 } else { self.calm + 1 };
        let [first, second] = &mut self.averages;
        let gain = second.push(first.push(self.released)).min(1.0) as f32;

        self.time += 1;
        self.delayed.push_back(sample);
        if self.delayed.len() > self.latency()
            && let Some(due) = self.delayed.pop_front()
        {
            self.least_gain = self.least_gain.min(gain);
            out.push(due * gain);
        }
    }
}

/// The mean of the last values, which are ones at first.
struct MovingAverage {
    values: VecDeque<f64>,
    sum: f64,
}

impl MovingAverage {
    fn new(length: usize) -> Self {
        Self { values: std::iter::repeat_n(1.0, length).collect(), sum: length as f64 }
    }

    fn push(&mut self, value: f64) -> f64 {
        self.sum += value - self.values.pop_front().unwrap_or(0.0);
        self.values.push_back(value);
        self.sum / self.values.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{Limiter, true_peak};

    // Negative controls, seen: with `calm > 0` in `is_at_rest` the end of a reduction is cut off, with 0.1 for `RELEASED` the gain
    // steps there.
    #[test]
    fn a_limiter_at_rest_gives_what_one_that_never_rests_gives() {
        let rate = 24_000;
        let samples: Vec<f32> = (0..3 * rate)
            .map(|at| {
                let seconds = at as f32 / rate as f32;
                let is_loud = (0.5..0.6).contains(&seconds) || (1.9..1.902).contains(&seconds);
                let level = if is_loud { 2.0 } else { 0.1 };
                level * (std::f32::consts::TAU * 700.0 * seconds).sin()
            })
            .collect();
        let (mut resting, mut awake) = (Limiter::new(rate, 0.8), Limiter::new(rate, 0.8));
        let (mut found, mut wanted, mut rests) = (Vec::new(), Vec::new(), 0);
        for &sample in &samples {
            resting.push([sample], &mut found);
            rests += usize::from(resting.is_at_rest());
            awake.calm = 0;
            awake.push([sample], &mut wanted);
        }
        assert!(rests > samples.len() / 2, "{rests}");
        assert_eq!(found.len(), wanted.len());
        let difference = found.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(difference < 1.0e-6, "{difference}");
        assert!(true_peak(&found) <= 0.801, "{}", true_peak(&found));
        // The gain after the first burst, where the sound is loud enough to tell.
        let gain = |at: usize| (samples[at].abs() > 0.05).then(|| found[at] / samples[at]);
        let steps = (14_700..43_000).filter_map(|at| Some((gain(at + 1)? - gain(at)?).abs()));
        let steepest = steps.fold(0.0, f32::max);
        assert!((1.0e-5..6.0e-4).contains(&steepest), "{steepest}");
    }
}
