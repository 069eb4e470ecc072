//! A look-ahead limiter by true peak, and the measurement of true peaks.
//!
//! Peaks between samples are found on an eight-fold oversampled copy (windowed sinc, 32 taps a
//! phase). The gain that a peak demands is known 5 ms before the peak is output. The smallest gain
//! of those 5 ms, released slowly, is smoothed by two moving averages whose total length is also 5
//! ms. So the gain has reached the demanded value by the time of the peak. The signal is
//! multiplied, never clipped.
//!
//! Samples are looked at in blocks. Most of what passes cannot exceed the ceiling between two samples, as its curvature
//! shows ([`Bound`]), and then nothing is interpolated.

use std::collections::VecDeque;

const PHASES: usize = 8;
/// Samples on each side of an interpolated point.
const REACH: usize = 16;
const TAPS: usize = 2 * REACH;
/// Of a window of `TAPS` samples, the one before the interpolated points. `REACH` is the one after them.
const LEFT: usize = REACH - 1;

/// How many samples before the newest an interpolation needs.
const BEFORE: usize = TAPS - 1;

/// Samples that are looked at together.
const BLOCK: usize = 256;

/// Interpolation between two samples.
struct Interpolator {
    /// For each tap its weights in the phases, from 1/8 to 7/8 of the way. The last one of a row is nothing: rows of eight fill
    /// vector registers.
    taps: [[f32; PHASES]; TAPS],
    bound: Bound,
}

impl Interpolator {
    fn new() -> Self {
        let mut taps = [[0.0_f32; PHASES]; TAPS];
        let mut bound = Bound::default();
        for phase in 1..PHASES {
            let at = LEFT as f64 + phase as f64 / PHASES as f64;
            let mut weights: [f64; TAPS] = std::array::from_fn(|tap| {
                let distance = tap as f64 - at;
                let x = std::f64::consts::PI * distance;
                // Blackman's window, as wide as the reach.
                let w = std::f64::consts::PI * distance / (REACH as f64 + 0.5);
                x.sin() / x * (0.42 + 0.5 * w.cos() + 0.08 * (2.0 * w).cos())
            });
            let sum: f64 = weights.iter().sum();
            for (row, weight) in taps.iter_mut().zip(&mut weights) {
                *weight /= sum;
                row[phase - 1] = *weight as f32;
            }
            bound.include(&weights);
        }
        Self { taps, bound }
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

/// Curvatures of a window, each that of three neighbors.
const CURVATURES: usize = TAPS - 2;

/// Where the groups of a window start, eight curvatures each, of which the largest counts for all. The first and the last one
/// overlap with their neighbors.
const GROUPS: [usize; 4] = [0, 7, 15, 22];

/// What an interpolated point cannot exceed.
///
/// A point between two samples is on the straight line between them, plus a weighted sum of the curvatures around it
/// (second differences): the weights of the samples, less those of the line, have neither sum nor first moment, so two
/// summations by parts leave curvatures alone.
#[derive(Default)]
struct Bound {
    /// For each group, the magnitudes of its weights, summed up: of the phase with most.
    weights: [f32; GROUPS.len()],
    /// Room to work in.
    curvatures: Vec<f32>,
}

impl Bound {
    /// Lets the bound hold for a phase with these weights, whose sum is one.
    fn include(&mut self, weights: &[f64; TAPS]) {
        let moment: f64 = weights.iter().enumerate().map(|(tap, weight)| tap as f64 * weight).sum();
        // A phase's point on the line is where its first moment is.
        let along = moment - LEFT as f64;
        let mut sums = [0.0; GROUPS.len()];
        let (mut once, mut twice) = (0.0, 0.0);
        for (tap, weight) in weights.iter().enumerate().take(CURVATURES) {
            let of_line = match tap {
                LEFT => 1.0 - along,
                REACH => along,
                _ => 0.0,
            };
            once += weight - of_line;
            twice += once;
            let group = GROUPS.iter().rposition(|&start| tap >= start).unwrap_or_default();
            sums[group] += f64::abs(twice);
        }
        for (weight, sum) in self.weights.iter_mut().zip(sums) {
            *weight = weight.max(sum as f32 * 1.001);
        }
    }

    /// For each window of `TAPS` samples what no point strictly between its middle samples exceeds.
    fn of(&mut self, samples: &[f32], bounds: &mut Vec<f32>) {
        let curvatures = &mut self.curvatures;
        curvatures.clear();
        curvatures.extend(samples.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).abs()));
        // The largest of 2, of 4, and of 8 neighbors.
        for step in [1, 2, 4] {
            let last = curvatures.len().saturating_sub(step);
            for at in 0..last {
                curvatures[at] = curvatures[at].max(curvatures[at + step]);
            }
        }
        bounds.clear();
        let count = samples.len().saturating_sub(BEFORE);
        let from = |at: usize| &curvatures[at..at + count];
        let [a, b, c, d] = GROUPS.map(from);
        let [in_a, in_b, in_c, in_d] = self.weights;
        let (left, right) = (&samples[LEFT..][..count], &samples[REACH..][..count]);
        bounds.extend((0..count).map(|at| {
            let on_line = left[at].abs().max(right[at].abs());
            // Sums of single floats are not exact.
            on_line * (1.0 + 1.0e-6) + in_a * a[at] + in_b * b[at] + in_c * c[at] + in_d * d[at]
        }));
    }
}

