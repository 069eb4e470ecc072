//! What the network gives and the synthesizer takes: spectral parts, pitch and lengths, in frames.

use super::source::HOP;

/// Samples of a frame's window.
pub(super) const WINDOW: usize = 4 * HOP;

/// Bins of a frame's spectrum.
pub(super) const BINS: usize = WINDOW / 2 + 1;

/// Values of one frame: five parts of [`BINS`] each, in the order lh, θ, ln, lr, φ.
pub(super) const FRAME_VALUES: usize = 5 * BINS;

/// What a reader in vectors may read past the last frame.
pub(super) const SLACK: usize = 64;

/// The network times phonemes in steps of 25 ms and draws two frames in each.
const FRAMES_A_STEP: usize = 2;

/// What the network says of a row of phonemes.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// [`FRAME_VALUES`] a frame of 12.5 ms, and [`SLACK`] values more.
    pub(super) values: Vec<f32>,
    /// Pitch a frame; below 40 the voice is silent.
    pub(super) pitch_hz: Vec<f32>,
    /// Frames of each phoneme; they sum up to all.
    pub(super) lengths: Vec<usize>,
}

impl Frames {
    /// `None` unless every frame has its parts and its pitch and belongs to a phoneme.
    pub(super) fn new(values: Vec<f32>, pitch_hz: Vec<f32>, lengths: Vec<usize>) -> Option<Self> {
        let count = pitch_hz.len();
        let fits = values.len() == count * FRAME_VALUES + SLACK && lengths.iter().sum::<usize>() == count;
        fits.then_some(Self { values, pitch_hz, lengths })
    }
}

/// The frames of phonemes that last this many steps.
pub(super) fn of_steps(steps: &[f32]) -> Vec<usize> {
    steps.iter().map(|steps| *steps as usize * FRAMES_A_STEP).collect()
}
