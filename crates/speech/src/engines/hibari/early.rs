//! The beginning of a sentence before its end is drawn, for listeners who wait for it.
//!
//! The decoder and the synthesizer go from frame to frame, so the beginning of a row costs a part of
//! the whole and sounds as it does in the whole. Both halves are drawn once, but for the few frames
//! around the cut that the decoder looks at from both sides.

use std::time::Instant;

use super::{HibariEngine, SAMPLE_RATE_HZ, source::HOP, spectrum::Sound};
use crate::engines::{
    EngineError, Phases, Speech,
    neural::{
        features::Features,
        noise::Noise,
        timing::{Clip, Cut, Row},
    },
};

/// The least speech that a beginning has: enough for a player to play while the rest is drawn.
const LEAST_MS: usize = 350;

/// A longer row takes longer to draw, so that its beginning is at least this part of it.
const LEAST_PART: usize = 16;

/// A rest of fewer frames is not worth a beginning: it would come as early.
const LEAST_REST: usize = 80;

/// Where a row is drawn in two.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    cut: Cut,
    /// The frames that the samples before the cut need.
    frames: usize,
}

impl Place {
    /// `None` where a row is too short.
    pub(super) fn of(row: &Row<'_>, features: &Features) -> Option<Self> {
        let count = features.pitch_hz.len();
        let least = (LEAST_MS * SAMPLE_RATE_HZ as usize / 1000).max(count * HOP / LEAST_PART);
        let cut = row.cut_after(least)?;
        let frames = Sound::frames_for(cut.sample);
        (frames + LEAST_REST <= count).then_some(Self { cut, frames })
    }
}

impl HibariEngine {
    /// Draws a row up to a place, gives that to `begin`, and draws the rest. Says whether there was
    /// something to give: the beginning may be silent, and then stays with the rest.
    #[expect(clippy::too_many_arguments, reason = "the parts of one row")]
    pub(super) fn in_two(
        &mut self,
        features: &Features,
        row: &Row<'_>,
        Place { cut, frames }: Place,
        own: f32,
        noise: Noise,
        phases: &mut Phases,
        begin: &mut dyn FnMut(Speech),
    ) -> Result<(Clip, bool), EngineError> {
        let mut sound = self.synthesizer.begin(&features.pitch_hz, own, Some(noise));
        let mut draw = |sound: &mut Sound, part| {
            let started = Instant::now();
            let values = self.network.draw(features, part)?;
            let drawn = Instant::now();
            self.synthesizer.add(sound, &values);
            phases.infer += drawn - started;
            phases.vocode += drawn.elapsed();
            Ok::<_, EngineError>(())
        };
        draw(&mut sound, 0..frames)?;
        let beginning = row.before(cut, sound.ready());
        let has_begun = beginning.is_some();
        if let Some(Clip { samples, words }) = beginning {
            begin(Speech { samples, words, sample_rate_hz: SAMPLE_RATE_HZ, ..Speech::default() });
        }
        draw(&mut sound, frames..features.pitch_hz.len())?;
        let samples = sound.end();
        Ok((if has_begun { row.after(cut, samples) } else { row.whole(samples) }, has_begun))
    }
}
