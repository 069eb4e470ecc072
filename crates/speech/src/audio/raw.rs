//! Audio without a header: samples of 16 bits, or their G.711 codes. What it is stands in its media
//! type.

use super::{AudioFormat, g711::Law, to_i16};

pub(super) struct RawEncoder {
    /// `None`: 16 bits, little-endian.
    law: Option<Law>,
}

impl RawEncoder {
    pub(super) const fn new(format: AudioFormat) -> Self {
        let law = match format {
            AudioFormat::Ulaw => Some(Law::Mu),
            AudioFormat::Alaw => Some(Law::A),
            _ => None,
        };
        Self { law }
    }

    pub(super) fn push(&mut self, samples: &[f32], out: &mut Vec<u8>) {
        let samples = samples.iter().map(|&sample| to_i16(sample));
        match self.law {
            None => out.extend(samples.flat_map(i16::to_le_bytes)),
            Some(law) => out.extend(samples.map(|sample| law.encode(sample))),
        }
    }
}