/// The highest true peak, linear: 1 is full scale.
pub(super) fn true_peak(samples: &[f32]) -> f32 {
    let mut interpolator = Interpolator::new();
    let mut highest = samples.iter().fold(0.0_f32, |highest, sample| highest.max(sample.abs()));
    let mut window = vec![0.0; REACH];
    window.extend_from_slice(samples);
    window.resize(samples.len() + 2 * REACH, 0.0);
    let mut bounds = Vec::new();
    for start in (0..=window.len() - TAPS).step_by(BLOCK) {
        let block = &window[start..window.len().min(start + BEFORE + BLOCK)];
        interpolator.bound.of(block, &mut bounds);
        for (samples, bound) in block.windows(TAPS).zip(&bounds) {
            if *bound > highest {
                highest = highest.max(interpolator.peak_between(samples));
            }
        }
    }
    highest
}

/// The limiter. It returns as many samples as it takes, in the same order, delayed by
/// [`Limiter::latency`].
pub(super) struct Limiter {
    ceiling: f32,
    interpolator: Interpolator,
    /// The last `BEFORE` inputs, and after them the block that is looked at.
    window: Vec<f32>,
    /// Of each sample of the block, what it demands.
    demands: Vec<f32>,
    bounds: Vec<f32>,
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
            window: vec![0.0; BEFORE],
            demands: Vec::new(),
            bounds: Vec::new(),
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

    /// Whether every gain within the limiter is one.
    fn is_at_rest(&self) -> bool {
        self.calm > 2 * self.look_ahead + 2
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
            self.window.push(sample);
            if self.window.len() == BEFORE + BLOCK {
                self.block(out);
            }
        }
        self.block(out);
    }

    /// Appends the samples that are still inside the limiter, and returns the smallest gain.
    pub(super) fn finish(mut self, out: &mut Vec<f32>) -> f32 {
        self.push(std::iter::repeat_n(0.0, self.latency()), out);
        self.least_gain
    }

    /// Takes the new samples of the window.
    fn block(&mut self, out: &mut Vec<f32>) {
        self.find_demands();
        let count = self.demands.len();
        self.delayed.extend(&self.window[BEFORE..]);
        let due = self.delayed.len().saturating_sub(self.latency());
        if self.is_at_rest() && self.demands.iter().all(|&demand| demand >= 1.0) {
            self.time += count as u64;
            out.extend(self.delayed.drain(..due));
        } else {
            let early = count - due;
            for at in 0..count {
                let gain = self.gain(self.demands[at]);
                if at >= early
                    && let Some(due) = self.delayed.pop_front()
                {
                    self.least_gain = self.least_gain.min(gain);
                    out.push(due * gain);
                }
            }
        }
        self.window.drain(..self.window.len() - BEFORE);
    }

    /// Finds what the new samples demand. The current sample is `REACH` before the newest, so that everything that affects its
    /// peak is known.
    fn find_demands(&mut self) {
        self.demands.clear();
        self.interpolator.bound.of(&self.window, &mut self.bounds);
        for (samples, bound) in self.window.windows(TAPS).zip(&self.bounds) {
            let between = *bound > self.ceiling;
            let peak_after = if between { self.interpolator.peak_between(samples) } else { 0.0 };
            let peak = samples[LEFT].abs().max(self.peak_before).max(peak_after);
            self.peak_before = peak_after;
            self.demands.push(if peak > self.ceiling { self.ceiling / peak } else { 1.0 });
        }
    }

    /// The gain of the sample that is due, after a demand.
    fn gain(&mut self, demand: f32) -> f32 {
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
        self.time += 1;
        let [first, second] = &mut self.averages;
        second.push(first.push(self.released)).min(1.0) as f32
    }
}

