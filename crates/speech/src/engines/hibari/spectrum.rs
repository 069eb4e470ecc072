//! From the network's spectral parts to a waveform.
//!
//! Per frame and bin, with E the spectrum of the pulse train and Z complex Gaussian noise: S =
//! e^min(lh,7) · e^(iπ tanh θ) · E + e^min(ln,7) · Z + e^min(lr,7) · e^(iφ). The waveform is the
//! centered inverse short-time Fourier transform of S. Frames are taken one after the other, every
//! buffer is kept, and all that is costly runs on SIMD lanes. The pulse train itself comes from
//! `source`.

#![expect(
    clippy::inline_always,
    reason = "lane functions compile to the right instructions only inside their caller"
)]

use std::sync::Arc;

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex, num_complex::Complex};
use rten_simd::{
    Isa, SimdOp,
    ops::{BitOps, FloatOps, NumOps},
};

use super::{
    frames::{BINS, FRAME_VALUES, Frames, SLACK, WINDOW},
    source::{HOP, Source},
};
use crate::engines::neural::{
    lanes,
    noise::{Noise, Quantiles},
};

/// Room for the bins and for a whole vector past the last of them.
const ROOM: usize = BINS + SLACK;

/// Hann windows at a quarter's hop add up to this everywhere but at the ends.
const WINDOW_SQUARES: f32 = 1.5;

/// Turns frames into samples. Belongs to one thread; its buffers are kept from call to call.
pub(super) struct Synthesizer {
    forward: Arc<dyn RealToComplex<f32>>,
    inverse: Arc<dyn ComplexToReal<f32>>,
    quantiles: Arc<Quantiles>,
    /// Hann over [`HOP`]: E is the transform divided by 300.
    analysis_window: Vec<f32>,
    /// Hann over the inverse transform's gain and the sum of the squared windows.
    synthesis_window: Vec<f32>,
    source: Source,
    time: Vec<f32>,
    bins: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
    excitation: Planes,
    noise: Planes,
    spectrum: Planes,
    pitch_hz: Vec<f32>,
}

/// Real and imaginary parts apart, as vectors want them.
struct Planes {
    re: Vec<f32>,
    im: Vec<f32>,
}

impl Planes {
    fn new() -> Self {
        Self { re: vec![0.0; ROOM], im: vec![0.0; ROOM] }
    }
}

impl std::fmt::Debug for Synthesizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Synthesizer").finish_non_exhaustive()
    }
}

impl Synthesizer {
    /// A synthesizer that draws its noise from `quantiles`.
    pub(super) fn new(quantiles: Arc<Quantiles>) -> Self {
        let mut planner = RealFftPlanner::new();
        let (forward, inverse) = (planner.plan_fft_forward(WINDOW), planner.plan_fft_inverse(WINDOW));
        let scratch = forward.get_scratch_len().max(inverse.get_scratch_len());
        let hann: Vec<f32> = (0..WINDOW).map(hann).collect();
        Self {
            forward,
            inverse,
            quantiles,
            analysis_window: hann.iter().map(|value| value / HOP as f32).collect(),
            synthesis_window: hann.iter().map(|value| value / (WINDOW_SQUARES * WINDOW as f32)).collect(),
            source: Source::default(),
            time: vec![0.0; WINDOW],
            bins: vec![Complex::default(); BINS],
            scratch: vec![Complex::default(); scratch],
            excitation: Planes::new(),
            noise: Planes::new(),
            spectrum: Planes::new(),
            pitch_hz: Vec::new(),
        }
    }

    /// Samples of `frames`, [`HOP`] a frame, with noise drawn from `noise` (`None`: no noise at all,
    /// which only a comparison wants). The pitch is multiplied by the voice's own factor. The spectral parts,
    /// and so the formants, stay as they are.
    pub(super) fn synthesize(&mut self, frames: &Frames, own: f32, noise: Option<Noise>) -> Vec<f32> {
        let mut sound = self.begin(&frames.pitch_hz, own, noise);
        self.add(&mut sound, &frames.values);
        sound.end()
    }

