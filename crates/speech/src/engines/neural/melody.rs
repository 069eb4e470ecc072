//! The pitch of a row: what the network would do, with the rises of questions and what the text and the
//! request ask for.

use super::{
    delivery::{Deliveries, LOWEST_HZ, factor_at},
    intonation::Intonation,
};

/// What changes the pitch of a row.
#[derive(Debug, Clone, Copy)]
pub(in crate::engines) struct Melody<'a> {
    pub(in crate::engines) intonation: &'a Intonation,
    pub(in crate::engines) deliveries: &'a Deliveries,
    /// The voice's own factor on the pitch, which is applied elsewhere.
    pub(in crate::engines) own: f32,
    /// The factor of the request.
    pub(in crate::engines) pitch: f32,
}

impl Melody<'_> {
    /// Whether the network does as it likes.
    pub(in crate::engines) fn is_plain(&self) -> bool {
        self.intonation.is_empty() && (self.pitch - 1.0).abs() < 1e-4 && self.deliveries.leave_pitch_alone()
    }

    /// The pitch of each frame, of which `pitch_hz` is what the network would do.
    pub(in crate::engines) fn of(&self, lengths: &[usize], pitch_hz: &[f32]) -> Vec<f32> {
        let bent = self.intonation.bent(lengths, pitch_hz);
        let heard: Vec<f32> = bent.iter().map(|hertz| hertz * self.own).collect();
        let factors = self.deliveries.pitch_factors(lengths, &heard, self.pitch);
        let changed = |(frame, &hertz): (usize, &f32)| {
            let changed = hertz * factor_at(&factors, frame);
            // A low voice must not fall silent because it is asked to be lower.
            if hertz < LOWEST_HZ { hertz } else { changed.max(LOWEST_HZ / self.own.min(1.0)) }
        };
        bent.iter().enumerate().map(changed).collect()
    }
}