/// The mean of the last values, which are ones at first.
struct MovingAverage {
    values: Vec<f64>,
    oldest: usize,
    sum: f64,
}

impl MovingAverage {
    fn new(length: usize) -> Self {
        Self { values: vec![1.0; length], oldest: 0, sum: length as f64 }
    }

    fn push(&mut self, value: f64) -> f64 {
        self.sum += value - std::mem::replace(&mut self.values[self.oldest], value);
        self.oldest = (self.oldest + 1) % self.values.len();
        self.sum / self.values.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{BEFORE, Interpolator, LEFT, Limiter, TAPS, true_peak};

    /// Hash of a number, within ±1.
    fn noise(at: u64) -> f32 {
        let mixed = (at + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn bounds(samples: &[f32]) -> Vec<(f32, f32)> {
        let mut interpolator = Interpolator::new();
        let mut bounds = Vec::new();
        interpolator.bound.of(samples, &mut bounds);
        assert_eq!(bounds.len(), samples.len() - BEFORE);
        samples.windows(TAPS).map(|window| interpolator.peak_between(window)).zip(bounds).collect()
    }

    // Negative controls, seen: with the largest of 4 neighbors in place of 8, or the weights of one phase alone, points exceed it.
    #[test]
    fn no_interpolated_point_exceeds_its_bound() {
        let signals: [&dyn Fn(u64) -> f32; 7] = [
            &|_| 0.8,
            &|_| -0.89,
            &|at| noise(at),
            &|at| noise(at).signum(),
            &|at| if at % 2 == 0 { 1.0 } else { -1.0 },
            &|at| if at % 57 == 0 { 1.0 } else { 0.0 },
            // The worst for one phase: signs alternate everywhere but in the middle.
            &|at| if (at / 16 + at % 2) % 2 == 0 { 1.0 } else { -1.0 },
        ];
        for (number, signal) in signals.iter().enumerate() {
            let samples: Vec<f32> = (0..20_000).map(signal).collect();
            for (at, (peak, bound)) in bounds(&samples).into_iter().enumerate() {
                assert!(peak <= bound, "signal {number}, sample {}: {peak} over {bound}", at + LEFT);
            }
        }
    }

    #[test]
    fn what_speech_is_made_of_is_seldom_interpolated() {
        let tone = |hertz: f32| move |at: u64| (std::f32::consts::TAU * hertz * at as f32 / 24_000.0).sin();
        let highest = |signal: &dyn Fn(u64) -> f32| {
            let samples: Vec<f32> = (0..2_000).map(signal).collect();
            bounds(&samples).into_iter().map(|(_, bound)| bound).fold(0.0, f32::max)
        };
        assert!(highest(&tone(300.0)) < 1.01);
        assert!(highest(&tone(2_000.0)) < 1.15, "{}", highest(&tone(2_000.0)));
    }

    #[test]
    fn how_samples_are_divided_changes_nothing() {
        // The quiet stretches are long enough for a reduction to end.
        let samples: Vec<f32> =
            (0..60_000_u64).map(|at| noise(at) * if at % 20_000 < 17_000 { 0.2 } else { 1.3 }).collect();
        let through = |pieces: &[usize]| {
            let mut limiter = Limiter::new(24_000, 0.8);
            let (mut out, mut rest, mut turn) = (Vec::new(), samples.as_slice(), pieces.iter().cycle());
            while !rest.is_empty() {
                let (now, later) = rest.split_at(turn.next().map_or(1, |&piece| piece.min(rest.len())));
                limiter.push(now.iter().copied(), &mut out);
                rest = later;
            }
            let least = limiter.finish(&mut out);
            (out, least)
        };
        let whole = through(&[samples.len()]);
        assert!(whole.1 < 0.7 && true_peak(&whole.0) <= 0.8001, "{} {}", whole.1, true_peak(&whole.0));
        assert_eq!(through(&[1]), whole);
        assert_eq!(through(&[0, 7, 300, 256, 255, 1_000]), whole);
    }

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