    /// Begins what [`Synthesizer::add`] goes on with; nothing else may come in between.
    pub(super) fn begin(&mut self, pitch_hz: &[f32], own: f32, noise: Option<Noise>) -> Sound {
        self.pitch_hz.clear();
        self.pitch_hz.extend(pitch_hz.iter().map(|hz| hz * own));
        self.source.pulses(&self.pitch_hz);
        let count = pitch_hz.len();
        // The first frame's window starts WINDOW/2 before the first sample and the last ends as
        // much after.
        Sound { out: vec![0.0; count * HOP + WINDOW], count, done: 0, noise }
    }

    /// Adds the next frames, as many as there are spectral parts.
    pub(super) fn add(&mut self, sound: &mut Sound, values: &[f32]) {
        let first = sound.done;
        sound.done = (first + values.len() / FRAME_VALUES).min(sound.count);
        for frame in first..sound.done {
            let sounding = cut(self.source.made(), frame, &mut self.time);
            if sounding {
                multiply(&mut self.time, &self.analysis_window);
                // The lengths are the planner's own, so neither transform can refuse them.
                let done =
                    self.forward.process_with_scratch(&mut self.time, &mut self.bins, &mut self.scratch);
                debug_assert!(done.is_ok());
                for ((bin, re), im) in
                    self.bins.iter().zip(&mut self.excitation.re).zip(&mut self.excitation.im)
                {
                    *re = bin.re;
                    *im = bin.im;
                }
            }
            if let Some(noise) = &mut sound.noise {
                noise.fill(&self.quantiles, &mut self.noise.re[..BINS], &mut self.noise.im[..BINS]);
            }
            Mix {
                parts: &values[(frame - first) * FRAME_VALUES..],
                excitation: sounding.then_some(&self.excitation),
                noise: &self.noise,
                out: &mut self.spectrum,
            }
            .dispatch();
            for ((bin, re), im) in self.bins.iter_mut().zip(&self.spectrum.re).zip(&self.spectrum.im) {
                *bin = Complex::new(*re, *im);
            }
            // A real signal has real ends of its spectrum.
            self.bins[0].im = 0.0;
            self.bins[BINS - 1].im = 0.0;
            let done = self.inverse.process_with_scratch(&mut self.bins, &mut self.time, &mut self.scratch);
            debug_assert!(done.is_ok());
            let target = &mut sound.out[frame * HOP..frame * HOP + WINDOW];
            for ((sum, value), weight) in target.iter_mut().zip(&self.time).zip(&self.synthesis_window) {
                *sum += value * weight;
            }
        }
    }
}

/// Samples that are being made, frame by frame.
pub(super) struct Sound {
    /// From half a window before the first sample on.
    out: Vec<f32>,
    count: usize,
    done: usize,
    noise: Option<Noise>,
}

impl Sound {
    /// The samples that no further frame changes.
    pub(super) fn ready(&self) -> Vec<f32> {
        let ready = self.done * HOP;
        let mut samples = self.out[(WINDOW / 2).min(ready)..ready].to_vec();
        level_ends(&mut samples, self.count);
        samples
    }

    /// The number of frames that this many samples need.
    pub(super) const fn frames_for(samples: usize) -> usize {
        (samples + WINDOW / 2).div_ceil(HOP)
    }

    /// All of them.
    pub(super) fn end(mut self) -> Vec<f32> {
        self.out.drain(..WINDOW / 2);
        self.out.truncate(self.count * HOP);
        level_ends(&mut self.out, self.count);
        self.out
    }
}

