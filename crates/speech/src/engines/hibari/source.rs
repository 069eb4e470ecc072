//! The voice's excitation: a pulse train that follows the pitch, like that of vocal folds.
//!
//! A pulse train of pitch f is Σ cos(h·φ) over its harmonics below [`HIGHEST_HZ`], which has a
//! closed form (Dirichlet's kernel), so a sample costs two sines however many harmonics it has.
//! Shaping is not done here.

#![expect(
    clippy::inline_always,
    reason = "lane functions compile to the right instructions only inside their caller"
)]

use rten_simd::{
    Isa, SimdOp,
    ops::{BitOps, FloatOps, NumOps},
};

use super::SAMPLE_RATE_HZ;
use crate::engines::neural::lanes;

/// The number of samples in a frame of the network.
pub(super) const HOP: usize = 300;

/// Below this pitch, the network means silence.
const LOWEST_HZ: f32 = 40.0;

/// No harmonic above this is emitted.
const HIGHEST_HZ: f32 = 11_000.0;

/// Generates the pulse train, with buffers that are reused between calls.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// Phase in turns, within ±½.
    phase: Vec<f32>,
    /// The number of harmonics to emit; −½ where the voice is silent, which makes the closed form
    /// exactly zero.
    harmonics: Vec<f32>,
    pulses: Vec<f32>,
}

impl Source {
    /// The pulse train of `pitch_hz`, which has one value for each frame: [`HOP`] samples for each
    /// frame.
    ///
    /// The pitch is interpolated linearly between the centers of frames.
    pub(super) fn pulses(&mut self, pitch_hz: &[f32]) -> &[f32] {
        let length = pitch_hz.len() * HOP;
        self.phase.clear();
        self.phase.resize(length, 0.0);
        self.harmonics.clear();
        self.harmonics.resize(length, SILENT);
        self.pulses.clear();
        self.pulses.resize(length, 0.0);
        self.follow(pitch_hz);
        Dirichlet { phase: &self.phase, harmonics: &self.harmonics, out: &mut self.pulses }.dispatch();
        &self.pulses
    }

    /// The pulse train that was made last.
    pub(super) fn made(&self) -> &[f32] {
        &self.pulses
    }

    /// Goes from the center of each frame to the center of the next, and adds up the phase where
    /// the voice sounds.
    fn follow(&mut self, pitch_hz: &[f32]) {
        const HALF: usize = HOP / 2;
        let Some(last) = pitch_hz.len().checked_sub(1) else { return };
        let mut turns = 0.0_f64;
        let mut at = 0;
        let mut stretch = |frames: [usize; 2], count: usize| {
            let [from, to] = frames.map(|frame| pitch_hz[frame]);
            if from < LOWEST_HZ && to < LOWEST_HZ {
                at += count;
                return;
            }
            for step in 0..count {
                let along = (step as f32 + 0.5) / HOP as f32;
                let pitch = from + (to - from) * along;
                if pitch >= LOWEST_HZ {
                    turns += f64::from(pitch) / f64::from(SAMPLE_RATE_HZ);
                    // No turn is under −½, so cutting off is rounding down. `round` and `floor` would be function calls.
                    turns -= f64::from((turns + 0.5) as i32);
                    self.phase[at] = turns as f32;
                    self.harmonics[at] = (HIGHEST_HZ / pitch) as i32 as f32;
                }
                at += 1;
            }
        };
        stretch([0, 0], HALF);
        for frame in 0..last {
            stretch([frame, frame + 1], HOP);
        }
        stretch([last, last], HOP - HALF);
    }
}

/// The number of harmonics that stands for silence: sin((h+½)φ) is then sin(0).
const SILENT: f32 = -0.5;

/// Σ_{h=1..H} cos(hφ) = sin((H+½)φ) / (2 sin(φ/2)) − ½, and H where φ is a whole turn.
struct Dirichlet<'a> {
    phase: &'a [f32],
    harmonics: &'a [f32],
    out: &'a mut [f32],
}

impl SimdOp for Dirichlet<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let width = ops.len();
        let whole = self.out.len() - self.out.len() % width;
        for at in (0..whole).step_by(width) {
            let value = dirichlet(isa, ops.load(&self.phase[at..]), ops.load(&self.harmonics[at..]));
            ops.store(value, &mut self.out[at..]);
        }
        // HOP is only a multiple of 4, so wider vectors leave a tail.
        if whole < self.out.len() {
            let (turns, _) = ops.load_pad(&self.phase[whole..]);
            let (harmonics, _) = ops.load_pad(&self.harmonics[whole..]);
            let value = dirichlet(isa, turns, harmonics);
            lanes::store_tail(ops, value, &mut self.out[whole..]);
        }
    }
}

#[inline(always)]
fn dirichlet<I: Isa>(isa: I, turns: I::F32, harmonics: I::F32) -> I::F32 {
    let ops = isa.f32();
    let half = ops.splat(0.5);
    let two = ops.splat(2.0);
    let count = ops.add(harmonics, half);
    let (above, _) = lanes::sin_cos_half_turns(isa, ops.mul(ops.mul(count, turns), two));
    let (below, _) = lanes::sin_cos_half_turns(isa, turns);
    let at_pulse = ops.le(ops.abs(below), ops.splat(1e-6));
    let divisor = ops.select(ops.one(), ops.mul(two, below), at_pulse);
    let value = ops.select(harmonics, ops.sub(ops.div(above, divisor), half), at_pulse);
    ops.select(ops.zero(), value, ops.le(harmonics, ops.zero()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_equals_the_sum_of_cosines() {
        let pitch = [120.0, 180.5, 240.0, 90.0];
        let mut source = Source::default();
        let pulses = source.pulses(&pitch).to_vec();
        let (mut worst, mut loudest) = (0.0_f64, 0.0_f64);
        for (at, pulse) in pulses.iter().enumerate().step_by(7) {
            let phase = std::f64::consts::TAU * f64::from(source.phase[at]);
            let count = source.harmonics[at] as u32;
            let sum: f64 = (1..=count).map(|h| (f64::from(h) * phase).cos()).sum();
            worst = worst.max((sum - f64::from(*pulse)).abs());
            loudest = loudest.max(sum);
        }
        assert!(loudest > 30.0, "the stretch has pulses: {loudest}");
        assert!(worst < 0.01, "worst difference {worst}");
    }

    #[test]
    fn there_is_silence_where_the_pitch_is_under_forty_hertz() {
        let mut source = Source::default();
        assert!(source.pulses(&[0.0, 39.0, 20.0, -1.0]).iter().all(|sample| *sample == 0.0));
        assert!(source.pulses(&[100.0; 4]).iter().any(|sample| *sample > 50.0));
    }

    #[test]
    fn pulses_come_at_the_pitch() {
        let mut source = Source::default();
        let pulses = source.pulses(&[200.0; 80]);
        let peaks: Vec<usize> = (1..pulses.len() - 1)
            .filter(|at| pulses[*at] > 40.0 && pulses[*at] >= pulses[at - 1] && pulses[*at] > pulses[at + 1])
            .collect();
        // The last pulse is the very last sample.
        assert!((199..=200).contains(&peaks.len()), "one second at 200 Hz: {}", peaks.len());
        assert!(peaks.windows(2).all(|pair| (119..=121).contains(&(pair[1] - pair[0]))));
    }

    #[test]
    fn no_frames_give_no_samples() {
        assert!(Source::default().pulses(&[]).is_empty());
    }
}
