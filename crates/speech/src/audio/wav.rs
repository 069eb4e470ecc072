//! RIFF WAVE with 16-bit PCM: 44 bytes of header, then the samples. The header starts with lengths
//! of `0xFFFF_FFFF`, which players interpret as "until the data ends"; a file gets the true lengths
//! at the end.

use super::{AudioError, AudioFormat, EncodeOptions, Finished, FrontPatch, Layout, to_i16};

/// The length that readers interpret as "unknown, read to the end".
const UNKNOWN: u32 = u32::MAX;

pub(super) struct WavEncoder {
    sample_rate_hz: u32,
    layout: Layout,
    header_sent: bool,
    data_bytes: u64,
}

impl WavEncoder {
    pub(super) fn new(options: &EncodeOptions, layout: Layout) -> Result<Self, AudioError> {
        let sample_rate_hz = options.sample_rate_hz;
        if !(1..=768_000).contains(&sample_rate_hz) {
            return Err(AudioError::SampleRate { format: AudioFormat::Wav, sample_rate_hz });
        }
        Ok(Self { sample_rate_hz, layout, header_sent: false, data_bytes: 0 })
    }

    pub(super) fn push(&mut self, samples: &[f32], out: &mut Vec<u8>) {
        self.send_header(out);
        out.extend(samples.iter().flat_map(|&sample| to_i16(sample).to_le_bytes()));
        self.data_bytes += 2 * samples.len() as u64;
    }

    pub(super) fn finish(mut self) -> Finished {
        let mut bytes = Vec::new();
        self.send_header(&mut bytes);
        // Data whose length does not fit into 32 bits keeps the unknown lengths, and is still read
        // to its end.
        let fits = u32::try_from(self.data_bytes).ok().filter(|&length| length <= UNKNOWN - 37);
        let front_patch = fits.filter(|_| self.layout == Layout::File).map(|data_bytes| FrontPatch {
            offset: 0,
            bytes: header(self.sample_rate_hz, data_bytes + 36, data_bytes).to_vec(),
        });
        Finished { bytes, front_patch }
    }

    fn send_header(&mut self, out: &mut Vec<u8>) {
        if !self.header_sent {
            self.header_sent = true;
            out.extend_from_slice(&header(self.sample_rate_hz, UNKNOWN, UNKNOWN));
        }
    }
}

fn header(sample_rate_hz: u32, riff_bytes: u32, data_bytes: u32) -> [u8; 44] {
    let mut header = [0; 44];
    header[0..4].copy_from_slice(b"RIFF");
    header[4..8].copy_from_slice(&riff_bytes.to_le_bytes());
    header[8..16].copy_from_slice(b"WAVEfmt ");
    header[16..20].copy_from_slice(&16_u32.to_le_bytes());
    header[20..22].copy_from_slice(&1_u16.to_le_bytes()); // PCM
    header[22..24].copy_from_slice(&1_u16.to_le_bytes()); // channels
    header[24..28].copy_from_slice(&sample_rate_hz.to_le_bytes());
    header[28..32].copy_from_slice(&(2 * sample_rate_hz).to_le_bytes());
    header[32..34].copy_from_slice(&2_u16.to_le_bytes()); // bytes a frame
    header[34..36].copy_from_slice(&16_u16.to_le_bytes()); // bits a sample
    header[36..40].copy_from_slice(b"data");
    header[40..44].copy_from_slice(&data_bytes.to_le_bytes());
    header
}