/// Copies the window of `frame` out of the pulse train, zeros beyond its ends; false when it is all
/// silence.
fn cut(pulses: &[f32], frame: usize, window: &mut [f32]) -> bool {
    let start = (frame * HOP).saturating_sub(WINDOW / 2);
    let end = (frame * HOP + WINDOW / 2).min(pulses.len());
    let samples = &pulses[start..end];
    if samples.iter().all(|sample| *sample == 0.0) {
        return false;
    }
    let before = (WINDOW / 2).saturating_sub(frame * HOP);
    window.fill(0.0);
    window[before..before + samples.len()].copy_from_slice(samples);
    true
}

fn multiply(samples: &mut [f32], window: &[f32]) {
    for (sample, weight) in samples.iter_mut().zip(window) {
        *sample *= weight;
    }
}

/// Hann, periodic, at one sample of [`WINDOW`].
fn hann(at: usize) -> f32 {
    let turn = std::f64::consts::TAU * at as f64 / WINDOW as f64;
    (0.5 - 0.5 * turn.cos()) as f32
}

/// Fewer than four windows overlap in the first and the last two hops: divides by what is there
/// instead.
fn level_ends(out: &mut [f32], count: usize) {
    for (hop, samples) in out.chunks_exact_mut(HOP).enumerate() {
        if hop >= 1 && hop + 2 < count {
            continue;
        }
        // Frames hop−1 … hop+2 reach into this hop; frame f lies there from sample (hop − f + 2) ·
        // HOP on.
        for (at, sample) in samples.iter_mut().enumerate() {
            let squares: f32 = (hop.saturating_sub(1)..(hop + 3).min(count))
                .map(|frame| hann((hop + 2 - frame) * HOP + at).powi(2))
                .sum();
            *sample *= WINDOW_SQUARES / squares.max(1e-3);
        }
    }
}

/// One frame's S from its parts.
struct Mix<'a> {
    /// The frame's values and at least [`SLACK`] more.
    parts: &'a [f32],
    /// `None`: the voice is silent and the first term vanishes.
    excitation: Option<&'a Planes>,
    noise: &'a Planes,
    out: &'a mut Planes,
}

impl SimdOp for Mix<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let per_half_turn = ops.splat(std::f32::consts::FRAC_1_PI);
        let [lh, theta, ln, lr, phi] = [0, 1, 2, 3, 4].map(|part| &self.parts[part * BINS..]);
        // Past the last bin a vector reads the next part's first values, finite or not, and writes
        // to space that is never read.
        for at in (0..BINS).step_by(ops.len()) {
            let breath = level(isa, &ln[at..]);
            let mut re = ops.mul(breath, ops.load(&self.noise.re[at..]));
            let mut im = ops.mul(breath, ops.load(&self.noise.im[at..]));

            let buzz = level(isa, &lr[at..]);
            let (sine, cosine) = lanes::sin_cos_half_turns(isa, ops.mul(ops.load(&phi[at..]), per_half_turn));
            re = ops.mul_add(buzz, cosine, re);
            im = ops.mul_add(buzz, sine, im);

            if let Some(excitation) = self.excitation {
                let gain = level(isa, &lh[at..]);
                let turn = lanes::tanh(isa, ops.load(&theta[at..]));
                let (sine, cosine) = lanes::sin_cos_half_turns(isa, turn);
                let (a, b) = (ops.load(&excitation.re[at..]), ops.load(&excitation.im[at..]));
                let rotated_re = ops.mul_sub_from(b, sine, ops.mul(a, cosine));
                let rotated_im = ops.mul_add(a, sine, ops.mul(b, cosine));
                re = ops.mul_add(gain, rotated_re, re);
                im = ops.mul_add(gain, rotated_im, im);
            }
            ops.store(re, &mut self.out.re[at..]);
            ops.store(im, &mut self.out.im[at..]);
        }
    }
}

/// e^min(x, 7) of the first values: how strong a part is.
#[inline(always)]
fn level<I: Isa>(isa: I, values: &[f32]) -> I::F32 {
    let ops = isa.f32();
    lanes::exp(isa, ops.min(ops.load(values), ops.splat(7.0)))
}
